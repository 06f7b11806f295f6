import fc from 'fast-check';
import t from 'tap';
import { centPrecision, highPrecision, type TypedMoney } from '../../../src/money/money.ts';
import type { ProductDiscount } from '../../../src/resources/product-discount/fields.ts';
import {
  discountedValue,
  type Discounting,
  discountFor,
  discountsOf,
} from '../../../src/resources/product-discount/offers.ts';
import { Random } from '../../../src/demo/random.ts';
import { compilePredicate } from '../../../src/predicate/compile.ts';
import { factsOfPrice, factsOfVariant } from '../../../src/resources/product-discount/facts.ts';
import { parseProductPredicate } from '../../../src/resources/product-discount/predicate.ts';
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

/** Gives the shares of a turn that are asked for to `note`. */
function discounting(note: (share: number) => void = () => {}): Discounting {
  return { now, turn: async (share) => note(share) };
}

function chosen(price: Partial<PriceSubject['price']>, ...discounts: readonly ProductDiscount[]) {
  return discountFor({ ...subject, price: { ...subject.price, ...price } }, discounts, discounting());
}

const idOf = async (found: ReturnType<typeof discountFor>): Promise<string | undefined> => (await found)?.discount.id;

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
    t.equal((await chosen({}, discount('a', { predicate }))) !== undefined, expected, predicate);
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
    t.equal(
      (await discountFor(bare, [discount('a', { predicate })], discounting())) !== undefined,
      expected,
      predicate,
    );
});

t.test('the highest sort order holds among those that are in force and fit', async (t) => {
  const high = (members: Partial<ProductDiscount>): ProductDiscount =>
    discount('high', { sortOrder: '0.91', ...members });
  const low = discount('low', { sortOrder: '0.9' });
  t.equal(await idOf(chosen({}, low, high({}))), 'high');
  t.equal(await idOf(chosen({}, high({}), low)), 'high');
  for (const members of [
    { isActive: false },
    { validFrom: after },
    { validUntil: now },
    { predicate: 'sku = "other"' },
    { value: absolute(['USD', 100]) },
    { value: external },
  ])
    t.equal(await idOf(chosen({}, high(members), low)), 'low', JSON.stringify(members));
  for (const members of [{ validFrom: now }, { validUntil: after }, { validFrom: before, validUntil: after }])
    t.equal(await idOf(chosen({}, high(members), low)), 'high', JSON.stringify(members));
  t.equal(await chosen({}), undefined);
});

