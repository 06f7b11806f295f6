import fc from 'fast-check';
import t from 'tap';
import { centPrecision, highPrecision, type TypedMoney } from '../../../src/money/money.ts';
import type { ProductDiscount } from '../../../src/resources/product-discount/fields.ts';
import { discountedValue, discountFor } from '../../../src/resources/product-discount/offers.ts';
import type { PriceSubject } from '../../../src/resources/product-discount/subject.ts';

const now = '2026-06-01T00:00:00.000Z';
const before = '2026-05-31T23:59:59.999Z';
const after = '2026-06-01T00:00:00.001Z';

const half = { type: 'relative', permyriad: 5000 };
const external = { type: 'external' };

function absolute(...amounts: readonly (readonly [currencyCode: string, centAmount: number])[]) {
  return { type: 'absolute', money: amounts.map(([code, cents]) => centPrecision(code, cents)) };
}

function discount(id: string, members: Partial<ProductDiscount> = {}): ProductDiscount {
  return {
    id,
    version: 1,
    createdAt: now,
    lastModifiedAt: now,
    name: { en: id },
    value: half,
    predicate: 'true',
    sortOrder: '0.5',
    isActive: true,
    references: [],
    ...members,
  };
}

const subject: PriceSubject = {
  product: { id: 'p', key: 'lamp' },
  productType: { id: 't', key: 'lamps' },
  variant: {
    id: 2,
    key: 'v',
    sku: 'S-1',
    attributes: [
      { name: 'color', value: { key: 'red', label: 'Red' } },
      { name: 'watts', value: 40 },
      { name: 'tags', value: ['new', 'sale'] },
      { name: 'text', value: { en: 'bright' } },
    ],
  },
  price: {
    value: centPrecision('EUR', 1050),
    country: 'DE',
    customerGroup: { id: 'g', key: 'vip' },
    channel: { id: 'h' },
  },
  categories: [{ id: 'c1', key: 'reading' }, { id: 'c2' }],
  ancestors: [{ id: 'c0', key: 'all' }],
};

function chosen(price: Partial<PriceSubject['price']>, ...discounts: readonly ProductDiscount[]) {
  return discountFor({ ...subject, price: { ...subject.price, ...price } }, discounts, now);
}

const idOf = (found: ReturnType<typeof discountFor>): string | undefined => found?.discount.id;

t.test('predicates speak of the product, the variant, the price and the categories', async (t) => {
  const cases: Readonly<Record<string, boolean>> = {
    'product.id = "p" and product.key = "lamp" and productType.key = "lamps"': true,
    'variant.id = 2 and variantId = 2 and variant.key = "v" and sku = "S-1"': true,
    'attributes.color.key = "red" and attributes.watts >= 40 and attributes.text.en = "bright"': true,
    'attributes.tags contains all ("new", "sale") and attributes.tags contains "new"': true,
    'attributes.tags contains "old"': false,
    'attributes.size is defined': false,
    'attributes.size.key is not defined': true,
    'price = "10.50 EUR" and amount = 10.5 and centAmount = 1050 and currency = "EUR"': true,
    'price.amount < 10.51 and price.centAmount > 1049 and price.currency != "USD"': true,
    'price > "10.49 USD"': false,
    'country = "DE" and price.country in ("AT", "DE")': true,
    'customerGroup.key = "vip" and price.channel.id = "h"': true,
    'channel.key is not defined and channel is defined': true,
    'categories.id contains all ("c1", "c2") and categories.key contains any ("reading", "none")': true,
    'categories.id contains "c0"': false,
    'categoriesWithAncestors.id contains "c0" and categoriesWithAncestors.key contains "all"': true,
    'categories is empty or categories.id is empty': false,
    'not (sku = "S-1")': false,
    '1 = 2': false,
  };
  for (const [predicate, expected] of Object.entries(cases))
    t.equal(chosen({}, discount('a', { predicate })) !== undefined, expected, predicate);
});

t.test('what is absent is not defined and empty', async (t) => {
  const bare = { ...subject, price: { value: subject.price.value }, categories: [], ancestors: [] };
  const cases: Readonly<Record<string, boolean>> = {
    'customerGroup.id is not defined and customerGroup is not defined': true,
    'categories is empty and categories.id is empty and price.channel.key is empty': true,
    'customerGroup.id is defined or categories.id is not empty': false,
    'not (customerGroup.id is not defined)': false,
    'customerGroup.id != "g"': false,
    'country is not defined': true,
  };
  for (const [predicate, expected] of Object.entries(cases))
    t.equal(discountFor(bare, [discount('a', { predicate })], now) !== undefined, expected, predicate);
});

t.test('the highest sort order holds among those that are in force and fit', async (t) => {
  const high = (members: Partial<ProductDiscount>): ProductDiscount =>
    discount('high', { sortOrder: '0.91', ...members });
  const low = discount('low', { sortOrder: '0.9' });
  t.equal(idOf(chosen({}, low, high({}))), 'high');
  t.equal(idOf(chosen({}, high({}), low)), 'high');
  for (const members of [
    { isActive: false },
    { validFrom: after },
    { validUntil: now },
    { predicate: 'sku = "other"' },
    { value: absolute(['USD', 100]) },
    { value: external },
  ])
    t.equal(idOf(chosen({}, high(members), low)), 'low', JSON.stringify(members));
  for (const members of [{ validFrom: now }, { validUntil: after }, { validFrom: before, validUntil: after }])
    t.equal(idOf(chosen({}, high(members), low)), 'high', JSON.stringify(members));
  t.equal(chosen({}), undefined);
});

