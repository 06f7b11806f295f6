import type { SelectedPrices } from '../product-search/index-query.ts';
import type { Path } from '../product-search/path.ts';
import { scopedPriceValues } from '../product-search/document.ts';
import type { Scalar } from '../product-search/values.ts';
import { selectPrice } from '../pricing/select-price.ts';
import { Bits } from './bits.ts';
import { Column } from './column.ts';
import type { Segment } from './segment.ts';

/** What the variants of a segment cost those for whom prices are selected. Only what is asked for is computed. */
export class ScopedPrices {
  readonly #segment: Segment;
  readonly #selection: SelectedPrices;
  readonly #values = new Map<number, Readonly<Record<string, readonly Scalar[]>>>();

  constructor(segment: Segment, selection: SelectedPrices) {
    this.#segment = segment;
    this.#selection = selection;
  }

  static isPath({ scope, name }: Path): boolean {
    return scope === 'variant' && name.startsWith('scopedPrice');
  }

  /** The values of one of the paths for these variants. */
  column({ name }: Path, within: Bits): Column {
    const units: number[] = [];
    const values: Scalar[] = [];
    within.each((variant) => {
      for (const value of this.#of(variant)[name] ?? []) {
        units.push(variant);
        values.push(value);
      }
    });
    return Column.of(units, values, this.#segment.counts.variant);
  }

  #of(variant: number): Readonly<Record<string, readonly Scalar[]>> {
    let values = this.#values.get(variant);
    if (values === undefined) this.#values.set(variant, (values = this.#valuesOf(variant)));
    return values;
  }

  #valuesOf(variant: number): Readonly<Record<string, readonly Scalar[]>> {
    const { currency, country, customerGroups, channel, now } = this.#selection;
    const price = selectPrice(this.#candidates(variant), { currency, country, customerGroups, channel }, now);
    return price === undefined ? {} : scopedPriceValues(price);
  }

  #candidates(variant: number): readonly Candidate[] {
    const { currency, countries, channels } = this.#selection;
    const [from, to] = this.#segment.pricesOf(variant);
    const found: Candidate[] = [];
    for (let price = from; price < to; price += 1) {
      if (this.#at('currencyCode', price) !== currency) continue;
      const country = this.#textAt('country', price);
      const channel = this.#textAt('channel', price);
      if (country !== undefined && countries?.includes(country) === false) continue;
      if (channel !== undefined && channels?.includes(channel) === false) continue;
      found.push(this.#candidate(price, { country, channel }));
    }
    return found;
  }

  #candidate(
    price: number,
    { country, channel }: { country: string | undefined; channel: string | undefined },
  ): Candidate {
    const group = this.#textAt('customerGroup', price);
    const money = (centAmount: Scalar | undefined) => ({
      type: 'centPrecision' as const,
      currencyCode: this.#selection.currency,
      centAmount: Number(centAmount),
      fractionDigits: 2,
    });
    return {
      id: String(this.#at('id', price)),
      value: money(this.#at('centAmount', price)),
      country,
      customerGroup: group === undefined ? undefined : { id: group },
      channel: channel === undefined ? undefined : { id: channel },
      validFrom: this.#textAt('validFrom', price),
      validUntil: this.#textAt('validUntil', price),
      ...(this.#at('discounted', price) === true && {
        discounted: { value: money(this.#at('currentCentAmount', price)) },
      }),
    };
  }

  #textAt(name: string, price: number): string | undefined {
    const value = this.#at(name, price);
    return value === undefined ? undefined : String(value);
  }

  #at(name: string, price: number): Scalar | undefined {
    const column = this.#segment.column({ scope: 'price', name });
    const ordinal = column?.firstAt(price);
    return ordinal === undefined ? undefined : column!.dictionary.at(ordinal);
  }
}

type Candidate = Parameters<typeof scopedPriceValues>[0] & Parameters<typeof selectPrice>[0][number];
