import { randomUUID } from 'node:crypto';
import { type ErrorElement, throwAll } from '../../errors/api-error.ts';
import { checkMembers, visitReferences } from '../../fields/object.ts';
import { Parsing, type StrongReference } from '../../fields/parsing.ts';
import type { Initiator } from '../../fields/initiator.ts';
import type { RequestContext } from '../context.ts';
import type { ApplyContext, DocumentChange, Engine, Resource } from '../resource.ts';
import type { Document, UniqueValue } from '../document.ts';
import { bytesTurn } from '../heavy-turns.ts';
import { nameOf } from '../references.ts';
import { hashOf } from '../secrets.ts';

export function initiatorOf(context: RequestContext): Initiator {
  const { principal, externalUserId } = context;
  const { clientId, shopper } = principal;
  return {
    clientId,
    ...(externalUserId !== undefined && { externalUserId }),
    ...(shopper?.kind === 'customer' && { customer: { typeId: 'customer', id: shopper.id } }),
    ...(shopper?.kind === 'anonymous' && { anonymousId: shopper.id }),
  };
}

/** What actions and creates may ask for; `keepSecrets` takes those that an update changes. */
export function applyContextOf(
  context: RequestContext,
  given: Pick<ApplyContext, 'found' | 'internals' | 'noted' | 'said' | 'told' | 'parsing'> &
    Partial<Pick<ApplyContext, 'keepSecrets'>>,
): ApplyContext {
  const work = { bytes: 0 };
  return {
    project: context.project,
    now: context.now,
    initiator: initiatorOf(context),
    newId: randomUUID,
    holds: holdsFor(context),
    work,
    turn: () => {
      const { bytes } = work;
      work.bytes = 0;
      return bytesTurn(context, bytes);
    },
    keepSecrets: noSecrets,
    ...given,
  };
}

export function holdsFor({ principal, project }: Pick<RequestContext, 'principal' | 'project'>): ApplyContext['holds'] {
  return (scope) => principal.mayHandOut(`${scope}:${project.key}`);
}

function noSecrets(): never {
  throw new Error('Only an update of a resource changes its secrets');
}

/** The text that the store knows a resource by beside its id: the key, or the members that make it up. */
export function keyOf({ storedKey }: Resource, document: Document): string | undefined {
  if (storedKey.length === 0 || document[storedKey[0]!] === undefined) return undefined;
  return storedKey.map((name) => String(document[name])).join('/');
}

/** The references of a document that forbid the deletion of their targets, each once. */
export function strongReferences(resource: Resource, document: Document): readonly StrongReference[] {
  const references = new Map<string, StrongReference>();
  visitReferences(resource.fields, document, (reference) => references.set(referenceName(reference), reference));
  return [...references.values()];
}

/** Tells references apart. Their text does not: what the store gives back may have its members in another order. */
export function referenceName(reference: StrongReference): string {
  return `${reference.typeId} ${'id' in reference ? 'id' : 'key'} ${nameOf(reference)}`;
}

/** All that no other resource of the kind may hold beside this one; an exclusive flag is held like any other value. */
export function heldValues(resource: Resource, document: Document): readonly UniqueValue[] {
  const flags = resource.exclusiveFlags.filter((flag) => document[flag] === true).map(flagValue);
  return [...resource.uniqueValues(document).map(indexable), ...flags];
}

/** What the one resource of a kind holds whose exclusive flag is set. */
export function flagValue(flag: string): UniqueValue {
  return { field: flag, value: 'true' };
}

/** Values that an index takes; it refuses rows of more than 2,704 bytes. */
const heldLengthMax = 500;

/** In place of a value that is too long for an index, its hash is held. */
export function indexable({ field, value, shown = value, ...others }: UniqueValue): UniqueValue {
  if (value.length <= heldLengthMax) return { ...others, field, value, shown };
  return { ...others, field, value: `sha256 ${hashOf(value).toString('hex')}`, shown };
}

/** Throws what is wrong with values that were made. */
export function checkValues({ fields }: Resource, document: Document): void {
  const parsing = new Parsing();
  checkMembers(fields, document, parsing);
  parsing.settle();
}

/** Throws the same, and then all broken rules at once. */
export function checkRules(resource: Resource, document: Document, context: RequestContext): void {
  checkValues(resource, document);
  throwAll(resource.rules.flatMap((rule) => rule(document, context) ?? []));
}

/** Throws all refusals of checks at once. */
export async function runChecks(engine: Engine, { checks }: Resource, change: DocumentChange): Promise<void> {
  const errors = await Promise.all(checks.map((check) => check(engine, change)));
  throwAll(errors.filter((error): error is ErrorElement => error !== undefined));
}
