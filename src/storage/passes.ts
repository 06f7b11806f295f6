import { ApiError } from '../errors/api-error.ts';
import type { Sharing } from '../engine/following.ts';
import {
  type Followers,
  followersMax,
  type NotedChange,
  type Passes,
  type PassKey,
  type SharedPass,
} from '../following/passes.ts';
import type { Backlog, Lease } from '../outbox/outbox.ts';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';
import { heldLease } from './outbox.ts';
import { alikePasses, beginAlike, isResting, nextPass, restEnd, restSeconds } from './pass-turns.ts';
import { conditionsOf } from './predicate-sql.ts';
import { memberSql } from './write-statements.ts';

const projectsMax = 1000;
/** Passes of sources whose values followers name: so many are looked at together, and are of few followers each. */
const sharedMax = 500;
const fewMax = 20;
/** So many are found by the index on documents, and sorted; of more, all of the kind are looked at in their order. */
const foundMax = 5000;
/** After so long those of other passes are counted by other steps. */
const countingMsMax = 500;

export function createPasses(database: Database): Passes {
  const write = async (statement: (sql: Sql) => PromiseLike<readonly unknown[]>): Promise<boolean> =>
    (await database.write(async (sql) => statement(sql))).length > 0;
  return {
    due: () => database.read(due),
    note: (lease, changes) => write((sql) => note(sql, lease, changes)),
    next: (project, served) => nextPass(database, project, served),
    alike: (project, pass) => alikePasses(database, project, pass),
    begin: (lease, pass, { at, state, total }) =>
      write(
        (sql) => sql`
        update passes set begun_at = ${at}::text::timestamptz, due_at = ${restEnd(sql)}, cursor = null, done = 0, total = ${total},
          mark = ${state?.mark ?? null}, begun_version = ${state?.version ?? null}, attempts = 0, touched_at = clock_timestamp()
        where ${isPass(sql, lease, pass)} returning 1`,
      ),
    beginAlike: (lease, pass, beginnings) => beginAlike(database, lease, { ...pass, beginnings }),
    attempt: async (lease, pass, by) => {
      const [row] = await database.write(
        (sql) => sql<{ attempts: number }[]>`
        update passes set attempts = greatest(attempts + ${by}, 0)
        where ${isPass(sql, lease, pass)} returning attempts`,
      );
      return row?.attempts;
    },
    advance: (lease, pass, { cursor, count, attempts }) =>
      write(
        (sql) => sql`
        update passes set cursor = ${cursor}, done = done + ${count}, attempts = ${attempts},
          touched_at = clock_timestamp()
        where ${isPass(sql, lease, pass)} returning 1`,
      ),
    postpone: (lease, pass) =>
      write(
        (sql) => sql`update passes set touched_at = clock_timestamp() where ${isPass(sql, lease, pass)} returning 1`,
      ),
    end: (lease, pass, nextAt) =>
      write(
        (sql) => sql`
        update passes set begun_at = null, cursor = null, due_at = least(due_at, ${nextAt ?? null}::text::timestamptz),
          followed_version = coalesce(begun_version, followed_version), begun_version = null,
          touched_at = clock_timestamp()
        where ${isPass(sql, lease, pass)} returning 1`,
      ),
    forget: (lease, pass) =>
      write((sql) => sql`delete from passes where ${isPass(sql, lease, pass)} and due_at is null returning 1`),
    drop: (lease, pass) => write((sql) => sql`delete from passes where ${isPass(sql, lease, pass)} returning 1`),
    beginShared: (lease, { kind, sourceKind }, sharing) =>
      database.write((sql) => beginShared(sql, lease, { kind, sourceKind, ...sharing })),
    endShared: (lease, shared) => write((sql) => endShared(sql, lease, shared)),
    count: (project, followers) => count(database, project, followers),
    counts: (project, followers) => counts(database, project, followers),
    ids: (project, followers, after) => idsBehind(database, project, { followers, after }),
    backlog: () => database.read(backlog),
  };
}

async function due(sql: Sql): Promise<readonly string[]> {
  const rows = await sql<{ key: string }[]>`
    select key from projects where exists (select from passes where project = key and begun_at is not null)
      or exists (select from passes where project = key and due_at <= clock_timestamp())
    order by key limit ${projectsMax}`;
  return rows.map(({ key }) => key);
}

function note(sql: Sql, lease: Lease, changes: readonly NotedChange[]): PromiseLike<readonly unknown[]> {
  return sql`
        insert into passes as pass (project, kind, source_kind, source_id, noted_version, noted_at, due_at)
        select ${lease.project}, given.*, clock_timestamp(), clock_timestamp() + make_interval(secs => ${restSeconds})
        from unnest(${changes.map(({ kind }) => kind)}::text[], ${changes.map(({ sourceKind }) => sourceKind)}::text[],
          ${changes.map(({ sourceId }) => sourceId)}::text[],
          ${changes.map(({ version }) => version ?? null)}::bigint[]) as given
        where exists (${heldLease(sql, lease)})
        on conflict (project, kind, source_kind, source_id)
          do update set due_at = least(pass.due_at, excluded.due_at), noted_at = excluded.noted_at,
            noted_version = greatest(pass.noted_version, excluded.noted_version),
            mark = case when excluded.noted_version is not null then pass.mark end
        returning 1`;
}

