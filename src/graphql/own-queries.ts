import type { GraphqlQuery, Resource } from '../engine/resource.ts';
import { scopesAt, storePlace } from '../engine/views.ts';
import type { InputObject, OutputType } from '../fields/field.ts';
import { inputFields, inputTypesOf, parseObject, readInput } from '../fields/object.ts';
import { Parsing } from '../fields/parsing.ts';
import type { Placed } from './endpoint-queries.ts';
import { type Asking, askingOf } from './mounts.ts';
import { type FieldConfig, queryComplexity, searchComplexity, type TypeRegistry } from './output-types.ts';

/** The queries that a resource has beside those for one and for pages, and those of its endpoints. */
export function ownQueryFields(types: TypeRegistry, { resource, isInStore }: Placed): Record<string, FieldConfig> {
  const place = isInStore ? 'inStore' : 'root';
  const queries = resource.queries.filter(({ places }) => places.includes(place));
  return Object.fromEntries(
    queries.map((query): [string, FieldConfig] => [
      query.name,
      {
        type: types.output(query.type),
        args: types.args(Object.fromEntries(inputFields(query.arguments).map(({ name, type }) => [name, type]))),
        resolve: (parent, args, context) => resolveOwn({ resource, query }, args, askingOf(parent, context)),
        extensions: query.isSearch ? searchComplexity : queryComplexity,
      },
    ]),
  );
}

/** The types that arguments and answers of the queries need. */
export function ownQueryTypes({ queries }: Resource): readonly (OutputType | InputObject)[] {
  return queries.flatMap((query) => [...inputTypesOf(query.arguments), ...query.types()]);
}

async function resolveOwn(
  { resource, query }: { readonly resource: Resource; readonly query: GraphqlQuery },
  args: Readonly<Record<string, unknown>>,
  { context: { authorize, engine, request: context }, storeKey }: Asking,
): Promise<unknown> {
  authorize(scopesAt(query.scopes, storeKey !== undefined), storeKey);
  const parsing = new Parsing();
  const parameters = parseObject(query.arguments, readInput(query.arguments, args), parsing)!;
  parsing.settle();
  return query.run(engine, { context, resource, parameters, ...storePlace(storeKey) });
}
