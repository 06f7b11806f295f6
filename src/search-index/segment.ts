import type { SearchDocument, Side } from '../product-search/document.ts';
import type { Path, Scope } from '../product-search/path.ts';
import type { Scalar } from '../product-search/values.ts';
import { Bits, type ReadonlyBits } from './bits.ts';
import { Column } from './column.ts';
import { IdTable } from './id-table.ts';

/** A document that is searched on some sides: those of a product that are the same share one. */
export interface Row {
  readonly document: SearchDocument;
  readonly sides: readonly Side[];
}

type Columns = ReadonlyMap<string, Column>;

/**
 * Some products with their variants and prices, each numbered from 0 and lying in the order of what they belong to. Nothing
 * in it changes but which products are there still.
 */
export class Segment {
  readonly counts: Readonly<Record<Scope, number>>;
  /** The products that are there, by side. */
  readonly live: Readonly<Record<Side, Bits>>;
  /** Numbers of the variants, as clients know them. */
  readonly variantIds: Uint32Array;
  /** Of each product the number of its first variant, and of each variant that of its first price; then the end of the last. */
  readonly #firstVariants: Uint32Array;
  readonly #firstPrices: Uint32Array;
  readonly #productOf: Uint32Array;
  readonly #variantOf: Uint32Array;
  readonly #columns: Readonly<Record<Scope, Columns>>;
  readonly #productsOf: IdTable;

  private constructor(parts: Parts, columns: Readonly<Record<Scope, Columns>>) {
    this.live = parts.live;
    this.variantIds = Uint32Array.from(parts.variantIds);
    this.#firstVariants = startsOf(parts.variantsOf);
    this.#firstPrices = startsOf(parts.pricesOf);
    this.#productOf = ownersOf(this.#firstVariants);
    this.#variantOf = ownersOf(this.#firstPrices);
    this.counts = {
      product: parts.variantsOf.length,
      variant: parts.pricesOf.length,
      price: this.#variantOf.length,
    };
    this.#columns = columns;
    this.#productsOf = new IdTable(Array.from({ length: this.counts.product }, (_, product) => this.#idOf(product)));
  }

  static of(rows: readonly Row[]): Segment {
    const gathered = {
      product: new Map<string, Pairs>(),
      variant: new Map<string, Pairs>(),
      price: new Map<string, Pairs>(),
    };
    const parts: Parts = {
      live: { current: new Bits(rows.length), staged: new Bits(rows.length) },
      variantIds: [],
      variantsOf: [],
      pricesOf: [],
    };
    let prices = 0;
    for (const [product, { document, sides }] of rows.entries()) {
      for (const side of sides) parts.live[side].add(product);
      parts.variantsOf.push(document.variants.length);
      addAll(gathered.product, product, { ...document.values, id: [document.id] });
      addAll(gathered.product, product, document.words, wordsName);
      addAll(gathered.product, product, document.titles, titlesName);
      for (const variant of document.variants) {
        const number = parts.variantIds.push(variant.id) - 1;
        parts.pricesOf.push(variant.prices.length);
        addAll(gathered.variant, number, variant.values);
        addAll(gathered.variant, number, variant.words, wordsName);
        for (const price of variant.prices) {
          addAll(gathered.price, prices, price);
          prices += 1;
        }
      }
    }
    const columnsOf = (scope: Scope, count: number): Columns =>
      new Map(
        [...gathered[scope]].map(([name, { units, values }]) => [name, Column.of(units, values, count)] as const),
      );
    return new Segment(parts, {
      product: columnsOf('product', rows.length),
      variant: columnsOf('variant', parts.variantIds.length),
      price: columnsOf('price', prices),
    });
  }

