/** Groups of resources, parsed, for what is made of them again and again: each is kept until one of its resources changes. */
import { dependencyOn } from './coherence.ts';
import type { Document, Fixed } from './document.ts';
import { type GroupMember, type GroupReading, groupId, groupKind, parsedGroups, readGrouped } from './groups.ts';
import type { Engine } from './resource.ts';
import type { GroupLookup } from './store.ts';

/** Groups that one call reads alone, to keep them. */
const missingMax = 500;

/** The resources of a kind that have this value at a member, parsed; nobody may change them. */
export async function keptGroup(
  engine: Engine,
  project: string,
  { kind, member, value }: { readonly kind: string; readonly member: GroupMember; readonly value: string },
  turn?: GroupReading['turn'],
): Promise<readonly Fixed<Document>[]> {
  const [groups, id] = [groupKind(kind, member), groupId(value)];
  const kept = await engine.derived.get(nameOf(project, groups, value), async () => {
    const lookup = { kind, member, values: [value] };
    const found = await engine.store.findGrouped(project, lookup);
    const bytes = found.reduce((sum, { json }) => sum + json.length, 0);
    const documents = await parsedGroups(found, lookup, turn);
    const dependencies = [dependencyOn({ project, kind: groups, id })];
    return { value: { value: documents, bytes, sources: { dependencies, until: Infinity } }, dependencies };
  });
  engine.sources.note(groups, id);
  // Whoever has the name makes the same.
  return kept.value as readonly Fixed<Document>[];
}

/**
 * Those of several values. So many as pages of a shop do not have are read together where they are not kept, and not kept:
 * to keep each costs more than to read it.
 */
export async function keptGroups<T = Document>(
  engine: Engine,
  project: string,
  { kind, member, values }: GroupLookup,
  turn?: GroupReading['turn'],
): Promise<readonly Fixed<T>[]> {
  const groups = groupKind(kind, member);
  const missing = values.filter((value) => engine.derived.kept(nameOf(project, groups, value)) === undefined);
  const together = missing.length > missingMax ? new Set(missing) : undefined;
  // What the store reads it notes itself.
  const found = await Promise.all([
    together === undefined
      ? []
      : readGrouped({ store: engine.store, project, turn }, { kind, member, values: missing }),
    ...values.flatMap((value) =>
      together?.has(value) ? [] : keptGroup(engine, project, { kind, member, value }, turn),
    ),
  ]);
  // Stored documents were parsed by their kind.
  return found.flat() as readonly unknown[] as readonly Fixed<T>[];
}

function nameOf(project: string, groups: string, value: string): string {
  return `${project}/${groups}/${value}`;
}
