import { type FieldKind, type OutputField, refined, sameSchema } from '../../fields/field.ts';
import { isObject } from '../../fields/object.ts';
import type { Parsing } from '../../fields/parsing.ts';
import { text } from '../../fields/scalar.ts';
import { sortOrder, sortOrderPattern } from '../../fields/sort-order.ts';

/** Where a product stands in categories, by their ids. */
export interface CategoryOrderHints {
  [categoryId: string]: string;
}

/** Other than the hint of a category itself, it does not end in 0. */
export const orderHint = sortOrder();

const idPattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$';
const ID = new RegExp(idPattern);

/** The id of a category in the form in which the store has it. */
export const categoryId: FieldKind<string> = refined(text(), (value) => value.toLowerCase());

const hintsMax = 10_000;

const hintFields: readonly OutputField[] = [
  { name: 'categoryId', type: 'String!', complexity: 1, read: (parent) => parent['categoryId'] },
  { name: 'orderHint', type: 'String!', complexity: 1, read: (parent) => parent['orderHint'] },
];

export const categoryOrderHints: FieldKind<CategoryOrderHints> = {
  parse: parseHints,
  shape: { class: 'dynamic' },
  output: {
    item: '[CategoryOrderHint!]',
    types: () => [{ type: 'object', object: { name: 'CategoryOrderHint', fields: hintFields } }],
    fields: (name) => [
      {
        name: 'categoryOrderHint',
        type: 'String',
        args: { categoryId: 'String!' },
        complexity: 1,
        read: (parent, args) => hintsIn(parent, name)[String(args['categoryId']).toLowerCase()],
      },
      {
        name,
        type: '[CategoryOrderHint!]!',
        complexity: 1,
        read: (parent) =>
          Object.entries(hintsIn(parent, name)).map(([categoryId, orderHint]) => ({ categoryId, orderHint })),
      },
    ],
  },
  input: {
    type: '[CategoryOrderHintInput!]',
    types: () => [
      {
        name: 'CategoryOrderHintInput',
        fields: [
          { name: 'uuid', type: 'String!' },
          { name: 'orderHint', type: 'String!' },
        ],
      },
    ],
    read: (given) => {
      // The schema has typed the list.
      const hints = given as readonly { uuid: string; orderHint: string }[];
      return Object.fromEntries(hints.map(({ uuid, orderHint }) => [uuid, orderHint]));
    },
  },
  schema: sameSchema({
    title: 'CategoryOrderHints',
    type: 'object',
    propertyNames: { pattern: idPattern },
    additionalProperties: { type: 'string', pattern: sortOrderPattern },
    maxProperties: hintsMax,
  }),
  // They name categories by ids, which no example knows.
  examples: [{}],
};

/** Stored values were parsed by the kind. */
function hintsIn(parent: Readonly<Record<string, unknown>>, name: string): Readonly<CategoryOrderHints> {
  return (parent[name] ?? {}) as CategoryOrderHints;
}

function parseHints(input: unknown, parsing: Parsing): CategoryOrderHints | undefined {
  if (!isObject(input)) return parsing.wrongType('an object of ids of categories and order hints', input);
  const entries = Object.entries(input);
  if (entries.length > hintsMax)
    return parsing.wrongValue(entries.length, `an object of at most ${hintsMax} order hints`);
  const hints: CategoryOrderHints = {};
  for (const [id, given] of entries) {
    if (!ID.test(id)) return parsing.wrongValue(id, 'the id of a category as the name of each member');
    const since = parsing.faultCount;
    const hint = orderHint.parse(given, parsing);
    parsing.within(id, since);
    if (hint !== undefined) hints[id.toLowerCase()] = hint;
  }
  return hints;
}
