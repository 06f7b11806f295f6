import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Resource } from '../../src/engine/define.ts';
import { type Operation, operationsOf, settingsOperations } from '../../src/http/operations.ts';
import { allResources } from '../../src/resources/all.ts';
import { project } from '../../src/resources/project/resource.ts';
import { callersOf, grantsFor, mayDo, ownStore } from '../support/access.ts';
import { type Created, createFrom, fullDraft, minimalDraft } from '../support/example-drafts.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t);
const { projectKey } = platform;

const { headersOf, strangers } = await callersOf(platform);

for (const resource of allResources) {
  t.test(resource.kind, async (t) => {
    const document = await createFrom(platform, resource, { ...minimalDraft(resource, platform), ...keyOf(resource) });
    for (const operation of operationsOf(resource)) {
      await t.test(`${operation.method} ${operation.path}`, (t) => isGuarded(t, operation, document));
    }
    const { status, body } = await platform.request(
      'GET',
      concretePath(
        operationsOf(resource).find(({ method, place }) => method === 'GET' && place === 'item')!,
        document,
      ),
    );
    t.strictSame(
      { status, version: body['version'] },
      { status: 200, version: document.version },
      'nothing was changed',
    );
  });
}

t.test('project', async (t) => {
  const { body } = await platform.request('GET', '');
  for (const operation of settingsOperations(project.resource)) {
    await t.test(operation.method, (t) => isGuarded(t, operation, body as Created));
  }
  t.strictSame((await platform.request('GET', '')).body, body, 'nothing was changed');
});

/** The first key member is what paths by key name; the example has one where the field is optional. */
function keyOf(resource: Resource): object {
  const { key } = fullDraft(resource, platform);
  return key === undefined || !resource.keyMembers.includes('key') ? {} : { key };
}

function concretePath({ path, resource, place }: Operation, document: Created): string {
  const filled = path
    .replace('/{projectKey}', '')
    .replace('{storeKey}', ownStore)
    .replace('{ID}', document.id)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => String(document[name]));
  const endpoint = resource.endpoints.find(({ path: end }) => place === 'endpoint' && path.endsWith(`/${end}`));
  const parameters = Object.entries(endpoint?.parameters ?? {}).map(([name, { kind }]) => [
    name,
    String(kind.examples[0]),
  ]);
  return parameters.length === 0
    ? filled
    : `${filled}?${new URLSearchParams(Object.fromEntries(parameters)).toString()}`;
}

/** Requests that are allowed to do their work and do none: a body that is no draft, a version that is not there. */
function harmless(
  operation: Operation,
  document: Created,
): { path: string; body?: unknown; allowed: readonly number[] } {
  const { method, place, resource, isInStore } = operation;
  const path = concretePath(operation, document);
  // The document belongs to no store and to no shopper but itself.
  const missing = isInStore || (operation.shoppers !== undefined && path.includes(document.id)) ? [404] : [];
  if (method === 'GET' || method === 'HEAD')
    return { path, allowed: place === 'endpoint' ? [200, 400, 404] : [200, ...missing] };
  if (method === 'DELETE') {
    // What is deleted at any version is named by an id or key that nothing has.
    if (resource.lifecycle === 'fixed') return { path: path.replace(document.id, randomUUID()), allowed: [404] };
    return { path: `${path}?version=999`, allowed: [409, ...missing] };
  }
  if (place === 'endpoint') return { path, body: {}, allowed: path.includes('=') ? [400, 404] : [400] };
  if (place === 'list') return { path, body: [], allowed: [400] };
  return { path, body: { version: 999, actions: [] }, allowed: [409, ...missing] };
}

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
