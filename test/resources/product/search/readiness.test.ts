import t from 'tap';
import type { IndexingStatus, ProjectSettings } from '../../../../src/engine/context.ts';
import { ApiError } from '../../../../src/errors/api-error.ts';
import { requireProductSearch, requireProjectionSearch } from '../../../../src/resources/product/search/readiness.ts';

function settingsOf(searchIndexing: NonNullable<ProjectSettings['searchIndexing']>): ProjectSettings {
  return { name: 'Shop', countries: [], currencies: [], languages: [], createdAt: '', searchIndexing };
}

function codeOf(search: () => unknown): unknown {
  try {
    return search();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.code;
  }
}

t.test('what is not indexed is not searched, and says why', async (t) => {
  const cases: readonly (readonly [IndexingStatus | undefined, string | undefined, unknown, unknown])[] = [
    [undefined, 'index', 'SearchDeactivated', 'ObjectNotFound'],
    ['Deactivated', 'index', 'SearchDeactivated', 'ObjectNotFound'],
    ['Deactivated', undefined, 'SearchDeactivated', 'ObjectNotFound'],
    ['Indexing', 'index', 'SearchIndexingInProgress', 'SearchNotReady'],
    ['Indexing', undefined, 'SearchExecutionFailure', 'SearchExecutionFailure'],
    ['Activated', undefined, 'SearchExecutionFailure', 'SearchExecutionFailure'],
    ['Activated', 'index', 'index', 'index'],
  ];
  for (const [status, index, ofProjections, ofProducts] of cases) {
    const set = status === undefined ? {} : { status };
    const of = (part: 'products' | 'productsSearch'): ProjectSettings =>
      settingsOf(status === undefined ? {} : { [part]: set });
    t.equal(
      codeOf(() => requireProjectionSearch(index, of('products'))),
      ofProjections,
      `projections: ${status}, ${index}`,
    );
    t.equal(
      codeOf(() => requireProductSearch(index, of('productsSearch'))),
      ofProducts,
      `products: ${status}, ${index}`,
    );
  }
});
