import type { Predicate } from './ast.ts';
import { parsePredicate } from './parser.ts';
import type { Aggregate, ObjectShape, Shape } from './shape.ts';

const text: Shape = { class: 'text' };
const number: Shape = { class: 'number' };
const money: Shape = { class: 'money' };
const dateTime: Shape = { class: 'dateTime' };
const dynamic: Shape = { class: 'dynamic' };

function objectShape(fields: Readonly<Record<string, Shape>>): ObjectShape {
  return { class: 'object', fields: new Map(Object.entries(fields)) };
}

const addressNames = [
  'id',
  'key',
  'country',
  'state',
  'region',
  'city',
  'postalCode',
  'streetName',
  'streetNumber',
  'company',
  'department',
  'email',
];
const address = objectShape(Object.fromEntries(addressNames.map((name) => [name, text])));
const reference = objectShape({ typeId: text, id: text, key: text });
const custom = objectShape({ type: reference, fields: dynamic });

const customLineItem = objectShape({
  key: text,
  slug: text,
  name: { class: 'localized' },
  money,
  totalPrice: money,
  quantity: number,
  taxCategory: reference,
  custom,
});

const aggregates: readonly (readonly [string, Aggregate['gives']])[] = [
  ['customLineItemCount', 'count'],
  ['customLineItemTotal', 'total'],
  ['customLineItemExists', 'exists'],
  ['forAllCustomLineItems', 'forAll'],
];

/** The fields of a cart that a cart predicate can speak of. */
const cartFields = objectShape({
  key: text,
  customerEmail: text,
  customerId: text,
  anonymousId: text,
  country: text,
  currency: text,
  locale: text,
  totalPrice: money,
  shippingAddress: address,
  billingAddress: address,
  customLineItems: { class: 'list', item: customLineItem },
  shippingRateInput: objectShape({ type: text, key: text, score: number }),
  taxMode: text,
  origin: text,
  customerGroup: reference,
  store: reference,
  custom,
  createdAt: dateTime,
  lastModifiedAt: dateTime,
});

const cart: ObjectShape = {
  ...cartFields,
  aggregates: new Map(
    aggregates.map(([name, gives]) => [name, { gives, list: 'customLineItems', item: customLineItem }]),
  ),
};

/** Parses a cart predicate; amounts may be written as `"10.50 EUR"`. Throws like parsePredicate. */
export function parseCartPredicate(source: string): Predicate {
  return parsePredicate(source, cart);
}

/** What a cart predicate is evaluated on. */
export function cartFacts(document: { readonly totalPrice: { readonly currencyCode: string } }): object {
  return { ...document, currency: document.totalPrice.currencyCode };
}
