/** What facets of projection search count, segment by segment (catalog 63). */
import { judgedAt } from '../product-search/condition.ts';
import type { ProjectionFacet } from '../product-search/facet.ts';
import {
  dataTypeOf,
  endsOf,
  type FacetRange,
  type FacetResult,
  measureOf,
  termOf,
  termsMax,
} from '../product-search/facet-results.ts';
import type { Range } from '../product-search/path-values.ts';
import type { Scalar } from '../product-search/values.ts';
import type { ReadonlyBits } from './bits.ts';
import { inBounds, type Judge } from './judge.ts';
import { requireCountable } from './limits.ts';

/** Takes the products that a facet counts, of one segment after the other, and gives what it counted. */
export interface Counter<Result> {
  add(judge: Judge, products: ReadonlyBits): Promise<void>;
  result(): Result;
}

export function facetCounter(facet: ProjectionFacet): Counter<FacetResult> {
  switch (facet.kind) {
    case 'terms':
      return new TermsCounter(facet);
    case 'ranges':
      return new RangesCounter(facet, facet.ranges);
    case 'filter':
      return new FilterCounter(facet, facet.expression);
  }
}

interface Count {
  count: number;
  productCount: number;
}

const shownCount = ({ countsProducts }: ProjectionFacet, { count, productCount }: Count) => ({
  count,
  ...(countsProducts && { productCount }),
});

/** Bounds of a range from its first value up to its last, which is not part of it. */
export function upTo({ from, to }: Range): { gte?: Scalar; lt?: Scalar } {
  return { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: to }) };
}

/** How many of these units there are, and how many products they are of. */
function countOf(judge: Judge, scope: ProjectionFacet['path']['scope'], units: ReadonlyBits): Count {
  const products = scope === 'product' ? units : judge.segment.moved(units, scope, 'product');
  return { count: units.count, productCount: products.count };
}

class TermsCounter implements Counter<FacetResult> {
  readonly #facet: ProjectionFacet;
  readonly #terms = new Map<Scalar, Count>();
  #missing = 0;

  constructor(facet: ProjectionFacet) {
    this.#facet = facet;
  }

