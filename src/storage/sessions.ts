/**
 * Sessions: refresh tokens, and the access tokens that come of them. How many refresh tokens a project has is counted
 * beside them, and both limits go by an index: no statement looks at all of them.
 */
import { customerKind, passwordHashName } from '../engine/accounts.ts';
import { type ApiClient, type NewSession, type Token, tokenKind } from '../auth/credentials.ts';
import { hasCode, type Sql, uniqueViolation } from './connection.ts';
import type { Database } from './database.ts';
import { hex, lastUsed, tokenOf, type TokenRow } from './tokens.ts';

/** Parts of a project's count. */
const countParts = 16;
/** Rows that one clean-up deletes. */
const deletedMax = 10_000;

export async function insertSession(database: Database, session: NewSession): Promise<boolean> {
  const { access, refreshHash, owner, ttlSeconds } = session;
  const { project, hash, clientId, scopes, expiresAt } = access;
  const [customerId, subject] = 'customerId' in owner ? [owner.customerId, hex(owner.subject)] : [null, null];
  const anonymousId = 'anonymousId' in owner ? owner.anonymousId : null;
  try {
    await database.write(
      (sql) => sql`
      with session as (
        insert into refresh_tokens (project, hash, client_id, scopes, customer_id, subject, anonymous_id, ttl_seconds,
          expires_at)
        values (${project}, decode(${hex(refreshHash)}, 'hex'), ${clientId}, ${[...scopes]}::text[], ${customerId}::uuid,
          decode(${subject}, 'hex'), ${anonymousId}, ${ttlSeconds}, now() + make_interval(secs => ${ttlSeconds}))
      ), counted as (
        insert into refresh_token_counts as c (project, part, count)
        values (${project}, ${refreshHash[0]! % countParts}, 1)
        on conflict (project, part) do update set count = c.count + 1
      ), ${lastUsed(sql, project, clientId)}
      insert into tokens (project, hash, client_id, scopes, expires_at, refresh_hash, customer_id, subject)
      values (${project}, decode(${hex(hash)}, 'hex'), ${clientId}, ${[...scopes]}::text[],
        ${expiresAt.toISOString()}::text::timestamptz, decode(${hex(refreshHash)}, 'hex'), ${customerId}::uuid,
        decode(${subject}, 'hex'))`,
    );
    return true;
  } catch (error) {
    // The one unique value that a client chooses is the anonymous id.
    if (hasCode(error, uniqueViolation)) return false;
    throw error;
  }
}

type Client = Pick<ApiClient, 'project' | 'id'>;

export async function useRefreshToken(
  database: Database,
  { project, id }: Client,
  hash: Uint8Array,
): Promise<readonly string[] | undefined> {
  const [row] = await database.write(
    (sql) => sql<{ scopes: string[] }[]>`
    update refresh_tokens set used_at = now(), expires_at = now() + make_interval(secs => ttl_seconds)
    where project = ${project} and hash = decode(${hex(hash)}, 'hex') and client_id = ${id} and expires_at > now()
      and ${customerStands(sql, 'refresh_tokens')}
    returning to_json(scopes) as scopes`,
  );
  return row?.scopes;
}

export async function insertRefreshed(database: Database, token: Token, refreshHash: Uint8Array): Promise<boolean> {
  const { project, hash, clientId, scopes, expiresAt } = token;
  const rows = await database.write(
    (sql) => sql`
    with ${lastUsed(sql, project, clientId)}, written as (
      insert into tokens (project, hash, client_id, scopes, expires_at, refresh_hash, customer_id, subject)
      select project, decode(${hex(hash)}, 'hex'), client_id, ${[...scopes]}::text[],
        ${expiresAt.toISOString()}::text::timestamptz, hash, customer_id, subject
      from refresh_tokens where project = ${project} and hash = decode(${hex(refreshHash)}, 'hex')
      for key share
      returning 1
    )
    select from written`,
  );
  return rows.length > 0;
}

