import {
  type FieldNode,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Fragments } from './selections.ts';

/** How many elements the lists of introspection have, by the names of their fields: on average, and at most. */
export interface SchemaSize {
  readonly mean: ReadonlyMap<string, number>;
  readonly most: ReadonlyMap<string, number>;
}

/** Values that introspection gives for one point of the score: it reads them from memory. */
const valuesPerPoint = 10;
/** A longer name takes as long as so many more. */
const charactersPerValue = 100;
/** Sums stop here: nested fragments double with each level. */
const valuesMax = 1e12;

/** Of the types of fields and arguments, about half are lists or not null, and so on within. */
const wrappedShare = 0.5;

export function sizeOf(schema: GraphQLSchema): SchemaSize {
  const types = Object.values(schema.getTypeMap());
  const holders = types.filter((type) => isObjectType(type) || isInterfaceType(type));
  const fields = holders.map((type) => Object.values(type.getFields()));
  const lists: Readonly<Record<string, readonly number[]>> = {
    types: [types.length],
    directives: [schema.getDirectives().length],
    fields: fields.map((list) => list.length),
    args: fields.flat().map(({ args }) => args.length),
    inputFields: types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length),
    enumValues: types.filter(isEnumType).map((type) => type.getValues().length),
    interfaces: holders.map((type) => type.getInterfaces().length),
    possibleTypes: types.filter(isInterfaceType).map((type) => schema.getPossibleTypes(type).length),
  };
  const entries = Object.entries(lists).map(([name, lengths]) => {
    const total = lengths.reduce((sum, length) => sum + length, 0);
    // Of the types that a list stands in, most have none of the other kinds' lists.
    const count = name === 'types' || name === 'directives' || name === 'args' ? lengths.length : types.length;
    return { name, mean: total / Math.max(1, count), most: Math.max(1, ...lengths) };
  });
  return {
    mean: new Map([['ofType', wrappedShare], ...entries.map(({ name, mean }): [string, number] => [name, mean])]),
    most: new Map(entries.map(({ name, most }) => [name, most])),
  };
}

/** How much of an operation asks for the schema, whatever it says of its own type's name. */
export function introspectionOf(
  { selectionSet }: OperationDefinitionNode,
  fragments: Fragments,
): 'all' | 'some' | 'none' {
  let [isSome, isAll] = [false, true];
  const seen = new Set<string>();
  const visit = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const { value: name } = selection.name;
        if (name === '__schema' || name === '__type') isSome = true;
        else if (name !== '__typename') isAll = false;
      } else if (selection.kind === Kind.INLINE_FRAGMENT) visit(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        visit(fragments.get(selection.name.value)!.selectionSet);
      }
    }
  };
  visit(selectionSet);
  if (!isSome) return 'none';
  return isAll ? 'all' : 'some';
}

/** The score of `__schema` or `__type`. Lists of one type may be the largest; those of all types are as long as the mean. */
export function introspectionCost(size: SchemaSize, node: FieldNode, fragments: Fragments): number {
  const known = new Map<string, number>();

  function ofSelections({ selections }: SelectionSetNode, isOfAll: boolean): number {
    let values = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) values += ofField(selection, isOfAll);
      else if (selection.kind === Kind.INLINE_FRAGMENT) values += ofSelections(selection.selectionSet, isOfAll);
      else values += ofFragment(selection.name.value, isOfAll);
    }
    return Math.min(values, valuesMax);
  }

  /** Once each: a document may spread one exponentially often. */
  function ofFragment(name: string, isOfAll: boolean): number {
    const key = `${name} ${isOfAll}`;
    let values = known.get(key);
    if (values === undefined) known.set(key, (values = ofSelections(fragments.get(name)!.selectionSet, isOfAll)));
    return values;
  }

  function ofField({ alias, name: { value: name }, selectionSet }: FieldNode, isOfAll: boolean): number {
    const own = 1 + Math.floor((alias?.value.length ?? 0) / charactersPerValue);
    if (selectionSet === undefined) return own;
    const below = ofSelections(selectionSet, isOfAll || name === 'types');
    const length = (isOfAll ? size.mean : size.most).get(name) ?? 1;
    return own + length * below;
  }

  return Math.ceil(ofField(node, false) / valuesPerPoint);
}
