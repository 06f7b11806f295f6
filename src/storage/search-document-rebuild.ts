/** Has the documents of product search made anew, as operators ask for it. */
import type { Database } from './database.ts';
import { searchConditions } from './search-activation.ts';

export interface DocumentRebuild {
  /** False where no feeder has begun. */
  readonly isBegun: boolean;
  readonly isDone: boolean;
  /** A search of the project is on, or is to be. */
  readonly isOn: boolean;
  /** Products that wait for their documents. */
  readonly waiting: number;
}

/** What is there answers until it is made anew. Without a row nothing is there, and the feeder begins of itself. */
export async function askForDocuments(database: Database, project: string): Promise<void> {
  await database.write((sql) => sql`update search_projects set document_version = 0 where project = ${project}`);
}

/** Undefined without the project. */
export async function documentRebuild(database: Database, project: string): Promise<DocumentRebuild | undefined> {
  const [row] = await database.read(
    (sql) => sql<DocumentRebuild[]>`
    select coalesce(document_version > 0, false) as "isBegun",
      coalesce(document_version > 0 and filled_at >= started_at, false) as "isDone",
      ${searchConditions(sql).isOn} as "isOn",
      (select count(*) from search_dirty where project = key)::int as waiting
    from projects left join search_projects as own on own.project = key where key = ${project}`,
  );
  return row;
}