  /**
   * What is there still of several segments, as one, in steps, for it takes long; what goes from the segments meanwhile is
   * there in the result.
   */
  static *merged(segments: readonly Segment[]): Generator<void, Segment> {
    const parts: Parts = {
      live: { current: new Bits(0), staged: new Bits(0) },
      variantIds: [],
      variantsOf: [],
      pricesOf: [],
    };
    const sides: { current: boolean; staged: boolean }[] = [];
    const numbering = segments.map((segment) => segment.#numberedAfter(parts, sides));
    yield;
    const live = { current: new Bits(sides.length), staged: new Bits(sides.length) };
    for (const [product, { current, staged }] of sides.entries()) {
      if (current) live.current.add(product);
      if (staged) live.staged.add(product);
    }
    const counts = {
      product: sides.length,
      variant: parts.variantIds.length,
      price: parts.pricesOf.reduce((sum, count) => sum + count, 0),
    };
    const columns = {
      product: new Map<string, Column>(),
      variant: new Map<string, Column>(),
      price: new Map<string, Column>(),
    };
    for (const scope of ['product', 'variant', 'price'] as const) {
      for (const name of new Set(segments.flatMap((segment) => [...segment.#columns[scope].keys()]))) {
        const held = segments.flatMap((segment, index) => {
          const column = segment.#columns[scope].get(name);
          return column === undefined ? [] : [{ column, numbers: numbering[index]![scope] }];
        });
        const column = yield* Column.merged(held, counts[scope]);
        if (column.dictionary.size > 0) columns[scope].set(name, column);
      }
    }
    return new Segment({ ...parts, live }, columns);
  }

  column({ scope, name }: Pick<Path, 'scope' | 'name'>): Column | undefined {
    return this.#columns[scope].get(name);
  }

  /** The words that full text in a locale, or in none, looks through. */
  words(scope: 'product' | 'variant', locale: string): Column | undefined {
    return this.#columns[scope].get(wordsName(locale));
  }

  titles(locale: string): Column | undefined {
    return this.#columns.product.get(titlesName(locale));
  }

  /** Whether a product is there, on a side at least. */
  has(id: string): boolean {
    return this.#placesOf(id).some((product) => this.live.current.has(product) || this.live.staged.has(product));
  }

  /** Its places stay, and are there no more. */
  drop(id: string): void {
    for (const product of this.#placesOf(id)) {
      this.live.current.delete(product);
      this.live.staged.delete(product);
    }
  }

  /** Products that are there on a side. */
  get liveCount(): number {
    return this.live.current.copy().unite(this.live.staged).count;
  }

  variantsOf(product: number): readonly [from: number, to: number] {
    return [this.#firstVariants[product]!, this.#firstVariants[product + 1]!];
  }

  pricesOf(variant: number): readonly [from: number, to: number] {
    return [this.#firstPrices[variant]!, this.#firstPrices[variant + 1]!];
  }

  productOf(scope: Scope, unit: number): number {
    if (scope === 'product') return unit;
    return this.#productOf[scope === 'variant' ? unit : this.#variantOf[unit]!]!;
  }

  variantOf(price: number): number {
    return this.#variantOf[price]!;
  }

  /** What of another scope belongs to these units, or what they belong to; of the same scope themselves. */
  moved(bits: ReadonlyBits, from: Scope, to: Scope): ReadonlyBits {
    if (from === to) return bits;
    if (from === 'product') return this.moved(spread(bits, this.#firstVariants, this.counts.variant), 'variant', to);
    if (from === 'price') return this.moved(owners(bits, this.#variantOf, this.counts.variant), 'variant', to);
    return to === 'product'
      ? owners(bits, this.#productOf, this.counts.product)
      : spread(bits, this.#firstPrices, this.counts.price);
  }

  /** Outside of the heap. */
  get bytes(): number {
    const columns = Object.values(this.#columns).flatMap((each) => [...each.values()]);
    const { current, staged } = this.live;
    const arrays = [this.variantIds, this.#firstVariants, this.#firstPrices, this.#productOf, this.#variantOf];
    const others = current.bytes + staged.bytes + this.#productsOf.bytes;
    const own = arrays.reduce((sum, { byteLength }) => sum + byteLength, others);
    return columns.reduce((sum, { bytes }) => sum + bytes, own);
  }

  /** Where the product is. Each side has one place at most. */
  #placesOf(id: string): readonly number[] {
    return this.#productsOf.placesOf(id).filter((product) => this.#idOf(product) === id);
  }

  #idOf(product: number): string {
    const ids = this.#columns.product.get('id')!;
    return String(ids.dictionary.at(ids.firstAt(product)!));
  }

  /** Adds what is there still to the parts of a new segment, and gives the numbers that it has there, -1 for what has gone. */
  #numberedAfter(parts: Parts, sides: { current: boolean; staged: boolean }[]): Readonly<Record<Scope, Int32Array>> {
    const numbers = {
      product: new Int32Array(this.counts.product).fill(-1),
      variant: new Int32Array(this.counts.variant).fill(-1),
      price: new Int32Array(this.counts.price).fill(-1),
    };
    let prices = parts.pricesOf.reduce((sum, count) => sum + count, 0);
    for (let product = 0; product < this.counts.product; product += 1) {
      const on = { current: this.live.current.has(product), staged: this.live.staged.has(product) };
      if (!on.current && !on.staged) continue;
      numbers.product[product] = sides.push(on) - 1;
      const [from, to] = this.variantsOf(product);
      parts.variantsOf.push(to - from);
      for (let variant = from; variant < to; variant += 1) {
        numbers.variant[variant] = parts.variantIds.push(this.variantIds[variant]!) - 1;
        const [first, end] = this.pricesOf(variant);
        parts.pricesOf.push(end - first);
        for (let price = first; price < end; price += 1, prices += 1) numbers.price[price] = prices;
      }
    }
    return numbers;
  }
}

interface Parts {
  readonly live: Readonly<Record<Side, Bits>>;
  readonly variantIds: number[];
  /** How many variants each product has, and how many prices each variant. */
  readonly variantsOf: number[];
  readonly pricesOf: number[];
}

interface Pairs {
  readonly units: number[];
  readonly values: Scalar[];
}

/** No path begins so. */
const wordsName = (locale: string): string => `#${locale}`;
const titlesName = (locale: string): string => `^${locale}`;

function addAll(
  columns: Map<string, Pairs>,
  unit: number,
  valuesByName: Readonly<Record<string, readonly Scalar[]>>,
  nameOf = (name: string): string => name,
): void {
  for (const [given, values] of Object.entries(valuesByName)) {
    const name = nameOf(given);
    let pairs = columns.get(name);
    if (pairs === undefined) columns.set(name, (pairs = { units: [], values: [] }));
    for (const value of values) {
      pairs.units.push(unit);
      pairs.values.push(value);
    }
  }
}

function startsOf(lengths: readonly number[]): Uint32Array {
  const starts = new Uint32Array(lengths.length + 1);
  for (const [index, length] of lengths.entries()) starts[index + 1] = starts[index]! + length;
  return starts;
}

function ownersOf(starts: Uint32Array): Uint32Array {
  const owners = new Uint32Array(starts.at(-1)!);
  for (let owner = 0; owner < starts.length - 1; owner += 1) owners.fill(owner, starts[owner], starts[owner + 1]);
  return owners;
}

function spread(bits: ReadonlyBits, starts: Uint32Array, size: number): Bits {
  const found = new Bits(size);
  bits.each((unit) => found.addRange(starts[unit]!, starts[unit + 1]!));
  return found;
}

function owners(bits: ReadonlyBits, ownerOf: Uint32Array, size: number): Bits {
  const found = new Bits(size);
  bits.each((unit) => found.add(ownerOf[unit]!));
  return found;
}
