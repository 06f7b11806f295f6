import t, { type Test } from 'tap';
import { type Operation, operationsOf, settingsOperations } from '../../src/http/operations.ts';
import { project } from '../../src/resources/project/resource.ts';
import { contractResources } from '../support/contract-kinds.ts';
import { callersOf, grantsFor, mayDo, ownStore } from '../support/access.ts';
import type { Created } from '../support/example-drafts.ts';
import { documentOf, harmless, isUnchanged } from '../support/harmless-requests.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t);
const { projectKey } = platform;

const { headersOf, strangers } = await callersOf(platform);

for (const resource of contractResources) {
  t.test(resource.kind, async (t) => {
    const document = await documentOf(platform, resource);
    for (const operation of operationsOf(resource)) {
      await t.test(`${operation.method} ${operation.path}`, (t) => isGuarded(t, operation, document));
    }
    await isUnchanged(t, { platform, resource, document });
  });
}

t.test('project', async (t) => {
  const { body } = await platform.request('GET', '');
  for (const operation of settingsOperations(project.resource)) {
    await t.test(operation.method, (t) => isGuarded(t, operation, body as Created));
  }
  t.strictSame((await platform.request('GET', '')).body, body, 'nothing was changed');
});

/** The scope of a token that the operation takes, besides the others. */
function ownScopes({ shoppers }: Operation, { id }: Created): readonly string[] {
  if (shoppers === undefined) return [];
  return shoppers.includes('customer') ? [`customer_id:${id}`] : [`anonymous_id:${id}`];
}

async function isGuarded(t: Test, operation: Operation, document: Created): Promise<void> {
  const { path, body, allowed } = harmless(operation, document);
  const send = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (await platform.request(operation.method, path, body, headers)).status;
  for (const [who, headers] of strangers) t.equal(await send(headers), 401, who);
  const storeKey = operation.isInStore ? ownStore : undefined;
  let admitted = 0;
  const own = ownScopes(operation, document);
  if (own.length > 0)
    t.equal(await send(await headersOf(`manage_project:${projectKey}`)), 403, 'a token of no shopper may not');
  const { view, manage } = operation.resource.scopes;
  for (const grant of grantsFor(projectKey, [...operation.scopes, ...view, ...manage])) {
    const status = await send(await headersOf(grant, ...own));
    if (mayDo({ projectKey, storeKey, needed: operation.scopes }, grant)) {
      admitted += 1;
      t.ok(allowed.includes(status), `${grant} may: ${status}`);
    } else t.equal(status, 403, `${grant} may not`);
  }
  t.ok(admitted > operation.scopes.length, 'each listed scope was tried, and manage_project');
}
