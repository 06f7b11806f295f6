/** How requests pick some of what there is, by lists of names, keys or ids: arguments of GraphQL fields, and parameters. */
import type { OutputArguments, OutputField } from './field.ts';

/** By the lists: one may be asked about again and again, under many names and of many objects. */
const sets = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();

function setOf(values: readonly unknown[]): ReadonlySet<unknown> {
  let set = sets.get(values);
  if (set === undefined) sets.set(values, (set = new Set(values)));
  return set;
}

/** Whether a value stands in an argument that is a list, which nobody changes. */
export function isAmong(value: unknown, list: unknown): boolean {
  return Array.isArray(list) && setOf(list).has(value);
}

/** Arguments of a field that pick some of a list by what its elements are called. */
export interface Picking {
  /** As `OutputField` has them. */
  readonly args: Readonly<Record<string, string>>;
  /** Those that are included, where it is said which ones are, and not excluded; the list itself where nothing is said. */
  from<T>(values: readonly T[], calledIn: (value: T) => unknown, args: OutputArguments): readonly T[];
  /** Elements that are gone through for that, of as many as there are. */
  through(args: OutputArguments, count: () => number): number;
}

export function pickingBy(what: 'Names' | 'Keys' | 'ChannelIds'): Picking {
  const [include, exclude] = [`include${what}`, `exclude${what}`];
  const isGiven = (args: OutputArguments): boolean => Array.isArray(args[include]) || Array.isArray(args[exclude]);
  return {
    args: { [include]: '[String!]', [exclude]: '[String!]' },
    from: (values, calledIn, args) => {
      if (!isGiven(args)) return values;
      const { [include]: included, [exclude]: excluded } = args;
      return values.filter((value) => {
        const called = calledIn(value);
        return (!Array.isArray(included) || isAmong(called, included)) && !isAmong(called, excluded);
      });
    },
    through: (args, count) => (isGiven(args) ? count() : 0),
  };
}

const byNames = pickingBy('Names');

/** What a field has of GraphQL that picks some of a list by their names. */
export function pickedByName<T extends { readonly name: string }>(
  listIn: (parent: Readonly<Record<string, unknown>>) => readonly T[],
  countIn = (parent: Readonly<Record<string, unknown>>): number => listIn(parent).length,
): Required<Pick<OutputField, 'args' | 'read' | 'goesThrough'>> {
  return {
    args: byNames.args,
    read: (parent, args) => byNames.from(listIn(parent), ({ name }) => name, args),
    goesThrough: (parent, args) => byNames.through(args, () => countIn(parent)),
  };
}
