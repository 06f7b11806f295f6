import DataLoader from 'dataloader';
import { requireViewOfAll } from '../engine/access.ts';
import type { RequestContext } from '../engine/context.ts';
import type { Document } from '../engine/document.ts';
import { groupOf, readGrouped } from '../engine/groups.ts';
import { bytesTurn, shareOfTurn } from '../engine/heavy-turns.ts';
import { documentOf } from '../engine/json.ts';
import { count, limitMax, query } from '../engine/operations/query.ts';
import type { QueryArguments } from '../engine/query-arguments.ts';
import type { Engine, Resource } from '../engine/resource.ts';
import type { Lookups } from '../fields/field.ts';
import type { AnswerSize } from './answer-size.ts';

/** What one statement reads. */
const groupsMax = 500;

interface Group {
  readonly kind: string;
  readonly member: string;
  readonly value: string;
}

/** Elements of lists that are gone through in one turn, in some milliseconds. */
const elementsOfTurn = 10_000;

export function goingThrough(size: AnswerSize, request: RequestContext): Lookups['goesThrough'] {
  return async (elements) => {
    if (!size.takesElements(elements)) return false;
    await shareOfTurn(request, elements / elementsOfTurn);
    return true;
  };
}

/** Reads through the engine of the request, which notes what it gives. `forget` drops what was read. */
export function lookupsOf(
  engine: Engine,
  request: RequestContext,
): Omit<Lookups, 'one' | 'goesThrough'> & { forget(): void } {
  const groups = new DataLoader<Group, readonly Document[], string>((wanted) => readGroups(engine, request, wanted), {
    cacheKeyFn: ({ kind, member, value }) => JSON.stringify([kind, member, value]),
    maxBatchSize: groupsMax,
  });
  const asking = (kind: string, where: string, sort?: string) => ({
    context: request,
    // Fields of kinds name kinds.
    resource: resourceOf(engine, kind),
    query: { ...plain, where: [where], sort: sort === undefined ? [] : [sort] },
  });
  return {
    now: request.now,
    noteUntil: (ms) => engine.sources.noteUntil(ms),
    grouped: (kind, member, value) => groups.load({ kind, member, value }),
    matching: async (kind, where, sort) =>
      (await query(engine, asking(kind, where, sort))).results.map((json) => documentOf(json)),
    count: (kind, where) => count(engine, asking(kind, where)),
    requireAll: (kind) => requireViewOfAll(request, resourceOf(engine, kind)),
    forget: () => void groups.clearAll(),
  };
}

const plain: QueryArguments = {
  where: [],
  variables: new Map(),
  sort: [],
  expand: [],
  limit: limitMax,
  offset: 0,
  withTotal: false,
};

function resourceOf({ registry }: Engine, kind: string): Resource {
  return registry.byKind.get(kind)!;
}

async function readGroups(
  { store }: Engine,
  request: RequestContext,
  wanted: readonly Group[],
): Promise<readonly (readonly Document[])[]> {
  const reading = { store, project: request.project.key, turn: (bytes: number) => bytesTurn(request, bytes) };
  const found = new Map<Group, Document[]>(wanted.map((group) => [group, []]));
  const names = new Set(wanted.map(({ kind, member }) => `${kind} ${member}`));
  for (const name of names) {
    const some = wanted.filter(({ kind, member }) => `${kind} ${member}` === name);
    const { kind, member } = some[0]!;
    const lookup = { kind, member, values: some.map(({ value }) => value) };
    const byValue = new Map(some.map((group) => [group.value, found.get(group)!]));
    for (const document of await readGrouped<Document>(reading, lookup))
      byValue.get(groupOf(document, member)!)!.push(document);
  }
  return wanted.map((group) => found.get(group)!);
}
