/**
 * Resources of a kind that have a value in common, such as the stocks of one SKU. Whoever reads them depends on the group, and
 * not on the kind: each write leaves word of the groups that its resource is in.
 */
import { createHash } from 'node:crypto';
import type { Sources } from './coherence.ts';
import type { Document, Fixed } from './document.ts';
import { documentOf } from './json.ts';
import type { GroupLookup, Store, Stored } from './store.ts';

/** A path of members, `product.id`, that leads to a text, which never changes. */
export type GroupMember = string;

const by = ' by ';

/** Stands for the groups of a kind in the change log and the outbox, beside the kinds. */
export function groupKind(kind: string, member: GroupMember): string {
  return `${kind}${by}${member}`;
}

/** The kind whose groups these are; of a kind, that itself. */
export function kindOfGroup(name: string): string {
  return name.split(by, 1)[0]!;
}

/** As the change log and the outbox name a group: texts have any form, and any length. */
export function groupId(value: string): string {
  return createHash('md5').update(value).digest('hex');
}

export interface GroupReading {
  readonly project: string;
  readonly store: Pick<Store, 'findGrouped'>;
  /** Waits for a turn where so many bytes more make a piece of work that takes milliseconds. */
  readonly turn?: ((bytes: number) => Promise<void>) | undefined;
}

/** The resources of some groups, parsed. */
export async function readGrouped<T = Fixed<Document>>(
  reading: GroupReading,
  lookup: GroupLookup,
): Promise<readonly T[]> {
  if (lookup.values.length === 0) return [];
  const found = await reading.store.findGrouped(reading.project, lookup);
  // Stored documents were parsed by their kind.
  return (await parsedGroups(found, lookup, reading.turn)) as readonly unknown[] as readonly T[];
}

/** What the store found may have others in it, of values with the same hash. */
export async function parsedGroups(
  found: readonly Pick<Stored, 'json'>[],
  { member, values }: Pick<GroupLookup, 'member' | 'values'>,
  turn: GroupReading['turn'],
): Promise<readonly Fixed<Document>[]> {
  const asked = new Set(values);
  const parsed: Fixed<Document>[] = [];
  for (const { json } of found) {
    if (turn !== undefined) await turn(json.length);
    const document = documentOf<Fixed<Document>>(json);
    const value = groupOf(document, member);
    if (value !== undefined && asked.has(value)) parsed.push(document);
  }
  return parsed;
}

export function noteGroups(
  sources: Pick<Sources, 'note'>,
  { kind, member, values }: { readonly kind: string; readonly member: GroupMember; readonly values: readonly string[] },
): void {
  for (const value of values) sources.note(groupKind(kind, member), groupId(value));
}

/** The value that a resource of the kind is grouped by; undefined for one that is in no group. */
export function groupOf(document: Fixed<Document>, member: GroupMember): string | undefined {
  const value = member
    .split('.')
    .reduce<unknown>((holder, name) => (holder as Readonly<Record<string, unknown>> | undefined)?.[name], document);
  return typeof value === 'string' ? value : undefined;
}
