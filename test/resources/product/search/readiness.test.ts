import t from 'tap';
import type { IndexingStatus, ProjectSettings } from '../../../../src/engine/context.ts';
import { ApiError } from '../../../../src/errors/api-error.ts';
import { ProductsUnindexed, type Searcher } from '../../../../src/engine/searcher.ts';
import type { IndexAnswer } from '../../../../src/product-search/index-query.ts';
import {
  requireProductSearcher,
  requireProjectionSearcher,
} from '../../../../src/resources/product/search/readiness.ts';
import { queryOf } from '../../../product-search/parse.ts';

function settingsOf(searchIndexing: NonNullable<ProjectSettings['searchIndexing']>): ProjectSettings {
  return { name: 'Shop', countries: [], currencies: [], languages: [], createdAt: '', searchIndexing };
}

const answer: IndexAnswer = { total: 1, results: [], facets: [] };
const answering: Searcher = { search: () => Promise.resolve(answer) };
const failing = (error: Error): Searcher => ({ search: () => Promise.reject(error) });

async function outcomeOf(find: () => Searcher): Promise<unknown> {
  try {
    return await find().search({ project: { key: 'shop' }, principal: { clientId: 'client' } }, queryOf({}));
  } catch (error) {
    return error instanceof ApiError ? error.code : error;
  }
}

t.test('what is not indexed is not searched, and says why', async (t) => {
  const unindexed = failing(new ProductsUnindexed());
  const other = new Error('Another one');
  const cases: readonly (readonly [IndexingStatus | undefined, Searcher | undefined, unknown, unknown])[] = [
    [undefined, answering, 'SearchDeactivated', 'ObjectNotFound'],
    ['Deactivated', answering, 'SearchDeactivated', 'ObjectNotFound'],
    ['Deactivated', undefined, 'SearchDeactivated', 'ObjectNotFound'],
    ['Indexing', answering, 'SearchIndexingInProgress', 'SearchNotReady'],
    ['Indexing', undefined, 'SearchExecutionFailure', 'SearchExecutionFailure'],
    ['Activated', undefined, 'SearchExecutionFailure', 'SearchExecutionFailure'],
    ['Activated', answering, answer, answer],
    // The search process looks at what is indexed some time after the settings tell.
    ['Activated', unindexed, 'SearchIndexingInProgress', 'SearchNotReady'],
    ['Activated', failing(other), other, other],
  ];
  for (const [status, searcher, ofProjections, ofProducts] of cases) {
    const of = (part: 'products' | 'productsSearch'): ProjectSettings =>
      settingsOf(status === undefined ? {} : { [part]: { status } });
    const outcomes = [
      await outcomeOf(() => requireProjectionSearcher(searcher, of('products'))),
      await outcomeOf(() => requireProductSearcher(searcher, of('productsSearch'))),
    ];
    t.strictSame(outcomes, [ofProjections, ofProducts], `${status}, ${String(ofProducts)}`);
  }
});
