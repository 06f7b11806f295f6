/**
 * The products of a project as they are searched, in memory: segments of columns, of which the newest are small. What is
 * written makes a new segment and goes from those where it was; segments of one size are made into a larger one.
 *
 *     documents ──▶ put ──▶ [segment] [segment] … ──▶ search: each segment for itself, and then what they found together
 */
import { judgedAt, speaksOfVariants } from '../product-search/condition.ts';
import type { SearchDocument, Side } from '../product-search/document.ts';
import type { IndexAnswer, IndexFacet, IndexQuery, IndexResult } from '../product-search/index-query.ts';
import { Bits, type ReadonlyBits } from './bits.ts';
import { Breath } from './breath.ts';
import { type Counter, facetCounter } from './projection-facets.ts';
import { Judge } from './judge.ts';
import { requireAnswerable } from './limits.ts';
import { compareRanked, firstOf, type Ranked } from './order.ts';
import { productFacetCounter } from './product-facets.ts';
import { scores, scoringTests } from './score.ts';
import { type Row, Segment } from './segment.ts';

/** What is searched of a product: on both sides the same, or on each another; nothing where it is not there. */
export interface ProductDocuments {
  readonly id: string;
  readonly documents: {
    readonly both?: SearchDocument;
    readonly current?: SearchDocument;
    readonly staged?: SearchDocument;
  };
}

/** Products of one segment at most. */
const segmentMax = 32_768;
/** Segments of one size that become one. */
const mergedAtOnce = 8;

/** What of the products of a side one segment has. */
interface Part {
  readonly judge: Judge;
  readonly live: ReadonlyBits;
  /** What the query of a search finds, and what of that it is narrowed to. */
  readonly queried: ReadonlyBits;
  readonly found: ReadonlyBits;
}

export class ProductIndex {
  #segments: readonly Segment[] = [];
  /** While segments are made into one: ids of what goes from them. */
  #goneMeanwhile: Set<string> | undefined;
  #tidying: Promise<void> | undefined;

