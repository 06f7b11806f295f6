/** Products of a shop in which much is alike, so that random searches of it find something. */
import { scopedPriceValues, searchDocument, type SearchDocument } from '../../src/product-search/document.ts';
import type { SelectedPrices } from '../../src/product-search/index-query.ts';
import { selectPrice } from '../../src/pricing/select-price.ts';
import type { Price } from '../../src/resources/product/price.ts';
import type { Product } from '../../src/resources/product/fields.ts';
import type { Variant } from '../../src/resources/product/variant.ts';
import { attributes, beside, ids, price, product, variant } from '../product-search/shop.ts';
import type { Choices } from '../support/random.ts';

/** Some sort otherwise by UTF-16 than by code points, and some stand in texts of attributes alone. */
const notes = ['Lumen', 'acme', 'Ａ'];
export const words = [
  ...notes,
  'lamp',
  'lamps',
  'light',
  'Désk',
  'desk',
  'chair',
  'cher',
  '灯',
  'a',
  'X1',
  '💡',
  'lámp',
];
export const colors = ['red', 'blue', 'Red', 'grün', '💡'];
export const countries = ['DE', 'AT'];
export const channels = [ids.berlin, ids.vienna];
export const moments = ['2030-01-01T00:00:00.000Z', '2030-01-02T00:00:00.000Z', '2030-01-03T00:00:00.000Z'];
/** Their sums are the same in any order. */
export const hints = ['0.125', '0.25', '0.375', '0.5', '0.75'];
export const categories = [ids.lamps, ids.deskLamps, ids.chairs];

export function text({ some, pick }: Choices): string {
  return some(3, () => pick(words)).join(' ') || 'lamp';
}

function randomPrice({ chance, pick, below }: Choices, number: number): Price {
  const amount = below(8) * 100;
  return price(amount, {
    id: `price-${number}`,
    value: { type: 'centPrecision', currencyCode: chance(0.8) ? 'EUR' : 'USD', centAmount: amount, fractionDigits: 2 },
    ...(chance(0.4) && { country: pick(countries) }),
    ...(chance(0.3) && { channel: { typeId: 'channel', id: pick(channels) } }),
    ...(chance(0.3) && { customerGroup: { typeId: 'customer-group', id: ids.vip } }),
    ...(chance(0.2) && { validFrom: pick(moments) }),
    ...(chance(0.2) && { validUntil: pick(moments) }),
    ...(chance(0.3) && { discounted: { ...price(below(8) * 50), discount: { typeId: 'product-discount', id: 'd' } } }),
  });
}

/** An attribute may be of two types in two product types. */
function randomAttributes({ chance, pick, below, some }: Choices): Variant['attributes'] {
  const color = pick(colors);
  return attributes({
    ...(chance(0.7) && { color: { key: color, label: { en: color, de: `${color} Farbe` } } }),
    ...(chance(0.6) && { size: below(10) / 2 }),
    ...(chance(0.4) && { mixed: pick([below(4), String(below(4)), true]) }),
    ...(chance(0.5) && { sizes: some(3, () => pick(['S', 'M', 'L'])) }),
    ...(chance(0.4) && { isNew: chance(0.5) }),
    ...(chance(0.4) && { title: { en: pick(words), de: pick(words) } }),
    ...(chance(0.3) && { note: pick(notes) }),
    ...(chance(0.3) && { since: pick(['2029-05-01', '2029-06-01']) }),
    ...(chance(0.3) && {
      cost: { type: 'centPrecision', currencyCode: 'EUR', centAmount: below(5), fractionDigits: 2 },
    }),
    ...(chance(0.3) && { secret: 'x' }),
  });
}

function randomVariant(random: Choices, id: number, number: number): Variant {
  const { chance, pick, some } = random;
  return variant(id, {
    ...(chance(0.8) && { sku: chance(0.1) ? pick(['LAMP-R', 'lamp-R']) : `SKU-${number}-${id}` }),
    ...(chance(0.3) && { key: `key-${id}` }),
    attributes: randomAttributes(random),
    prices: some(4, (index) => randomPrice(random, number * 100 + id * 10 + index)),
  });
}

function randomProduct(random: Choices, id: string, number: number): Product {
  const { chance, pick, below, some } = random;
  const in_ = [...new Set(some(3, () => pick(categories)))];
  return product(
    id,
    {
      name: { en: text(random), ...(chance(0.5) && { de: text(random) }) },
      slug: { en: `slug-${number}` },
      ...(chance(0.4) && { description: { en: text(random) } }),
      categories: in_.map((each) => ({ typeId: 'category', id: each })),
      categoryOrderHints: Object.fromEntries(in_.map((each) => [each, pick(hints)])),
      searchKeywords: chance(0.3) ? { en: [{ text: text(random) }] } : {},
      attributes: chance(0.4) ? attributes({ brand: pick(['Lumen', 'Acme']) }) : [],
      masterVariant: randomVariant(random, 1, number),
      variants: some(chance(0.02) ? 70 : 3, (index) => randomVariant(random, index + 2, number)),
    },
    {
      ...(chance(0.8) && { key: chance(0.2) ? 'same' : `Key-${number}` }),
      createdAt: pick(moments),
      ...(chance(0.3) && { state: { typeId: 'state', id: pick(['state-1', 'state-2']) } }),
      ...(chance(0.3) && {
        reviewRatingStatistics: {
          averageRating: below(10) / 2,
          highestRating: 5,
          lowestRating: 1,
          count: below(4),
          ratingsDistribution: {},
        },
      }),
    },
  );
}

export function randomDocument(random: Choices, id: string, number: number): SearchDocument {
  return searchDocument(randomProduct(random, id, number), 'current', beside);
}

/** The document with what the selected prices add to its variants. */
export function withPrices(document: SearchDocument, selected: SelectedPrices | undefined): SearchDocument {
  if (selected === undefined) return document;
  const { currency, country, channel, now, countries: inCountries, channels: inChannels } = selected;
  const customerGroups = new Set(selected.customerGroups);
  return {
    ...document,
    variants: document.variants.map((each) => {
      const candidates = each.prices
        .map((values) => candidateOf(values))
        .filter((one) => one.country === undefined || inCountries?.includes(one.country) !== false)
        .filter((one) => one.channel === undefined || inChannels?.includes(one.channel.id) !== false);
      const found = selectPrice(candidates, { currency, country, customerGroups, channel }, now);
      return found === undefined ? each : { ...each, values: { ...each.values, ...scopedPriceValues(found) } };
    }),
  };
}

function candidateOf(values: SearchDocument['variants'][number]['prices'][number]) {
  const textOf = (name: string): string | undefined => values[name]?.[0] as string | undefined;
  const link = (name: string): { id: string } | undefined => {
    const id = textOf(name);
    return id === undefined ? undefined : { id };
  };
  const money = (name: string) => ({
    type: 'centPrecision' as const,
    currencyCode: textOf('currencyCode')!,
    centAmount: values[name]![0] as number,
    fractionDigits: 2,
  });
  return {
    id: textOf('id')!,
    value: money('centAmount'),
    country: textOf('country'),
    customerGroup: link('customerGroup'),
    channel: link('channel'),
    validFrom: textOf('validFrom'),
    validUntil: textOf('validUntil'),
    ...(values['discounted']![0] === true && { discounted: { value: money('currentCentAmount') } }),
  };
}
