/**
 * Resources of a kind that have a value in common, such as the stocks of one SKU. Whoever reads them depends on the group, and
 * not on the kind: each write leaves word of the groups that its resource is in.
 */
import { createHash } from 'node:crypto';
import type { Sources } from './coherence.ts';
import type { Document, Fixed } from './document.ts';
import { documentOf } from './json.ts';
import type { GroupLookup, Store } from './store.ts';

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

/** The resources of some groups, parsed. The store may find others beside them, of values with the same hash. */
export async function readGrouped<T = Fixed<Document>>(
  store: Pick<Store, 'findGrouped'>,
  project: string,
  lookup: GroupLookup,
): Promise<readonly T[]> {
  const values = new Set(lookup.values);
  if (values.size === 0) return [];
  const found = await store.findGrouped(project, lookup);
  const documents = found.map(({ json }) => documentOf(json));
  const inGroups = documents.filter((each) => {
    const value = groupOf(each, lookup.member);
    return value !== undefined && values.has(value);
  });
  // Stored documents were parsed by their kind.
  return inGroups as readonly unknown[] as readonly T[];
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
