import type { EnumValue } from './attribute-type.ts';
import type { ProductType } from './fields.ts';

/** What an update of a product type means for the values of its attributes, in the order of the actions. */
export type AttributeChange =
  | { readonly change: 'attributeRenamed'; readonly name: string; readonly to: string }
  | { readonly change: 'attributeRemoved'; readonly name: string }
  | { readonly change: 'enumKeyRenamed'; readonly name: string; readonly key: string; readonly to: string }
  | { readonly change: 'enumLabelChanged'; readonly name: string; readonly value: EnumValue }
  | { readonly change: 'enumValuesRemoved'; readonly name: string; readonly keys: readonly string[] };

/** A change, and the version of the product type that it belongs to. */
export type LoggedChange = AttributeChange & { readonly revision: number };

/** Changes that a product type keeps. The oldest go first, and only those that all products have followed. */
export const changesMax = 5000;

/** Keeps a change beside the product type, for the products that have to follow it. */
export function logChange(
  { version }: Pick<ProductType, 'version'>,
  change: AttributeChange,
  internals: Record<string, unknown>,
): void {
  const logged = { ...change, revision: version + 1 };
  const log = [...loggedChanges(internals).filter(stayingBefore(loggedChanges(internals), logged)), logged];
  const excess = log.splice(0, Math.max(0, log.length - changesMax)).at(-1);
  if (excess !== undefined) internals['changesDropped'] = excess.revision;
  internals['changes'] = log;
}

/** All changes that are kept beside a product type, the oldest first. Their revisions never fall. */
export function loggedChanges(internals: Readonly<Record<string, unknown>>): readonly LoggedChange[] {
  // Nothing but the function above writes them.
  return (internals['changes'] ?? []) as readonly LoggedChange[];
}

/** Of what is not later than this version some may be gone from the log; what follows an earlier one lacks that. */
export function droppedUpTo(internals: Readonly<Record<string, unknown>>): number {
  return Number(internals['changesDropped'] ?? 0);
}

/**
 * Which of the changes still make a difference before another one, whatever version a product follows: not the labels of a
 * value whose label changes again or that is removed, and nothing of an attribute that is removed. What the attribute or the
 * value was called before is another's business, for the changes before that may be about another one of that name. What the
 * update itself has removed stays, as its checks ask for it.
 */
function stayingBefore(log: readonly LoggedChange[], later: LoggedChange): (change: LoggedChange) => boolean {
  const moot = new Set<LoggedChange>();
  const keys = new Set(keysOf(later));
  const isRemoval = later.change === 'attributeRemoved';
  for (const earlier of log.toReversed()) {
    if (!isRemoval && keys.size === 0) break;
    if (earlier.change === 'attributeRenamed' && [earlier.name, earlier.to].includes(later.name)) break;
    if (earlier.name !== later.name) continue;
    if (isRemoval && earlier.revision < later.revision) moot.add(earlier);
    if (earlier.change === 'attributeRemoved') break;
    if (earlier.change === 'enumLabelChanged' && keys.has(earlier.value.key)) moot.add(earlier);
    for (const key of namedKeys(earlier)) keys.delete(key);
  }
  return (change) => !moot.has(change);
}

/** The keys of the values whose labels do not count before the change. */
function keysOf(change: AttributeChange): readonly string[] {
  if (change.change === 'enumLabelChanged') return [change.value.key];
  return change.change === 'enumValuesRemoved' ? change.keys : [];
}

function namedKeys(change: AttributeChange): readonly string[] {
  return change.change === 'enumKeyRenamed' ? [change.key, change.to] : keysOf(change);
}

/** Those that are later than a version of the product type; all of them where none was dropped that is later (`droppedUpTo`). */
export function changesAfter(internals: Readonly<Record<string, unknown>>, revision: number): readonly LoggedChange[] {
  return loggedChanges(internals).filter((change) => change.revision > revision);
}

/** Enum values that an update removes, as products still call them and their attributes, which follow the others later. */
export function removedEnumValues(changes: readonly LoggedChange[], revision: number): readonly CalledValues[] {
  // An attribute, and a value of one, that the update has added has no name of before.
  const names = new Map<string, string | undefined>();
  const keys = new Map<string, string | undefined>();
  const removed: { name: string; keys: readonly string[] }[] = [];
  for (const change of changes) {
    if (change.revision !== revision) continue;
    const name = names.has(change.name) ? names.get(change.name) : change.name;
    const keyName = (key: string): string => JSON.stringify([name, key]);
    const before = (key: string): string | undefined => (keys.has(keyName(key)) ? keys.get(keyName(key)) : key);
    switch (change.change) {
      case 'attributeRenamed':
        names.set(change.name, undefined).set(change.to, name);
        break;
      case 'attributeRemoved':
        names.set(change.name, undefined);
        break;
      case 'enumKeyRenamed':
        keys.set(keyName(change.to), before(change.key)).set(keyName(change.key), undefined);
        break;
      case 'enumValuesRemoved': {
        const called = change.keys.flatMap((key) => before(key) ?? []);
        if (name !== undefined && called.length > 0) removed.push({ name, keys: called });
        for (const key of change.keys) keys.set(keyName(key), undefined);
        break;
      }
      case 'enumLabelChanged':
        break;
    }
  }
  return removed;
}

/** Values of an enumeration, by what the attribute and they themselves are called. */
export interface CalledValues {
  readonly name: string;
  readonly keys: readonly string[];
}

/**
 * The values, and all that products may call them that have not followed every change yet, but those up to the revision
 * `followed`. `version` is the one that calls them so.
 */
export function alsoCalled(
  changes: readonly LoggedChange[],
  { name, keys }: CalledValues,
  { followed, version }: { readonly followed: number; readonly version: number },
): readonly CalledValues[] {
  let [attribute, values] = [name, keys];
  const called = [{ name, keys }];
  const call = (): void => void called.push({ name: attribute, keys: values });
  for (const change of changes.toReversed()) {
    if (change.revision <= followed || values.length === 0) break;
    if (change.revision > version) continue;
    switch (change.change) {
      case 'attributeRenamed':
        // What had the name before is another attribute.
        if (change.name === attribute) return called;
        if (change.to !== attribute) break;
        attribute = change.name;
        call();
        break;
      case 'attributeRemoved':
        if (change.name === attribute) return called;
        break;
      case 'enumKeyRenamed':
        if (change.name !== attribute) break;
        // So is the value that had the key before.
        values = values.filter((key) => key !== change.key);
        if (!values.includes(change.to)) break;
        values = values.map((key) => (key === change.to ? change.key : key));
        call();
        break;
      case 'enumValuesRemoved':
        if (change.name === attribute) values = values.filter((key) => !change.keys.includes(key));
        break;
      case 'enumLabelChanged':
        break;
    }
  }
  return called;
}
