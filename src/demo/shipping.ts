/** Where the demo shop sends what, what that costs, and carts that ask for it. */
import type { Draft } from './draft.ts';
import { type CurrencyCode, priceIn } from './prices.ts';
import type { Random } from './random.ts';
import { departments, localized, type Words } from './words.ts';

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

export function zones(): readonly Draft[] {
  return zonePlans.map(({ key, name, locations }) => ({ key, name, description: `Shipping zone ${name}`, locations }));
}

const taxRates: readonly (readonly [country: string, standard: number, reduced: number])[] = [
  ['DE', 0.19, 0.07],
  ['AT', 0.2, 0.1],
  ['CH', 0.081, 0.026],
  ['FR', 0.2, 0.055],
  ['BE', 0.21, 0.06],
  ['NL', 0.21, 0.09],
  ['LU', 0.17, 0.08],
  ['IT', 0.22, 0.1],
  ['ES', 0.21, 0.1],
  ['PT', 0.23, 0.06],
  ['GR', 0.24, 0.13],
  ['GB', 0.2, 0.05],
  ['US', 0.0725, 0.0725],
  ['CA', 0.13, 0.05],
  ['JP', 0.1, 0.08],
];

/** A rate of a country counts for none of its states, so those that the shop sends to have their own. */
const taxedPlaces = taxRates.flatMap(([country, ...amounts]) => {
  const locations = zonePlans.flatMap((plan) => plan.locations).filter((location) => location.country === country);
  const states = locations.flatMap(({ state }) => (state === undefined ? [] : [{ country, state, amounts }]));
  return [{ country, amounts }, ...states];
});

export function taxCategories(): readonly Draft[] {
  return ['standard', 'reduced'].map((key, index) => ({
    key,
    name: `${key} rate`,
    rates: taxedPlaces.map(({ amounts, ...place }) => ({
      name: `${key} rate ${Object.values(place).join(', ')}`,
      amount: amounts[index],
      includedInPrice: place.country !== 'US' && place.country !== 'CA',
      ...place,
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
export function shippingMethods(random: Random): readonly Draft[] {
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

const things = departments.flatMap(({ groups }) => groups.flatMap((group) => group.things));

export function carts(count: number, random: Random): readonly Draft[] {
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
          name: localized(thing),
          slug: `item-${item + 1}`,
          money: priceIn(currency, random.integer(5, 200) * 100),
          quantity: random.integer(1, 3),
          taxCategory: { key: 'standard' },
        };
      }),
    };
  });
}
