import { ApiError, type ErrorElement, apiError } from '../../errors/api-error.ts';
import { visitReferences } from '../../fields/object.ts';
import type { Initiator } from '../../fields/initiator.ts';
import type { Reference } from '../../fields/parsing.ts';
import type { RequestContext } from '../context.ts';
import type { Document, Resource, UniqueValue } from '../define.ts';

/** Bytes of one representation (specification section 8). */
const resourceBytesMax = 16 * 1024 * 1024;

export function initiatorOf(context: RequestContext): Initiator {
  const { principal, externalUserId } = context;
  return { clientId: principal.clientId, ...(externalUserId !== undefined && { externalUserId }) };
}

/** The references of a document that forbid the deletion of their targets, each once. */
export function strongReferences(resource: Resource, document: Document): readonly Reference[] {
  const references = new Map<string, Reference>();
  visitReferences(resource.fields, document, (reference) =>
    references.set(`${reference.typeId}/${reference.id}`, reference),
  );
  return [...references.values()];
}

export function trueFlags(resource: Resource, document: Document): readonly string[] {
  return resource.exclusiveFlags.filter((flag) => document[flag] === true);
}

/** All that no other resource of the kind may hold beside this one; an exclusive flag is held like any other value. */
export function heldValues(resource: Resource, document: Document): readonly UniqueValue[] {
  const flags = trueFlags(resource, document).map((flag) => ({ field: flag, value: 'true' }));
  return [...resource.uniqueValues(document), ...flags];
}

/** Throws all broken rules at once, and ResourceSizeLimitExceeded. */
export function checkRules(resource: Resource, document: Document): void {
  const errors = resource.rules
    .map((rule) => rule(document))
    .filter((error): error is ErrorElement => error !== undefined);
  const [first, ...others] = errors;
  if (first !== undefined) throw new ApiError([first, ...others]);
}

/** JSON text of a document that is about to be stored. */
export function checkedText(document: Document): string {
  const text = JSON.stringify(document);
  if (Buffer.byteLength(text) > resourceBytesMax) {
    throw apiError('ResourceSizeLimitExceeded', `The resource has more than ${resourceBytesMax} bytes.`);
  }
  return text;
}
