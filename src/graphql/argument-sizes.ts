/**
 * How large the arguments of a field are, where that says how much is to be done. A variable counts as much as the literal in
 * its place.
 */
import { type FieldNode, Kind, type ValueNode } from 'graphql';

/**
 * What is counted. A search has to look at more with its filters, facets, sorts and texts, all of which are written out
 * somewhere: names of members count, and values, but not how they are written. A field that picks by lists goes through their
 * elements.
 */
export type Measure = 'characters' | 'elements';

/** Of the arguments that stand in a query, and the variables in them, each as often as it stands there. */
export interface ArgumentSize {
  readonly size: number;
  readonly variables: readonly string[];
}

export function argumentSize({ arguments: given = [] }: Pick<FieldNode, 'arguments'>, measure: Measure): ArgumentSize {
  const variables: string[] = [];
  const size = given.reduce((sum, { value }) => sum + literalSize(value, measure, variables), 0);
  return { size, variables };
}

/** Of a literal; the variables in it are put into `variables`. */
export function literalSize(node: ValueNode, measure: Measure, variables: string[] = []): number {
  switch (node.kind) {
    case Kind.VARIABLE:
      variables.push(node.name.value);
      return 0;
    case Kind.LIST:
      return node.values.reduce(
        (sum, value) => sum + literalSize(value, measure, variables),
        elementsOf(node.values, measure),
      );
    case Kind.OBJECT:
      return node.fields.reduce(
        (sum, { name, value }) => sum + textSize(name.value, measure) + literalSize(value, measure, variables),
        0,
      );
    case Kind.NULL:
      return 0;
    default:
      return textSize(String(node.value), measure);
  }
}

/** Of the value of a variable. */
export function valueSize(value: unknown, measure: Measure): number {
  if (value === null || value === undefined) return 0;
  if (typeof value === 'string') return textSize(value, measure);
  // A number or a boolean, of what JSON has.
  if (typeof value !== 'object') return textSize(JSON.stringify(value), measure);
  if (Array.isArray(value)) {
    let size = elementsOf(value, measure);
    for (const each of value) size += valueSize(each, measure);
    return size;
  }
  let size = 0;
  // What was parsed from JSON inherits nothing that a loop meets.
  const members = value as Readonly<Record<string, unknown>>;
  for (const name in members) size += textSize(name, measure) + valueSize(members[name], measure);
  return size;
}

function textSize({ length }: string, measure: Measure): number {
  return measure === 'characters' ? length : 0;
}

function elementsOf({ length }: readonly unknown[], measure: Measure): number {
  return measure === 'elements' ? length : 0;
}
