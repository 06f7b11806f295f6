/** How the platform and something else do the same work: what comparisons are made of. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printSchema } from 'graphql';
import { type Members, partOf } from '../src/engine/indexed.ts';
import { createRegistry } from '../src/engine/registry.ts';
import { createSchema } from '../src/graphql/schema.ts';
import { allResources } from '../src/resources/all.ts';
import { project as projectDeclaration } from '../src/resources/project/resource.ts';
import { connect, plannedOnceSettings } from '../src/storage/connection.ts';
import { topicsOf } from '../src/topics.ts';
import { type WriteForm, type WriteStatement, writeStatement } from '../src/storage/write-statements.ts';
import { inTurn, pgbench, type Request, type Round, type Source } from './load.ts';
import { ended, type Stage } from './stage.ts';

/** The same work, done by the platform and by something else. */
export interface Comparison {
  readonly work: string;
  readonly against: string;
  /** The least ratio that is aimed at. */
  readonly goal: string | undefined;
  prepare(stage: Stage): Promise<Contest>;
}

export interface Contest {
  /** What a round needs that is not measured. */
  ready?(side: 'ours' | 'theirs'): Promise<void>;
  ours(): Promise<Round>;
  theirs(): Promise<Round>;
  end(): Promise<void>;
}

export const bare = 'bare uWebSockets.js, same bytes';
export const mercurius = 'Mercurius with JIT, same data in memory';

export function againstBare(row: {
  readonly work: string;
  readonly goal: string | undefined;
  requests(stage: Stage): Promise<readonly Request[]>;
}): Comparison {
  const { work, goal, requests } = row;
  return {
    work,
    against: bare,
    goal,
    prepare: async (stage) => bareContest(stage, await requests(stage), stage.baseUrl),
  };
}

export async function bareContest(stage: Stage, requests: readonly Request[], ours: string): Promise<Contest> {
  const bodies = await Promise.all(requests.map((request) => stage.ask(request)));
  const { message, process } = await stage.child<{ port: number }>(
    'bench/bare-server.js',
    recordings(requests, bodies),
  );
  return {
    ours: () => stage.load(ours, inTurn(requests)),
    theirs: () => stage.load(`http://127.0.0.1:${message.port}`, inTurn(requests)),
    end: () => ended(process),
  };
}

/** The bare server matches paths only, so requests that differ in their query share the bytes of a middling answer. */
function recordings(
  requests: readonly Request[],
  bodies: readonly string[],
): readonly { path: string; body: string }[] {
  const byPath = new Map<string, string[]>();
  for (const [index, { path }] of requests.entries()) {
    const [plain = path] = path.split('?');
    byPath.set(plain, [...(byPath.get(plain) ?? []), bodies[index]!]);
  }
  return [...byPath].map(([path, texts]) => ({
    path,
    body: texts.toSorted((one, other) => one.length - other.length)[Math.floor(texts.length / 2)]!,
  }));
}

/** `query` asks for all that requests of the source ask for, which Mercurius answers from memory. */
export async function mercuriusContest(
  stage: Stage,
  { ours, query, source }: { readonly ours: string; readonly query: string; readonly source: Source },
): Promise<Contest> {
  // Types behind interfaces are told by their names.
  const typed = query.replaceAll(' { ', ' { __typename ').replace('{ __typename ', '{ ');
  const body = JSON.stringify({ query: typed });
  const { data } = JSON.parse(await stage.ask({ method: 'POST', path: `${stage.project}/graphql`, body })) as {
    data: Record<string, unknown>;
  };
  const sdl = printSchema(createSchema(createRegistry(allResources, projectDeclaration)));
  const { message, process } = await stage.child<{ port: number }>('bench/mercurius-server.js', { sdl, data });
  const theirs: Source = { next: () => ({ ...source.next(), path: '/graphql' }) };
  return {
    ours: () => stage.load(ours, source),
    theirs: () => stage.load(`http://127.0.0.1:${message.port}`, theirs),
    end: () => ended(process),
  };
}

/** A statement of the platform for pgbench. What it takes are variables by their names, or these expressions. */
export function scriptOf({ text, parameters }: WriteStatement, expressions: Readonly<Record<string, string>>): string {
  const named = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
    const name = parameters[Number(number) - 1]!;
    return expressions[name] ?? `:${name}`;
  });
  return `${named.replaceAll(/\s+/g, ' ')};\n`;
}

export async function pgbenchContest(
  stage: Stage,
  given: { readonly script: string; readonly variables: Record<string, string>; readonly ours: () => Promise<Round> },
): Promise<Contest> {
  const file = join(stage.dataDir, `${randomUUID()}.sql`);
  writeFileSync(file, given.script);
  const { variables } = given;
  return {
    ours: given.ours,
    theirs: async () => {
      const { seconds, connections: clients } = stage;
      const { databaseUrl } = stage.config;
      const round = await pgbench({ databaseUrl, settings: plannedOnceSettings, file, variables, clients, seconds });
      if (round === undefined) throw new Error('This machine has no pgbench.');
      return round;
    },
    end: async () => {},
  };
}

export interface Versioned {
  readonly id: string;
  readonly version: number;
}

/** What the updates of a kind are, for the platform and for pgbench. */
export interface Updates {
  /** Below the project. */
  readonly path: string;
  /** Each is of a resource of its own. */
  draft(): object;
  action(version: number): object;
  /** pgbench reads the resource before it writes it, as the platform does with what it has not written last. */
  readonly readsFirst?: true;
  /** The statement that writes an update. */
  readonly form: Extract<WriteForm, { type: 'replacement' }>;
}

