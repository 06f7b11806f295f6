import { ApiError, apiError, type ErrorElement, throwAll } from '../../errors/api-error.ts';
import type { Predicate } from '../../predicate/ast.ts';
import { parsePredicate } from '../../predicate/parser.ts';
import { fewSorts, parseSort } from '../../predicate/sort.ts';
import { answer } from '../answer.ts';
import type { Place, RequestContext } from '../context.ts';
import type { Engine, Resource } from '../resource.ts';
import { shareOfTurn } from '../heavy-turns.ts';
import { commaSeparated, concat, type Json } from '../json.ts';
import { lensOf, lookingAt } from '../lens.ts';
import { holding, placePredicates } from '../place.ts';
import type { QueryArguments } from '../query-arguments.ts';
import type { Query, StoredVersion } from '../store.ts';
import { isByGrants } from './get.ts';
import { representAs } from './represent.ts';

export interface QueryRequest extends Place {
  readonly context: RequestContext;
  readonly resource: Resource;
  readonly query: QueryArguments;
  /** Members that all results share, by name. */
  readonly within?: ReadonlyMap<string, string>;
  /** Ids of those that the page is of. */
  readonly among?: readonly string[];
}

/** A page of representations. */
export interface PagedResult {
  readonly limit: number;
  readonly offset: number;
  readonly total: number | undefined;
  readonly results: readonly Json[];
}

export const limitDefault = 20;
export const limitMin = 1;
export const limitMax = 500;
export const offsetMax = 10_000;

/** A PagedQueryResult as JSON. */
export function page(engine: Engine, request: QueryRequest): Promise<Buffer> {
  return answer(engine, request, {
    form: 'page',
    isByGrants: isByGrants(request.query),
    make: async (reading) => pageJson(await query(reading, request)),
  });
}

export function pageJson({ limit, offset, total, results }: PagedResult): Json {
  const count = `"limit":${limit},"offset":${offset},"count":${results.length}`;
  const head = `{${count}${total === undefined ? '' : `,"total":${total}`},"results":[`;
  return concat([head, ...commaSeparated(results), ']}']);
}

const noResults = Buffer.from('[]}');

/** Whether a page has no results: elements of a list are objects, so that what has any ends otherwise. */
export function isEmptyPage(json: Buffer): boolean {
  return json.subarray(-noResults.length).equals(noResults);
}

export async function query(engine: Engine, request: QueryRequest): Promise<PagedResult> {
  const { context } = request;
  const plan = await plannedQuery(engine, request);
  const { store } = lookingAt(engine, request);
  const project = context.project.key;
  const [page, total] = await Promise.all([
    store.query(project, plan),
    request.query.withTotal ? store.count(project, plan) : undefined,
  ]);
  const found = page.map(({ json }) => json);
  const { resource } = request;
  const results = await representAs(engine, { context, resource, paths: request.query.expand }, found);
  return { limit: plan.limit, offset: plan.offset, total, results };
}

/** The resources of a page by their versions, and how many match in all, where the page shows that. */
export interface OutlinedPage {
  readonly versions: readonly StoredVersion[];
  readonly total: number | undefined;
}

export async function queryVersions(engine: Engine, request: QueryRequest): Promise<OutlinedPage> {
  const plan = await plannedQuery(engine, request);
  // One more than the page has: where there is none, the page says what counting would.
  const asked = { ...plan, limit: Math.min(plan.limit + 1, limitMax) };
  const found = await lookingAt(engine, request).store.queryVersions(request.context.project.key, asked);
  const isEnd = found.length < asked.limit && (found.length > 0 || plan.offset === 0);
  const total = plan.offset + found.length;
  // Counting under a predicate stops where offsets do.
  return { versions: found.slice(0, plan.limit), total: isEnd && total <= offsetMax ? total : undefined };
}

/** How many resources match the predicates of a query, whatever its page. */
export async function count(engine: Engine, request: QueryRequest): Promise<number> {
  const plan = await plannedQuery(engine, request);
  return lookingAt(engine, request).store.count(request.context.project.key, plan);
}

/** Characters of predicates that take the event loop half a millisecond, with what the store makes of them. */
const heavyWhere = 1000;
/** The same of queries, whatever they ask. */
const heavyQueries = 10;

/** Checks all arguments and reports every fault of them at once. */
async function plannedQuery(engine: Engine, request: QueryRequest): Promise<Query> {
  const { context, resource, query: given } = request;
  const length = given.where.reduce((sum, where) => sum + where.length, 0);
  await shareOfTurn(context, length / heavyWhere + 1 / heavyQueries);
  const lens = lensOf(engine, request);
  const errors: ErrorElement[] = [];
  const collect = <T>(parse: () => T): T | undefined => {
    try {
      return parse();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      errors.push(...error.errors);
      return undefined;
    }
  };
  const where = given.where.map((text) =>
    collect(() => lens.predicate(parsePredicate(text, lens.shape, given.variables))),
  );
  const sorts = collect(() => fewSorts(given.sort)) ?? [];
  const sort = sorts.map((text) => collect(() => lens.sort(parseSort(text, lens.shape))));
  const limit = collect(() => inRange('limit', given.limit ?? limitDefault, limitMin, limitMax));
  const offset = collect(() => inRange('offset', given.offset ?? 0, 0, offsetMax));
  throwAll(errors);
  return {
    ...queriedKind(engine, resource),
    where: [
      ...sharedMembers(request),
      ...placePredicates(resource, request),
      ...where.filter((predicate) => predicate !== undefined),
    ],
    sort: sort.filter((expression) => expression !== undefined),
    limit: limit!,
    offset: offset!,
  };
}

function sharedMembers({ within = new Map<string, string>(), among }: QueryRequest): readonly Predicate[] {
  return [
    ...[...within].map(([name, value]) => holding(name, value)),
    ...(among === undefined ? [] : [oneOf('id', among)]),
  ];
}

/** That a text at the top of a document is one of these. */
export function oneOf(name: string, values: readonly string[]): Predicate {
  if (values.length === 0) return { kind: 'constant', value: false };
  return { kind: 'field', name, holds: 'one', test: { kind: 'in', isNegated: false, literals: values } };
}

/** Resources of a kind that may all be looked at as if an index had found them. */
const fewMax = 1000;

/** What a query says of its kind. */
export function queriedKind(
  engine: Pick<Engine, 'maxPerProject'>,
  resource: Resource,
): Pick<Query, 'kind' | 'hasPlainKey' | 'isOfFew' | 'indexed'> {
  const { kind, storedKey, indexed } = resource;
  return {
    kind,
    // Kinds without a key, or with one of several members, are queried by their documents alone.
    hasPlainKey: storedKey.length === 1 && storedKey[0] === 'key',
    isOfFew: (engine.maxPerProject(resource) ?? Infinity) <= fewMax,
    indexed,
  };
}

/** Throws InvalidInput for another. */
export function inRange(name: string, value: number, min: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw apiError(
    'InvalidInput',
    `The parameter '${name}' is ${value}, but an integer from ${min} to ${max} is expected.`,
  );
}
