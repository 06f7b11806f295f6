import type { CredentialStore } from '../engine/credentials.ts';
import type { Sql } from './connection.ts';

const expiredTokensMax = 10_000;

/** Bytes travel as hexadecimal text, which every pooler and both protocol forms carry alike. */
export function createCredentialStore(sql: Sql): CredentialStore {
  return {
    findClient: async (id) => {
      const [row] = await sql<{ project: string; name: string; secret_hash: Uint8Array; scopes: string[] }[]>`
        select project, name, secret_hash, to_json(scopes) as scopes from api_clients where id = ${id}`;
      return row && { project: row.project, id, name: row.name, secretHash: row.secret_hash, scopes: row.scopes };
    },
    insertClient: async ({ project, id, name, secretHash, scopes }) => {
      await sql`insert into api_clients (project, id, secret_hash, name, scopes, created_at)
        values (${project}, ${id}, decode(${hex(secretHash)}, 'hex'), ${name}, ${[...scopes]}::text[], now())`;
    },
    insertToken: async ({ project, hash, clientId, scopes, expiresAt }) => {
      await sql`insert into tokens (project, hash, client_id, scopes, expires_at)
        values (${project}, decode(${hex(hash)}, 'hex'), ${clientId}, ${[...scopes]}::text[], ${expiresAt.toISOString()}::text::timestamptz)`;
    },
    findToken: async (project, hash) => {
      const [row] = await sql<{ client_id: string; scopes: string[]; expires_at: Date }[]>`
        select client_id, to_json(scopes) as scopes, expires_at from tokens
        where project = ${project} and hash = decode(${hex(hash)}, 'hex') and expires_at > now()`;
      return row && { project, hash, clientId: row.client_id, scopes: row.scopes, expiresAt: row.expires_at };
    },
    deleteExpiredTokens: async () => {
      await sql`delete from tokens where (project, hash) in (
        select project, hash from tokens where expires_at < now() order by expires_at limit ${expiredTokensMax})`;
    },
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}
