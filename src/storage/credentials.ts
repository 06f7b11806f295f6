import { clientKind, type CredentialStore } from '../auth/credentials.ts';
import { isUuid } from '../engine/load.ts';
import { secretHashName } from '../engine/secrets.ts';
import type { Insertion } from '../engine/store.ts';
import type { Database } from './database.ts';
import { createWrites } from './documents.ts';
import {
  customerStands,
  deleteBeyond,
  deleteExpiredSessions,
  findAnonymousSession,
  findRefreshToken,
  insertRefreshed,
  insertSession,
  revoke,
  useRefreshToken,
} from './sessions.ts';
import { hex, lastUsed, tokenOf, type TokenRow } from './tokens.ts';

const expiredMax = 10_000;

interface ClientRow {
  readonly project: string;
  readonly scope: string;
  readonly hash: string;
  readonly access_validity: number | null;
  readonly refresh_validity: number | null;
}

export function createCredentialStore(database: Database): CredentialStore {
  const writes = createWrites(database, new Map());
  return {
    findClient: async (id) => {
      if (!isUuid(id)) return undefined;
      const [row] = await database.read(
        (sql) => sql<ClientRow[]>`
        select project, data ->> 'scope' as scope, secrets ->> ${secretHashName} as hash,
          (data -> 'accessTokenValiditySeconds')::int as access_validity,
          (data -> 'refreshTokenValiditySeconds')::int as refresh_validity
        from documents where kind = 'api-client' and id = ${id}
          and coalesce((data ->> 'deleteAt')::timestamptz > now(), true)`,
      );
      if (row === undefined) return undefined;
      return {
        project: row.project,
        id,
        secretHash: Buffer.from(row.hash, 'hex'),
        scopes: row.scope.split(' '),
        accessTokenValiditySeconds: row.access_validity ?? undefined,
        refreshTokenValiditySeconds: row.refresh_validity ?? undefined,
      };
    },
    insertClient: async ({ project, id, name, secretHash, scopes }) => {
      const createdAt = new Date().toISOString();
      const client: Insertion = {
        type: 'insertion',
        kind: clientKind,
        id,
        // Clients are never updated.
        version: 1,
        json: JSON.stringify({ id, name, scope: scopes.join(' '), createdAt }),
        key: undefined,
        secrets: { [secretHashName]: hex(secretHash) },
        references: [],
        uniqueValues: [],
        // An operator meets no limit, but each client counts.
        maxPerProject: Number.MAX_SAFE_INTEGER,
      };
      await writes.commit(project, [client]);
    },
    insertToken: async ({ project, hash, clientId, scopes, expiresAt }) => {
      await database.write(
        (sql) => sql`with ${lastUsed(sql, project, clientId)}
        insert into tokens (project, hash, client_id, scopes, expires_at)
        values (${project}, decode(${hex(hash)}, 'hex'), ${clientId}, ${[...scopes]}::text[],
          ${expiresAt.toISOString()}::text::timestamptz)`,
      );
    },
    insertSession: (session) => insertSession(database, session),
    useRefreshToken: (client, hash) => useRefreshToken(database, client, hash),
    insertRefreshed: (token, refreshHash) => insertRefreshed(database, token, refreshHash),
    findToken: async (project, hash) => {
      const [row] = await database.read(
        (sql) => sql<TokenRow[]>`
        select tokens.client_id, to_json(tokens.scopes) as scopes,
          least(tokens.expires_at, (client.data ->> 'deleteAt')::timestamptz) as expires_at
        from tokens join documents as client
          on client.project = ${project} and client.kind = 'api-client' and client.id = tokens.client_id
        where tokens.project = ${project} and tokens.hash = decode(${hex(hash)}, 'hex') and tokens.expires_at > now()
          and coalesce((client.data ->> 'deleteAt')::timestamptz > now(), true)
          and ${customerStands(sql, 'tokens')}`,
      );
      return row && tokenOf(project, hash, row);
    },
    findRefreshToken: (project, hash) => findRefreshToken(database, project, hash),
    findAnonymousSession: (project, anonymousId) => findAnonymousSession(database, project, anonymousId),
    revoke: (client, hash) => revoke(database, client, hash),
    deleteExpired: async ({ refreshTokensMax }) => {
      await database.write(
        (sql) => sql`delete from tokens where (project, hash) in (
        select project, hash from tokens where expires_at < now() order by expires_at limit ${expiredMax})`,
      );
      await deleteExpiredSessions(database);
      await deleteBeyond(database, refreshTokensMax);
      await database.write(
        (sql) => sql`
        with gone as (
          delete from documents where kind = 'api-client' and (project, id) in (
            select project, id from documents
            where kind = 'api-client' and (data ->> 'deleteAt')::timestamptz < now() limit ${expiredMax})
          returning project, id, version
        )
        insert into change_log (project, kind, id, version) select project, 'api-client', id, version from gone`,
      );
    },
  };
}