  async add(judge: Judge, products: ReadonlyBits): Promise<void> {
    await judge.breath.take();
    const { path } = this.#facet;
    const { segment } = judge;
    const units = segment.moved(products, 'product', path.scope);
    const column = await judge.column(path, units);
    this.#missing += units.count;
    if (column === undefined) return;
    const counts = new Uint32Array(column.dictionary.size);
    const productCounts = new Uint32Array(column.dictionary.size);
    const lastProducts = new Int32Array(column.dictionary.size).fill(-1);
    let lastUnit = -1;
    column.each(units, (unit, ordinal) => {
      if (unit !== lastUnit) this.#missing -= 1;
      lastUnit = unit;
      counts[ordinal]! += 1;
      const product = segment.productOf(path.scope, unit);
      if (lastProducts[ordinal] === product) return;
      lastProducts[ordinal] = product;
      productCounts[ordinal]! += 1;
    });
    await judge.breath.steps(0, counts.length, (from, to) => {
      for (let ordinal = from; ordinal < to; ordinal += 1) {
        if (counts[ordinal] === 0) continue;
        const value = column.dictionary.at(ordinal);
        const term = this.#terms.get(value);
        if (term === undefined)
          this.#terms.set(value, { count: counts[ordinal]!, productCount: productCounts[ordinal]! });
        else {
          term.count += counts[ordinal]!;
          term.productCount += productCounts[ordinal]!;
        }
      }
    });
    requireCountable(this.#terms.size);
  }

  result(): FacetResult {
    const { path, countsProducts } = this.#facet;
    const weightOf = ({ count, productCount }: Count): number => (countsProducts ? productCount : count);
    const all = [...this.#terms].map(([value, counted]) => ({ value, ...counted }));
    const total = all.reduce((sum, { count }) => sum + count, 0);
    const shown = top(all, termsMax, (one, other) => {
      const byWeight = weightOf(other) - weightOf(one);
      if (byWeight !== 0) return byWeight;
      return termOf(one.value) < termOf(other.value) ? -1 : 1;
    });
    return {
      type: 'terms',
      dataType: dataTypeOf(path, [...this.#terms.keys()]),
      missing: this.#missing,
      total,
      other: total - shown.reduce((sum, { count }) => sum + count, 0),
      terms: shown.map((term) => ({ term: termOf(term.value), ...shownCount(this.#facet, term) })),
    };
  }
}

/** The first of many in order, without sorting what is far behind. */
export function top<Item>(items: readonly Item[], count: number, compare: (one: Item, other: Item) => number): Item[] {
  let first: Item[] = [];
  const block = 4 * count;
  for (let start = 0; start < items.length; start += block)
    first = [...first, ...items.slice(start, start + block)].sort(compare).slice(0, count);
  return first;
}

interface RangeCount extends Count {
  values: number;
  total: number;
  min: number;
  max: number;
}

class RangesCounter implements Counter<FacetResult> {
  readonly #facet: ProjectionFacet;
  readonly #ranges: readonly Range[];
  /** Of equal ranges one counts for all, by what they say. */
  readonly #counted: ReadonlyMap<string, { readonly range: Range; readonly counted: RangeCount }>;

  constructor(facet: ProjectionFacet, ranges: readonly Range[]) {
    this.#facet = facet;
    this.#ranges = ranges;
    this.#counted = new Map(
      ranges.map((range) => [
        JSON.stringify(range),
        { range, counted: { count: 0, productCount: 0, values: 0, total: 0, min: Infinity, max: -Infinity } },
      ]),
    );
  }

  async add(judge: Judge, products: ReadonlyBits): Promise<void> {
    await judge.breath.take();
    const { path } = this.#facet;
    const units = judge.segment.moved(products, 'product', path.scope);
    const column = await judge.column(path, units);
    if (column === undefined) return;
    const valueCounts = new Uint32Array(column.dictionary.size);
    column.each(units, (_, ordinal) => {
      valueCounts[ordinal]! += 1;
    });
    for (const { range, counted } of this.#counted.values()) {
      await judge.breath.take();
      const ordinals = inBounds(column, upTo(range));
      const { count, productCount } = countOf(judge, path.scope, column.holding(ordinals, units));
      counted.count += count;
      counted.productCount += productCount;
      await judge.breath.each(ordinals, (ordinal) => {
        const values = valueCounts[ordinal]!;
        if (values === 0) return;
        const measure = measureOf(column.dictionary.at(ordinal));
        counted.values += values;
        counted.total += measure * values;
        counted.min = Math.min(counted.min, measure);
        counted.max = Math.max(counted.max, measure);
      });
    }
  }

  result(): FacetResult {
    const ranges = this.#ranges.map((each): FacetRange => {
      const { range, counted } = this.#counted.get(JSON.stringify(each))!;
      const { values, total, min, max } = counted;
      return {
        ...endsOf(range),
        ...shownCount(this.#facet, counted),
        total,
        min: values === 0 ? 0 : min,
        max: values === 0 ? 0 : max,
        mean: values === 0 ? 0 : total / values,
      };
    });
    return { type: 'range', ranges };
  }
}

class FilterCounter implements Counter<FacetResult> {
  readonly #facet: ProjectionFacet;
  readonly #condition: ReturnType<typeof judgedAt>;
  readonly #counted: Count = { count: 0, productCount: 0 };

  constructor(facet: ProjectionFacet, expression: Parameters<typeof judgedAt>[0]) {
    this.#facet = facet;
    this.#condition = judgedAt(expression, facet.path.scope);
  }

  async add(judge: Judge, products: ReadonlyBits): Promise<void> {
    const { scope } = this.#facet.path;
    const units = judge.segment.moved(products, 'product', scope);
    const { count, productCount } = countOf(judge, scope, await judge.judge(this.#condition, scope, units));
    this.#counted.count += count;
    this.#counted.productCount += productCount;
  }

  result(): FacetResult {
    return { type: 'filter', ...shownCount(this.#facet, this.#counted) };
  }
}
