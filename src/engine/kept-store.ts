import { LRUCache } from 'lru-cache';
import { CoherentCache, dependencyOn, type Dependency, type Fence, type Made } from './coherence.ts';
import type { RequestSignal } from './context.ts';
import { alone } from './json.ts';
import type { Lookup, Query, Store, Stored } from './store.ts';

export interface KeptStoreOptions {
  readonly fence: Fence;
  /** Of documents; 0 keeps neither them nor totals. */
  readonly keptBytesMax: number;
}

const totalBytesMax = 8 * 1024 * 1024;
/** Characters of the names of pages that were asked for. */
const askedLengthMax = 4_000_000;
/** Of a page whose documents are kept: what is larger is read at once, which tells when it is too large. */
const pageBytesMax = 1024 * 1024;

/**
 * The store, for requests that have passed the fence: a page that is asked for again after a write of its kind costs the
 * order of its resources, and of documents those that have changed. What a page shows, and what of it is hidden from whom,
 * does not matter here; a page is as it would be if it were read as a whole.
 */
export function keeping(store: Store, { fence, keptBytesMax }: KeptStoreOptions): Store {
  if (keptBytesMax === 0) return store;
  const documents = new CoherentCache<Stored | 'gone'>(fence, {
    bytesMax: keptBytesMax,
    bytesOf: (document) => (document === 'gone' ? 0 : document.json.length),
    alone: (document) =>
      document === 'gone' || typeof document.json === 'string' ? document : { ...document, json: alone(document.json) },
  });
  const totals = new CoherentCache<number>(fence, {
    bytesMax: totalBytesMax,
    bytesOf: () => 0,
  });
  /** The bytes of pages, by what was asked. */
  const asked = new LRUCache<string, number>({
    maxSize: askedLengthMax,
    sizeCalculation: (_, name) => name.length,
  });

  /** Those that are not kept are read by one call, which fails where they are too many for one request. */
  function documentsOf(project: string, kind: string, ids: readonly string[]): Promise<readonly (Stored | 'gone')[]> {
    const missing: Lookup[] = [];
    let reading: ReturnType<Store['find']> | undefined;
    let hasBegun = false;
    // After all of them are known.
    const begun = async (): ReturnType<Store['find']> => {
      await Promise.resolve();
      hasBegun = true;
      return store.find(project, missing);
    };
    const make = async (name: Dependency, id: string): Promise<Made<Stored | 'gone'>> => {
      // Whoever shared the reading of another, which failed, comes too late.
      if (hasBegun) throw new Error(`The resource ${id} could not be read`);
      const index = missing.push({ kind, id }) - 1;
      reading ??= begun();
      return { value: (await reading)[index] ?? 'gone', dependencies: [name] };
    };
    return Promise.all(
      ids.map((id) => {
        const name = dependencyOn({ project, kind, id });
        return documents.get(name, () => make(name, id));
      }),
    );
  }

  /**
   * Undefined where a resource has changed since the order was read, for then nothing says that it belongs there, and where
   * the page has become too large or could not be put together: it is read as a whole then, which tells what is wrong.
   */
  async function together(
    project: string,
    query: Query,
    request: RequestSignal | undefined,
  ): Promise<readonly Stored[] | undefined> {
    const versions = await store.queryVersions(project, query, request);
    const ids = versions.map(({ id }) => id);
    const found = await documentsOf(project, query.kind, ids).catch((): readonly (Stored | 'gone')[] => []);
    const page = found.filter(
      (one, index): one is Stored => one !== 'gone' && one.version === versions[index]!.version,
    );
    return page.length === versions.length && bytesOf(page) <= pageBytesMax ? page : undefined;
  }

  return {
    ...store,
    // What is asked for once only is one statement.
    query: async (project, query, request) => {
      const name = JSON.stringify([project, query]);
      if ((asked.get(name) ?? Infinity) <= pageBytesMax) {
        const page = await together(project, query, request);
        if (page !== undefined) return page;
      }
      const page = await store.query(project, query, request);
      asked.set(name, bytesOf(page));
      return page;
    },
    // The pages of a query share it.
    count: (project, query, request) => {
      const { kind, where } = query;
      return totals.get(JSON.stringify([project, kind, where]), async () => ({
        value: await store.count(project, query, request),
        dependencies: [dependencyOn({ project, kind })],
      }));
    },
  };
}

function bytesOf(page: readonly Stored[]): number {
  return page.reduce((bytes, { json }) => bytes + json.length, 0);
}
