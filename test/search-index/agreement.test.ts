/** Random searches find in the index what judging all documents one by one finds. */
import t from 'tap';
import type { SearchDocument, Side } from '../../src/product-search/document.ts';
import type { IndexQuery, IndexResult, SelectedPrices } from '../../src/product-search/index-query.ts';
import type { Expression } from '../../src/product-search/condition.ts';
import { productIndexQuery } from '../../src/product-search/products-search.ts';
import { foundBy, projectionIndexQuery } from '../../src/product-search/projection-search.ts';
import { type ProductDocuments, ProductIndex } from '../../src/search-index/product-index.ts';
import { ids } from '../product-search/shop.ts';
import { facetResult, productFacetResult } from '../product-search/facet-model.ts';
import { found, matching, matchingVariants, sorted } from '../product-search/model.ts';
import { productSearchOf, projectionSearchOf } from '../product-search/parse.ts';
import { type Choices, choicesOf } from '../support/random.ts';
import { channels, countries, moments, randomDocument, withPrices } from './random-shop.ts';
import { productSearchBody, projectionParameters } from './random-searches.ts';

t.setTimeout(300_000);

const searches = 10_000;
const products = 60;
const timeoutMs = 60_000;

/** The same products in the index, and as they are. */
class Shop {
  readonly index = new ProductIndex();
  readonly #products = new Map<string, ProductDocuments>();
  readonly #choices: Choices;
  #number = 0;

  constructor(choices: Choices) {
    this.#choices = choices;
  }

  /** Some products come, change or go. */
  change(): void {
    const { some, below, chance } = this.#choices;
    const changed = new Map(
      some(12, () => {
        const id = `product-${below(products)}`;
        return [id, { id, documents: chance(0.1) ? {} : this.#documents(id) }] as const;
      }),
    );
    for (const [id, product] of changed) this.#products.set(id, product);
    this.index.put([...changed.values()]);
  }

  /** What changes while segments become one has changed after that. */
  async tidyAndChange(): Promise<void> {
    const tidying = this.index.tidy();
    this.change();
    await tidying;
    await this.index.tidy();
  }

  on(side: Side): readonly SearchDocument[] {
    return [...this.#products.values()].flatMap(({ documents }) => documents.both ?? documents[side] ?? []);
  }

  #documents(id: string): ProductDocuments['documents'] {
    const { chance } = this.#choices;
    const document = (): SearchDocument => randomDocument(this.#choices, id, (this.#number += 1));
    if (chance(0.6)) return { both: document() };
    return { staged: document(), ...(chance(0.7) && { current: document() }) };
  }
}

function randomPrices({ chance, pick }: Choices): SelectedPrices | undefined {
  if (chance(0.3)) return undefined;
  return {
    now: pick(moments),
    currency: pick(['EUR', 'EUR', 'USD']),
    country: chance(0.5) ? pick(countries) : undefined,
    customerGroups: chance(0.3) ? [ids.vip] : [],
    channel: chance(0.4) ? pick(channels) : undefined,
    countries: chance(0.2) ? ['DE'] : undefined,
    channels: chance(0.2) ? [ids.berlin] : undefined,
  };
}

/** As it comes from a process to another one. */
const sent = (query: IndexQuery): IndexQuery => JSON.parse(JSON.stringify(query)) as IndexQuery;

/** A search as it is sent, and what it has to find in the documents of its side, which have the prices that it selects. */
interface Search {
  /** As a client says it. */
  readonly said: unknown;
  readonly query: IndexQuery;
  /** All that are found, in order. */
  found(documents: readonly SearchDocument[]): readonly SearchDocument[];
  /** What marks variants, and what the index says of them in the same form. */
  matching(document: SearchDocument): unknown;
  marked(matching: NonNullable<IndexResult['matching']>): unknown;
  facets(documents: readonly SearchDocument[]): readonly unknown[];
}

function agree(name: string, seedDefault: number, searchOf: (choices: Choices) => Search): void {
  t.test(`${searches / 2} searches of ${name}`, async (t) => {
    const seed = Number(process.env['SEED'] ?? seedDefault);
    const choices = choicesOf(seed);
    const shop = new Shop(choices);
    let hits = 0;
    for (let number = 0; number < searches / 2; number += 1) {
      if (number % 25 === 0) shop.change();
      if (number % 200 === 0) await shop.tidyAndChange();
      const search = searchOf(choices);
      const { query, said } = search;
      const answer = await shop.index.search(sent(query), timeoutMs);
      const documents = shop.on(query.side).map((document) => withPrices(document, query.prices));
      const all = search.found(documents);
      hits += all.length;
      const page = all.slice(query.offset, query.offset + query.limit);
      const expected = {
        total: all.length,
        results: page.map((document) => ({
          id: document.id,
          ...(query.matching !== undefined && { matching: search.matching(document) }),
        })),
        facets: search.facets(documents),
      };
      const results = answer.results.map(({ id, matching: marked }) => ({
        id,
        ...(marked !== undefined && { matching: search.marked(marked) }),
      }));
      const shown = { ...answer, results };
      if (!same(shown, expected)) {
        t.strictSame(shown, expected, `seed ${seed}, search ${number}: ${JSON.stringify(said)}`);
        return;
      }
    }
    t.ok(hits > searches, `they found ${hits} products`);
  });
}

/** What the facet is of: without another expression those that the query finds. */
const countedBy = ({ query }: IndexQuery, { counted = query }: IndexQuery['facets'][number]): Expression => counted;

agree('projections', 14, (choices) => {
  const side = choices.pick<Side>(['current', 'staged']);
  const prices = randomPrices(choices);
  const parameters = projectionParameters(choices);
  const search = projectionSearchOf(parameters);
  const asked = projectionIndexQuery(search, { staged: side === 'staged' }, prices);
  return {
    said: { side, prices, parameters },
    query: asked,
    found: (documents) => sorted(found(foundBy(search), documents), search.sorts, search.query),
    matching: (document) => matching(foundBy(search), document),
    marked: ({ variants }) => variants.map(({ id }) => id),
    facets: (documents) =>
      search.facets.map((facet, index) => facetResult(facet, found(countedBy(asked, asked.facets[index]!), documents))),
  };
});

agree('products', 41, (choices) => {
  const body = productSearchBody(choices);
  const search = productSearchOf(body);
  const { query, postFilter, facets, sorts } = search;
  return {
    said: body,
    query: productIndexQuery(search),
    found: (documents) => sorted(found(postFilter, found(query, documents)), sorts, query),
    matching: (document) => matchingVariants(query, document),
    marked: ({ isAll, variants }) => ({ allMatched: isAll, matchedVariants: isAll ? [] : variants }),
    facets: (documents) =>
      facets.map((facet) => productFacetResult(facet, facet.scope === 'all' ? documents : found(query, documents))),
  };
});

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
