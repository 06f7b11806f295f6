import type { ExpansionPath } from '../predicate/expand.ts';
import { isObject } from '../fields/object.ts';
import type { Engine } from './engine.ts';
import type { Document } from './define.ts';
import { documentOf } from './json.ts';

/** References that one request may expand. */
const expansionsMax = 10_000;

/**
 * Puts `obj` into the references that the paths lead to, level by level, each level read in one batch. A reference
 * whose target is gone keeps no `obj`. Changes the documents, which must be the caller's own.
 */
export async function expand(
  engine: Engine,
  project: string,
  documents: readonly Document[],
  paths: readonly ExpansionPath[],
): Promise<void> {
  let expanded = 0;
  /** Values under each path, after as many of its segments as have been walked. */
  let fronts = paths.map((path) => ({ path, index: 0, values: documents as readonly unknown[] }));
  while (fronts.length > 0) {
    const targets: Record<string, unknown>[] = [];
    const next: typeof fronts = [];
    for (const front of fronts) {
      const { path } = front;
      const segment = path.segments[front.index]!;
      const values = front.values.flatMap((value) => step(value, segment));
      targets.push(
        ...(values.filter((value) => isReference(value) && value['obj'] === undefined) as Record<string, unknown>[]),
      );
      if (front.index + 1 < path.segments.length) next.push({ path, index: front.index + 1, values });
    }
    expanded += targets.length;
    if (expanded > expansionsMax) return;
    await fill(engine, project, targets);
    // A path goes on inside the object that a reference led to.
    fronts = next.map((front) => ({
      ...front,
      values: front.values.map((value) => (isReference(value) ? (value['obj'] ?? value) : value)),
    }));
  }
}

function step(value: unknown, segment: ExpansionPath['segments'][number]): readonly unknown[] {
  if (!isObject(value)) return [];
  let values: readonly unknown[] = Object.hasOwn(value, segment.name) ? [value[segment.name]] : [];
  for (const index of segment.indexes) {
    values = values.flatMap((list) =>
      Array.isArray(list) ? (index === '*' ? (list as unknown[]) : [list[index] as unknown]) : [],
    );
  }
  return values;
}

function isReference(value: unknown): value is Record<string, unknown> & { typeId: string; id: string } {
  return isObject(value) && typeof value['typeId'] === 'string' && typeof value['id'] === 'string';
}

async function fill(engine: Engine, project: string, targets: readonly Record<string, unknown>[]): Promise<void> {
  const references = targets.filter(isReference).filter(({ typeId }) => engine.registry.byKind.has(typeId));
  const wanted = new Map(references.map(({ typeId, id }) => [`${typeId}/${id}`, { kind: typeId, id }]));
  if (wanted.size === 0) return;
  const found = await engine.store.find(project, [...wanted.values()]);
  const targetOf = new Map([...wanted.keys()].map((name, index) => [name, found[index]?.json.toString()]));
  for (const reference of references) {
    const target = targetOf.get(`${reference.typeId}/${reference.id}`);
    // Each reference gets a copy of its own, so that paths that go deeper into one leave the others alone.
    if (target !== undefined) reference['obj'] = documentOf(target);
  }
}
