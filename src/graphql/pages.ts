import { GraphQLObjectType } from 'graphql';
import type { Document } from '../engine/document.ts';
import type { QueryArguments } from '../engine/query-arguments.ts';
import type { StoredVersion } from '../engine/store.ts';
import type { FieldConfig, TypeRegistry } from './output-types.ts';

/** A page, with what it takes to count all matches when `total` is selected. */
export interface ResultPage extends Readonly<Record<string, unknown>> {
  readonly offset: number;
  readonly results: readonly (Document | StoredVersion | object)[];
  readonly countAll: () => Promise<number>;
}

/** The type of pages of what has this type. */
export function pageType(types: TypeRegistry, itemName: string): GraphQLObjectType {
  const page = (parent: Readonly<Record<string, unknown>>): ResultPage => parent as ResultPage;
  const plain = { complexity: 1 };
  const fields = (): Record<string, FieldConfig> => ({
    offset: { type: types.output('Int!'), resolve: (parent) => page(parent).offset, extensions: plain },
    count: { type: types.output('Int!'), resolve: (parent) => page(parent).results.length, extensions: plain },
    total: { type: types.output('Long!'), resolve: (parent) => page(parent).countAll(), extensions: plain },
    exists: {
      type: types.output('Boolean!'),
      resolve: async (parent) =>
        page(parent).results.length > 0 || (page(parent).offset > 0 && (await page(parent).countAll()) > 0),
      extensions: plain,
    },
    results: resultsField(types, itemName),
  });
  return new GraphQLObjectType({ name: `${itemName}QueryResult`, fields });
}

function resultsField(types: TypeRegistry, itemName: string): FieldConfig {
  const type = types.output(`[${itemName}!]!`);
  return {
    type,
    resolve: (parent, _, { size }) => size.field((parent as ResultPage).results),
    extensions: { complexity: 1 },
  };
}

/** Arguments of the fields that give a page. */
export const pageArguments = { where: 'String', sort: '[String!]', limit: 'Int', offset: 'Int' };

/** The schema has typed the arguments. */
export function argumentsOf({ where, sort, limit, offset }: Readonly<Record<string, unknown>>): QueryArguments {
  return {
    where: typeof where === 'string' ? [where] : [],
    variables: new Map(),
    sort: Array.isArray(sort) ? (sort as string[]) : [],
    expand: [],
    limit: typeof limit === 'number' ? limit : undefined,
    offset: typeof offset === 'number' ? offset : undefined,
    withTotal: false,
  };
}
