import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { createAccounts, passwordHashName } from '../../src/engine/accounts.ts';
import { hashOf } from '../../src/engine/secrets.ts';
import type { Insertion, Replacement } from '../../src/engine/store.ts';
import type { Sql } from '../../src/storage/connection.ts';
import { createCredentialStore } from '../../src/storage/credentials.ts';
import type { Database } from '../../src/storage/database.ts';
import { createDocuments, createWrites } from '../../src/storage/documents.ts';
import { passwordsOf } from '../support/passwords.ts';
import { createDatabase, insertEmptyProject, noQueries } from '../support/services.ts';

const own = [{ name: 'own', entriesMax: 10 }] as const;

const project = 'credentials';
const scopes = ['view_products:credentials'];

async function createClient(
  t: Test,
): Promise<{ sql: Sql; database: Database; credentials: ReturnType<typeof createCredentialStore>; clientId: string }> {
  const { sql, database } = await createDatabase(t);
  await insertEmptyProject(database, project);
  const credentials = createCredentialStore(database);
  const clientId = randomUUID();
  await credentials.insertClient({ project, id: clientId, name: 'Client', secretHash: hashOf('secret'), scopes });
  return { sql, database, credentials, clientId };
}

t.test('a token ends with its client, for whoever keeps it until then', async (t) => {
  const { sql, credentials, clientId } = await createClient(t);
  const hash = hashOf('token');
  const expiresAt = new Date('2999-01-01T00:00:00Z');
  await credentials.insertToken({ project, hash, clientId, scopes, expiresAt });
  const token = { project, hash, clientId, scopes };
  t.strictSame(await credentials.findToken(project, hash), { ...token, expiresAt });
  const deleteAt = new Date('2998-01-01T00:00:00Z');
  await sql`update documents set data = data || jsonb_build_object('deleteAt', ${deleteAt.toISOString()}::text)
    where id = ${clientId}`;
  t.strictSame(await credentials.findToken(project, hash), { ...token, expiresAt: deleteAt });
  await sql`update documents set data = data || '{"deleteAt": "2000-01-01T00:00:00Z"}' where id = ${clientId}`;
  t.equal(await credentials.findToken(project, hash), undefined);
});

t.test('a session that starts while its password changes has ended before it began', async (t) => {
  const { database, credentials, clientId } = await createClient(t);
  const passwords = passwordsOf(t);
  const store = createDocuments(database, noQueries);
  const { commit } = createWrites(database, new Map());
  const accounts = createAccounts(store, passwords, { pass: () => {}, giveBack: () => {} });
  const [email, password, newPassword] = ['jane@example.org', 'correct horse 1', 'correct horse 2'];
  const id = randomUUID();
  const written = { kind: 'customer', id, json: JSON.stringify({ id }), key: undefined };
  const customer: Insertion = {
    type: 'insertion',
    ...written,
    version: 1,
    secrets: { [passwordHashName]: await passwords.hash(password, own) },
    references: [],
    uniqueValues: [{ field: 'email', value: email }],
    maxPerProject: undefined,
  };
  await commit(project, [customer]);
  const start = async (given: string, during: () => Promise<void> = async () => {}) => {
    const owner = await accounts.verify(project, {
      email,
      password: given,
      storeKey: undefined,
      caller: { id: clientId, isShopper: false },
    });
    await during();
    const [hash, refreshHash] = [hashOf(randomUUID()), hashOf(randomUUID())];
    const access = { project, hash, clientId, scopes, expiresAt: new Date('2999-01-01T00:00:00Z') };
    t.ok(await credentials.insertSession({ access, refreshHash, owner: owner!, ttlSeconds: 3600 }));
    return { access, refreshHash };
  };
  const holds = async ({ access, refreshHash }: Awaited<ReturnType<typeof start>>) => [
    (await credentials.findToken(project, access.hash)) !== undefined,
    (await credentials.findRefreshToken(project, refreshHash)) !== undefined,
    (await credentials.useRefreshToken({ project, id: clientId }, refreshHash)) !== undefined,
  ];
  const before = await start(password);
  t.strictSame(await holds(before), [true, true, true]);
  const none = { removed: [], added: [] };
  const unchanged = { references: none, uniqueValues: none };
  const late = await start(password, async () => {
    const secrets = { [passwordHashName]: await passwords.hash(newPassword, own) };
    const versions = { version: 2, expectedVersion: 1 };
    const changed: Replacement = { type: 'replacement', ...written, ...versions, secrets, ...unchanged };
    t.strictSame(await commit(project, [changed]), { isDone: true });
  });
  t.strictSame(await holds(late), [false, false, false]);
  t.strictSame(await holds(before), [false, false, false], 'with one write the earlier ones end too');
  t.strictSame(await holds(await start(newPassword)), [true, true, true]);
});