async function beginShared(
  sql: Sql,
  lease: Lease,
  { kind, sourceKind, unique, member }: Pick<PassKey, 'kind' | 'sourceKind'> & Sharing,
): Promise<readonly SharedPass[]> {
  const isOfThese = sql`project = ${lease.project} and kind = ${kind} and source_kind = ${sourceKind}
          and due_at <= clock_timestamp() and begun_at is null and exists (${heldLease(sql, lease)})`;
  // Declared kinds and members stand in the statement, as in those that the indexes are for (migration 0012).
  const names = sql.unsafe(
    `follower.kind = '${kind}' and md5(${memberSql(member, 'follower.data')}) = md5(value.value)`,
  );
  const values = sql`unique_values as value where value.project = ${lease.project} and value.kind = ${sourceKind}
          and value.id = due.source_id::uuid and value.field = ${unique}`;
  // As values of one row these are looked up for each pass; as a join all values there are would be gone through. What
  // is too long for an index is held as a hash, of which nothing is known here.
  return sql<SharedPass[]>`
          with due as materialized (
            select source_id, ${isResting(sql)} as "isResting" from passes where ${isOfThese}
            order by touched_at limit ${sharedMax}
          ), found as materialized (
            select source_id, "isResting", coalesce((select true from ${values} and value.value like 'sha256 %' limit 1), false) as "isHashed",
              array(select named.id from (select value.value from ${values}) as value, lateral (
                select follower.id from documents as follower where follower.project = ${lease.project} and ${names}
                limit ${fewMax + 1}) as named limit ${fewMax + 1}) as ids
            from due
          ), few as (
            select source_id, ids, sum(cardinality(ids)) over (order by source_id) as sum
            from found where not "isHashed" and cardinality(ids) <= ${fewMax} and ("isResting" or cardinality(ids) > 0)
          ), unshared as (
            delete from passes using found
            where ${isOfThese} and passes.source_id = found.source_id and not "isHashed" and not "isResting"
              and cardinality(ids) = 0
          )
          update passes set begun_at = clock_timestamp(), due_at = ${restEnd(sql)}, cursor = null, done = 0,
            total = cardinality(ids), attempts = 0, mark = null, begun_version = null, touched_at = clock_timestamp()
          from few where ${isOfThese} and passes.source_id = few.source_id and few.sum <= ${followersMax}
          returning kind, source_kind as "sourceKind", passes.source_id as "sourceId", to_json(ids) as "followerIds"`;
}

function endShared(sql: Sql, lease: Lease, shared: readonly SharedPass[]): PromiseLike<readonly unknown[]> {
  const [pass] = shared;
  if (pass === undefined) throw new Error('No pass began');
  const isOfThese = sql`project = ${lease.project} and kind = ${pass.kind} and source_kind = ${pass.sourceKind}
          and source_id = any(${shared.map(({ sourceId }) => sourceId)}::text[]) and exists (${heldLease(sql, lease)})`;
  return sql`
          with ended as (
            delete from passes where ${isOfThese} and due_at is null returning 1
          ), again as (
            update passes set begun_at = null, cursor = null, touched_at = clock_timestamp()
            where ${isOfThese} and due_at is not null returning 1
          )
          select from ended union all select from again`;
}

async function count(database: Database, project: string, followers: Followers): Promise<number> {
  if (followers.referTo !== undefined) {
    const { text, parameters } = referring(project, followers.kind, followers.referTo);
    const rows = await database.read((sql) =>
      sql.unsafe<{ count: number }[]>(
        `select count(*)::int as count from document_references where ${text}`,
        parameters,
      ),
    );
    return rows[0]!.count;
  }
  const { where, parameters } = whereOf(project, followers);
  const rows = await database.read((sql) =>
    sql.unsafe<{ count: number }[]>(`select count(*)::int as count from documents where ${where}`, parameters),
  );
  return rows[0]!.count;
}

/**
 * By twice as many in each statement, until that has taken long: of deep trees those behind one are counted for a tenth of a
 * second. What takes too long keeps no others from being counted.
 */
