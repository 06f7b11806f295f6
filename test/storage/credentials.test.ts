import { randomUUID } from 'node:crypto';
import t from 'tap';
import { hashOf } from '../../src/engine/secrets.ts';
import { createCredentialStore } from '../../src/storage/credentials.ts';
import { insertProject } from '../../src/storage/projects.ts';
import { createDatabase } from '../support/services.ts';

t.test('a token ends with its client, for whoever keeps it until then', async (t) => {
  const { sql } = await createDatabase(t);
  const project = 'credentials';
  await insertProject(sql, project, { name: project, countries: [], currencies: [], languages: [], createdAt: '' });
  const credentials = createCredentialStore(sql);
  const clientId = randomUUID();
  const scopes = ['view_products:credentials'];
  await credentials.insertClient({ project, id: clientId, name: 'Client', secretHash: hashOf('secret'), scopes });
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
