import type { Endpoint, Resource } from '../engine/resource.ts';
import { isAnswerKind, isAnswerList } from '../engine/endpoint.ts';
import type { Document } from '../engine/document.ts';
import { ApiError } from '../errors/api-error.ts';
import type { InputObject, OutputType } from '../fields/field.ts';
import { inputTypesOf, outputTypesOf, parseObject, readInput } from '../fields/object.ts';
import { Parsing } from '../fields/parsing.ts';
import { listType, resolveList } from './endpoint-lists.ts';
import { type Asking, askingOf, enterEndpoint } from './mounts.ts';
import { type FieldConfig, queryComplexity, type TypeRegistry } from './output-types.ts';
import { pageArguments } from './pages.ts';
import { documentIn } from './resolvers.ts';

/** Fields of a resource at the root or in a store. */
export interface Placed {
  readonly resource: Resource;
  readonly isInStore: boolean;
}

/** An endpoint that has a query. */
export type Queried = Endpoint & { readonly query: NonNullable<Endpoint['query']> };

/** The endpoints of a resource that have queries there. */
export function servedEndpoints({ resource, isInStore }: Placed): readonly Queried[] {
  return resource.endpoints.flatMap((endpoint) => {
    const { query, isInStore: isServed } = endpoint;
    return query === undefined || (isInStore && !isServed) ? [] : [{ ...endpoint, query }];
  });
}

/** Whether an endpoint is one more way to find what the query for one gives. */
export function findsOne({ graphql }: Resource): (endpoint: Queried) => boolean {
  return ({ query }) => query.name === graphql.one;
}

/** The queries of endpoints: of those below `/me` or of the others. */
export function endpointFields(
  types: TypeRegistry,
  { isMine, ...placed }: Placed & { readonly isMine: boolean },
): Record<string, FieldConfig> {
  const { resource } = placed;
  const isFound = findsOne(resource);
  const stands = (endpoint: Queried): boolean => !isFound(endpoint) && endpoint.path.startsWith('/me/') === isMine;
  return Object.fromEntries(
    servedEndpoints(placed)
      .filter(stands)
      .map((endpoint) => [endpoint.query.name, endpointField(types, resource, endpoint)]),
  );
}

/** Arguments of the query, as SDL. */
export function endpointArguments({ query, parameters }: Queried): Record<string, string> {
  const args = Object.entries(query.args).map(([argument, parameter]): [string, string] => {
    const { kind, presence } = parameters[parameter]!;
    return [argument, presence === 'required' ? `${kind.input!.type}!` : kind.input!.type];
  });
  return Object.fromEntries(args);
}

/** The types that arguments and answers of the queries need, beside those of the resources. */
export function endpointTypes({ endpoints }: Resource): readonly (OutputType | InputObject)[] {
  return endpoints.flatMap(({ query, parameters, answer }): readonly (OutputType | InputObject)[] => {
    const listed = isAnswerList(answer) ? outputTypesOf(answer.itemFields) : [];
    if (query === undefined) return listed;
    return [...listed, ...inputTypesOf(parameters), ...(isAnswerKind(answer) ? answer.output.types() : [])];
  });
}

function endpointField(types: TypeRegistry, resource: Resource, endpoint: Queried): FieldConfig {
  const type = types.output(answerType(resource, endpoint));
  return {
    type,
    args: types.args({ ...endpointArguments(endpoint), ...(isAnswerList(endpoint.answer) && pageArguments) }),
    resolve: (parent, args, context) => resolveEndpoint({ resource, endpoint }, args, askingOf(parent, context)),
    extensions: queryComplexity,
  };
}

function answerType({ typeName }: Resource, { answer }: Queried): string {
  if (isAnswerList(answer)) return listType(answer);
  if (isAnswerKind(answer)) return `${answer.output.item}!`;
  return answer === 'page' ? `[${typeName}!]!` : typeName;
}

/** The results of the page that the endpoint answers with, or its one resource: null where that is not there. */
export async function resolveEndpoint(
  { resource, endpoint }: { readonly resource: Resource; readonly endpoint: Queried },
  args: Readonly<Record<string, unknown>>,
  asking: Asking,
): Promise<unknown> {
  const named = Object.entries(endpoint.query.args).map(([argument, parameter]) => [parameter, args[argument]]);
  const given = readInput(endpoint.parameters, Object.fromEntries(named) as Readonly<Record<string, unknown>>);
  if (isAnswerList(endpoint.answer)) return resolveList({ resource, endpoint, given }, args, asking);
  const { context, storeKey } = asking;
  const place = enterEndpoint({ resource, endpoint }, storeKey, context);
  if (!endpoint.isKept) context.engine.sources.noteMore();
  const parsing = new Parsing();
  const parameters = parseObject(endpoint.parameters, given, parsing)!;
  parsing.settle();
  const asked = { context: context.request, resource, parameters, expand: [], sort: [], ...place };
  const answer = context.oneByOne(async () => {
    const json = await endpoint.run(context.engine, { ...asked, body: {}, draft: undefined });
    return documentIn<Document & { readonly results?: readonly unknown[] }>(context.request, json);
  });
  if (isAnswerKind(endpoint.answer)) return answer;
  if (endpoint.answer === 'page') {
    const results = (await answer).results!;
    return context.size.takesResources(results.length) ? results : [];
  }
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.errors[0].code === 'ResourceNotFound') return null;
    throw error;
  }
}
