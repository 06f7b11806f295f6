import type { GraphqlQuery, Resource } from '../engine/resource.ts';
import { documentOf } from '../engine/json.ts';
import type { InputObject, OutputType } from '../fields/field.ts';
import { inputFields, inputTypesOf, parseObject, readInput } from '../fields/object.ts';
import { Parsing } from '../fields/parsing.ts';
import { type FieldConfig, queryComplexity, type TypeRegistry } from './output-types.ts';
import type { QueryContext } from './resolvers.ts';

/** The queries that a resource has beside those for one and for pages, and those of its endpoints. */
export function ownQueryFields(types: TypeRegistry, resource: Resource): Record<string, FieldConfig> {
  return Object.fromEntries(
    resource.queries.map((query): [string, FieldConfig] => [
      query.name,
      {
        type: types.output(query.type),
        args: types.args(Object.fromEntries(inputFields(query.arguments).map(({ name, type }) => [name, type]))),
        resolve: (_, args, context) => resolveOwn({ resource, query }, args, context),
        extensions: queryComplexity,
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
  { authorize, engine, request: context }: QueryContext,
): Promise<unknown> {
  authorize(query.scopes);
  const parsing = new Parsing();
  const parameters = parseObject(query.arguments, readInput(query.arguments, args), parsing)!;
  parsing.settle();
  return documentOf(await query.run(engine, { context, resource, parameters }));
}
