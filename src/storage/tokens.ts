import type { Token } from '../auth/credentials.ts';
import type { Sql } from './connection.ts';

export interface TokenRow {
  readonly client_id: string;
  readonly scopes: string[];
  readonly expires_at: Date;
}

export function tokenOf(project: string, hash: Uint8Array, row: TokenRow): Token {
  return { project, hash, clientId: row.client_id, scopes: row.scopes, expiresAt: row.expires_at };
}

/** Bytes travel as hexadecimal text, which every pooler and both protocol forms carry alike. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

/** Parts of a statement that note the day on the client, once a day. */
export function lastUsed(sql: Sql, project: string, clientId: string): ReturnType<Sql> {
  return sql`used as (
    update documents set data = data || jsonb_build_object('lastUsedAt', to_char(now() at time zone 'UTC', 'YYYY-MM-DD'))
    where project = ${project} and kind = 'api-client' and id = ${clientId}
      and data ->> 'lastUsedAt' is distinct from to_char(now() at time zone 'UTC', 'YYYY-MM-DD')
    returning id, version
  ), used_logged as (
    insert into change_log (project, kind, id, version) select ${project}, 'api-client', id, version from used
  )`;
}
