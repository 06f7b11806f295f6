import { Pool } from 'undici';
import { apiError } from '../errors/api-error.ts';

/** Open at a time, and so requests under way. */
export const connectionsMax = 32;
/**
 * Of one request, from its beginning to the end of its answer. The engine ends a search after 1,500 ms with what it has
 * found by then, so what has taken longer than this is never believed.
 */
const requestMsMax = 1000;
/** Equal requests under way that share one answer. */
const sharedMax = 1000;
/** Questions of one request. The engine answers them one after the other, each in a fraction of a millisecond. */
const togetherMax = 16;
/** Requests of a project with several questions that are under way before others wait to go together. */
const togetherUnderWayMax = 2;

/** Which documents of an index: those that meet the filter, in the order of their texts. */
export interface DocumentsQuery {
  readonly index: string;
  readonly filter: string;
  readonly limit: number;
  readonly fields: readonly string[];
}

export interface FoundDocument {
  readonly t: string;
  readonly [attribute: string]: unknown;
}

/** What the search engine is asked. Each fails with SearchExecutionFailure where it does not answer, or not in time. */
export interface SearchEngine {
  documents(query: DocumentsQuery): Promise<readonly FoundDocument[]>;
  /** The same for a query that takes no time worth mentioning: those of an index that come together are one request. */
  documentsTogether(query: DocumentsQuery): Promise<readonly FoundDocument[]>;
  /** Values of the attribute near the text, encoded. */
  facetValues(query: FacetQuery): Promise<readonly string[]>;
  close(): Promise<void>;
}

export interface FacetQuery {
  readonly index: string;
  readonly attribute: string;
  readonly text: string;
  readonly filter?: string;
}

interface Waiting {
  readonly query: DocumentsQuery;
  resolve(documents: Promise<readonly FoundDocument[]> | readonly FoundDocument[]): void;
}

interface Together {
  underWay: number;
  readonly waiting: Waiting[];
}

export function createSearchEngine({
  url,
  key,
}: {
  readonly url: string;
  readonly key: string | undefined;
}): SearchEngine {
  const pool = new Pool(url, { connections: connectionsMax, connect: { timeout: requestMsMax } });
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  const shared = new Map<string, Promise<unknown>>();
  /** By the index. */
  const together = new Map<string, Together>();

  /** Without the streams and signals of undici's `request`, which cost more than the search engine needs for an answer. */
  function send(path: string, body: string): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      const begun = performance.now();
      let status = 0;
      let abort: ((reason: Error) => void) | undefined;
      const fail = (cause: unknown): void => {
        clearTimeout(timer);
        const failure = apiError('SearchExecutionFailure', 'The search engine did not answer.');
        // For the log; clients hear nothing of what is behind the platform.
        failure.cause = cause;
        reject(failure);
      };
      const failLate = (): void => {
        const late = new Error(`no answer within ${requestMsMax} ms`);
        abort?.(late);
        fail(late);
      };
      const timer = setTimeout(failLate, requestMsMax);
      pool.dispatch(
        { method: 'POST', path, headers, body },
        {
          onRequestStart: (controller) => (abort = (reason) => controller.abort(reason)),
          onResponseStart: (_controller, statusCode) => (status = statusCode),
          onResponseData: (_controller, chunk) => chunks.push(chunk),
          onResponseEnd: () => {
            // The timer is not heard while the event loop is busy.
            if (performance.now() - begun > requestMsMax) return failLate();
            clearTimeout(timer);
            const text = Buffer.concat(chunks).toString();
            if (status !== 200) return fail(new Error(`status ${status}: ${text.slice(0, 300)}`));
            try {
              resolve(JSON.parse(text));
            } catch (error) {
              fail(error);
            }
          },
          onResponseError: (_controller, error) => fail(error),
        },
      );
    });
  }

  /** What is under way is not asked a second time. */
  function ask(path: string, body: string): Promise<unknown> {
    return sharing(`${path} ${body}`, () => send(path, body));
  }

  function sharing<T>(name: string, make: () => Promise<T>): Promise<T> {
    const underWay = shared.get(name);
    // Made under this very name, so by an equal `make`.
    if (underWay !== undefined) return underWay as Promise<T>;
    const made = make().finally(() => shared.delete(name));
    if (shared.size < sharedMax) shared.set(name, made);
    return made;
  }

  async function documents({ index, ...query }: DocumentsQuery): Promise<readonly FoundDocument[]> {
    const answer = await ask(`/indexes/${index}/documents/fetch`, JSON.stringify({ ...query, sort: ['t:asc'] }));
    // Documents that the feeder wrote, with the fields that were asked for.
    return (answer as { readonly results: readonly FoundDocument[] }).results;
  }

  /** A request for several queries costs the engine half of what they cost it one by one, and this process a fifth. */
  async function severalDocuments(queries: readonly DocumentsQuery[]): Promise<readonly (readonly FoundDocument[])[]> {
    const body = queries.map(({ index, filter, limit, fields }) => ({
      indexUid: index,
      q: '',
      filter,
      limit,
      sort: ['t:asc'],
      attributesToRetrieve: fields,
    }));
    const answer = await send('/multi-search', JSON.stringify({ queries: body }));
    return (answer as { readonly results: readonly { readonly hits: readonly FoundDocument[] }[] }).results.map(
      ({ hits }) => hits,
    );
  }

  function documentsTogether(query: DocumentsQuery): Promise<readonly FoundDocument[]> {
    const { index, filter, limit, fields } = query;
    return sharing(`${index} ${limit} ${fields.join()} ${filter}`, () => {
      let group = together.get(index);
      if (group === undefined) together.set(index, (group = { underWay: 0, waiting: [] }));
      const { waiting } = group;
      return new Promise((resolve) => {
        waiting.push({ query, resolve });
        // Those of this turn of the event loop first.
        if (waiting.length === 1) setImmediate(sendWaiting, index, group);
      });
    });
  }

  function sendWaiting(index: string, group: Together): void {
    const { waiting } = group;
    while (waiting.length > 0 && group.underWay < togetherUnderWayMax) {
      const taken = waiting.splice(0, togetherMax);
      group.underWay += 1;
      void answerTogether(taken).then(() => {
        group.underWay -= 1;
        sendWaiting(index, group);
      });
    }
    if (waiting.length === 0 && group.underWay === 0) together.delete(index);
  }

  /** One that is alone is not searched but read, which costs the engine half as much. */
  function answerTogether(taken: readonly Waiting[]): Promise<unknown> {
    if (taken.length === 1) {
      const [{ query, resolve }] = taken as [Waiting];
      const found = documents(query);
      resolve(found);
      return found.catch(() => {});
    }
    const found = severalDocuments(taken.map(({ query }) => query));
    for (const [index, { resolve }] of taken.entries()) resolve(found.then((lists) => lists[index]!));
    return found.catch(() => {});
  }

  return {
    documents,
    documentsTogether,
    facetValues: async ({ index, attribute, text, filter }) => {
      const body = JSON.stringify({ facetName: attribute, facetQuery: text, ...(filter !== undefined && { filter }) });
      const answer = await ask(`/indexes/${index}/facet-search`, body);
      // The answer of the search engine's facet search.
      return (answer as { readonly facetHits: readonly { value: string }[] }).facetHits.map(({ value }) => value);
    },
    close: () => pool.close(),
  };
}
