import fc from 'fast-check';
import t from 'tap';
import { parseCartPredicate } from '../../src/resources/cart/predicate.ts';
import {
  type CartInput,
  compileCatalog,
  type Location,
  matchCart,
  matchLocation,
  type MethodInput,
  type RateMatch,
  withMatching,
  type ZoneInput,
} from '../../src/pricing/shipping-rate.ts';

const eur = (centAmount: number): { currencyCode: string; centAmount: number } => ({ currencyCode: 'EUR', centAmount });

function methodWith(tiers: MethodInput['zoneRates'][number]['shippingRates'][number]['tiers']): MethodInput {
  const zoneRates = [{ zone: { id: 'z' }, shippingRates: [{ price: eur(500), tiers }] }];
  return { isDefault: false, active: true, stores: [], zoneRates };
}

function cartWith(changes: Partial<CartInput>): CartInput {
  const plain = {
    totalPrice: eur(0),
    shippingAddress: { country: 'DE' },
    lineItems: [],
    customLineItems: [],
    ...changes,
  };
  return { ...plain, facts: { ...plain, currency: plain.totalPrice.currencyCode } };
}

/** A cart goes to its own address, in a project without tiers. */
const plain = { tierType: undefined };

const zones = [{ id: 'z', locations: [{ country: 'DE' }] }];

t.test('the tier with the highest threshold that the cart reaches applies', async (t) => {
  const value = [
    { type: 'CartValue', minimumCentAmount: 5000 },
    { type: 'CartValue', minimumCentAmount: 10_000 },
    { type: 'CartValue', minimumCentAmount: 0 },
  ];
  const score = [
    { type: 'CartScore', score: 1 },
    { type: 'CartScore', score: 20, priceFunction: { function: '100 - x' } },
    { type: 'CartScore', score: 10 },
  ];
  const classification = [
    { type: 'CartClassification', value: 'small' },
    { type: 'CartClassification', value: 'heavy' },
  ];
  const items = (...amounts: number[]): Partial<CartInput> => ({
    customLineItems: amounts.map((amount) => ({ totalPrice: eur(amount) })),
  });
  const scored = (score: number): Partial<CartInput> => ({ shippingRateInput: { type: 'Score', score } });
  const classified = (key: string): Partial<CartInput> => ({ shippingRateInput: { type: 'Classification', key } });
  const cases: readonly (readonly [string, MethodInput, Partial<CartInput>, number | undefined])[] = [
    ['no items', methodWith(value), {}, 2],
    ['below a threshold', methodWith(value), items(2000, 2999), 2],
    ['exactly a threshold', methodWith(value), items(2000, 3000), 0],
    ['line items count as well', methodWith(value), { ...items(5000), lineItems: [{ totalPrice: eur(5000) }] }, 1],
    ['a negative sum', methodWith(value), items(-1), undefined],
    ['no score', methodWith(score), {}, undefined],
    ['score 0', methodWith(score), scored(0), undefined],
    ['score 9', methodWith(score), scored(9), 0],
    ['score 10', methodWith(score), scored(10), 2],
    ['a function', methodWith(score), scored(100), 1],
    ['a function that is below zero', methodWith(score), scored(101), 1],
    ['classification', methodWith(classification), classified('heavy'), 1],
    ['unknown classification', methodWith(classification), classified('none'), undefined],
    ['score for classes', methodWith(classification), scored(1), undefined],
  ];
  for (const [name, method, cart, tier] of cases) {
    const expected = [{ method: 0, rates: [{ zoneRate: 0, rate: 0, ...(tier !== undefined && { tier }) }] }];
    const catalog = compileCatalog([method], zones);
    const [type] = method.zoneRates[0]!.shippingRates[0]!.tiers;
    t.strictSame(matchCart(catalog, cartWith(cart), { tierType: type?.type }), expected, name);
    const base = [{ method: 0, rates: [{ zoneRate: 0, rate: 0 }] }];
    t.strictSame(
      matchCart(catalog, cartWith(cart), { tierType: undefined }),
      base,
      `${name}, in a project without tiers`,
    );
  }
});

t.test('without a shipping address there is no answer for a cart', async (t) => {
  const { shippingAddress: _, ...cart } = cartWith({});
  t.equal(matchCart(compileCatalog([methodWith([])], zones), cart, plain), undefined);
});

t.test('a cart can be matched for another place than its address', async (t) => {
  const catalog = compileCatalog([methodWith([])], zones);
  const { shippingAddress: _, ...homeless } = cartWith({});
  for (const cart of [homeless, cartWith({ shippingAddress: { country: 'FR' } })])
    t.equal(matchCart(catalog, cart, { ...plain, location: { country: 'DE' } })?.length, 1);
  t.strictSame(matchCart(catalog, cartWith({}), { ...plain, location: { country: 'FR' } }), []);
});

t.test('a method of some stores ships the carts of these alone', async (t) => {
  const catalog = compileCatalog([{ ...methodWith([]), stores: [{ key: 'north' }, { key: 'south' }] }], zones);
  const matches = (cart: Partial<CartInput>): number => matchCart(catalog, cartWith(cart), plain)!.length;
  t.equal(matches({ store: { key: 'south' } }), 1);
  t.equal(matches({ store: { key: 'west' } }), 0);
  t.equal(matches({}), 0);
});