t.test('what a client said of an external discount stays while that holds, and goes before all others', async (t) => {
  const discounted = {
    value: centPrecision('EUR', 999),
    discount: { typeId: 'product-discount', id: 'out' },
  };
  const out = (members: Partial<ProductDiscount> = {}): ProductDiscount =>
    discount('out', { value: external, sortOrder: '0.1', ...members });
  const own = discount('own');
  t.strictSame(await chosen({ discounted }, own, out()), discounted);
  for (const members of [{ isActive: false }, { validUntil: now }, { predicate: 'false' }, { value: half }])
    t.not((await chosen({ discounted }, own, out(members)))?.value.centAmount, 999, JSON.stringify(members));
  t.equal(await idOf(chosen({ discounted }, own)), 'own', 'of one that is gone nothing is left');
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

/** `centAmount < 0 or centAmount < -1 or …`, which holds for no price. */
function statements(count: number): string {
  return Array.from({ length: count }, (_, index) => `centAmount < -${index}`).join(' or ');
}

function pricedVariants(count: number, prices: number) {
  return Array.from({ length: count }, (_, index) => ({
    ...subject,
    variant: { ...subject.variant, id: index + 1, sku: `S-${index}` },
    prices: Array.from({ length: prices }, (_, at) => ({
      value: centPrecision(at % 2 === 0 ? 'EUR' : 'USD', 100 + at),
    })),
  }));
}

t.test('many prices are compared in turns', async (t) => {
  const long = discount('long', { predicate: statements(300), sortOrder: '0.9' });
  const ofOne = discount('one', { predicate: 'sku = "S-7" and currency = "EUR"', sortOrder: '0.8' });
  const shares: number[] = [];
  const found = await discountsOf(
    pricedVariants(50, 100),
    [long, ofOne],
    discounting((share) => shares.push(share)),
  );
  t.strictSame(
    found.map((prices) => prices.map((price) => price?.discount.id)),
    found.map((_, variant) =>
      Array.from({ length: 100 }, (_, at) => (variant === 7 && at % 2 === 0 ? 'one' : undefined)),
    ),
  );
  // A turn is of 100,000 steps.
  t.ok(shares.length >= (50 * 100 * 300) / 100_000, `${shares.length} turns`);
  t.ok(Math.max(...shares) < 1.1, 'no piece is much longer than another');
});

t.test('what a predicate says of variants alone is asked once for each', async (t) => {
  let shares = 0;
  const predicate = Array.from({ length: 500 }, (_, index) => `sku = "other-${index}"`).join(' or ');
  await discountsOf(
    pricedVariants(20, 100),
    [discount('a', { predicate })],
    discounting((share) => (shares += share)),
  );
  t.ok(shares * 100_000 < 20 * 500 * 10 + predicate.length * 10, `${shares} shares`);
});

t.test('more prices than can be compared with the predicates in force are refused before one is', async (t) => {
  const discounts = Array.from({ length: 8 }, (_, index) =>
    discount(`d${index}`, { predicate: statements(300), sortOrder: `0.${index + 1}1` }),
  );
  const shares: number[] = [];
  const asked = (members: Partial<ProductDiscount>, prices = 100) =>
    discountsOf(
      pricedVariants(100, prices),
      discounts.map((each) => ({ ...each, ...members })),
      discounting((share) => shares.push(share)),
    );
  await t.rejects(asked({}), { code: 'InvalidOperation', message: /10000 prices with 8 discounts/ });
  // The predicates are parsed by then.
  t.ok(shares.length <= 8, `${shares.length} turns`);
  await t.resolves(asked({ isActive: false }), 'what is not in force does not count');
  await t.resolves(asked({ validUntil: now }));
  await t.resolves(asked({}, 10), 'a tenth of the prices');
});

t.test('values of which a variant has many count as often', async (t) => {
  const values = Array.from({ length: 10_000 }, (_, index) => `tag-${index}`);
  const predicate = Array.from({ length: 60 }, (_, index) => `attributes.tags = "none-${index}"`).join(' or ');
  const attributes = [{ name: 'tags', value: values }];
  const large = { ...subject, variant: { ...subject.variant, attributes } };
  await t.rejects(discountFor(large, [discount('a', { predicate })], discounting()), {
    code: 'InvalidOperation',
    message: /600\d{3} steps, and 500000/,
  });
  const small = {
    ...subject,
    variant: { ...subject.variant, attributes: [{ name: 'tags', value: values.slice(5000) }] },
  };
  t.equal(await discountFor(small, [discount('a', { predicate })], discounting()), undefined);
  const other = { ...subject, variant: { ...subject.variant, attributes: [{ name: 'others', value: values }] } };
  t.equal(await discountFor(other, [discount('a', { predicate })], discounting()), undefined);
});

t.test('what a variant has many of counts, however much the predicates speak of', async (t) => {
  const ids = (name: string) => Array.from({ length: 6000 }, (_, index) => ({ id: `${name}-${index}` }));
  const statementsOf = (said: string) =>
    [...Array.from({ length: 120 }, () => said), 'attributes.none = 1', 'attributes.nothing = 1'].join(' or ');
  const bare = { ...subject, categories: [], ancestors: [] };
  const attributes = Array.from({ length: 6000 }, (_, index) => ({ name: `attribute-${index}`, value: index }));
  const cases: readonly (readonly [said: string, large: PriceSubject])[] = [
    ['categories.id contains "none"', { ...bare, categories: ids('category') }],
    ['categoriesWithAncestors.id contains "none"', { ...bare, ancestors: ids('ancestor') }],
    ['attributes is empty', { ...bare, variant: { ...subject.variant, attributes } }],
  ];
  for (const [said, large] of cases) {
    const long = discount('a', { predicate: statementsOf(said) });
    t.equal(await discountFor(bare, [long], discounting()), undefined, said);
    await t.rejects(
      discountFor(large, [long], discounting()),
      { code: 'InvalidOperation', message: /and 500000 are taken/ },
      said,
    );
  }
});

t.test('what the variants of a product have in common is measured once', async (t) => {
  let looks = 0;
  // A value that tells how often its elements were counted.
  const value = new Proxy(
    Array.from({ length: 1000 }, (_, index) => index),
    {
      ownKeys: (target) => {
        looks += 1;
        return Reflect.ownKeys(target);
      },
    },
  );
  const attributes = [...subject.variant.attributes, { name: 'numbers', value }];
  const variants = pricedVariants(50, 1).map((variant) => ({
    ...variant,
    variant: { ...variant.variant, attributes: [...attributes] },
  }));
  await discountsOf(variants, [discount('a', { predicate: 'sku = "other"' })], discounting());
  t.equal(looks, 1);
});

t.test('variants of which there is much to say have turns without many prices', async (t) => {
  const attributes = Array.from({ length: 5000 }, (_, index) => ({ name: `attribute-${index}`, value: { en: 'a' } }));
  const variants = pricedVariants(60, 1).map((variant) => ({
    ...variant,
    variant: { ...variant.variant, attributes },
  }));
  const shares: number[] = [];
  await discountsOf(
    variants,
    [discount('a', { predicate: 'sku = "other"' })],
    discounting((share) => shares.push(share)),
  );
  t.ok(shares.length >= (2 * 60 * 5000 * 16) / 200_000, `${shares.length} turns`);
  t.ok(Math.max(...shares) < 2, 'no piece is more than one variant longer than another');
});

t.test('predicates hold for variants with their prices as they do when all is evaluated at once', async (t) => {
  const random = new Random(1);
  const statementsOf = [
    'sku = "S-1"',
    'not (sku = "S-2")',
    'currency = "EUR"',
    'price.centAmount > 101',
    'attributes.watts > 39',
    'categories.id contains "c2"',
    '1 = 2',
    'customerGroup.id is not defined',
    '(sku = "S-0" or centAmount > 102)',
    'product.key = "lamp"',
  ];
  for (let round = 0; round < 300; round += 1) {
    const predicates = Array.from({ length: 4 }, () =>
      Array.from({ length: random.integer(1, 3) }, () => random.pick(statementsOf)).join(
        random.pick([' and ', ' or ']),
      ),
    );
    const discounts = predicates.map((predicate, index) =>
      discount(`d${index}`, { predicate, sortOrder: `0.${9 - index}` }),
    );
    const variants = pricedVariants(3, 4);
    const found = await discountsOf(variants, discounts, discounting());
    const expected = variants.map((variant) =>
      variant.prices.map((price) => {
        const facts = factsOfPrice(factsOfVariant(variant), price);
        return discounts.find(({ predicate }) => compilePredicate(parseProductPredicate(predicate))(facts))?.id;
      }),
    );
    t.strictSame(
      found.map((prices) => prices.map((price) => price?.discount.id)),
      expected,
      predicates.join(' | '),
    );
  }
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
  await fc.assert(
    fc.asyncProperty(discounts, price, async (all, { currency, cents, given }) => {
      const own = { value: centPrecision(currency, 7), discount: { typeId: 'product-discount', id: `d${given}` } };
      const priced = { value: centPrecision(currency, cents), ...(given !== undefined && { discounted: own }) };
      const found = await discountFor(
        { ...subject, price: priced },
        all.map(({ document }) => document),
        discounting(),
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
