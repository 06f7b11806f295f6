import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import type { Resource } from '../../src/engine/resource.ts';
import { type Operation, operationsOf } from '../../src/http/operations.ts';
import { ownStore } from './access.ts';
import { type Created, createFrom, fullDraft, minimalDraft, type Project } from './example-drafts.ts';

/** A resource for `harmless` to name: with a key, where its paths take one. */
export function documentOf(project: Project, resource: Resource): Promise<Created> {
  // What paths by key name; the example has one where the field is optional.
  const [member = 'key'] = resource.keyMembers;
  const { [member]: key } = fullDraft(resource, project);
  const named = key === undefined || resource.keyMembers.length !== 1 ? {} : { [member]: key };
  return createFrom(project, resource, { ...minimalDraft(resource, project), ...named });
}

function concretePath({ path, resource, extent }: Operation, document: Created): string {
  const filled = path
    .replace('/{projectKey}', '')
    .replace('{storeKey}', ownStore)
    .replace('{ID}', document.id)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => String(document[name]));
  const endpoint = resource.endpoints.find(({ path: end }) => extent === 'endpoint' && path.endsWith(`/${end}`));
  const parameters = Object.entries(endpoint?.parameters ?? {}).map(([name, { kind }]) => [
    name,
    String(kind.examples[0]),
  ]);
  return parameters.length === 0
    ? filled
    : `${filled}?${new URLSearchParams(Object.fromEntries(parameters)).toString()}`;
}

/** Requests that are allowed to do their work and do none: a body that is no draft, a version that is not there. */
export function harmless(
  operation: Operation,
  document: Created,
): { path: string; body?: unknown; allowed: readonly number[] } {
  const { method, extent, resource, isInStore } = operation;
  const path = concretePath(operation, document);
  // The document belongs to no store and to no shopper but itself.
  const isNamed = path.includes(document.id) || /=\{\w+\}$/.test(operation.path);
  const missing = isInStore || (operation.shoppers !== undefined && isNamed) ? [404] : [];
  // A list may be empty, which HEAD answers with 404.
  if (method === 'HEAD' && extent === 'list') return { path, allowed: [200, 404] };
  // Nothing is searched where there is no index.
  if (method === 'GET' || method === 'HEAD')
    return { path, allowed: extent === 'endpoint' ? [200, 400, 404, 502] : [200, ...missing] };
  if (method === 'DELETE') {
    // What is deleted at any version is named by an id or key that nothing has.
    if (resource.lifecycle === 'fixed') return { path: path.replace(document.id, randomUUID()), allowed: [404] };
    return { path: `${path}?version=999`, allowed: [409, ...missing] };
  }
  if (extent === 'endpoint')
    return { path, body: {}, allowed: path.includes('=') || path.endsWith('/search') ? [400, 404] : [400] };
  if (extent === 'list') return { path, body: [], allowed: [400] };
  return { path, body: { version: 999, actions: [] }, allowed: [409, ...missing] };
}

interface Tried {
  readonly platform: Project;
  readonly resource: Resource;
  readonly document: Created;
}

/** The resource has gone through all of them. */
export async function isUnchanged(t: Test, { platform, resource, document }: Tried): Promise<void> {
  const item = operationsOf(resource).find(({ method, extent }) => method === 'GET' && extent === 'item')!;
  const { status, body } = await platform.request('GET', concretePath(item, document));
  t.strictSame({ status, version: body['version'] }, { status: 200, version: document.version }, 'nothing was changed');
}
