/**
 * The demo shop: drafts of a believable store over real countries and states, from a seed. Pure data, in the public
 * shapes of the API; loading it is another file's work.
 */
import { Random } from './random.ts';
import { colors, departments, languages, localized, qualities, series, type Words } from './words.ts';

export type Draft = Readonly<Record<string, unknown>>;

/** A group of drafts of one resource; groups are loaded in order, the drafts of a group in any. */
export interface DraftGroup {
  readonly path: string;
  readonly count: number;
  drafts(): Iterable<Draft>;
}

const seedOfDemo = 20_260_101;

export function demoShop(products: number, seed = seedOfDemo): readonly DraftGroup[] {
  const group = (path: string, drafts: readonly Draft[]): DraftGroup => ({
    path,
    count: drafts.length,
    drafts: () => drafts,
  });
  return [
    group('zones', zones()),
    group('tax-categories', taxCategories()),
    group('shipping-methods', shippingMethods(new Random(seed))),
    group('product-types', productTypes()),
    group(
      'categories',
      departments.map((department) => categoryDraft(department.key, department.name, undefined)),
    ),
    group(
      'categories',
      departments.flatMap(({ key, groups }) =>
        groups.map((child) => categoryDraft(`${key}-${child.key}`, child.name, key)),
      ),
    ),
    { path: 'products', count: products, drafts: () => productDrafts(products, new Random(seed + 1)) },
    group('carts', carts(Math.min(10_000, Math.max(20, Math.floor(products / 20))), new Random(seed + 2))),
  ];
}

const currencies = [
  { code: 'EUR', perEuro: 1 },
  { code: 'CHF', perEuro: 0.95 },
  { code: 'GBP', perEuro: 0.86 },
  { code: 'USD', perEuro: 1.1 },
  // The yen has no smaller unit.
  { code: 'JPY', perEuro: 1.6 },
] as const;

type CurrencyCode = (typeof currencies)[number]['code'];

/** A price near `euroCents` in another currency, ending like prices do. */
function priceIn(code: CurrencyCode, euroCents: number): { currencyCode: CurrencyCode; centAmount: number } {
  const { perEuro } = currencies.find((currency) => currency.code === code)!;
  const amount = Math.max(10, Math.round((euroCents * perEuro) / 10) * 10);
  return { currencyCode: code, centAmount: code === 'JPY' ? amount : amount - 1 };
}

interface ZonePlan {
  readonly key: string;
  readonly name: string;
  readonly currencies: readonly CurrencyCode[];
  readonly locations: readonly { readonly country: string; readonly state?: string }[];
}

const zonePlans: readonly ZonePlan[] = [
  { key: 'germany', name: 'Germany', currencies: ['EUR'], locations: [{ country: 'DE' }] },
  {
    key: 'alps',
    name: 'Austria and Switzerland',
    currencies: ['EUR', 'CHF'],
    locations: [{ country: 'AT' }, { country: 'CH' }],
  },
  {
    key: 'west-europe',
    name: 'Western Europe',
    currencies: ['EUR'],
    locations: ['FR', 'BE', 'NL', 'LU'].map((country) => ({ country })),
  },
  {
    key: 'south-europe',
    name: 'Southern Europe',
    currencies: ['EUR'],
    locations: ['IT', 'ES', 'PT', 'GR'].map((country) => ({ country })),
  },
  { key: 'united-kingdom', name: 'United Kingdom', currencies: ['GBP'], locations: [{ country: 'GB' }] },
  { key: 'us', name: 'United States', currencies: ['USD'], locations: [{ country: 'US' }] },
  {
    key: 'us-west',
    name: 'US West Coast',
    currencies: ['USD'],
    locations: ['California', 'Oregon', 'Washington'].map((state) => ({ country: 'US', state })),
  },
  {
    key: 'us-far',
    name: 'Alaska and Hawaii',
    currencies: ['USD'],
    locations: ['Alaska', 'Hawaii'].map((state) => ({ country: 'US', state })),
  },
  {
    key: 'canada',
    name: 'Canada',
    currencies: ['USD'],
    locations: ['Ontario', 'Quebec', 'British Columbia'].map((state) => ({ country: 'CA', state })),
  },
  { key: 'japan', name: 'Japan', currencies: ['JPY'], locations: [{ country: 'JP' }] },
];

