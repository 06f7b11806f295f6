import type { Database } from './database.ts';
import { hex } from './tokens.ts';

/**
 * The project of an access token that came with a project that there is not. Tokens are found by their project, so this
 * takes one look-up for each project; nothing that is asked for often may ask it.
 */
export function createProjectOfToken(database: Database): (hash: Uint8Array) => Promise<string | undefined> {
  return async (hash) => {
    const [row] = await database.read(
      (sql) => sql<{ project: string }[]>`
        select tokens.project from projects join tokens on tokens.project = projects.key
        where tokens.hash = decode(${hex(hash)}, 'hex') limit 1`,
    );
    return row?.project;
  };
}