export async function findRefreshToken(
  database: Database,
  project: string,
  hash: Uint8Array,
): Promise<Token | undefined> {
  const [row] = await database.read(
    (sql) => sql<TokenRow[]>`
    select client_id, to_json(scopes) as scopes,
      least(expires_at, (client.data ->> 'deleteAt')::timestamptz) as expires_at
    from refresh_tokens join documents as client
      on client.project = ${project} and client.kind = 'api-client' and client.id = client_id
    where refresh_tokens.project = ${project} and hash = decode(${hex(hash)}, 'hex') and expires_at > now()
      and coalesce((client.data ->> 'deleteAt')::timestamptz > now(), true)
      and ${customerStands(sql, 'refresh_tokens')}`,
  );
  return row && tokenOf(project, hash, row);
}

export async function findAnonymousSession(
  database: Database,
  project: string,
  anonymousId: string,
): Promise<Token | undefined> {
  const [row] = await database.read(
    (sql) => sql<{ hash: string }[]>`
    select encode(hash, 'hex') as hash from refresh_tokens where project = ${project} and anonymous_id = ${anonymousId}`,
  );
  return row && findRefreshToken(database, project, Buffer.from(row.hash, 'hex'));
}

/** The condition that the session has no customer, or one that is there with the password that it began with. */
export function customerStands(sql: Sql, table: 'tokens' | 'refresh_tokens'): ReturnType<Sql> {
  return sql`(${sql(table)}.customer_id is null or exists (
    select from documents as customer where customer.project = ${sql(table)}.project
      and customer.kind = ${customerKind} and customer.id = ${sql(table)}.customer_id
      and sha256(convert_to(customer.secrets ->> ${passwordHashName}, 'UTF8')) = ${sql(table)}.subject))`;
}

/**
 * The second statement sees what refreshes inserted that the first waited for. It names the refresh token by its hash,
 * so that a request which is sent again after a failure between the two ends the rest.
 */
export async function revoke(database: Database, { project, id }: Client, hash: Uint8Array): Promise<void> {
  await database.write(
    (sql) => sql`
    with session as (
      delete from refresh_tokens
      where project = ${project} and hash = decode(${hex(hash)}, 'hex') and client_id = ${id}
      returning project, hash
    ), ${uncounted(sql)}
    ${loggedFrom(sql, 'session')}`,
  );
  await database.write(
    (sql) => sql`
    with ended as (
      delete from tokens
      where project = ${project} and client_id = ${id}
        and (hash = decode(${hex(hash)}, 'hex') or refresh_hash = decode(${hex(hash)}, 'hex'))
      returning project, hash
    )
    ${loggedFrom(sql, 'ended')}`,
  );
}

export async function deleteExpiredSessions(database: Database): Promise<void> {
  await database.write(
    (sql) => sql`
    with session as (
      delete from refresh_tokens where (project, hash) in (
        select project, hash from refresh_tokens where expires_at < now() order by expires_at limit ${deletedMax}
        for update skip locked)
      returning project, hash
    ), ${uncounted(sql)}
    select 1`,
  );
}

/** Deletes those that were not used for the longest time, where a project has more than `max`. */
export async function deleteBeyond(database: Database, max: number): Promise<void> {
  await database.write(
    (sql) => sql`
    with over as (
      select project, least(sum(count) - ${max}::bigint, ${deletedMax})::bigint as count from refresh_token_counts
      group by project having sum(count) > ${max}::bigint
    ), session as (
      delete from refresh_tokens where (project, hash) in (
        select oldest.project, oldest.hash from over cross join lateral (
          select project, hash from refresh_tokens where project = over.project
          order by used_at limit over.count for update skip locked) as oldest)
      returning project, hash
    ), ${uncounted(sql)}, ended as (
      delete from tokens where (project, refresh_hash) in (select project, hash from session) returning project, hash
    ), gone as (
      select project, hash from session union all select project, hash from ended
    )
    ${loggedFrom(sql, 'gone')}`,
  );
}

/** Takes what `session` deleted off the counts. */
function uncounted(sql: Sql): ReturnType<Sql> {
  return sql`uncounted as (
    update refresh_token_counts as c set count = c.count - gone.count
    from (select project, get_byte(hash, 0) % ${countParts} as part, count(*) as count from session group by 1, 2) as gone
    where c.project = gone.project and c.part = gone.part
  )`;
}

/** Tells every process of the tokens that this part of the statement deleted. */
function loggedFrom(sql: Sql, part: 'session' | 'ended' | 'gone'): ReturnType<Sql> {
  return sql`insert into change_log (project, kind, id, version)
    select project, ${tokenKind}, encode(hash, 'hex'), 1 from ${sql(part)}`;
}
