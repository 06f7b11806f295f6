import type { Project, ProjectSettings } from '../engine/context.ts';
import { type FirstDocument, projectKind, type ReadProject } from '../engine/projects.ts';
import type { Replacement } from '../engine/store.ts';
import type { Database } from './database.ts';

export function createReadProject(database: Database): ReadProject {
  return async (key) => {
    const [row] = await database.read(
      (sql) =>
        sql<{ version: string; data: string }[]>`select version, data::text as data from projects where key = ${key}`,
    );
    // The column holds what insertProject and the project's update actions wrote.
    return (
      row &&
      ({ key, version: Number(row.version), settings: JSON.parse(row.data) as ProjectSettings } satisfies Project)
    );
  };
}

/** Writes settings over those of the expected version. Otherwise gives the version that is there. */
export async function replaceProject(
  database: Database,
  key: string,
  { version, expectedVersion, json }: Pick<Replacement, 'version' | 'expectedVersion' | 'json'>,
): Promise<{ readonly isDone: boolean; readonly version: number | undefined }> {
  const [written] = await database.write(
    (sql) => sql`
    with written as (
      update projects set version = ${version}, data = ${String(json)}::text::jsonb - 'key' - 'version'
      where key = ${key} and version = ${expectedVersion} returning key, version
    ), logged as (
      insert into change_log (project, kind, id, version) select key, ${projectKind}, key, version from written
    )
    select key from written`,
  );
  if (written !== undefined) return { isDone: true, version };
  // The snapshot of the update has not seen the rival that it waited for.
  const [stored] = await database.read(
    (sql) => sql<{ version: string }[]>`select version from projects where key = ${key}`,
  );
  return { isDone: false, version: stored === undefined ? undefined : Number(stored.version) };
}

/** Creates a project with what is in it from the start, or leaves the one with this key as it is. Tells whether it was created. */
export async function insertProject(database: Database, { key, settings, documents }: NewProject): Promise<boolean> {
  const rows = await database.write(
    (sql) => sql`
    with written as (
      insert into projects (key, version, data) values (${key}, 1, ${JSON.stringify(settings)}::text::jsonb)
      on conflict (key) do nothing returning key, version
    ), filled as (
      insert into documents (project, kind, id, key, version, data)
      select written.key, given.kind, given.id, given.key, 1, given.json::jsonb from written, unnest(
        ${documents.map(({ kind }) => kind)}::text[], ${documents.map(({ id }) => id)}::uuid[],
        ${documents.map((document) => document.key)}::text[], ${documents.map(({ json }) => json)}::text[]
      ) as given (kind, id, key, json)
    ), logged as (
      insert into change_log (project, kind, id, version) select key, ${projectKind}, key, version from written
    )
    select key from written`,
  );
  return rows.length > 0;
}

interface NewProject {
  readonly key: string;
  readonly settings: ProjectSettings;
  readonly documents: readonly FirstDocument[];
}
