import t from 'tap';
import { compilePredicate } from '../../src/predicate/compile.ts';
import { readPart, type ReadMembers, readsOf } from '../../src/predicate/reads.ts';
import { parseCartPredicate } from '../../src/resources/cart/predicate.ts';

function plain(reads: ReadMembers): unknown {
  return reads === true ? true : Object.fromEntries([...reads].map(([name, members]) => [name, plain(members)]));
}

const money = (centAmount: number): object => ({
  type: 'centPrecision',
  currencyCode: 'EUR',
  centAmount,
  fractionDigits: 2,
});

const items = [
  { id: 'a', quantity: 1, sku: 'one', product: { typeId: 'product', id: 'p', key: 'pen' }, totalPrice: money(100) },
  { id: 'b', quantity: 3, totalPrice: money(500), attributes: { size: 'l' }, categories: { id: ['x', 'y'] } },
];

const carts: readonly object[] = [
  {
    currency: 'EUR',
    totalPrice: money(600),
    lineItems: items,
    customLineItems: [],
    shippingAddress: { country: 'DE', custom: { floor: 3 } },
    custom: { gift: true, tags: ['new'], fields: { gift: true } },
    store: { typeId: 'store', key: 'berlin' },
  },
  { currency: 'EUR', totalPrice: money(0), lineItems: [], customLineItems: [{ id: 'c', quantity: 1 }] },
];

const cases: readonly { readonly text: string; readonly reads: object }[] = [
  { text: 'totalPrice > "1.00 EUR"', reads: { totalPrice: true } },
  { text: 'currency = "EUR" and store.key != "berlin"', reads: { currency: true, store: { key: true } } },
  { text: 'lineItemCount(quantity > 0) > 2', reads: { currency: true, lineItems: { quantity: true } } },
  { text: 'lineItemCount(true) = 4', reads: { currency: true, lineItems: { quantity: true } } },
  { text: 'lineItemExists(true)', reads: { lineItems: {} } },
  {
    text: 'lineItemTotal(attributes.size = "l") >= "5.00 EUR"',
    reads: { currency: true, lineItems: { totalPrice: true, attributes: { size: true } } },
  },
  { text: 'forAllLineItems(product.key = "pen")', reads: { lineItems: { product: { key: true } } } },
  { text: 'custom is defined and custom.gift = true', reads: { custom: true } },
  {
    text: 'shippingAddress.custom.floor > 2 or not (custom.tags contains any ("new"))',
    reads: { shippingAddress: { custom: { floor: true } }, custom: { tags: true } },
  },
  { text: 'lineItemExists(categories.id contains any ("y"))', reads: { lineItems: { categories: { id: true } } } },
  {
    text: 'custom.constructor is not defined and lineItemExists(attributes.toString is not defined)',
    reads: { custom: { constructor: true }, lineItems: { attributes: { toString: true } } },
  },
  { text: 'lineItems is not empty and lineItemExists(product.key = "pen")', reads: { lineItems: true } },
  { text: 'customer is not defined', reads: { customer: true } },
];

void t.test('a predicate holds for what it reads of a cart as for the whole cart', (t) => {
  for (const { text } of cases) {
    const predicate = parseCartPredicate(text);
    const holds = compilePredicate(predicate);
    for (const cart of carts) t.equal(holds(readPart(cart, readsOf([predicate]))), holds(cart), text);
    const all = readsOf(cases.map((each) => parseCartPredicate(each.text)));
    for (const cart of carts) t.equal(holds(readPart(cart, all)), holds(cart), `${text} beside others`);
  }
  t.end();
});

void t.test('what is read is no more than what predicates name', (t) => {
  for (const { text, reads } of cases) t.strictSame(plain(readsOf([parseCartPredicate(text)]).members), reads, text);
  t.strictSame(plain(readsOf([parseCartPredicate('lineItemExists(sku = "one")')]).members), {
    lineItems: { sku: true },
  });
  t.end();
});

void t.test('names are known wherever they stand, below what is read as a whole too', (t) => {
  const predicate = parseCartPredicate('lineItems is not empty and lineItemExists(product.key = "pen")');
  const { names } = readsOf([predicate]);
  t.equal(names.size, 3);
  for (const name of ['key', 'lineItems', 'product']) t.ok(names.has(name), name);
  t.end();
});
