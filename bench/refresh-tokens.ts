/**
 * `npm run bench -- refresh-tokens`: sessions in a database that holds ten million refresh tokens, beside the same in an
 * empty one. `-- refresh-tokens --tokens N` takes another number.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../src/embedded/postgres.ts';
import type { CredentialStore } from '../src/auth/credentials.ts';
import { connect, queryConnectionSettings, type Sql } from '../src/storage/connection.ts';
import { createCredentialStore } from '../src/storage/credentials.ts';
import { Database } from '../src/storage/database.ts';
import { migrate, readMigrations } from '../src/storage/migrate.ts';
import { insertProject } from '../src/storage/projects.ts';

const { values: options } = parseArgs({ options: { tokens: { type: 'string', default: '10000000' } } });
const tokens = Number(options.tokens);
const project = 'bench';
const scopes = ['view_published_products:bench', 'manage_my_orders:bench'];
/** Calls of each kind whose median is printed. */
const calls = 2000;
const clients = 16;
/** Tokens that are beyond the limit when house is kept. */
const beyond = 10_000;

const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-sessions-'));
// The user that Postgres runs as has to pass through.
chmodSync(dataDir, 0o711);
const postgres = await startPostgres(dataDir, (error) => process.stderr.write(`${error.message}\n`));
const sql = connect({
  databaseUrl: postgres.url,
  connectionsMax: clients,
  prepare: true,
  // Loading takes minutes.
  settings: queryConnectionSettings(3_600_000),
});
const database = new Database({
  databaseUrl: postgres.url,
  connectionsMax: clients,
  prepare: true,
  settings: queryConnectionSettings(3_600_000),
  timeoutMs: 3_600_000,
});
try {
  await migrate(sql, readMigrations(join(import.meta.dirname, '..', '..', 'migrations')));
  await insertProject(database, {
    key: project,
    documents: [],
    settings: {
      name: project,
      countries: [],
      currencies: [],
      languages: [],
      createdAt: '',
    },
  });
  const credentials = createCredentialStore(database);
  const clientId = randomUUID();
  await credentials.insertClient({ project, id: clientId, name: project, secretHash: randomBytes(32), scopes });
  await report('empty', credentials, clientId);
  const startedAt = performance.now();
  await load(sql, clientId);
  print('load', `${seconds(startedAt)} s`);
  const [size] = await sql<{ size: string }[]>`select pg_size_pretty(pg_total_relation_size('refresh_tokens')) as size`;
  print('table and indexes', size!.size);
  await report(`${tokens} tokens`, credentials, clientId);
  const [row] = await sql<{ count: string }[]>`select sum(count) as count from refresh_token_counts`;
  const keptAt = performance.now();
  await credentials.deleteExpired({ refreshTokensMax: Number(row!.count) - beyond });
  print(`${beyond} beyond the limit deleted`, `${seconds(keptAt)} s`);
  const idleAt = performance.now();
  await credentials.deleteExpired({ refreshTokensMax: tokens });
  print('house kept without any beyond', `${(performance.now() - idleAt).toFixed(1)} ms`);
} finally {
  await Promise.all([sql.end(), database.close()]);
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** Starts, refreshes and ends sessions; prints the medians and the last hundredth. */
async function report(name: string, credentials: CredentialStore, clientId: string): Promise<void> {
  const client = { project, id: clientId };
  const session = (): { access: ReturnType<typeof token>; refreshHash: Buffer } => ({
    access: token(clientId),
    refreshHash: randomBytes(32),
  });
  const sessions = Array.from({ length: calls }, session);
  await measured(`${name}: start`, (index) => {
    const owner = { anonymousId: randomUUID() };
    return credentials.insertSession({ ...sessions[index]!, owner, ttlSeconds: 15_552_000 });
  });
  await measured(`${name}: refresh`, async (index) => {
    const { refreshHash } = sessions[index]!;
    await credentials.useRefreshToken(client, refreshHash);
    await credentials.insertRefreshed(token(clientId), refreshHash);
  });
  await measured(`${name}: revoke`, (index) => credentials.revoke(client, sessions[index]!.refreshHash));
}

function token(clientId: string) {
  return { project, hash: randomBytes(32), clientId, scopes, expiresAt: new Date(Date.now() + 172_800_000) };
}

async function measured(name: string, call: (index: number) => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < calls; index = next++) {
      const startedAt = performance.now();
      await call(index);
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  times.sort((one, other) => one - other);
  const at = (part: number): string => times[Math.floor(times.length * part)]!.toFixed(1);
  print(name, `median ${at(0.5)} ms, 99 of 100 within ${at(0.99)} ms`);
}

/** Sessions of anonymous visitors who came over half a year. */
async function load(on: Sql, clientId: string): Promise<void> {
  const step = 500_000;
  for (let from = 0; from < tokens; from += step) {
    await on`
      with loaded as (
        insert into refresh_tokens
          (project, hash, client_id, scopes, anonymous_id, ttl_seconds, used_at, expires_at)
        select ${project}, sha256(number::text::bytea), ${clientId}, ${scopes}::text[], 'visitor-' || number, 15552000,
          now() - make_interval(secs => 15000000 - number), now() + make_interval(secs => 500000 + number)
        from generate_series(${from}::int, ${Math.min(from + step, tokens) - 1}::int) as number
        returning get_byte(hash, 0) % 16 as part
      )
      insert into refresh_token_counts as c (project, part, count)
      select ${project}, part, count(*) from loaded group by part
      on conflict (project, part) do update set count = c.count + excluded.count`;
  }
  await on`analyze refresh_tokens`;
}

function seconds(startedAt: number): string {
  return ((performance.now() - startedAt) / 1000).toFixed(1);
}

function print(what: string, value: string): void {
  process.stdout.write(`${what.padEnd(34)} ${value}\n`);
}