t.test('a predicate is checked for a cart, and leaves the method out for a location', async (t) => {
  const method = {
    ...methodWith([]),
    predicate: parseCartPredicate('customLineItemCount(true) > 1 and currency = "EUR"'),
  };
  const catalog = compileCatalog([method], zones);
  const item = { totalPrice: eur(1), quantity: 2 };
  t.strictSame(matchCart(catalog, cartWith({}), plain), []);
  t.equal(matchCart(catalog, cartWith({ customLineItems: [item] }), plain)?.length, 1);
  t.strictSame(matchLocation(catalog, { country: 'DE' }, undefined), []);
});

const countries = ['DE', 'FR', 'US'];
const states = [undefined, 'A', 'B'];
const currencies = ['EUR', 'USD', 'JPY'];
const places = countries.flatMap((country) =>
  states.map((state): Location => ({ country, ...(state !== undefined && { state }) })),
);
const placeArbitrary = fc.constantFrom(...places);
/** Zones share no location, as the platform sees to. */
const zonesArbitrary: fc.Arbitrary<ZoneInput[]> = fc
  .array(fc.integer({ min: 0, max: 4 }), { minLength: places.length, maxLength: places.length })
  .map((owners) =>
    [0, 1, 2, 3].map((zone) => ({ id: `z${zone}`, locations: places.filter((_, index) => owners[index] === zone) })),
  );
const rateArbitrary = fc
  .uniqueArray(fc.constantFrom(...currencies), { maxLength: 3 })
  .map((codes) => codes.map((currencyCode) => ({ price: { currencyCode, centAmount: 1 }, tiers: [] })));
const methodArbitrary: fc.Arbitrary<MethodInput> = fc.record({
  isDefault: fc.constant(false),
  stores: fc.constant([]),
  active: fc.boolean(),
  zoneRates: fc
    .uniqueArray(fc.constantFrom('z0', 'z1', 'z2', 'z3'), { maxLength: 4 })
    .chain((ids) =>
      fc
        .array(rateArbitrary, { minLength: ids.length, maxLength: ids.length })
        .map((rates) => ids.map((id, index) => ({ zone: { id }, shippingRates: rates[index]! }))),
    ),
});
const methodsArbitrary = fc
  .tuple(fc.array(methodArbitrary, { maxLength: 5 }), fc.nat({ max: 9 }))
  .map(([methods, chosen]) => methods.map((method, index) => ({ ...method, isDefault: index === chosen })));

/** The rules said again without an index: walk every rate, keep those of the most specific zone. */
function expected(methods: readonly MethodInput[], zones: readonly ZoneInput[], place: Location, currency?: string) {
  const lists = (state: string | undefined, id: string): boolean =>
    zones
      .find((zone) => zone.id === id)!
      .locations.some((location) => location.country === place.country && location.state === state);
  const found = methods.flatMap((method, index) => {
    for (const state of place.state === undefined ? [undefined] : [place.state, undefined]) {
      const rates: RateMatch[] = [];
      for (const [zoneRate, { zone, shippingRates }] of method.zoneRates.entries()) {
        for (const [rate, { price }] of shippingRates.entries()) {
          if (lists(state, zone.id) && (currency ?? price.currencyCode) === price.currencyCode)
            rates.push({ zoneRate, rate });
        }
      }
      if (method.active && rates.length > 0) return [{ method: index, rates }];
    }
    return [];
  });
  return found.sort((one, other) => Number(methods[other.method]!.isDefault) - Number(methods[one.method]!.isDefault));
}

t.test('matching equals a walk over all rates, with exactly one rate for a cart', async (t) => {
  const currency = fc.option(fc.constantFrom(...currencies), { nil: undefined });
  fc.assert(
    fc.property(methodsArbitrary, zonesArbitrary, placeArbitrary, currency, (methods, zones, place, currencyCode) => {
      const catalog = compileCatalog(methods, zones);
      const atPlace = matchLocation(catalog, place, currencyCode);
      t.strictSame(atPlace, expected(methods, zones, place, currencyCode));
      for (const match of atPlace) {
        const flags = withMatching(methods[match.method]!, match).zoneRates.flatMap(({ shippingRates }) =>
          shippingRates.map((rate) => (rate as { isMatching?: boolean }).isMatching),
        );
        if (flags.filter((flag) => flag === true).length !== match.rates.length || flags.includes(undefined))
          return false;
      }
      if (currencyCode === undefined) return true;
      const cart = cartWith({ shippingAddress: place, totalPrice: { currencyCode, centAmount: 0 } });
      const forCart = matchCart(catalog, cart, plain)!;
      return JSON.stringify(forCart) === JSON.stringify(atPlace) && forCart.every(({ rates }) => rates.length === 1);
    }),
    { numRuns: 2000 },
  );
});

t.test('flags stand on exactly the rates and tiers of the match, and change nothing else', async (t) => {
  const method = methodWith([
    { type: 'CartValue', minimumCentAmount: 0 },
    { type: 'CartValue', minimumCentAmount: 9 },
  ]);
  const match = { method: 0, rates: [{ zoneRate: 0, rate: 0, tier: 1 }] };
  const before = structuredClone(method);
  t.strictSame(withMatching(method, match).zoneRates[0]!.shippingRates as unknown, [
    {
      price: eur(500),
      tiers: [
        { type: 'CartValue', minimumCentAmount: 0, isMatching: false },
        { type: 'CartValue', minimumCentAmount: 9, isMatching: true },
      ],
      isMatching: true,
    },
  ]);
  t.strictSame(method, before);
});
