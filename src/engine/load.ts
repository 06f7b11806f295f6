import { ApiError, type ErrorElement } from '../errors/api-error.ts';
import type { PendingIdentifier } from '../fields/parsing.ts';
import type { Engine } from './engine.ts';
import { documentOf } from './json.ts';
import type { Lookup, Stored } from './store.ts';

export function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value);
}

/**
 * Reads `lookups` and every identifier met while parsing in one round trip, and writes what was found into the parsed
 * values. Identifiers that lead nowhere are reported together (ReferencedResourceNotFound).
 */
export async function load(
  engine: Engine,
  project: string,
  wanted: { readonly lookups: readonly Lookup[]; readonly identifiers: readonly PendingIdentifier[] },
): Promise<readonly (Stored | undefined)[]> {
  const { lookups, identifiers } = wanted;
  if (lookups.length + identifiers.length === 0) return [];
  const found = await engine.store.find(project, [...lookups, ...identifiers.map(lookupOf)]);
  const errors: ErrorElement[] = [];
  for (const [index, identifier] of identifiers.entries()) {
    const stored = found[lookups.length + index];
    if (stored === undefined) {
      errors.push(notFound(identifier));
      continue;
    }
    const lack = identifier.lacks?.(documentOf(stored.json));
    if (lack !== undefined) errors.push(lack);
    if (identifier.wants === 'id') identifier.target.id = stored.id;
    else if (stored.key !== undefined) identifier.target.key = stored.key;
  }
  const [first, ...others] = errors;
  if (first !== undefined) throw new ApiError([first, ...others]);
  return found.slice(0, lookups.length);
}

function lookupOf({ typeId, id, key }: PendingIdentifier): Lookup {
  return { kind: typeId, ...(id !== undefined && { id }), ...(key !== undefined && { key }) };
}

export function notFound({ typeId, id, key }: Pick<PendingIdentifier, 'typeId' | 'id' | 'key'>): ErrorElement {
  const named = id === undefined ? `key '${key}'` : `id '${id}'`;
  return {
    code: 'ReferencedResourceNotFound',
    message: `The referenced object of type '${typeId}' with ${named} was not found. It either does not exist, or it cannot be accessed from here.`,
    typeId,
    ...(id !== undefined && { id }),
    ...(key !== undefined && { key }),
  };
}