  /** Outside of the heap. */
  get bytes(): number {
    return this.#segments.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** Whether a product is there, on a side at least. */
  has(id: string): boolean {
    return this.#segments.some((segment) => segment.has(id));
  }

  /** Takes these products as they are now in place of what it had of them. No product may be named twice. */
  put(products: readonly ProductDocuments[]): void {
    for (const { id } of products) this.#drop(id);
    for (let start = 0; start < products.length; start += segmentMax) {
      const rows = products.slice(start, start + segmentMax).flatMap(rowsOf);
      if (rows.length > 0) this.#segments = [...this.#segments, Segment.of(rows)];
    }
  }

  /**
   * Makes small segments, and those of which much is gone, into larger ones, in steps between which others work. It is under
   * way once at a time, and looks for more until there is no more.
   */
  tidy(): Promise<void> {
    this.#tidying ??= this.#tidy().finally(() => (this.#tidying = undefined));
    return this.#tidying;
  }

  /** Throws SearchTooLong and SearchTooLarge, and SearchUnwanted some time after the signal. */
  async search(query: IndexQuery, timeoutMs: number, signal?: AbortSignal): Promise<IndexAnswer> {
    const breath = new Breath(timeoutMs, signal);
    const segments = this.#segments.map((segment) => ({ segment, live: segment.live[query.side].copy() }));
    const [wanted, narrowing] = [judgedAt(query.query, 'product'), judgedAt(query.narrowedBy, 'product')];
    const parts: Part[] = [];
    for (const { segment, live } of segments) {
      if (live.isEmpty) continue;
      const judge = new Judge(segment, { prices: query.prices, breath });
      const queried = await judge.judge(wanted, 'product', live);
      parts.push({ judge, live, queried, found: await judge.judge(narrowing, 'product', queried) });
    }
    return {
      total: parts.reduce((sum, { found }) => sum + found.count, 0),
      results: await resultsOf(query, parts),
      facets: await facetsOf(query.facets, parts),
    };
  }

  #drop(id: string): void {
    for (const segment of this.#segments) segment.drop(id);
    this.#goneMeanwhile?.add(id);
  }

  async #tidy(): Promise<void> {
    for (let some = mergeable(this.#segments); some.length > 0; some = mergeable(this.#segments))
      await this.#merge(some);
  }

  async #merge(some: readonly Segment[]): Promise<void> {
    const gone = new Set<string>();
    this.#goneMeanwhile = gone;
    try {
      const merged = await new Breath(Infinity).through(Segment.merged(some));
      // What came anew since is in segments of its own.
      for (const id of gone) merged.drop(id);
      const kept = this.#segments.filter((segment) => !some.includes(segment));
      this.#segments = merged.counts.product === 0 ? kept : [merged, ...kept];
    } finally {
      this.#goneMeanwhile = undefined;
    }
  }
}

function rowsOf({ documents }: ProductDocuments): readonly Row[] {
  const { both, current, staged } = documents;
  const row = (document: SearchDocument | undefined, ...sides: readonly Side[]): readonly Row[] =>
    document === undefined ? [] : [{ document, sides }];
  return [...row(both, 'current', 'staged'), ...row(current, 'current'), ...row(staged, 'staged')];
}

/** Segments that are to become one: eight of a size, or one of which more than half is gone. */
function mergeable(segments: readonly Segment[]): readonly Segment[] {
  const bySize = new Map<number, Segment[]>();
  for (const segment of segments) {
    const live = segment.liveCount;
    if (live * 2 < segment.counts.product) return [segment];
    if (live * 2 > segmentMax) continue;
    const size = Math.floor(Math.log2(live) / Math.log2(mergedAtOnce));
    const same = bySize.get(size) ?? [];
    bySize.set(size, same);
    same.push(segment);
    const together = same.reduce((sum, { liveCount }) => sum + liveCount, 0);
    if (same.length === mergedAtOnce || together > segmentMax) return same;
  }
  return [];
}

async function resultsOf(query: IndexQuery, parts: readonly Part[]): Promise<readonly IndexResult[]> {
  const { sorts, offset, limit } = query;
  const count = limit === 0 ? 0 : offset + limit;
  const tests = sorts.some(({ kind }) => kind === 'score') ? scoringTests(query.query) : [];
  const candidates: Ranked[] = [];
  for (const { judge, found } of parts) {
    if (count === 0 || found.isEmpty) continue;
    candidates.push(...(await firstOf(judge, found, { sorts, scores: await scores(judge, tests, found), count })));
  }
  const page = candidates.sort(compareRanked(sorts)).slice(offset, count);
  if (query.matching === undefined) return page.map(({ id }) => ({ id }));
  const matching = await matchingIn(page, query.matching);
  return page.map((each) => ({ id: each.id, matching: matching(each) }));
}

/** Which variants match of these products, all of which are judged together. */
async function matchingIn(
  page: readonly Ranked[],
  matching: NonNullable<IndexQuery['matching']>,
): Promise<(found: Ranked) => NonNullable<IndexResult['matching']>> {
  const condition = judgedAt(matching, 'variant');
  const isOfVariants = speaksOfVariants(matching);
  const bySegment = new Map<Judge, ReadonlyBits>();
  for (const judge of new Set(page.map((each) => each.judge))) {
    const variants = new Bits(judge.segment.counts.variant);
    for (const each of page) if (each.judge === judge) variants.addRange(...judge.segment.variantsOf(each.product));
    bySegment.set(judge, await judge.judge(condition, 'variant', variants));
  }
  return ({ judge, product }) => {
    const { segment } = judge;
    const found = bySegment.get(judge)!;
    const skus = segment.column({ scope: 'variant', name: 'sku' });
    const [from, to] = segment.variantsOf(product);
    const variants: { id: number; sku?: string }[] = [];
    for (let variant = from; variant < to; variant += 1) {
      if (!found.has(variant)) continue;
      const sku = skus?.firstAt(variant);
      variants.push({
        id: segment.variantIds[variant]!,
        ...(sku !== undefined && { sku: String(skus!.dictionary.at(sku)) }),
      });
    }
    return { isAll: !isOfVariants || variants.length === to - from, variants };
  };
}

async function facetsOf(facets: readonly IndexFacet[], parts: readonly Part[]): Promise<IndexAnswer['facets']> {
  const results: IndexAnswer['facets'][number][] = [];
  for (const each of facets) {
    const counter: Counter<IndexAnswer['facets'][number]> =
      each.language === 'projection' ? facetCounter(each.facet) : productFacetCounter(each.facet);
    const counted = each.counted && judgedAt(each.counted, 'product');
    for (const { judge, live, queried } of parts)
      await counter.add(judge, counted === undefined ? queried : await judge.judge(counted, 'product', live));
    results.push(counter.result());
    requireAnswerable(results.flatMap(termsOf));
  }
  return results;
}

function termsOf(result: IndexAnswer['facets'][number]): readonly string[] {
  if ('terms' in result) return result.terms.map(({ term }) => term);
  return 'buckets' in result ? result.buckets.map(({ key }) => key) : [];
}
