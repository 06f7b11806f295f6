/** Groups of resources, parsed, for requests whose answers are not kept: each is kept until one of its resources changes. */
import { dependencyOn } from './coherence.ts';
import type { Document, Fixed } from './document.ts';
import { type GroupMember, groupId, groupKind, readGrouped } from './groups.ts';
import type { Engine } from './resource.ts';
import type { GroupLookup } from './store.ts';

/** The resources of a kind that have this value at a member, parsed; nobody may change them. */
export async function keptGroup(
  engine: Engine,
  project: string,
  { kind, member, value }: { readonly kind: string; readonly member: GroupMember; readonly value: string },
): Promise<readonly Fixed<Document>[]> {
  const [groups, id] = [groupKind(kind, member), groupId(value)];
  const kept = await engine.derived.get(`${project}/${groups}/${value}`, async () => {
    const documents = await readGrouped(engine.store, project, { kind, member, values: [value] });
    const bytes = JSON.stringify(documents).length;
    const dependencies = [dependencyOn({ project, kind: groups, id })];
    return { value: { value: documents, bytes, sources: { dependencies, until: Infinity } }, dependencies };
  });
  engine.sources.note(groups, id);
  // Whoever has the name makes the same.
  return kept.value as readonly Fixed<Document>[];
}

/** Those of several values. */
export async function keptGroups<T = Document>(
  engine: Engine,
  project: string,
  { kind, member, values }: GroupLookup,
): Promise<readonly Fixed<T>[]> {
  const groups = await Promise.all(values.map((value) => keptGroup(engine, project, { kind, member, value })));
  // Stored documents were parsed by their kind.
  return groups.flat() as readonly unknown[] as readonly Fixed<T>[];
}
