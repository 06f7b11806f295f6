/** Who has a place in the search process, and for how long. */
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { type Requester, RequestEnded } from '../../src/engine/context.ts';
import { searchDocument } from '../../src/product-search/document.ts';
import { ProductIndex } from '../../src/search-index/product-index.ts';
import { createSearcher } from '../../src/searching/searcher.ts';
import { SearchServer } from '../../src/searching/server.ts';
import { queryOf } from '../product-search/parse.ts';
import { beside, product } from '../product-search/shop.ts';
import { dataDirectory } from '../support/process.ts';

const timeoutMs = 600_000;

const short = queryOf({});
const [facet] = queryOf({ facet: ['id'] }).facets;
/** Seconds of work. */
const long = { ...short, facets: Array.from({ length: 1000 }, () => facet!) };

const requesterOf = (clientId: string, signal?: AbortSignal): Requester => ({
  project: { key: 'shop' },
  principal: { clientId },
  ...(signal && { signal }),
});

async function start(t: Test) {
  const index = new ProductIndex();
  index.put(
    Array.from({ length: 3000 }, (_, number) => {
      const id = `product-${number}`;
      return { id, documents: { both: searchDocument(product(id, {}), 'current', beside) } };
    }),
  );
  const path = join(dataDirectory(t), 'search.sock');
  const server = new SearchServer({
    tail: { indexOf: () => index },
    path,
    log: { error: (_, message) => t.fail(message) },
  });
  await server.listen();
  t.teardown(() => server.close());
  /** As another process would ask. */
  return () => {
    const searcher = createSearcher({ path, timeoutMs });
    t.teardown(() => searcher.close());
    return searcher;
  };
}

/** What one client asks by two processes takes all places that it may have, for minutes. */
async function startCrowded(t: Test) {
  const ask = await start(t);
  const crowd = [ask(), ask()];
  const gone = new AbortController();
  setMaxListeners(0, gone.signal);
  const searches = crowd.flatMap(({ search }) =>
    Array.from({ length: 24 }, () => search(requesterOf('greedy', gone.signal), long)),
  );
  const outcomes = Promise.allSettled(searches);
  // What a process asks arrives in order.
  for (const { search } of crowd) await search(requesterOf('modest'), short);
  const searcher = ask();
  let isAnswered = false;
  const next = searcher.search(requesterOf('greedy'), short).then(({ total }) => {
    isAnswered = true;
    return total;
  });
  t.equal((await searcher.search(requesterOf('modest'), short)).total, 3000, 'others of the project have a place');
  t.equal(isAnswered, false, 'it waits for its own');
  return { crowd, gone, outcomes, next };
}

t.test('what nobody waits for any more ends, and is taken out of the line', async (t) => {
  const { gone, outcomes, next } = await startCrowded(t);
  gone.abort();
  for (const outcome of await outcomes) t.ok(outcome.status === 'rejected' && outcome.reason instanceof RequestEnded);
  t.equal(await next, 3000);
});

t.test('what a process asked that is gone ends', async (t) => {
  const { crowd, outcomes, next } = await startCrowded(t);
  for (const searcher of crowd) searcher.close();
  for (const outcome of await outcomes)
    t.match(outcome, { status: 'rejected', reason: { code: 'SearchExecutionFailure' } });
  t.equal(await next, 3000);
});
