import { agedMax, type Due, dueMax, type Excess, projectsMax, type Retained } from '../retention/retained.ts';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';

/** Has the indexes of migration 0024 serve it. */
const staysByDays = `data ? 'deleteDaysAfterLastModification'`;
/** Has that of migration 0008 serve it. */
const ordered = 'octet_length(project) <> 0';

export function createRetained(database: Database): Retained {
  return {
    projects: async (kinds, { now, after }) => {
      if (kinds.length === 0) return [];
      const rows = await database.read(
        (sql) => sql<{ key: string }[]>`
        select key from projects where (${kinds
          .map((kind) => sql`exists (select from documents where project = projects.key and ${isDue(sql, kind, now)})`)
          .reduce((others, one) => sql`${others} or ${one}`)})
          ${after === undefined ? sql`` : sql`and key > ${after}`}
        order by key limit ${projectsMax}`,
      );
      return rows.map(({ key }) => key);
    },
    expiring: async (kind, { now, after }) => {
      const rows = await database.read(
        (sql) => sql<{ key: string }[]>`
        select key from projects where exists (
          select from documents where project = projects.key and ${isOver(sql, kind, now)})
          ${after === undefined ? sql`` : sql`and key > ${after}`}
        order by key limit ${projectsMax}`,
      );
      return rows.map(({ key }) => key);
    },
    projectsBefore: async (kind, { before, after }) => {
      const rows = await database.read(
        (sql) => sql<{ key: string }[]>`
        select key from projects where exists (
          select from documents where project = projects.key and ${isCreated(sql, kind, before)})
          ${after === undefined ? sql`` : sql`and key > ${after}`}
        order by key limit ${projectsMax}`,
      );
      return rows.map(({ key }) => key);
    },
    createdBefore: async (project, { kind, before }) => {
      const rows = await database.read(
        (sql) => sql<{ id: string; version: string }[]>`
        select id, version from documents where project = ${project} and ${isCreated(sql, kind, before)}
        order by (data ->> 'createdAt') collate "C", id limit ${agedMax}`,
      );
      return rows.map(withNumber);
    },
    expired: async (project, { kind, now, after }) => {
      const rows = await database.read(
        (sql) => sql<{ id: string; version: string; until: string }[]>`
        select id, version, ends_at(data) as until from documents
        where project = ${project} and ${isOver(sql, kind, now)}
          ${after === undefined ? sql`` : sql`and (ends_at(data) collate "C", id) > (${after.until}, ${after.id}::uuid)`}
        order by ends_at(data) collate "C", id limit ${dueMax}`,
      );
      return rows.map(withNumber);
    },
    due: async (project, { kind, now, after }) => {
      const rows = await database.read(
        (sql) => sql<{ id: string; version: string; until: string }[]>`
        select id, version, stays_until(data)::text as until from documents
        where project = ${project} and ${isDue(sql, kind, now)}
          ${after === undefined ? sql`` : sql`and (stays_until(data), id) > (${after.until}::text::timestamptz, ${after.id}::uuid)`}
        order by stays_until(data), id limit ${dueMax}`,
      );
      return rows.map(withNumber);
    },
    excess: (kind, { countMax, ...of }) =>
      database.read(
        (sql) => sql<Excess[]>`
        select project, ${kind}::text as kind, (count(*) - ${countMax}::bigint)::float8 as count
        from documents where ${isOf(sql, kind)} ${ofProjects(sql, of)}
        group by project having count(*) > ${countMax}::bigint order by project limit ${projectsMax}`,
      ),
    oldest: async (project, { kind, count, after }) => {
      const rows = await database.read(
        (sql) => sql<{ id: string; version: string; modifiedAt: string }[]>`
        select id, version, data ->> 'lastModifiedAt' as "modifiedAt" from documents
        where project = ${project} and ${isOf(sql, kind)} and ${sql.unsafe(ordered)}
          ${after === undefined ? sql`` : sql`and ((data ->> 'lastModifiedAt') collate "C", id) > (${after.modifiedAt}, ${after.id}::uuid)`}
        order by (data ->> 'lastModifiedAt') collate "C", id limit ${Math.min(count, dueMax)}`,
      );
      return rows.map(withNumber);
    },
  };
}

function ofProjects(
  sql: Sql,
  of: { readonly project: string } | { readonly after: string | undefined },
): ReturnType<Sql> {
  if ('project' in of) return sql`and project = ${of.project}`;
  return of.after === undefined ? sql`` : sql`and project > ${of.after}`;
}

/** Declared kinds stand in the statement, so that its plan is one for their partition. */
function isOf(sql: Sql, kind: string): ReturnType<Sql['unsafe']> {
  return sql.unsafe(`kind = '${kind}'`);
}

function isDue(sql: Sql, kind: string, now: string): ReturnType<Sql> {
  return sql`${isOf(sql, kind)} and ${sql.unsafe(staysByDays)} and stays_until(data) <= ${now}::text::timestamptz`;
}

/** As the index of migration 0008 has it. */
function isCreated(sql: Sql, kind: string, before: string): ReturnType<Sql> {
  return sql`${isOf(sql, kind)} and ${sql.unsafe(ordered)} and (data ->> 'createdAt') collate "C" < ${before}`;
}

/** As the index of migration 0025 has it. */
function isOver(sql: Sql, kind: string, now: string): ReturnType<Sql> {
  return sql`${isOf(sql, kind)} and ends_at(data) is not null and ends_at(data) collate "C" <= ${now}`;
}

function withNumber<R extends { readonly version: string }>({
  version,
  ...row
}: R): Omit<R, 'version'> & Pick<Due, 'version'> {
  return { ...row, version: Number(version) };
}
