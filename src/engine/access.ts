import { apiError } from '../errors/api-error.ts';
import type { Owner, Principal, RequestContext, Shopper } from './context.ts';
import type { Mine, Resource } from './resource.ts';
import { ownerAs } from './place.ts';

/** Whose token an operation asks for: that of the request. */
type Asking = Pick<RequestContext, 'principal'>;

/** Whether the token shows all of a kind in the project, and not only a part of it, such as what is published. */
export function mayViewAll(
  { principal, project }: Pick<RequestContext, 'principal' | 'project'>,
  { scopes }: Pick<Resource, 'scopes'>,
): boolean {
  return scopes.view.some((scope) => principal.mayHandOut(`${scope}:${project.key}`));
}

/** Throws insufficient_scope where the token shows no more than a part. */
export function requireViewOfAll(
  context: Pick<RequestContext, 'principal' | 'project'>,
  resource: Pick<Resource, 'scopes'>,
): void {
  if (mayViewAll(context, resource)) return;
  const needed = resource.scopes.view.map((scope) => `${scope}:${context.project.key}`);
  throw apiError(
    'insufficient_scope',
    `Insufficient scope. One of the following scopes is missing: ${needed.join(', ')}.`,
  );
}

/** What ends the scopes that count for the store of the path alone. */
export const storeSuffix = ':{storeKey}';

/** Where a scope must hold: in the project, and for an in-store path in that store too. */
export interface ScopeTarget {
  readonly projectKey: string;
  readonly storeKey: string | undefined;
}

/** A scope as tokens have it. */
export function scopeName(scope: string, { projectKey, storeKey }: ScopeTarget): string {
  return scope.endsWith(storeSuffix)
    ? `${scope.slice(0, -storeSuffix.length)}:${projectKey}:${storeKey ?? '{storeKey}'}`
    : `${scope}:${projectKey}`;
}

export function inStoreToo(scopes: readonly string[]): readonly string[] {
  return scopes.flatMap((scope) => [scope, `${scope}${storeSuffix}`]);
}

export function shoppersOf({ owners }: Mine): readonly Shopper[] {
  return owners.anonymous === undefined ? ['customer'] : ['customer', 'anonymous'];
}

/** The shopper whose token it is. Throws insufficient_scope where the token is none of these. */
export function requireShopper({ principal }: Asking, shoppers: readonly Shopper[]): NonNullable<Principal['shopper']> {
  const { shopper } = principal;
  if (shopper !== undefined && shoppers.includes(shopper.kind)) return shopper;
  const wanted = shoppers.map((kind) => (kind === 'customer' ? 'a customer' : 'an anonymous session'));
  throw apiError('insufficient_scope', `Insufficient scope. A token of ${wanted.join(' or ')} is needed.`);
}

/** Whose resources a shopper's operations keep to. Throws insufficient_scope for a token of nobody who has the kind. */
export function ownerOf(mine: Mine, asking: Asking): Owner {
  return ownerAs(mine, requireShopper(asking, shoppersOf(mine)));
}
