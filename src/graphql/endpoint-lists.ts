import { isAnswerList } from '../engine/endpoint.ts';
import type { QueryArguments } from '../engine/query-arguments.ts';
import type { AnswerList, Endpoint, Resource } from '../engine/resource.ts';
import { ApiError } from '../errors/api-error.ts';
import { outputObject, parseObject } from '../fields/object.ts';
import { Parsing } from '../fields/parsing.ts';
import { type Asking, askingOf, enterEndpoint } from './mounts.ts';
import { type FieldConfig, queryComplexity, type TypeRegistry } from './output-types.ts';
import { argumentsOf, pageArguments, pageType, type ResultPage } from './pages.ts';
import { documentIn } from './resolvers.ts';

/** The types of what the lists of endpoints hold, and of their pages; endpoints by id and by key have the same. */
export function addListTypes(types: TypeRegistry, { endpoints }: Resource): void {
  const lists = new Map<string, AnswerList>();
  for (const { answer } of endpoints) if (isAnswerList(answer)) lists.set(answer.typeName, answer);
  for (const { typeName, itemFields } of lists.values()) {
    types.add(types.object(outputObject(typeName, itemFields)));
    types.add(pageType(types, typeName));
  }
}

/** The lists that are fields of the resource's own type. */
export function listFields(types: TypeRegistry, resource: Resource): Record<string, FieldConfig> {
  return Object.fromEntries(
    resource.endpoints.flatMap((endpoint): [string, FieldConfig][] => {
      const { answer, listField } = endpoint;
      if (listField === undefined || !isAnswerList(answer)) return [];
      const config: FieldConfig = {
        type: types.output(listType(answer)),
        args: types.args(pageArguments),
        resolve: async (parent, args, context) => {
          const listing = { resource, endpoint, given: { ID: parent['id'] } };
          try {
            return await resolveList(listing, args, askingOf(undefined, context));
          } catch (error) {
            // Of a resource that was deleted just now there is nothing left to list.
            if (!(error instanceof ApiError) || error.code !== 'ResourceNotFound') throw error;
            return { offset: 0, results: [], countAll: async () => 0 } satisfies ResultPage;
          }
        },
        extensions: queryComplexity,
      };
      return [[listField, config]];
    }),
  );
}

/** SDL of a page. */
export function listType({ typeName }: AnswerList): string {
  return `${typeName}QueryResult!`;
}

interface Listing {
  readonly resource: Resource;
  readonly endpoint: Endpoint;
  /** Its parameters. */
  readonly given: Readonly<Record<string, unknown>>;
}

export async function resolveList(
  { resource, endpoint, given }: Listing,
  args: Readonly<Record<string, unknown>>,
  { context, storeKey }: Asking,
): Promise<ResultPage> {
  const place = enterEndpoint({ resource, endpoint }, storeKey, context);
  if (!endpoint.isKept) context.engine.sources.noteMore();
  const parsing = new Parsing();
  const parameters = parseObject(endpoint.parameters, given, parsing)!;
  parsing.settle();
  const asked = { context: context.request, resource, parameters, body: {}, draft: undefined, expand: [], sort: [] };
  const run = async (query: QueryArguments): Promise<Page> =>
    documentIn<Page>(context.request, await endpoint.run(context.engine, { ...asked, ...place, query }));
  const query = argumentsOf(args);
  const { offset, results } = await run(query);
  const countAll = async (): Promise<number> => (await run({ ...query, withTotal: true, limit: 1, offset: 0 })).total!;
  return { offset, results, countAll };
}

/** As the endpoint answers. */
interface Page {
  readonly offset: number;
  readonly total?: number;
  readonly results: readonly object[];
}
