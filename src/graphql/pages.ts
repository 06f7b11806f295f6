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
  const field = (type: string, read: (page: ResultPage) => unknown): FieldConfig => ({
    type: types.output(type),
    resolve: (parent) => read(parent as ResultPage),
    extensions: { complexity: 1 },
  });
  const fields = (): Record<string, FieldConfig> => ({
    offset: field('Int!', ({ offset }) => offset),
    count: field('Int!', ({ results }) => results.length),
    total: field('Long!', ({ countAll }) => countAll()),
    exists: field(
      'Boolean!',
      async ({ results, offset, countAll }) => results.length > 0 || (offset > 0 && (await countAll()) > 0),
    ),
    results: field(`[${itemName}!]!`, ({ results }) => results),
  });
  return new GraphQLObjectType({ name: `${itemName}QueryResult`, fields });
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
