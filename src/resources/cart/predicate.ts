/**
 * What predicates say of carts and of their items: those of cart discounts, discount codes and shipping methods. They speak
 * of facts, which `facts.ts` makes of a cart; a member that is not named here is refused.
 */
import { sayingAbsence } from '../../predicate/absence.ts';
import type { Predicate } from '../../predicate/ast.ts';
import { parsePredicate } from '../../predicate/parser.ts';
import type { Aggregate, ObjectShape, Shape } from '../../predicate/shape.ts';

const text: Shape = { class: 'text' };
const number: Shape = { class: 'number' };
const boolean: Shape = { class: 'boolean' };
const money: Shape = { class: 'money' };
const moment: Shape = { class: 'dateTime' };
const texts: Shape = { class: 'list', item: text };
/** What types say of fields and attributes is not known here. */
const dynamic: Shape = { class: 'dynamic' };

function shapeOf(fields: Readonly<Record<string, Shape>>): ObjectShape {
  return { class: 'object', fields: new Map(Object.entries(fields)) };
}

function all(shape: Shape, names: string): Readonly<Record<string, Shape>> {
  return Object.fromEntries(names.split(' ').map((name) => [name, shape]));
}

const named = shapeOf({ typeId: text, id: text, key: text });
/** Of several resources together: `categories.id contains any ("…", "…")`. */
const namedTogether = shapeOf({ id: texts, key: texts });
const taxRate = shapeOf({ ...all(text, 'id key name country state'), amount: number, includedInPrice: boolean });
const taxed = shapeOf({ net: money, gross: money });

const address = shapeOf({
  ...all(
    text,
    'id key country title salutation firstName lastName streetName streetNumber additionalStreetInfo postalCode city region ' +
      'state company department building apartment pOBox phone mobile email fax additionalAddressInfo externalId',
  ),
  custom: dynamic,
});

/** What both kinds of items have. */
const ofItem = {
  ...all(text, 'id key priceMode'),
  quantity: number,
  totalPrice: money,
  taxRate,
  taxedPrice: taxed,
  custom: dynamic,
};

const lineItem = shapeOf({
  ...ofItem,
  sku: text,
  product: named,
  productType: named,
  variant: shapeOf({ id: number, key: text, sku: text }),
  attributes: dynamic,
  categories: namedTogether,
  categoriesWithAncestors: namedTogether,
  price: {
    class: 'money',
    fields: new Map<string, Shape>([
      ['amount', number],
      ['currency', text],
      ['country', text],
      ['customerGroup', named],
      ['channel', named],
      ['discount', named],
    ]),
  },
  supplyChannel: named,
  distributionChannel: named,
});

const customLineItem = shapeOf({
  ...ofItem,
  slug: text,
  name: { class: 'localized' },
  money,
  taxCategory: named,
});

const shippingInfo = shapeOf({
  shippingMethodName: text,
  price: money,
  shippingMethod: named,
  taxCategory: named,
  taxRate,
});

const customer = shapeOf({
  ...all(
    text,
    'id key email customerNumber externalId firstName lastName middleName title salutation companyName vatId dateOfBirth locale',
  ),
  isEmailVerified: boolean,
  customerGroup: named,
  custom: dynamic,
});

/** What predicates may ask of a list of the cart: how many there are, what they cost, and whether any or all fit. */
function aggregatesOf(item: Shape, list: string, noun: string): readonly (readonly [string, Aggregate])[] {
  const first = noun[0]!.toLowerCase() + noun.slice(1);
  return [
    [`${first}Count`, { gives: 'count', list, item }],
    [`${first}Total`, { gives: 'total', list, item, member: 'totalPrice' }],
    [`${first}NetTotal`, { gives: 'total', list, item, member: 'netTotal' }],
    [`${first}GrossTotal`, { gives: 'total', list, item, member: 'grossTotal' }],
    ...existenceOf(item, list, noun),
  ];
}

function existenceOf(item: Shape, list: string, noun: string): readonly (readonly [string, Aggregate])[] {
  return [
    [`${noun[0]!.toLowerCase()}${noun.slice(1)}Exists`, { gives: 'exists', list, item }],
    [`forAll${noun}s`, { gives: 'forAll', list, item }],
  ];
}

const cart: ObjectShape = {
  ...shapeOf({
    ...all(
      text,
      'id key currency country locale customerId customerEmail anonymousId origin taxMode taxRoundingMode priceRoundingMode ' +
        'taxCalculationMode inventoryMode shippingMode cartState purchaseOrderNumber',
    ),
    createdAt: moment,
    lastModifiedAt: moment,
    ...all(number, 'version totalLineItemQuantity deleteDaysAfterLastModification'),
    totalPrice: money,
    taxedPrice: taxed,
    customer,
    customerGroup: named,
    store: named,
    shippingAddress: address,
    billingAddress: address,
    itemShippingAddresses: { class: 'list', item: address },
    shippingRateInput: shapeOf({ type: text, score: number, key: text, label: { class: 'localized' } }),
    shippingInfo,
    lineItems: { class: 'list', item: lineItem },
    customLineItems: { class: 'list', item: customLineItem },
    custom: dynamic,
  }),
  aggregates: new Map([
    ...aggregatesOf(customLineItem, 'customLineItems', 'CustomLineItem'),
    ...aggregatesOf(lineItem, 'lineItems', 'LineItem'),
    ...existenceOf(shippingInfo, 'shippingInfos', 'ShippingInfo'),
  ]),
};

/** Parses a cart predicate; amounts may be written as `"10.50 EUR"`. Throws like parsePredicate. */
export function parseCartPredicate(source: string): Predicate {
  return sayingAbsence(parsePredicate(source, cart));
}

/** Parses a predicate on line items, such as the target of a discount. */
export function parseLineItemPredicate(source: string): Predicate {
  return sayingAbsence(parsePredicate(source, lineItem));
}

/** The same of custom line items. */
export function parseCustomLineItemPredicate(source: string): Predicate {
  return sayingAbsence(parsePredicate(source, customLineItem));
}
