/**
 * What a method costs a cart is what the rate says that matching marks, and methods that do not match cannot be set: on
 * random methods and carts. TEST_CASES says on how many carts.
 */
import type { CartDraft, ShippingMethod, ShippingMethodDraft, ShippingRateDraft } from '@commercetools/platform-sdk';
import t from 'tap';
import { american, eur, german, newYork, startCartShop } from '../support/cart-shop.ts';
import { choicesOf, type Choices } from '../support/cart-model/random-choices.ts';

const cartCount = Number(process.env['TEST_CASES'] ?? 40);
const methodCount = 15;
const currencies = ['EUR', 'USD'];
const usd = (centAmount: number) => ({ currencyCode: 'USD', centAmount });

function randomRate(choices: Choices, currencyCode: string): ShippingRateDraft {
  const { below, maybe } = choices;
  const amount = (max: number) => ({ currencyCode, centAmount: below(max) });
  return {
    price: amount(2000),
    ...maybe(0.3, () => ({ freeAbove: amount(9000) })),
    ...maybe(0.6, () => ({
      tiers: choices.some([500, 1000, 2000, 2700, 5000], 1, 3).map((minimumCentAmount) => ({
        type: 'CartValue' as const,
        minimumCentAmount,
        price: amount(1500),
      })),
    })),
  };
}

function randomMethod(seed: number): ShippingMethodDraft {
  const choices = choicesOf(seed);
  const { some, pick, maybe, chance } = choices;
  return {
    key: `method-${seed}`,
    name: `Method ${seed}`,
    taxCategory: { typeId: 'tax-category', key: 'standard' },
    isDefault: false,
    active: chance(0.9),
    zoneRates: some(['de', 'us', 'ny'], 1, 3).map((key) => ({
      zone: { typeId: 'zone', key },
      shippingRates: some(currencies, 1, 2).map((currencyCode) => randomRate(choices, currencyCode)),
    })),
    ...maybe(0.5, () => ({
      predicate: pick([
        'totalPrice > "30.00 EUR"',
        'lineItemCount(quantity > 1) > 0',
        'shippingAddress.country = "US"',
        'customLineItems is not empty',
        'lineItemTotal(sku = "lamp") < "25.00 EUR"',
      ]),
    })),
  };
}

function randomDraft(choices: Choices): Partial<CartDraft> & { readonly currency: string } {
  const { below, pick, some, maybe } = choices;
  return {
    currency: pick(currencies),
    shippingAddress: pick([german, american, newYork]),
    lineItems: some(['lamp', 'chair'], 0, 2).map((sku) => ({ sku, quantity: 1 + below(5) })),
    ...maybe(0.2, () => ({ taxMode: 'Disabled' as const })),
  };
}

/** By what matching marks. The value is that of items after discounts. */
function markedPrice({ zoneRates }: ShippingMethod, value: number): number {
  const marked = zoneRates.flatMap(({ shippingRates }) =>
    shippingRates.filter(({ isMatching }) => isMatching === true),
  );
  if (marked.length !== 1) throw new Error(`${marked.length} rates are marked`);
  const [{ price, freeAbove, tiers }] = marked as [(typeof marked)[number]];
  if (freeAbove !== undefined && value >= freeAbove.centAmount) return 0;
  const marks = tiers as readonly { readonly isMatching?: boolean; readonly price?: { readonly centAmount: number } }[];
  return (marks.find(({ isMatching }) => isMatching === true)?.price ?? price).centAmount;
}

t.test('a cart gets the price of the rate that matching marks', async (t) => {
  const { addProduct, addDiscount, cart, update, refused, api } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }, { value: usd(1100) }]);
  await addProduct('chair', [{ value: eur(999) }, { value: usd(1300) }]);
  await addDiscount('many', { type: 'relative', permyriad: 1000 }, { cartPredicate: 'totalPrice > "20.00 EUR"' });
  const { version } = (await api.get().execute()).body;
  const type = { action: 'setShippingRateInputType', shippingRateInputType: { type: 'CartValue' } } as const;
  await api.post({ body: { version, actions: [type] } }).execute();
  const methods: ShippingMethod[] = [];
  for (let seed = 1; seed <= methodCount; seed += 1)
    methods.push(
      (
        await api
          .shippingMethods()
          .post({ body: randomMethod(seed) })
          .execute()
      ).body,
    );
  const counts = { matching: 0, others: 0, free: 0 };
  for (let seed = 1; seed <= cartCount; seed += 1) {
    let own = await cart(randomDraft(choicesOf(seed)));
    const value = own.totalPrice.centAmount;
    const query = { queryArgs: { cartId: own.id } };
    const { results } = (await api.shippingMethods().matchingCart().get(query).execute()).body;
    for (const method of results) {
      const shippingMethod = { typeId: 'shipping-method' as const, id: method.id };
      own = await update(own, { action: 'setShippingMethod', shippingMethod });
      const expected = markedPrice(method, value);
      t.equal(own.shippingInfo?.price.centAmount, expected, `cart ${seed}, ${method.key}`);
      counts.matching += 1;
      if (expected === 0) counts.free += 1;
    }
    own = await update(own, { action: 'setShippingMethod' });
    const matching = new Set(results.map(({ id }) => id));
    for (const { id, key } of methods.filter((each) => !matching.has(each.id)).slice(0, 2)) {
      const { status } = await refused(own, {
        action: 'setShippingMethod',
        shippingMethod: { typeId: 'shipping-method', id },
      });
      t.equal(status, 400, `cart ${seed}, ${key} does not match`);
      counts.others += 1;
    }
  }
  t.ok(counts.matching > cartCount && counts.others > cartCount && counts.free > 0, JSON.stringify(counts));
});
