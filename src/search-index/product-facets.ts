/** What facets of product search count, segment by segment (catalog 70). */
import type { Scope } from '../product-search/path.ts';
import type { ProductFacet, ProductFacetResult } from '../product-search/query-facets.ts';
import type { Scalar } from '../product-search/values.ts';
import { Bits, type ReadonlyBits } from './bits.ts';
import type { Column } from './column.ts';
import { compareScalars } from './dictionary.ts';
import { type Counter, top, upTo } from './projection-facets.ts';
import { inBounds, type Judge } from './judge.ts';
import { requireCountable } from './limits.ts';

export function productFacetCounter(facet: ProductFacet): Counter<ProductFacetResult> {
  switch (facet.kind) {
    case 'count':
      return new UnitsCounter(facet);
    case 'stats':
      return new StatsCounter(facet);
    case 'ranges':
      return new RangesCounter(facet);
    case 'distinct':
      return new DistinctCounter(facet);
  }
}

type Of<Kind extends ProductFacet['kind']> = Extract<ProductFacet, { kind: Kind }>;

/** The products, variants or prices of these products that the facet looks at: those that meet its filter. */
async function placesOf(judge: Judge, { holder, where }: ProductFacet, products: ReadonlyBits): Promise<ReadonlyBits> {
  await judge.breath.take();
  const all = judge.segment.moved(products, 'product', holder);
  return where === undefined ? all : judge.judge(where, holder, all);
}

function counted({ level }: ProductFacet): Scope {
  return level === 'products' ? 'product' : 'variant';
}

/** The products or variants that these places belong to. */
function unitsOf(judge: Judge, facet: ProductFacet, places: ReadonlyBits): ReadonlyBits {
  return judge.segment.moved(places, facet.holder, counted(facet));
}

class UnitsCounter implements Counter<ProductFacetResult> {
  readonly #facet: ProductFacet;
  #value = 0;

  constructor(facet: ProductFacet) {
    this.#facet = facet;
  }

  async add(judge: Judge, products: ReadonlyBits): Promise<void> {
    this.#value += unitsOf(judge, this.#facet, await placesOf(judge, this.#facet, products)).count;
  }

  result(): ProductFacetResult {
    return { name: this.#facet.name, value: this.#value };
  }
}

class StatsCounter implements Counter<ProductFacetResult> {
  readonly #facet: Of<'stats'>;
  #count = 0;
  #sum = 0;
  #min: Scalar | undefined;
  #max: Scalar | undefined;

  constructor(facet: Of<'stats'>) {
    this.#facet = facet;
  }

