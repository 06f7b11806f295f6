/** Which passes come next, and the beginnings of those that begin together. */
import type { Engine } from '../engine/resource.ts';
import type { Beginning, Pass, PassKey } from '../following/passes.ts';
import type { Lease } from '../outbox/outbox.ts';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';
import { heldLease } from './outbox.ts';

/** After a change, for writes that began before it: they read, plan and are committed within this, unless they stood still. */
export const restSeconds = 2;
/** Passes that are looked at together. */
const alikeMax = 50;

/** The source has changed so lately that somebody may write by what was read before. */
export function isResting(sql: Sql): ReturnType<Sql> {
  // The same for all of a statement.
  return sql`coalesce(noted_at > statement_timestamp() - make_interval(secs => ${restSeconds}), false)`;
}

/** When the next pass is due where this one began too early for who may write so. */
export function restEnd(sql: Sql): ReturnType<Sql> {
  return sql`case when ${isResting(sql)} then noted_at + make_interval(secs => ${restSeconds}) end`;
}

export async function nextPass(
  database: Database,
  project: string,
  served: readonly string[],
): Promise<Pass | undefined> {
  const [row] = await database.read((sql) => {
    const waiting = sql`project = ${project} and (begun_at is not null or due_at is not null)`;
    return sql<PassRow[]>`
      with recursive turns as (
        (select kind, source_kind from passes where ${waiting} order by kind, source_kind limit 1)
        union all
        select following.kind, following.source_kind from turns, lateral (
          select kind, source_kind from passes
          where ${waiting} and (kind, source_kind) > (turns.kind, turns.source_kind) order by kind, source_kind limit 1
        ) as following
      )
      select pass.* from turns, lateral (
        select ${membersOf(sql)} from passes
        where project = ${project} and kind = turns.kind and source_kind = turns.source_kind
          and (begun_at is not null or due_at <= clock_timestamp())
        order by touched_at limit 1
      ) as pass
      order by array_position(${served}::text[], turns.kind || ' ' || turns.source_kind) nulls first limit 1`;
  });
  return row && passOf(row);
}

export async function alikePasses(
  database: Database,
  project: string,
  { kind, sourceKind }: PassKey,
): Promise<readonly Pass[]> {
  const rows = await database.read(
    (sql) => sql<PassRow[]>`
    select ${membersOf(sql)} from passes
    where project = ${project} and kind = ${kind} and source_kind = ${sourceKind}
      and due_at <= clock_timestamp() and begun_at is null
    order by touched_at limit ${alikeMax}`,
  );
  return rows.map(passOf);
}

export async function beginAlike(
  database: Database,
  lease: Lease,
  {
    kind,
    sourceKind,
    beginnings,
  }: PassKey & { readonly beginnings: readonly (Beginning & { readonly isForgotten: boolean })[] },
): Promise<boolean> {
  const rows = await database.write((sql) => {
    const isGiven = sql`project = ${lease.project} and kind = ${kind} and source_kind = ${sourceKind}
      and passes.source_id = given.source_id and exists (${heldLease(sql, lease)})`;
    const isForgotten = sql`given.is_forgotten and given.total = 0 and not ${isResting(sql)}`;
    return sql`
      with given as materialized (
        select * from unnest(${beginnings.map(({ sourceId }) => sourceId)}::text[],
          ${beginnings.map(({ total }) => total)}::bigint[],
          ${beginnings.map(({ state }) => state?.version ?? null)}::bigint[],
          ${beginnings.map(({ state }) => state?.mark ?? null)}::text[],
          ${beginnings.map((beginning) => String(beginning.isForgotten))}::text[]::boolean[])
          as given (source_id, total, version, mark, is_forgotten)
      ), forgotten as (
        delete from passes using given where ${isGiven} and ${isForgotten} returning 1
      ), begun as (
        update passes set due_at = ${restEnd(sql)}, cursor = null, done = 0, total = given.total, mark = given.mark,
          attempts = 0, begun_at = case when given.total > 0 then clock_timestamp() end,
          begun_version = case when given.total > 0 then given.version end,
          followed_version = case when given.total > 0 then followed_version
            else coalesce(given.version, followed_version) end,
          touched_at = clock_timestamp()
        from given where ${isGiven} and not (${isForgotten}) returning 1
      )
      select from forgotten union all select from begun`;
  });
  return rows.length > 0;
}

export function createFollowedVersion(database: Database): Engine['followedVersion'] {
  return async (project, { kind, sourceKind, sourceId }) => {
    const [row] = await database.read(
      (sql) => sql<{ version: string | null }[]>`
      select followed_version as version from passes
      where project = ${project} and kind = ${kind} and source_kind = ${sourceKind} and source_id = ${sourceId}`,
    );
    return row === undefined || row.version === null ? undefined : Number(row.version);
  };
}

interface PassRow extends PassKey {
  readonly isBegun: boolean;
  readonly begunAt: Date | null;
  readonly cursor: string | null;
  readonly done: string;
  readonly restedVersion: string | null;
  readonly followedVersion: string | null;
  readonly mark: string | null;
}

function membersOf(sql: Sql): ReturnType<Sql> {
  return sql`kind, source_kind as "sourceKind", source_id as "sourceId", begun_at is not null as "isBegun", begun_at as "begunAt",
    cursor, done,
    case when not ${isResting(sql)} then noted_version end as "restedVersion",
    followed_version as "followedVersion", mark`;
}

function passOf({ followedVersion, mark, ...row }: PassRow): Pass {
  const isFollowed = !row.isBegun && followedVersion !== null && mark !== null;
  return {
    ...row,
    begunAt: row.begunAt?.toISOString(),
    cursor: row.cursor ?? undefined,
    done: Number(row.done),
    restedVersion: row.restedVersion === null ? undefined : Number(row.restedVersion),
    followed: isFollowed ? { version: Number(followedVersion), mark } : undefined,
  };
}
