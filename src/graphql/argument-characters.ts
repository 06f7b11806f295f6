/**
 * How long the arguments of a search are: what it has to look at grows with its filters, facets, sorts and texts, and all
 * of them are written out somewhere. Names of members count, and values, but not how they are written: a variable counts as
 * much as the literal in its place.
 */
import { type FieldNode, Kind, type ValueNode } from 'graphql';

/** Characters of the arguments that stand in a query, and the variables in them, each as often as it stands there. */
export interface ArgumentCharacters {
  readonly characters: number;
  readonly variables: readonly string[];
}

export function argumentCharacters({ arguments: given = [] }: Pick<FieldNode, 'arguments'>): ArgumentCharacters {
  const variables: string[] = [];
  const characters = given.reduce((sum, { value }) => sum + literalCharacters(value, variables), 0);
  return { characters, variables };
}

/** Of a literal; the variables in it are put into `variables`. */
export function literalCharacters(node: ValueNode, variables: string[] = []): number {
  switch (node.kind) {
    case Kind.VARIABLE:
      variables.push(node.name.value);
      return 0;
    case Kind.LIST:
      return node.values.reduce((sum, value) => sum + literalCharacters(value, variables), 0);
    case Kind.OBJECT:
      return node.fields.reduce(
        (sum, { name, value }) => sum + name.value.length + literalCharacters(value, variables),
        0,
      );
    case Kind.NULL:
      return 0;
    default:
      return String(node.value).length;
  }
}

/** Of the value of a variable. */
export function valueCharacters(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'string') return value.length;
  // A number or a boolean, of what JSON has.
  if (typeof value !== 'object') return JSON.stringify(value).length;
  let count = 0;
  if (Array.isArray(value)) {
    for (const each of value) count += valueCharacters(each);
    return count;
  }
  // What was parsed from JSON inherits nothing that a loop meets.
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) count += name.length + valueCharacters(members[name]);
  return count;
}
