import { type ErrorElement, throwAll } from '../errors/api-error.ts';
import type { Parsing, PendingIdentifier } from '../fields/parsing.ts';
import type { Requester } from './context.ts';
import type { Document } from './document.ts';
import type { Engine } from './resource.ts';
import { oneInTurns } from './json-slices.ts';
import type { Lookup, Stored } from './store.ts';

export function isUuid(value: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value);
}

/** Which resources of a kind may be named: all, none, or those of which this holds. */
export type Nameable = boolean | ((document: Document) => boolean);

/** What an operation reads before it computes. */
export interface Wanted {
  readonly lookups?: readonly Lookup[];
  /** What was parsed, with the identifiers that it met. */
  readonly parsing: Parsing;
  /** Judges what the lookups led to, before the identifiers are judged. */
  judge?(found: readonly (Stored | undefined)[]): void;
  /** Hears what the identifiers lead to. */
  note?(kind: string, stored: Stored): void;
  /** Which resources the identifiers may lead to; by default all that are there. */
  sees?(kind: string): Nameable;
  /** Lets others have a turn, where that is due, between what is done when the identifiers are known. */
  turn?(): Promise<void>;
}

/**
 * Reads `lookups` and every identifier met while parsing in one round trip, and writes what was found into the parsed
 * values. Identifiers that lead nowhere are reported together (ReferencedResourceNotFound).
 */
export async function load(
  engine: Engine,
  context: Requester,
  { lookups = [], parsing, judge, note, sees, turn }: Wanted,
): Promise<readonly (Stored | undefined)[]> {
  const { identifiers } = parsing;
  const isAnyNamed = lookups.length + identifiers.length > 0;
  const found = isAnyNamed
    ? await engine.store.find(context.project.key, [...lookups, ...identifiers.map(lookupOf)])
    : [];
  const own = found.slice(0, lookups.length);
  judge?.(own);
  const isSeen = sees === undefined ? () => true : seeing(context, sees);
  const errors: ErrorElement[] = [];
  for (const [index, identifier] of identifiers.entries()) {
    const stored = found[lookups.length + index];
    if (stored === undefined || !(await isSeen(identifier.typeId, stored))) {
      if (identifier.mayBeGone === true && identifier.id !== undefined) identifier.target.id = identifier.id;
      else errors.push(notFound(identifier));
      continue;
    }
    note?.(identifier.typeId, stored);
    const lack = identifier.lacks?.(await oneInTurns(stored.json, context));
    if (lack !== undefined) errors.push(lack);
    if (identifier.wants === 'id') identifier.target.id = stored.id;
    else if (stored.key !== undefined) identifier.target.key = stored.key;
  }
  throwAll(errors);
  for (const completion of parsing.completions()) {
    completion();
    if (turn !== undefined) await turn();
  }
  return own;
}

/** Tells whether resources are seen. Each is parsed once at most, however often it is named, and large ones in turns. */
function seeing(
  context: Requester,
  sees: NonNullable<Wanted['sees']>,
): (kind: string, stored: Stored) => boolean | Promise<boolean> {
  const kinds = new Map<string, Nameable>();
  const known = new Map<Stored, boolean>();
  return (kind, stored) => {
    let nameable = kinds.get(kind);
    if (nameable === undefined) kinds.set(kind, (nameable = sees(kind)));
    if (typeof nameable === 'boolean') return nameable;
    const isGood = nameable;
    return (
      known.get(stored) ??
      oneInTurns(stored.json, context).then((document) => {
        const isSeen = isGood(document);
        known.set(stored, isSeen);
        return isSeen;
      })
    );
  };
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
