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

/** What predicates may ask of a list of the cart: how many there are, what they cost, and whether any or all fit. */
function aggregatesOf(item: Shape, list: string, noun: string): readonly (readonly [string, Aggregate])[] {
  const first = noun[0]!.toLowerCase() + noun.slice(1);
  return [
    [`${first}Count`, { gives: 'count', list, item }],
    [`${first}Total`, { gives: 'total', list, item }],
    [`${first}Exists`, { gives: 'exists', list, item }],
    [`forAll${noun}s`, { gives: 'forAll', list, item }],
  ];
}

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
  aggregates: new Map([
    ...aggregatesOf(customLineItem, 'customLineItems', 'CustomLineItem'),
    // Line items have more members than the carts of this version, so statements about them are not checked.
    ...aggregatesOf(dynamic, 'lineItems', 'LineItem'),
  ]),
};

/** Parses a cart predicate; amounts may be written as `"10.50 EUR"`. Throws like parsePredicate. */
export function parseCartPredicate(source: string): Predicate {
  return parsePredicate(source, cart);
}

/** Parses a predicate on a line item or a custom line item, such as the target of a discount. */
export function parseItemPredicate(source: string): Predicate {
  return parsePredicate(source, dynamic);
}

/** What a cart predicate is evaluated on. */
export function cartFacts(document: { readonly totalPrice: { readonly currencyCode: string } }): object {
  return { ...document, currency: document.totalPrice.currencyCode };
}
