import t, { type Test } from 'tap';
import { type Answer, type Platform, startPlatform } from '../support/platform.ts';

async function refused(t: Test, kind: string, answer: Promise<Answer>): Promise<void> {
  t.match(await answer, {
    status: 400,
    body: { errors: [{ code: 'MaxResourceLimitExceeded', exceededResource: kind }] },
  });
}

function createClient({ request, projectKey }: Platform): Promise<Answer> {
  return request('POST', '/api-clients', { name: 'New', scope: `view_zones:${projectKey}` });
}

t.test('clients that the operator made count, and their deletion frees one place', async (t) => {
  const platform = await startPlatform(t, { resourceLimits: 'api-client=3' });
  await platform.tokenWith([`view_zones:${platform.projectKey}`]);
  const { body } = await createClient(platform);
  await refused(t, 'api-client', createClient(platform));
  t.equal((await platform.request('DELETE', `/api-clients/${String(body['id'])}`)).status, 200);
  t.equal((await createClient(platform)).status, 201);
  await refused(t, 'api-client', createClient(platform));
});

t.test('a limit that comes later counts what is there', async (t) => {
  const { request, sql, projectKey } = await startPlatform(t, { resourceLimits: 'zone=2' });
  await request('POST', '/zones', { name: 'First' });
  await request('POST', '/zones', { name: 'Second' });
  // As if the kind had had no limit so far.
  await sql`delete from resource_counts where project = ${projectKey}`;
  await refused(t, 'zone', request('POST', '/zones', { name: 'Third' }));
});

t.test('a limit of 0 allows none', async (t) => {
  const { request } = await startPlatform(t, { resourceLimits: 'zone=0' });
  await refused(t, 'zone', request('POST', '/zones', { name: 'First' }));
});