function zones(): readonly Draft[] {
  return zonePlans.map(({ key, name, locations }) => ({ key, name, description: `Shipping zone ${name}`, locations }));
}

const taxRates: readonly (readonly [country: string, standard: number, reduced: number])[] = [
  ['DE', 0.19, 0.07],
  ['AT', 0.2, 0.1],
  ['CH', 0.081, 0.026],
  ['FR', 0.2, 0.055],
  ['IT', 0.22, 0.1],
  ['GB', 0.2, 0.05],
  ['US', 0.0725, 0.0725],
  ['CA', 0.13, 0.05],
  ['JP', 0.1, 0.08],
];

function taxCategories(): readonly Draft[] {
  return ['standard', 'reduced'].map((key, index) => ({
    key,
    name: `${key} rate`,
    rates: taxRates.map(([country, ...amounts]) => ({
      name: `${key} rate ${country}`,
      amount: amounts[index],
      includedInPrice: country !== 'US' && country !== 'CA',
      country,
    })),
  }));
}

const methodNames: readonly Words[] = [
  ['Standard', 'Standard', 'Standard', 'Standard', '通常配送'],
  ['Express', 'Express', 'Express', 'Espresso', '速達'],
  ['Overnight', 'Über Nacht', 'De nuit', 'Notturna', '翌日配送'],
  ['Economy', 'Sparversand', 'Économique', 'Economica', 'エコノミー'],
  ['Pickup point', 'Abholstelle', 'Point relais', 'Punto di ritiro', '受取所'],
];

const predicates = [
  undefined,
  'totalPrice.centAmount < 50000',
  'customLineItems.quantity < 10 and not (shippingAddress.country = "JP")',
  'currency in ("EUR", "CHF") or totalPrice > "100.00 USD"',
];

/** Twenty methods: five names with four predicates; every zone has rates of each, in all currencies of the zone. */
function shippingMethods(random: Random): readonly Draft[] {
  return methodNames.flatMap((names, nameIndex) =>
    predicates.map((predicate, predicateIndex) => {
      const number = nameIndex * predicates.length + predicateIndex;
      const base = 390 + number * 110;
      return {
        key: `shipping-${number + 1}`,
        name: `${names[0]} ${predicateIndex + 1}`,
        localizedName: localized(names),
        taxCategory: { key: 'standard' },
        isDefault: number === 0,
        ...(predicate !== undefined && { predicate }),
        zoneRates: zonePlans
          .filter(() => number === 0 || random.chance(0.8))
          .map((zone) => ({
            zone: { key: zone.key },
            shippingRates: zone.currencies.map((code) => shippingRate(code, base, random)),
          })),
      };
    }),
  );
}

function shippingRate(code: CurrencyCode, base: number, random: Random): Draft {
  const price = priceIn(code, base);
  const tiers = [
    { type: 'CartScore', score: 10, price: priceIn(code, base + 200) },
    {
      type: 'CartScore',
      score: 50,
      priceFunction: { currencyCode: code, function: `${price.centAmount} + 3 * (x - 10)` },
    },
  ];
  return {
    price,
    ...(random.chance(0.5) && { freeAbove: priceIn(code, base * 20) }),
    ...(random.chance(0.6) && { tiers }),
  };
}

function productTypes(): readonly Draft[] {
  const attribute = (name: string, type: Draft, label: Words): Draft => {
    return { name, type, label: localized(label), isRequired: false };
  };
  const color = attribute('color', { name: 'ltext' }, ['Color', 'Farbe', 'Couleur', 'Colore', '色']);
  const weight = attribute('weight', { name: 'number' }, ['Weight', 'Gewicht', 'Poids', 'Peso', '重さ']);
  return departments.map(({ key, name }) => ({
    key,
    name: name[0],
    description: `Products of ${name[0]}`,
    attributes: [color, weight],
  }));
}