  async add(judge: Judge, products: ReadonlyBits): Promise<void> {
    const places = await placesOf(judge, this.#facet, products);
    const column = await judge.column(this.#facet.path, places);
    let [least, most] = [Infinity, -Infinity];
    column?.each(places, (_, ordinal) => {
      this.#count += 1;
      const value = column.dictionary.at(ordinal);
      if (typeof value === 'number') this.#sum += value;
      least = Math.min(least, ordinal);
      most = Math.max(most, ordinal);
    });
    if (column === undefined || most < 0) return;
    const [min, max] = [column.dictionary.at(least), column.dictionary.at(most)];
    if (this.#min === undefined || compareScalars(min, this.#min) < 0) this.#min = min;
    if (this.#max === undefined || compareScalars(max, this.#max) > 0) this.#max = max;
  }

  result(): ProductFacetResult {
    const { name } = this.#facet;
    const count = this.#count;
    if (this.#min === undefined || this.#max === undefined) return { name, count };
    // No path with statistics leads to booleans.
    const ends = { min: this.#min as number | string, max: this.#max as number | string };
    if (typeof this.#min !== 'number') return { name, ...ends, count };
    return { name, ...ends, mean: this.#sum / count, sum: this.#sum, count };
  }
}

class RangesCounter implements Counter<ProductFacetResult> {
  readonly #facet: Of<'ranges'>;
  readonly #counts: number[];

  constructor(facet: Of<'ranges'>) {
    this.#facet = facet;
    this.#counts = facet.ranges.map(() => 0);
  }

  async add(judge: Judge, products: ReadonlyBits): Promise<void> {
    const places = await placesOf(judge, this.#facet, products);
    const holding = await heldIn(judge, this.#facet, places);
    for (const [index, range] of this.#facet.ranges.entries()) {
      await judge.breath.take();
      this.#counts[index]! += holding((column) => inBounds(column, upTo(range))).count;
    }
  }

  result(): ProductFacetResult {
    const { name, ranges } = this.#facet;
    return { name, buckets: ranges.map(({ key }, index) => ({ key, count: this.#counts[index]! })) };
  }
}

/** What is counted of those that hold some values. A path of products is looked up for what counts of each. */
async function heldIn(
  judge: Judge,
  facet: Of<'ranges' | 'distinct'>,
  places: ReadonlyBits,
): Promise<(ordinals: (column: Column) => ReadonlyBits) => ReadonlyBits> {
  const { path, holder } = facet;
  const { segment } = judge;
  const holders = segment.moved(places, holder, path.scope);
  const column = await judge.column(path, holders);
  return (ordinals) => {
    if (column === undefined) return new Bits(segment.counts[counted(facet)]);
    const found = column.holding(ordinals(column), holders);
    const inPlaces = path.scope === holder ? found : segment.moved(found, path.scope, holder).copy().intersect(places);
    return unitsOf(judge, facet, inPlaces);
  };
}

class DistinctCounter implements Counter<ProductFacetResult> {
  readonly #facet: Of<'distinct'>;
  readonly #counts = new Map<string, number>();
  #missing = 0;

  constructor(facet: Of<'distinct'>) {
    this.#facet = facet;
  }

  async add(judge: Judge, products: ReadonlyBits): Promise<void> {
    const facet = this.#facet;
    const { path, holder, where } = facet;
    const { segment } = judge;
    const places = await placesOf(judge, facet, products);
    const holders = segment.moved(places, holder, path.scope);
    const column = await judge.column(path, holders);
    const having = new Bits(segment.counts[counted(facet)]);
    if (column !== undefined) {
      const counts = new Uint32Array(column.dictionary.size);
      const lastUnits = new Int32Array(column.dictionary.size).fill(-1);
      const count = (place: number, ordinal: number): void => {
        const unit = this.#unitOf(judge, place);
        having.add(unit);
        if (lastUnits[ordinal] === unit) return;
        lastUnits[ordinal] = unit;
        counts[ordinal]! += 1;
      };
      column.each(holders, (unit, ordinal) => {
        if (path.scope === holder) return count(unit, ordinal);
        // A value of a product counts for each of its variants that is asked for.
        const [from, to] = segment.variantsOf(unit);
        for (let variant = from; variant < to; variant += 1) if (places.has(variant)) count(variant, ordinal);
      });
      await judge.breath.steps(0, counts.length, (from, to) => {
        for (let ordinal = from; ordinal < to; ordinal += 1) {
          if (counts[ordinal] === 0) continue;
          const key = String(column.dictionary.at(ordinal));
          this.#counts.set(key, (this.#counts.get(key) ?? 0) + counts[ordinal]!);
        }
      });
      requireCountable(this.#counts.size);
    }
    if (facet.missing === undefined) return;
    const asked =
      where === undefined ? segment.moved(products, 'product', counted(facet)) : unitsOf(judge, facet, places);
    this.#missing += asked.copy().subtract(having).count;
  }

  result(): ProductFacetResult {
    const { name, missing, includes, sort, limit } = this.#facet;
    const buckets = [...this.#counts].map(([key, count]) => ({ key, count }));
    if (missing !== undefined && this.#missing > 0) buckets.push({ key: missing, count: this.#missing });
    const included = includes && new Set(includes);
    const sign = sort.isDescending ? -1 : 1;
    const shown = top(
      buckets.filter(({ key }) => included?.has(key) !== false),
      limit,
      (one, other) => {
        const byCount = sort.by === 'count' ? one.count - other.count : 0;
        if (byCount !== 0) return byCount * sign;
        const byKey = one.key < other.key ? -1 : 1;
        return sort.by === 'key' ? byKey * sign : byKey;
      },
    );
    return { name, buckets: shown };
  }

  #unitOf({ segment }: Judge, place: number): number {
    const { holder } = this.#facet;
    if (counted(this.#facet) === 'product') return segment.productOf(holder, place);
    return holder === 'price' ? segment.variantOf(place) : place;
  }
}
