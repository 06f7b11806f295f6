/** What predicates read of a value, so that what nobody asks for need be neither found out nor passed on. */
import type { Predicate } from './ast.ts';

export interface Reads {
  readonly members: ReadMembers;
  /** All members that are named, wherever they stand. */
  readonly names: Pick<ReadonlySet<string>, 'has' | 'size'>;
}

/** Members as a tree: all that is below `true`. Of a list, those of its elements. */
export type ReadMembers = true | ReadonlyMap<string, ReadMembers>;

type Tree = Map<string, true | Tree>;

interface Entering {
  readonly tree: Tree;
  readonly names: Set<string>;
}

/** Of predicates that nobody has looked at. */
export const readsAll: Reads = { members: true, names: { has: () => true, size: Infinity } };

/** All that any of them reads of the same value. */
export function readsOf(predicates: readonly Predicate[]): Reads {
  const entering: Entering = { tree: new Map(), names: new Set() };
  for (const predicate of predicates) enter(predicate, entering);
  return { members: entering.tree, names: entering.names };
}

function enter(predicate: Predicate, { tree, names }: Entering): void {
  switch (predicate.kind) {
    case 'all':
    case 'any':
      for (const operand of predicate.operands) enter(operand, { tree, names });
      return;
    case 'not':
      return enter(predicate.operand, { tree, names });
    case 'constant':
      return;
    case 'aggregate': {
      const { list, member, where } = predicate;
      // Amounts are summed in the currency of the whole.
      tree.set('currency', true);
      const elements = below(tree, list);
      elements.set(member, true);
      for (const name of ['currency', list, member]) names.add(name);
      return enter(where, { tree: elements, names });
    }
    case 'field': {
      const { name, test } = predicate;
      names.add(name);
      if (test.kind === 'group') enter(test.predicate, { tree: below(tree, name), names });
      else tree.set(name, true);
    }
  }
}

/** What is noted below a member that is read as a whole is noted in vain. */
function below(tree: Tree, name: string): Tree {
  const known = tree.get(name);
  if (known !== true && known !== undefined) return known;
  const made: Tree = new Map();
  if (known === undefined) tree.set(name, made);
  return made;
}

/** The value without what is not read: to the predicates it is the same. Lists keep all elements, which may be counted. */
export function readPart(value: unknown, { members }: Pick<Reads, 'members'>): unknown {
  return partOf(value, members);
}

function partOf(value: unknown, members: ReadMembers): unknown {
  if (members === true || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((element) => partOf(element, members));
  // Members may have any name, which assignments would not make members.
  return Object.fromEntries(
    [...members].flatMap(([name, deeper]) =>
      Object.hasOwn(value, name) ? [[name, partOf((value as Readonly<Record<string, unknown>>)[name], deeper)]] : [],
    ),
  );
}
