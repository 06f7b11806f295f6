import type { Sharing } from '../engine/resource.ts';
import type { Followers, Pass, Passes, PassKey, SharedPass } from '../following/passes.ts';
import type { Backlog, Lease } from '../outbox/outbox.ts';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';
import { heldLease } from './outbox.ts';
import { conditionsOf } from './predicate-sql.ts';
import { memberSql } from './write-statements.ts';

const projectsMax = 1000;
/** After a change, for writes that began before it: they read, plan and are committed within this, unless they stood still. */
const restSeconds = 2;
const idsMax = 200;
/** Passes of sources whose values followers name: so many are looked at together, and are of few followers each. */
const sharedMax = 500;
const fewMax = 20;
/** So many are found by the index on documents, and sorted; of more, all of the kind are looked at in their order. */
const foundMax = 5000;

export function createPasses(database: Database): Passes {
  const write = async (statement: (sql: Sql) => PromiseLike<readonly unknown[]>): Promise<boolean> =>
    (await database.write(async (sql) => statement(sql))).length > 0;
  return {
    due: () => database.read(due),
    note: (lease, keys) => write((sql) => note(sql, lease, keys)),
    next: (project) => database.read((sql) => next(sql, project)),
    begin: (lease, pass, { mark, total }) =>
      write(
        (sql) => sql`
        update passes set begun_at = clock_timestamp(), due_at = null, cursor = null, done = 0, total = ${total},
          mark = ${mark ?? null}, attempts = 0, touched_at = clock_timestamp()
        where ${isPass(sql, lease, pass)} returning 1`,
      ),
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
    skip: (lease, pass) =>
      write(
        (sql) => sql`
        update passes set due_at = null, touched_at = clock_timestamp() where ${isPass(sql, lease, pass)} returning 1`,
      ),
    end: (lease, pass, nextAt) =>
      write(
        (sql) => sql`
        update passes set begun_at = null, cursor = null, due_at = least(due_at, ${nextAt ?? null}::text::timestamptz),
          touched_at = clock_timestamp()
        where ${isPass(sql, lease, pass)} returning 1`,
      ),
    forget: (lease, pass) =>
      write((sql) => sql`delete from passes where ${isPass(sql, lease, pass)} and due_at is null returning 1`),
    beginShared: (lease, { kind, sourceKind }, sharing) =>
      database.write((sql) => beginShared(sql, lease, { kind, sourceKind, ...sharing })),
    endShared: (lease, shared) => write((sql) => endShared(sql, lease, shared)),
    count: (project, followers) => database.read((sql) => count(sql, project, followers)),
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

function note(sql: Sql, lease: Lease, keys: readonly PassKey[]): PromiseLike<readonly unknown[]> {
  return sql`
    insert into passes as pass (project, kind, source_kind, source_id, due_at)
    select ${lease.project}, given.*, clock_timestamp() + make_interval(secs => ${restSeconds})
    from unnest(${keys.map(({ kind }) => kind)}::text[], ${keys.map(({ sourceKind }) => sourceKind)}::text[],
      ${keys.map(({ sourceId }) => sourceId)}::text[]) as given
    where exists (${heldLease(sql, lease)})
    on conflict (project, kind, source_kind, source_id)
      do update set due_at = least(pass.due_at, excluded.due_at)
    returning 1`;
}

async function next(sql: Sql, project: string): Promise<Pass | undefined> {
  const [row] = await sql<PassRow[]>`
    select kind, source_kind as "sourceKind", source_id as "sourceId", begun_at is not null as "isBegun", cursor, done, mark
    from passes where project = ${project} and (begun_at is not null or due_at <= clock_timestamp())
    order by touched_at limit 1`;
  return row && { ...row, cursor: row.cursor ?? undefined, mark: row.mark ?? undefined, done: Number(row.done) };
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
      select source_id from passes where ${isOfThese} order by touched_at limit ${sharedMax}
    ), found as materialized (
      select source_id, coalesce((select true from ${values} and value.value like 'sha256 %' limit 1), false) as "isHashed",
        array(select named.id from (select value.value from ${values}) as value, lateral (
          select follower.id from documents as follower where follower.project = ${lease.project} and ${names}
          limit ${fewMax + 1}) as named limit ${fewMax + 1}) as ids
      from due
    ), few as (
      select source_id, ids, sum(cardinality(ids)) over (order by source_id) as sum
      from found where not "isHashed" and cardinality(ids) between 1 and ${fewMax}
    ), unshared as (
      delete from passes using found
      where ${isOfThese} and passes.source_id = found.source_id and not "isHashed" and cardinality(ids) = 0
    )
    update passes set begun_at = clock_timestamp(), due_at = null, cursor = null, done = 0, total = cardinality(ids),
      mark = null, touched_at = clock_timestamp()
    from few where ${isOfThese} and passes.source_id = few.source_id and few.sum <= ${idsMax}
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

async function count(sql: Sql, project: string, followers: Followers): Promise<number> {
  const { text, parameters } = counted(project, followers);
  const [row] = await sql.unsafe<{ count: number }[]>(`select count(*)::int as count from ${text}`, parameters);
  return row!.count;
}

/** Of which table what is counted, and under which conditions. */
function counted(project: string, followers: Followers): { readonly text: string; readonly parameters: string[] } {
  if (followers.referTo !== undefined) {
    const { text, parameters } = referring(project, followers.kind, followers.referTo);
    return { text: `document_references where ${text}`, parameters };
  }
  const { where, parameters } = whereOf(project, followers);
  return { text: `documents where ${where}`, parameters };
}

/** The ids of the followers that come next behind one. */
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
      `select source_id as id from document_references where ${where} order by source_id limit ${idsMax}`,
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
  return read(`select id from documents where ${where} order by id limit ${idsMax}`, parameters);
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
    .slice(0, idsMax);
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

interface PassRow extends PassKey {
  readonly isBegun: boolean;
  readonly cursor: string | null;
  readonly done: string;
  readonly mark: string | null;
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