t.test('what a client said of an external discount stays while that holds, and goes before all others', async (t) => {
  const discounted = {
    value: centPrecision('EUR', 999),
    discount: { typeId: 'product-discount', id: 'out' },
  };
  const out = (members: Partial<ProductDiscount> = {}): ProductDiscount =>
    discount('out', { value: external, sortOrder: '0.1', ...members });
  const own = discount('own');
  t.strictSame(chosen({ discounted }, own, out()), discounted);
  for (const members of [{ isActive: false }, { validUntil: now }, { predicate: 'false' }, { value: half }])
    t.not(chosen({ discounted }, own, out(members))?.value.centAmount, 999, JSON.stringify(members));
  t.equal(idOf(chosen({ discounted }, own)), 'own', 'of one that is gone nothing is left');
});

t.test('values are exact, and rounded half down in the precision of the price', async (t) => {
  const relative = (permyriad: number) => ({ value: { type: 'relative', permyriad } });
  const cases: readonly (readonly [price: TypedMoney, off: Pick<ProductDiscount, 'value'>, expected: TypedMoney])[] = [
    [centPrecision('EUR', 101), relative(5000), centPrecision('EUR', 50)],
    [centPrecision('EUR', 103), relative(5000), centPrecision('EUR', 51)],
    [centPrecision('EUR', 100), relative(3333), centPrecision('EUR', 67)],
    [centPrecision('JPY', 101), relative(1), centPrecision('JPY', 101)],
    [centPrecision('EUR', 100), relative(10_000), centPrecision('EUR', 0)],
    [centPrecision('EUR', -101), relative(5000), centPrecision('EUR', -50)],
    [
      centPrecision('EUR', Number.MAX_SAFE_INTEGER),
      relative(1),
      centPrecision('EUR', Number((BigInt(Number.MAX_SAFE_INTEGER) * 9999n) / 10_000n) + 1),
    ],
    [highPrecision('EUR', 12_345, 4), relative(5000), highPrecision('EUR', 6172, 4)],
    [highPrecision('EUR', 12_500, 4), relative(1), highPrecision('EUR', 12_499, 4)],
    [centPrecision('EUR', 100), { value: absolute(['USD', 1], ['EUR', 30]) }, centPrecision('EUR', 70)],
    [centPrecision('EUR', 100), { value: absolute(['EUR', 130]) }, centPrecision('EUR', 0)],
    [highPrecision('EUR', 12_345, 4), { value: absolute(['EUR', 30]) }, highPrecision('EUR', 9345, 4)],
  ];
  for (const [price, off, expected] of cases)
    t.strictSame(discountedValue(price, off), expected, JSON.stringify([price, off]));
  t.equal(discountedValue(centPrecision('EUR', 100), { value: absolute(['USD', 1]) }), undefined);
});

t.test('a plain model chooses the same', async (t) => {
  const moments = [before, now, after];
  const moment = fc.option(fc.constantFrom(...moments), { nil: undefined });
  const value = fc.oneof(
    fc.integer({ min: 1, max: 10_000 }).map((permyriad) => ({ type: 'relative', permyriad })),
    fc
      .uniqueArray(fc.constantFrom('EUR', 'USD', 'JPY'), { minLength: 1 })
      .map((codes) => absolute(...codes.map((code) => [code, 250] as const))),
    fc.constant(external),
  );
  const member = fc.record({
    value,
    isActive: fc.boolean(),
    validFrom: moment,
    validUntil: moment,
    bound: fc.integer({ min: 0, max: 1000 }),
  });
  const discounts = fc.array(member, { maxLength: 8 }).map((all) =>
    all.map(({ bound, ...given }, index) => ({
      bound,
      document: discount(`d${index}`, {
        ...(given as Partial<ProductDiscount>),
        predicate: `centAmount >= ${bound}`,
        sortOrder: `0.${((index * 7) % 11) + 1}1`,
      }),
    })),
  );
  const price = fc.record({
    currency: fc.constantFrom('EUR', 'USD', 'JPY'),
    cents: fc.integer({ min: 0, max: 1000 }),
    given: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }),
  });
  fc.assert(
    fc.property(discounts, price, (all, { currency, cents, given }) => {
      const own = { value: centPrecision(currency, 7), discount: { typeId: 'product-discount', id: `d${given}` } };
      const priced = { value: centPrecision(currency, cents), ...(given !== undefined && { discounted: own }) };
      const found = discountFor(
        { ...subject, price: priced },
        all.map(({ document }) => document),
        now,
      );
      const inForce = all
        .filter(({ document }) => document.isActive)
        .filter(({ document: { validFrom = before, validUntil = after } }) => validFrom <= now && now < validUntil)
        .filter(({ bound }) => cents >= bound)
        .map(({ document }) => document);
      const kept = inForce.find(({ id, value }) => id === own.discount.id && value.type === 'external');
      if (given !== undefined && kept !== undefined) return found === own;
      const fitting = inForce.filter(({ value }) => {
        if (value.type !== 'absolute') return value.type === 'relative';
        return (value['money'] as { currencyCode: string }[]).some(({ currencyCode }) => currencyCode === currency);
      });
      const orderOf = ({ sortOrder }: ProductDiscount): number => Number(sortOrder);
      const [best] = fitting.toSorted((one, other) => orderOf(other) - orderOf(one));
      if (best === undefined || found === undefined) return best === undefined && found === undefined;
      const { value } = best;
      const exact = value.type === 'relative' ? (cents * (10_000 - Number(value['permyriad']))) / 10_000 : cents - 250;
      const expected = value.type === 'relative' ? Math.ceil(exact - 0.5) : Math.max(0, exact);
      return found.discount.id === best.id && found.value.centAmount === Math.max(0, expected);
    }),
    { numRuns: 5000, seed: 3 },
  );
  t.pass();
});