/** What has neither a key nor anything beside the document. */
export const plainValues = { keys: `'{null}'`, secrets: `'{null}'`, internals: `'{null}'` };

/** What writes of a kind have in common that change neither references nor unique values. */
export function plainForm(kind: string): Omit<Updates['form'], 'type'> {
  return {
    kind,
    topics: topicsOf(allResources).get(kind) ?? [],
    groupedBy: [],
    groupTopics: [],
    hasIndexed: membersIndexed(kind) !== undefined,
    hasReferences: false,
    hasUniqueValues: false,
  };
}

/** What the index of its kind has of a document, as the platform writes it. */
export function indexedOf(kind: string, document: string): string {
  const members = membersIndexed(kind);
  const part = members && partOf(JSON.parse(document) as Record<string, unknown>, members);
  return literal(`[${JSON.stringify(part ?? {})}]`);
}

function membersIndexed(kind: string): Members | undefined {
  return allResources.find((resource) => resource.kind === kind)?.indexed;
}

/** A text in a script of pgbench, which takes what stands behind colons for its variables, and has no room for large ones. */
export function literal(text: string): string {
  return `E'${text.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll(':', String.raw`\x3a`)}'`;
}

/** Resources of a client that are made at a time: the larger they are, the longer each takes. */
const madeTogether = 4;

/** Each client updates a resource of its own, at the version of the answer before. */
export function updating(
  stage: Stage,
  { path: name, draft, action }: Pick<Updates, 'path' | 'draft' | 'action'>,
  baseUrl: string | string[],
): () => Promise<Round> {
  const path = `${stage.project}/${name}`;
  return async () => {
    const free: Versioned[] = [];
    while (free.length < stage.connections) {
      const together = Array.from({ length: madeTogether }, () =>
        stage.ask({ method: 'POST', path, body: JSON.stringify(draft()) }),
      );
      for (const text of await Promise.all(together)) free.push(JSON.parse(text) as Versioned);
    }
    // What was written last is one version further on; what is not, fails.
    const source = (): Source => {
      const { id, version: first } = free.pop()!;
      let version = first;
      return {
        next: () => {
          const body = JSON.stringify({ version, actions: [action(version)] });
          version += 1;
          return { method: 'POST', path: `${path}/${id}`, body };
        },
      };
    };
    return stage.load(baseUrl, source);
  };
}

/** The same, beside pgbench with the same statement. What follows from what one has written is no work of the other's. */
export async function updateContest(
  stage: Stage,
  { path: name, draft, action, readsFirst, form }: Updates,
): Promise<Contest> {
  const path = `${stage.project}/${name}`;
  const made = (): Promise<string> => stage.ask({ method: 'POST', path, body: JSON.stringify(draft()) });
  const document = await made();
  const sql = connect({ databaseUrl: stage.config.databaseUrl, connectionsMax: 1, prepare: true });
  const idOf = (client: string): string => `('00000000-0000-4000-8000-' || lpad(${client}::text, 12, '0'))::uuid`;
  const reset = (): Promise<unknown> =>
    sql.unsafe(
      `insert into documents (project, kind, id, version, data)
      select $1, '${form.kind}', id, 1, $2::text::jsonb || jsonb_build_object('id', id)
      from generate_series(0, $3::int - 1) as client, lateral (select ${idOf('client')} as id) as own
      on conflict (project, kind, id) do update set version = 1`,
      [stage.config.projectKey, document, stage.connections],
    );
  // Every update writes another version and another moment, as those of the platform do.
  const varying: Readonly<Record<string, string>> = {
    id: `${idOf(':client_id')}::text`,
    version: '(:v + 1)::text',
    moment: `lpad(:v::text, 6, '0')`,
  };
  const written = document
    .replaceAll((JSON.parse(document) as { id: string }).id, '\0id\0')
    .replace(/"version":\d+/, '"version":\0version\0')
    .replace(/"lastModifiedAt":"[^"]*/, '"lastModifiedAt":"2026-01-01T00:00:00.\0moment\0Z')
    .split('\0')
    .map((part, index) => (index % 2 === 0 ? literal(part) : varying[part]!));
  const read = `select id, key, version, data::text from documents where project = :project and kind = '${form.kind}' and id = ${idOf(':client_id')};\n`;
  const script = `${readsFirst === true ? read : ''}${scriptOf(writeStatement(form), {
    ...plainValues,
    indexed: indexedOf(form.kind, document),
    ids: `array[${idOf(':client_id')}]`,
    versions: 'array[:v + 1]',
    expectedVersions: 'array[:v]',
    documents: `('[' || ${written.join(' || ')} || ']')`,
  })}\\set v :v + 1\n`;
  // As many processes as the platform is started with.
  const ours = updating(stage, { path: name, draft, action }, [stage.baseUrl, stage.otherUrl]);
  const variables = { project: stage.config.projectKey, v: '1' };
  const contest = await pgbenchContest(stage, { script, variables, ours });
  return {
    ready: () => stage.caughtUp(),
    ours,
    theirs: async () => {
      await reset();
      return contest.theirs();
    },
    end: async () => {
      // Nobody else is to come upon rows that no client made.
      await sql.unsafe(
        `delete from documents where project = $1 and kind = '${form.kind}' and id::text like '00000000-0000-4000-8000-%'`,
        [stage.config.projectKey],
      );
      await sql.end();
    },
  };
}
