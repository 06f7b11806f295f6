import type { Endpoint, Resource } from '../engine/resource.ts';
import type { Identity } from '../engine/operations/get.ts';
import type { Place } from '../engine/context.ts';
import { endpointViews, type Use, type View, viewsOf } from '../engine/views.ts';
import { apiError } from '../errors/api-error.ts';
import type { QueryContext } from './resolvers.ts';

/** The fields of a resource that keep to the same, such as those of a shopper: what they ask of a token and of arguments. */
export interface Mount {
  readonly resource: Resource;
  /** There is one resource, which needs no name. */
  readonly isOne: boolean;
  /** Arguments that name one resource, as SDL. */
  readonly names: Readonly<Record<string, string>>;
  /** What the fields show, in a store or in the project. */
  view(storeKey: string | undefined): View;
  /** What the fields keep to. Throws insufficient_scope for a token that may not enter. */
  enter(context: QueryContext, use: Use, storeKey: string | undefined): Place;
  /** Throws InvalidInput where the arguments name none. */
  identity(place: Place, args: Readonly<Record<string, unknown>>): Identity;
}

/** All resources of the kind, or those of a store. */
export function ownMount(kind: Resource): Mount {
  return mountOf(viewsOf(kind).filter(({ resource }) => resource === kind));
}

/** What of the kind is the shopper's. */
export function mineMount(kind: Resource): Mount {
  return mountOf(viewsOf(kind).filter(({ isMine }) => isMine));
}

function mountOf(views: readonly View[]): Mount {
  const { resource, isOne } = views[0]!;
  const viewIn = (storeKey: string | undefined): View =>
    views.find(({ isInStore }) => isInStore === (storeKey !== undefined))!;
  return {
    resource,
    isOne,
    names: isOne ? {} : identityArguments(resource),
    view: viewIn,
    enter: (context, use, storeKey) => {
      const view = viewIn(storeKey);
      context.authorize(view.scopes[use], storeKey);
      return view.place(context.request, storeKey);
    },
    identity: ({ owner }, args) => (isOne ? { id: owner!.id } : identityOf(resource, args)),
  };
}

/** What the endpoint keeps to. Throws insufficient_scope for a token that may not use it. */
export function enterEndpoint(
  { resource, endpoint }: { readonly resource: Resource; readonly endpoint: Endpoint },
  storeKey: string | undefined,
  context: QueryContext,
): Place {
  const view = endpointViews(resource, endpoint).find(({ isInStore }) => isInStore === (storeKey !== undefined))!;
  context.authorize(view.scopes, storeKey);
  return view.place(context.request, storeKey);
}

/** What a query is asked with besides its arguments. */
export interface Asking {
  readonly context: QueryContext;
  readonly storeKey: string | undefined;
  /** Of what is not below the root, all is said even in an outline. */
  readonly form: QueryContext['form'];
}

/** `parent` is what a field of the root does not have. */
export function askingOf(parent: Readonly<Record<string, unknown>> | undefined, context: QueryContext): Asking {
  return { context, storeKey: storeOf(parent), form: parent === undefined ? context.form : 'whole' };
}

/** What the fields of a store hang below, and a shopper's. */
export interface Held {
  readonly storeKey?: string;
}

/** The store of the fields below this one; at the root there is no parent. */
export function storeOf(parent: Readonly<Record<string, unknown>> | undefined): string | undefined {
  return (parent as Held | undefined)?.storeKey;
}

/** Resources are named by id or by the members of their key. */
function identityArguments({ keyMembers, finding }: Resource): Record<string, string> {
  if (keyMembers.length === 0) return { id: finding === undefined ? 'String!' : 'String' };
  return { id: 'String', ...Object.fromEntries(keyMembers.map((name) => [name, 'String'])) };
}

function identityOf({ keyMembers, typeName }: Resource, names: Readonly<Record<string, unknown>>): Identity {
  const { id } = names;
  if (typeof id === 'string') return { id };
  const texts = keyMembers.map((name) => names[name]);
  if (texts.length > 0 && texts.every((text) => typeof text === 'string')) return { key: texts.join('/') };
  const key = keyMembers.length > 1 ? keyMembers.join(' and ') : 'key';
  throw apiError('InvalidInput', `The ${typeName} has to be named by its id or its ${key}.`);
}
