import type { Project, ProjectSettings } from '../engine/context.ts';
import { projectKind, type ReadProject } from '../engine/projects.ts';
import type { Sql } from './connection.ts';

export function createReadProject(sql: Sql): ReadProject {
  return async (key) => {
    const [row] = await sql<
      { version: string; data: string }[]
    >`select version, data::text as data from projects where key = ${key}`;
    // The column holds what insertProject and the project's update actions wrote.
    return (
      row &&
      ({ key, version: Number(row.version), settings: JSON.parse(row.data) as ProjectSettings } satisfies Project)
    );
  };
}

/** Creates a project, or leaves the one with this key as it is. Tells whether it was created. */
export async function insertProject(sql: Sql, key: string, settings: ProjectSettings): Promise<boolean> {
  const rows = await sql`
    with written as (
      insert into projects (key, version, data) values (${key}, 1, ${JSON.stringify(settings)}::text::jsonb)
      on conflict (key) do nothing returning key, version
    ), logged as (
      insert into change_log (project, kind, id, version) select key, ${projectKind}, key, version from written
    )
    select key from written`;
  return rows.length > 0;
}
