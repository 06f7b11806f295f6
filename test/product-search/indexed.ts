/** What an index of these products finds, to be compared with what the model finds. */
import type { SearchDocument } from '../../src/product-search/document.ts';
import type { IndexAnswer, IndexQuery } from '../../src/product-search/index-query.ts';
import { ProductIndex } from '../../src/search-index/product-index.ts';

const timeoutMs = 60_000;

export async function answerOf(query: IndexQuery, documents: readonly SearchDocument[]): Promise<IndexAnswer> {
  const index = new ProductIndex();
  index.put(documents.map((document) => ({ id: document.id, documents: { both: document } })));
  return index.search(query, timeoutMs);
}

/** Ids of what is found, in the order of the documents. */
export async function foundIn(query: IndexQuery, documents: readonly SearchDocument[]): Promise<readonly string[]> {
  const { results } = await answerOf(query, documents);
  const ids = new Set(results.map(({ id }) => id));
  return documents.flatMap(({ id }) => (ids.has(id) ? [id] : []));
}