function categoryDraft(key: string, name: Words, parent: string | undefined): Draft {
  return {
    key,
    name: localized(name),
    slug: Object.fromEntries(languages.map((language) => [language, key])),
    orderHint: '0.5',
    ...(parent !== undefined && { parent: { key: parent } }),
  };
}

const things = departments.flatMap((department) =>
  department.groups.flatMap((group) =>
    group.things.map((words) => ({ words, productType: department.key, category: `${department.key}-${group.key}` })),
  ),
);

function* productDrafts(count: number, random: Random): Iterable<Draft> {
  for (let number = 1; number <= count; number += 1) yield productDraft(number, random);
}

function productDraft(number: number, random: Random): Draft {
  const { words, productType, category } = random.pick(things);
  const quality = random.pick(qualities);
  const line = random.pick(series);
  const euroCents = random.integer(5, 400) * 100;
  const slug = `${words[0]} ${line} ${number}`.toLowerCase().replaceAll(' ', '-');
  const variants = Array.from({ length: random.integer(1, 4) }, (_, index) =>
    variantDraft(`P${number}-${index + 1}`, { euroCents: euroCents + index * 500, random, slug }),
  );
  return {
    key: `product-${number}`,
    productType: { key: productType },
    taxCategory: { key: 'standard' },
    name: Object.fromEntries(
      languages.map((language, index) => [language, `${quality[index]} ${words[index]} ${line}`]),
    ),
    slug: Object.fromEntries(languages.map((language) => [language, slug])),
    description: Object.fromEntries(
      languages.map((language, index) => [language, `${words[index]} ${line}: ${quality[index]}.`]),
    ),
    categories: [{ key: category }],
    masterVariant: variants[0],
    variants: variants.slice(1),
    searchKeywords: Object.fromEntries(
      languages.map((language, index) => [language, searchKeywords(words[index]!, `${line} ${number}`)]),
    ),
    publish: !random.chance(0.05),
  };
}

/** All three forms: a whole text, one split at its blanks, and one with inputs of its own. */
function searchKeywords(thing: string, model: string): readonly Draft[] {
  return [
    { text: `${thing} ${model}`, suggestTokenizer: { type: 'whitespace' } },
    { text: thing },
    { text: `${model} · ${thing}`, suggestTokenizer: { type: 'custom', inputs: [model, model.replace(' ', '')] } },
  ];
}

function variantDraft(
  sku: string,
  { euroCents, random, slug }: { euroCents: number; random: Random; slug: string },
): Draft {
  const color = random.pick(colors);
  return {
    sku,
    key: sku,
    prices: currencies.map(({ code }) => ({ value: priceIn(code, euroCents) })),
    attributes: [
      { name: 'color', value: localized(color) },
      { name: 'weight', value: random.integer(50, 5000) },
    ],
    images: [{ url: `https://images.example.org/${slug}.jpg`, dimensions: { w: 800, h: 600 }, label: color[0] }],
  };
}

function carts(count: number, random: Random): readonly Draft[] {
  return Array.from({ length: count }, (_, index) => {
    const zone = random.pick(zonePlans);
    const currency = random.pick(zone.currencies);
    return {
      key: `cart-${index + 1}`,
      currency,
      country: random.pick(zone.locations).country,
      shippingAddress: {
        ...random.pick(zone.locations),
        city: 'Sample City',
        streetName: 'Main Street',
        streetNumber: String(index + 1),
      },
      shippingRateInput: { type: 'Score', score: random.integer(0, 100) },
      customLineItems: Array.from({ length: random.integer(1, 4) }, (_item, item) => {
        const thing = random.pick(things);
        return {
          name: localized(thing.words),
          slug: `item-${item + 1}`,
          money: priceIn(currency, random.integer(5, 200) * 100),
          quantity: random.integer(1, 3),
        };
      }),
    };
  });
}