async function counts(
  database: Database,
  project: string,
  followers: readonly Followers[],
): Promise<readonly (number | undefined)[]> {
  const counted: (number | undefined)[] = [];
  const untilMs = performance.now() + countingMsMax;
  for (let size = 1; counted.length < followers.length && performance.now() < untilMs; size *= 2) {
    try {
      counted.push(
        ...(await countedTogether(database, project, followers.slice(counted.length, counted.length + size))),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      break;
    }
  }
  return followers.map((_, index) => counted[index]);
}

async function countedTogether(
  database: Database,
  project: string,
  followers: readonly Followers[],
): Promise<readonly (number | undefined)[]> {
  const parameters: unknown[] = [project];
  const each = followers.map(
    (some, index) =>
      `select ${index} as index, count(*)::int as count from (select ${followedBy(some, parameters)} limit ${foundMax + 1}) as found`,
  );
  const rows = await database.read((sql) =>
    // The driver's types know no mixed lists.
    sql.unsafe<{ index: number; count: number }[]>(each.join(' union all '), parameters as string[]),
  );
  const counts = new Map(rows.map(({ index, count }) => [index, count]));
  return followers.map((_, index) => {
    const count = counts.get(index)!;
    return count > foundMax ? undefined : count;
  });
}

async function idsBehind(
  database: Database,
  project: string,
  { followers, after }: { readonly followers: Followers; readonly after: string | undefined },
): Promise<readonly string[]> {
  const read = async (text: string, parameters: string[]): Promise<readonly string[]> =>
    (await database.read((sql) => sql.unsafe<{ id: string }[]>(text, parameters))).map(({ id }) => id);
  if (followers.referTo !== undefined) {
    const { text, ordered, parameters } = referring(project, followers.kind, followers.referTo);
    const few = await read(
      `select source_id as id from document_references where ${text} limit ${foundMax + 1}`,
      parameters,
    );
    if (few.length <= foundMax) return nextOf(few, after);
    const behind = after === undefined ? [] : ['source_id > $4::text::uuid'];
    const where = [ordered, ...behind].join(' and ');
    return read(
      `select source_id as id from document_references where ${where} order by source_id limit ${followersMax}`,
      after === undefined ? parameters : [...parameters, after],
    );
  }
  if (followers.where.length > 0) {
    const few = whereOf(project, followers);
    const ids = await read(`select id from documents where ${few.where} limit ${foundMax + 1}`, few.parameters);
    if (ids.length <= foundMax) return nextOf(ids, after);
  }
  const { conditions, parameters } = conditionsFor(project, followers);
  if (after !== undefined) parameters.push(after);
  const behind = after === undefined ? [] : [`id > $${parameters.length}::text::uuid`];
  // In brackets no index on documents serves the conditions.
  const tested = conditions.map((condition) => `(${condition}) is true`);
  const where = [`project = $1 and kind = '${followers.kind}'`, ...behind, ...tested].join(' and ');
  return read(`select id from documents where ${where} order by id limit ${followersMax}`, parameters);
}

function backlog(sql: Sql): Promise<readonly Backlog[]> {
  return sql<Backlog[]>`
        select project, ${'follow'} as topic, kind || ' behind ' || source_kind as of,
          greatest(total - done, 0)::int as count,
          extract(epoch from clock_timestamp() - coalesce(begun_at, due_at))::float8 as "oldestSeconds"
        from passes where begun_at is not null or due_at <= clock_timestamp()
        order by project, touched_at limit ${projectsMax}`;
}

function nextOf(ids: readonly string[], after: string | undefined): readonly string[] {
  return ids
    .toSorted()
    .filter((id) => after === undefined || id > after)
    .slice(0, followersMax);
}

/** Which references lead to the target from resources of the kind; one refers to another once. */
function referring(
  project: string,
  kind: string,
  target: NonNullable<Followers['referTo']>,
): { readonly text: string; readonly ordered: string; readonly parameters: string[] } {
  const from = `project = $1 and source_kind = '${kind}'`;
  const to = 'target_kind = $2 and target_id = $3::text::uuid';
  // In brackets the index of the targets does not serve them, and the primary key gives the sources in their order.
  return {
    text: `${from} and ${to}`,
    ordered: `${from} and (${to}) is true`,
    parameters: [project, target.kind, target.id],
  };
}

/** Where followers are found, with what that needs behind the project. */
function followedBy({ where, referTo, ...findable }: Followers, parameters: unknown[]): string {
  const { kind } = findable;
  if (referTo !== undefined) {
    parameters.push(referTo.kind, referTo.id);
    const [ofKind, ofId] = [parameters.length - 1, parameters.length];
    return `from document_references where project = $1 and source_kind = '${kind}' and target_kind = $${ofKind} and target_id = $${ofId}::text::uuid`;
  }
  const conditions = conditionsOf(where, parameters, findable).map(({ text }) => text);
  return ['from documents where project = $1', `kind = '${kind}'`, ...conditions].join(' and ');
}

function isPass(sql: Sql, lease: Lease, { kind, sourceKind, sourceId }: PassKey): ReturnType<Sql> {
  return sql`project = ${lease.project} and kind = ${kind} and source_kind = ${sourceKind} and source_id = ${sourceId}
    and exists (${heldLease(sql, lease)})`;
}

function conditionsFor(
  project: string,
  { where, ...findable }: Followers,
): { readonly conditions: readonly string[]; readonly parameters: string[] } {
  const parameters: unknown[] = [project];
  const conditions = conditionsOf(where, parameters, findable).map(({ text }) => text);
  // The driver's types know no mixed lists.
  return { conditions, parameters: parameters as string[] };
}

function whereOf(project: string, followers: Followers): { readonly where: string; readonly parameters: string[] } {
  const { conditions, parameters } = conditionsFor(project, followers);
  return { where: [`project = $1 and kind = '${followers.kind}'`, ...conditions].join(' and '), parameters };
}
