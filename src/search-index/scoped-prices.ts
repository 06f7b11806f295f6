import type { SelectedPrices } from '../product-search/index-query.ts';
import type { Path } from '../product-search/path.ts';
import { scopedPriceValues } from '../product-search/document.ts';
import type { Scalar } from '../product-search/values.ts';
import { selectPrice } from '../pricing/select-price.ts';
import { isSoldAt } from '../pricing/store-prices.ts';
import type { ReadonlyBits } from './bits.ts';
import type { Breath } from './breath.ts';
import { Column } from './column.ts';
import type { Segment } from './segment.ts';

/** What the variants of a segment cost those for whom prices are selected. Only what is asked for is computed. */
export class ScopedPrices {
  readonly #segment: Segment;
  readonly #selection: SelectedPrices;
  readonly #customerGroups: ReadonlySet<string>;
  readonly #columns: Readonly<Partial<Record<PriceMember, Column | undefined>>>;
  /** Its ordinal; undefined where no price is in it. */
  readonly #currency: number | undefined;
  readonly #values = new Map<number, Readonly<Record<string, readonly Scalar[]>>>();

  constructor(segment: Segment, selection: SelectedPrices) {
    this.#segment = segment;
    this.#selection = selection;
    this.#customerGroups = new Set(selection.customerGroups);
    this.#columns = Object.fromEntries(members.map((name) => [name, segment.column({ scope: 'price', name })]));
    this.#currency = this.#columns.currencyCode?.dictionary.find(selection.currency);
  }

  static isPath({ scope, name }: Path): boolean {
    return scope === 'variant' && name.startsWith('scopedPrice');
  }

  /** The values of one of the paths for these variants. */
  async column({ name }: Path, within: ReadonlyBits, breath: Breath): Promise<Column> {
    const units: number[] = [];
    const values: Scalar[] = [];
    await breath.each(within, (variant) => {
      for (const value of this.#of(variant)[name] ?? []) {
        units.push(variant);
        values.push(value);
      }
    });
    return breath.through(Column.making(units, values, this.#segment.counts.variant));
  }

  #of(variant: number): Readonly<Record<string, readonly Scalar[]>> {
    let values = this.#values.get(variant);
    if (values === undefined) this.#values.set(variant, (values = this.#valuesOf(variant)));
    return values;
  }

  #valuesOf(variant: number): Readonly<Record<string, readonly Scalar[]>> {
    const { currency, country, channel, now } = this.#selection;
    const customerGroups = this.#customerGroups;
    const price = selectPrice(this.#candidates(variant), { currency, country, customerGroups, channel }, now);
    return price === undefined ? {} : scopedPriceValues(price);
  }

  #candidates(variant: number): readonly Candidate[] {
    const [from, to] = this.#segment.pricesOf(variant);
    const found: Candidate[] = [];
    for (let price = from; price < to; price += 1) {
      if (this.#currency === undefined || this.#columns.currencyCode?.firstAt(price) !== this.#currency) continue;
      const candidate = this.#candidate(price);
      if (candidate !== undefined) found.push(candidate);
    }
    return found;
  }

  /** Undefined for a price of another country, channel or group than those that are asked for. */
  #candidate(price: number): Candidate | undefined {
    const { country, channel, currency } = this.#selection;
    const ownCountry = this.#textAt('country', price);
    if (ownCountry !== undefined && ownCountry !== country) return undefined;
    const ownChannel = this.#textAt('channel', price);
    if (ownChannel !== undefined && ownChannel !== channel) return undefined;
    if (!isSoldAt(this.#selection, ownCountry, ownChannel)) return undefined;
    const group = this.#textAt('customerGroup', price);
    if (group !== undefined && !this.#customerGroups.has(group)) return undefined;
    const money = (name: PriceMember) => ({
      type: 'centPrecision' as const,
      currencyCode: currency,
      centAmount: Number(this.#at(name, price)),
      fractionDigits: 2,
    });
    return {
      id: String(this.#at('id', price)),
      value: money('centAmount'),
      country: ownCountry,
      customerGroup: group === undefined ? undefined : { id: group },
      channel: ownChannel === undefined ? undefined : { id: ownChannel },
      validFrom: this.#textAt('validFrom', price),
      validUntil: this.#textAt('validUntil', price),
      ...(this.#at('discounted', price) === true && { discounted: { value: money('currentCentAmount') } }),
    };
  }

  #textAt(name: PriceMember, price: number): string | undefined {
    const value = this.#at(name, price);
    return value === undefined ? undefined : String(value);
  }

  #at(name: PriceMember, price: number): Scalar | undefined {
    const column = this.#columns[name];
    const ordinal = column?.firstAt(price);
    return ordinal === undefined ? undefined : column!.dictionary.at(ordinal);
  }
}

const members = [
  'id',
  'currencyCode',
  'centAmount',
  'currentCentAmount',
  'discounted',
  'country',
  'channel',
  'customerGroup',
  'validFrom',
  'validUntil',
] as const;

type PriceMember = (typeof members)[number];

type Candidate = Parameters<typeof scopedPriceValues>[0] & Parameters<typeof selectPrice>[0][number];
