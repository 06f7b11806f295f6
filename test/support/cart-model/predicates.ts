/**
 * Section 10: texts of predicates, and what each says, written by hand. The model parses none; random worlds draw from
 * these tables only. A field without value makes every comparison false (10.2), which `has` and `some` say here.
 */
import type { TypedMoney } from '@commercetools/platform-sdk';
import { amountOf, centsOf } from './amounts.ts';
import {
  currencyOf,
  type ModelCart,
  type ModelCustomLine,
  type ModelItem,
  type ModelLine,
  type ModelShippingInfo,
  type ModelWorld,
  shippingInfosOf,
} from './cart-shapes.ts';
import { add, compare, decimal, multiply, type Rational, rational, zero } from './rational.ts';
import { idOf } from './world-ids.ts';

type CartTest = (cart: ModelCart, world: ModelWorld) => boolean;
type LineTest = (line: ModelLine, world: ModelWorld) => boolean;
type CustomLineTest = (line: ModelCustomLine) => boolean;

function some<Value>(value: Value | null | undefined, test: (value: Value) => boolean): boolean {
  return value !== undefined && value !== null && test(value);
}

function has(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** How money compares with so many EUR; undefined for another currency, which is never equal or ordered (10.1). */
function euros(money: TypedMoney | undefined, amount: string): number | undefined {
  if (money?.currencyCode !== 'EUR') return undefined;
  return compare(centsOf(amountOf(money)), multiply(decimal(amount), rational(100n)));
}

function isAbove(money: TypedMoney | undefined, amount: string): boolean {
  return some(euros(money, amount), (order) => order > 0);
}

function isAtLeast(money: TypedMoney | undefined, amount: string): boolean {
  return some(euros(money, amount), (order) => order >= 0);
}

function isBelow(money: TypedMoney | undefined, amount: string): boolean {
  return some(euros(money, amount), (order) => order < 0);
}

/** A sum of moneys in EUR against an amount; where one misses there is none (10.4). */
function isSumAbove(cart: ModelCart, moneys: readonly (TypedMoney | undefined)[], amount: string): boolean {
  let total: Rational = zero;
  for (const money of moneys) {
    if (money === undefined) return false;
    total = add(total, centsOf(amountOf(money)));
  }
  return currencyOf(cart) === 'EUR' && compare(total, multiply(decimal(amount), rational(100n))) > 0;
}

function count(items: readonly ModelItem[]): number {
  return items.reduce((total, { quantity }) => total + quantity, 0);
}

function field(
  holder: { readonly custom?: { readonly fields: Readonly<Record<string, unknown>> } },
  name: string,
): unknown {
  return holder.custom?.fields[name];
}

function list(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function customerOf(cart: ModelCart, world: ModelWorld): ModelWorld['customers'][number] | undefined {
  return world.customers.find(({ id }) => id === cart.customerId);
}

function attribute(line: ModelLine, name: string): unknown {
  return line.variant.attributes?.find((own) => own.name === name)?.value;
}

/** A member of an object that an attribute's value is. */
function attributeMember(line: ModelLine, name: string, member: string): unknown {
  const value = attribute(line, name);
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[member] : undefined;
}

function unitPrice({ price }: ModelLine): TypedMoney {
  return price.discounted?.value ?? price.value;
}

function categoriesOf(line: ModelLine, world: ModelWorld): readonly string[] {
  const product = world.products.find(({ id }) => id === line.productId);
  return (product?.masterData.current.categories ?? []).map(({ id }) => id);
}

function withAncestors(line: ModelLine, world: ModelWorld): readonly string[] {
  return categoriesOf(line, world).flatMap((id) => {
    const category = world.categories.find((candidate) => candidate.id === id);
    return [id, ...(category?.ancestors ?? []).map((ancestor) => ancestor.id)];
  });
}

function isRed(line: ModelLine): boolean {
  return attributeMember(line, 'color', 'key') === 'red';
}

function isNumber(value: unknown, test: (value: number) => boolean): boolean {
  return typeof value === 'number' && test(value);
}

function isFee({ slug }: ModelCustomLine): boolean {
  return slug === 'fee';
}

function keyOf(
  resources: readonly { readonly id: string; readonly key?: string }[],
  id: string | undefined,
): string | undefined {
  return resources.find((resource) => resource.id === id)?.key;
}

function cheapShipping({ price }: ModelShippingInfo): boolean {
  return isBelow(price, '4.00');
}

export const cartPredicates: Readonly<Record<string, CartTest>> = {
  '1 = 1': () => true,
  true: () => true,
  'totalPrice >= "10.00 EUR"': (cart) => isAtLeast(cart.totalPrice, '10'),
  'totalPrice < "3.33 EUR" or currency = "USD"': (cart) =>
    isBelow(cart.totalPrice, '3.33') || currencyOf(cart) === 'USD',
  'totalPrice = "10.50 EUR"': (cart) => euros(cart.totalPrice, '10.50') === 0,
  'country = "DE"': (cart) => cart.country === 'DE',
  'country != "DE"': (cart) => has(cart.country) && cart.country !== 'DE',
  'not(country = "DE")': (cart) => cart.country !== 'DE',
  'country is defined and country in ("DE", "AT")': (cart) => cart.country === 'DE' || cart.country === 'AT',
  'country not in ("US", "AT")': (cart) => some(cart.country, (country) => country !== 'US' && country !== 'AT'),
  'customer.email = "ada@example.com"': (cart, world) => customerOf(cart, world)?.email === 'ada@example.com',
  [`customer.customerGroup.id = "${idOf('customer-group', 1)}"`]: (cart, world) =>
    customerOf(cart, world)?.customerGroup?.id === idOf('customer-group', 1),
  'customer.firstName is defined or customer.id is not defined': (cart, world) =>
    has(customerOf(cart, world)?.firstName) || !has(cart.customerId),
  'shippingAddress.country = "US" and shippingAddress.state = "NY"': ({ shippingAddress }) =>
    shippingAddress?.country === 'US' && shippingAddress.state === 'NY',
  'not(shippingAddress.state = "NY") and shippingAddress.country = "US"': ({ shippingAddress }) =>
    shippingAddress?.country === 'US' && shippingAddress.state !== 'NY',
  'billingAddress.city = "Bonn"': (cart) => cart.billingAddress?.city === 'Bonn',
  'store.key = "store-1"': (cart) => cart.store?.key === 'store-1',
  'origin = "Customer" and (country = "US" or custom.vip = true)': (cart) =>
    cart.origin === 'Customer' && (cart.country === 'US' || field(cart, 'vip') === true),
  'custom.vip': (cart) => field(cart, 'vip') === true,
  'custom.score > 5 and custom.score <= 10': (cart) =>
    isNumber(field(cart, 'score'), (score) => score > 5 && score <= 10),
  'custom.score <> 7': (cart) => isNumber(field(cart, 'score'), (score) => score !== 7),
  'custom.tags contains any ("a", "b")': (cart) =>
    some(list(field(cart, 'tags')), (tags) => tags.includes('a') || tags.includes('b')),
  'custom.tags contains all ("a", "b")': (cart) =>
    some(list(field(cart, 'tags')), (tags) => tags.includes('a') && tags.includes('b')),
  'custom.tags is not empty': (cart) => some(list(field(cart, 'tags')), (tags) => tags.length > 0),
  'custom.tags = ("a", "b")': (cart) =>
    some(list(field(cart, 'tags')), (tags) => tags.length === 2 && tags.includes('a') && tags.includes('b')),
  'lineItemCount(1 = 1) >= 3': (cart) => count(cart.lineItems) >= 3,
  'lineItemCount(quantity > 1) = 2': (cart) => count(cart.lineItems.filter(({ quantity }) => quantity > 1)) === 2,
  'lineItemTotal(sku = "sku-1-1") > "1.00 EUR"': (cart) =>
    isSumAbove(
      cart,
      cart.lineItems.filter(({ variant }) => variant.sku === 'sku-1-1').map((line) => line.totalPrice),
      '1',
    ),
  'lineItemTotal(1 = 1) > "5.00 EUR"': (cart) =>
    isSumAbove(
      cart,
      cart.lineItems.map((line) => line.totalPrice),
      '5',
    ),
  'lineItemNetTotal(1 = 1) > "2.00 EUR"': (cart) =>
    isSumAbove(
      cart,
      cart.lineItems.map((line) => line.taxedPrice?.totalNet),
      '2',
    ),
  'lineItemGrossTotal(attributes.color.key = "red") > "1.08 EUR"': (cart) =>
    isSumAbove(
      cart,
      cart.lineItems.filter(isRed).map((line) => line.taxedPrice?.totalGross),
      '1.08',
    ),
  'lineItemExists(attributes.color.key = "red")': (cart) => cart.lineItems.some(isRed),
  'forAllLineItems(quantity > 1)': (cart) => cart.lineItems.every(({ quantity }) => quantity > 1),
  'customLineItemCount(1 = 1) < 3': (cart) => count(cart.customLineItems) < 3,
  'customLineItemTotal(slug = "fee") > "1.00 EUR"': (cart) =>
    isSumAbove(
      cart,
      cart.customLineItems.filter(isFee).map((line) => line.totalPrice),
      '1',
    ),
  'customLineItemNetTotal(1 = 1) > "1.00 EUR"': (cart) =>
    isSumAbove(
      cart,
      cart.customLineItems.map((line) => line.taxedPrice?.totalNet),
      '1',
    ),
  'customLineItemGrossTotal(1 = 1) > "1.00 EUR"': (cart) =>
    isSumAbove(
      cart,
      cart.customLineItems.map((line) => line.taxedPrice?.totalGross),
      '1',
    ),
  'customLineItemExists(slug = "fee") or lineItemExists(variant.id = 2)': (cart) =>
    cart.customLineItems.some(isFee) || cart.lineItems.some(({ variant }) => variant.id === 2),
  'shippingInfo.shippingMethodName = "Standard"': (cart) => cart.shippingInfo?.shippingMethodName === 'Standard',
  'shippingInfo.price < "4.00 EUR"': (cart) => some(cart.shippingInfo, cheapShipping),
  'shippingInfo.shippingMethod.key = "method-1" or shippingInfo.taxRate.amount = 0.07': (cart, world) =>
    keyOf(world.shippingMethods, cart.shippingInfo?.shippingMethod?.id) === 'method-1' ||
    cart.shippingInfo?.taxRate?.amount === 0.07,
  'shippingInfoExists(price < "4.00 EUR")': (cart) => shippingInfosOf(cart).some(cheapShipping),
  'forAllShippingInfos(price < "4.00 EUR")': (cart) => shippingInfosOf(cart).every(cheapShipping),
  'taxedPrice.net > "3.00 EUR" and taxedPrice.gross < "12.00 EUR"': ({ taxedPrice }) =>
    isAbove(taxedPrice?.totalNet, '3') && isBelow(taxedPrice?.totalGross, '12'),
};

export const lineItemPredicates: Readonly<Record<string, LineTest>> = {
  '1 = 1': () => true,
  'sku = "sku-1-1"': ({ variant }) => variant.sku === 'sku-1-1',
  'sku in ("sku-1-1", "sku-2-1", "sku-3-1")': ({ variant }) =>
    some(variant.sku, (sku) => ['sku-1-1', 'sku-2-1', 'sku-3-1'].includes(sku)),
  'sku not in ("sku-1-1", "sku-4-1")': ({ variant }) =>
    some(variant.sku, (sku) => sku !== 'sku-1-1' && sku !== 'sku-4-1'),
  [`product.id = "${idOf('product', 2)}"`]: (line) => line.productId === idOf('product', 2),
  'product.key != "product-1"': (line) => some(line.productKey, (key) => key !== 'product-1'),
  [`productType.id = "${idOf('product-type', 1)}"`]: (line) => line.productType.id === idOf('product-type', 1),
  'variant.id = 1': ({ variant }) => variant.id === 1,
  'quantity >= 2': ({ quantity }) => quantity >= 2,
  'attributes.size > 2': (line) => isNumber(attribute(line, 'size'), (size) => size > 2),
  'attributes.size != 2': (line) => isNumber(attribute(line, 'size'), (size) => size !== 2),
  'not(attributes.size > 2)': (line) => !isNumber(attribute(line, 'size'), (size) => size > 2),
  'attributes.size is not defined': (line) => !has(attribute(line, 'size')),
  'attributes.color.key = "red"': isRed,
  'attributes.color.label = "Blue" or attributes.organic = true': (line) =>
    attributeMember(line, 'color', 'label') === 'Blue' || attribute(line, 'organic') === true,
  'attributes.organic': (line) => attribute(line, 'organic') === true,
  'attributes.tags contains "sale"': (line) => some(list(attribute(line, 'tags')), (tags) => tags.includes('sale')),
  'attributes.tags contains all ("sale", "new")': (line) =>
    some(list(attribute(line, 'tags')), (tags) => tags.includes('sale') && tags.includes('new')),
  'attributes.deposit.centAmount < 100': (line) =>
    isNumber(attributeMember(line, 'deposit', 'centAmount'), (amount) => amount < 100),
  [`categories.id contains any ("${idOf('category', 2)}", "${idOf('category', 3)}")`]: (line, world) =>
    categoriesOf(line, world).some((id) => id === idOf('category', 2) || id === idOf('category', 3)),
  [`categories.id = "${idOf('category', 1)}"`]: (line, world) =>
    categoriesOf(line, world).includes(idOf('category', 1)),
  [`categoriesWithAncestors.id contains "${idOf('category', 1)}"`]: (line, world) =>
    withAncestors(line, world).includes(idOf('category', 1)),
  'price >= "1.00 EUR"': (line) => isAtLeast(unitPrice(line), '1'),
  'price < "1.08 EUR"': (line) => isBelow(unitPrice(line), '1.08'),
  'price.centAmount in (1, 2, 3, 5, 333)': (line) => [1, 2, 3, 5, 333].includes(unitPrice(line).centAmount),
  'price.country = "DE"': ({ price }) => price.country === 'DE',
  'price.country is not defined and price.currency = "EUR"': ({ price }) =>
    !has(price.country) && price.value.currencyCode === 'EUR',
  [`price.customerGroup.id = "${idOf('customer-group', 1)}"`]: ({ price }) =>
    price.customerGroup?.id === idOf('customer-group', 1),
  'price.channel.key = "channel-1"': ({ price }, world) => keyOf(world.channels, price.channel?.id) === 'channel-1',
  'price.discount.id is defined': ({ price }) => has(price.discounted),
  'taxRate.name = "Standard" and taxRate.includedInPrice = true': ({ taxRate }) =>
    taxRate?.name === 'Standard' && taxRate.includedInPrice,
  'taxRate.amount = 0.19': ({ taxRate }) => taxRate?.amount === 0.19,
  'taxRate.country = "US" and taxRate.state is defined': ({ taxRate }) =>
    taxRate?.country === 'US' && has(taxRate.state),
  'taxedPrice.gross > "1.00 EUR"': ({ taxedPrice }) => isAbove(taxedPrice?.totalGross, '1'),
  'taxedPrice.net <= "10.00 EUR"': ({ taxedPrice }) => some(euros(taxedPrice?.totalNet, '10'), (order) => order <= 0),
  'custom.engraving = "Ada"': (line) => field(line, 'engraving') === 'Ada',
  'custom.engraving is defined': (line) => has(field(line, 'engraving')),
  [`supplyChannel.id = "${idOf('channel', 2)}"`]: ({ supplyChannel }) => supplyChannel?.id === idOf('channel', 2),
  'distributionChannel.key = "channel-1"': ({ distributionChannel }, world) =>
    keyOf(world.channels, distributionChannel?.id) === 'channel-1',
};

export const customLineItemPredicates: Readonly<Record<string, CustomLineTest>> = {
  '1 = 1': () => true,
  'slug = "fee"': isFee,
  'slug != "fee"': ({ slug }) => slug !== 'fee',
  'name.en = "Wrapping"': ({ name }) => name['en'] === 'Wrapping',
  'money > "1.00 EUR"': ({ money }) => isAbove(money, '1'),
  'quantity > 1': ({ quantity }) => quantity > 1,
  [`taxCategory.id = "${idOf('tax-category', 1)}"`]: ({ taxCategory }) => taxCategory?.id === idOf('tax-category', 1),
  'taxRate.includedInPrice = false': ({ taxRate }) => taxRate?.includedInPrice === false,
  'taxedPrice.net > "1.00 EUR"': ({ taxedPrice }) => isAbove(taxedPrice?.totalNet, '1'),
  'custom.engraving is not defined': (line) => !has(field(line, 'engraving')),
};

export function cartPredicate(text: string): CartTest {
  return found(cartPredicates, text);
}

export function lineItemPredicate(text: string): LineTest {
  return found(lineItemPredicates, text);
}

export function customLineItemPredicate(text: string): CustomLineTest {
  return found(customLineItemPredicates, text);
}

function found<Test>(predicates: Readonly<Record<string, Test>>, text: string): Test {
  const test = Object.hasOwn(predicates, text) ? predicates[text] : undefined;
  if (test === undefined) throw new Error(`The model has no predicate ${text}.`);
  return test;
}
