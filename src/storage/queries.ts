import { apiError } from '../errors/api-error.ts';
import type { CountQuery, Store, Stored } from '../engine/store.ts';
import { hasCode, queryCanceled, type Sql } from './connection.ts';
import {
  countStatement,
  documentBytesMax,
  pageStatement,
  type QueryStatement,
  versionsStatement,
} from './query-sql.ts';
import { QueryTurns, type Turn } from './query-turns.ts';
import { RepeatedTexts } from './repeated-texts.ts';
import { type Found, type Prepared, readRows, readStored } from './rows.ts';

/** Where queries run: those that may have to look at all of a kind have less time, and connections of their own. */
export interface QueryConnections {
  readonly indexed: QueryTurns;
  readonly unindexed: QueryTurns;
}

export type Queries = Pick<Store, 'query' | 'queryVersions' | 'count'>;

export function createQueries(connections: QueryConnections): Queries {
  const repeated = new RepeatedTexts();

  async function run<T>(
    { isOfFew }: CountQuery,
    statement: QueryStatement,
    read: Read<T>,
    turn: Turn,
  ): Promise<readonly T[]> {
    const turns = statement.isIndexed || isOfFew ? connections.indexed : connections.unindexed;
    const prepared = { ...statement, prepare: repeated.add(statement.text, turn.project) };
    try {
      return await turns.run((sql) => read(sql, prepared), turn);
    } catch (error) {
      if (hasCode(error, queryCanceled)) throw timedOut();
      throw error;
    }
  }

  return {
    query: async (project, query, request) => {
      const found = await run(query, pageStatement(project, query), readStored, { project, request });
      return found.map(wholePage);
    },
    queryVersions: async (project, query, request) => {
      const read = readRows<{ id: string; version: string }>;
      const rows = await run(query, versionsStatement(project, query), read, { project, request });
      return rows.map(({ id, version }) => ({ id, version: Number(version) }));
    },
    count: async (project, query, request) => {
      const statement = countStatement(project, query);
      const [row] = await run(query, statement, readRows<{ total: string }>, { project, request });
      return Number(row!.total);
    },
  };
}

type Read<T> = (sql: Sql, statement: Prepared) => PromiseLike<readonly T[]>;

function wholePage({ json, ...rest }: Found): Stored {
  if (json !== undefined) return { ...rest, json };
  throw apiError(
    'InvalidInput',
    `The page has more than ${documentBytesMax / 1024 / 1024} MB. Ask for fewer resources, by a smaller limit.`,
  );
}

function timedOut(): Error {
  return apiError(
    'QueryTimedOut',
    'The query took too long. Equality of any field, and ranges and sorts of id, key, createdAt and lastModifiedAt, are answered from an index.',
  );
}
