/**
 * What predicates read of a cart: its members by the names of carts 10, as they are with product discounts and without cart
 * discounts and gifts (carts 5.4), so that no discount depends on another. What is absent has no value.
 */
import { allOf } from '../../../engine/collection.ts';
import type { Document, Fixed } from '../../../engine/document.ts';
import { Readings } from '../../../engine/readings.ts';
import type { Engine, Found } from '../../../engine/resource.ts';
import type { Project } from '../../../engine/context.ts';
import { centPrecision, type CentPrecisionMoney } from '../../../money/money.ts';
import type { Computed } from '../../../pricing/cart/compute.ts';
import type { Taxed } from '../../../pricing/cart/taxes.ts';
import { readPart, type Reads } from '../../../predicate/reads.ts';
import type { Category } from '../../category/fields.ts';
import type { Cart } from '../fields.ts';
import type { CustomLineItem, LineItem } from '../item-fields.ts';
import type { ShippingInfo } from '../shipping-fields.ts';
import { gatherNamed } from './gather.ts';
import type { Gathered, Named } from './gathered.ts';
import { indexed } from './indexed.ts';
import { costedParts } from './priced-parts.ts';
import { plainCosts } from './priced.ts';
import { unitPrice } from './prices.ts';

export interface CartFacts {
  readonly currency: string;
  readonly lineItems: readonly ItemFacts[];
  readonly customLineItems: readonly ItemFacts[];
  readonly shippingInfos: readonly object[];
  readonly [member: string]: unknown;
}

export interface FactSources {
  readonly gathered: Pick<Gathered, 'products' | 'named'>;
  /** The customer of the cart, and all of the kinds of which keys are known. */
  readonly found: Pick<Found, 'one' | 'all'>;
  /** The cart without discounts and gifts. */
  readonly plain: Computed;
}

/** What predicates of shipping methods read of a cart as it is stored, and nothing else of it. */
export async function factsOfStored(
  engine: Engine,
  { key: project, settings }: Project,
  { cart, reads }: { readonly cart: Fixed<Cart>; readonly reads: Reads },
): Promise<object> {
  const plain = plainCosts(cart, settings.shippingRateInputType?.type);
  const others = ofOthers.some((name) => reads.names.has(name)) ? await othersOf(engine, project, cart) : noOthers;
  // A part of an object is one.
  return readPart(factsForMethods(factsOf(cart, { ...others, plain })), reads) as object;
}

/** Members that follow from other resources than the cart: their keys, and what a product is in. */
export const ofOthers: readonly string[] = ['key', 'categories', 'categoriesWithAncestors', 'customer'];

async function othersOf(engine: Engine, project: string, cart: Fixed<Cart>): Promise<Omit<FactSources, 'plain'>> {
  const found = new Readings();
  const [collection, [customer]] = await Promise.all([
    allOf(engine, project, keyedKinds),
    cart.customerId === undefined ? [] : engine.store.find(project, [{ kind: 'customer', id: cart.customerId }]),
  ]);
  found.addWholes(collection.documents);
  if (customer !== undefined) found.add('customer', customer);
  return { gathered: await gatherNamed({ engine, project, found }, cart), found };
}

/**
 * What predicates of shipping methods read: the cart without what ships it and what that costs, so that a method fits a cart
 * or does not, whichever one is set.
 */
export function factsForMethods({ shippingInfo: _, shippingInfos, ...facts }: CartFacts): object {
  const items = [...facts.lineItems, ...facts.customLineItems];
  const currencyCode = facts.currency;
  const sumOf = (amounts: readonly (CentPrecisionMoney | undefined)[]): CentPrecisionMoney | undefined =>
    amounts.every((amount) => amount !== undefined)
      ? centPrecision(
          currencyCode,
          amounts.reduce((sum, { centAmount }) => sum + centAmount, 0),
        )
      : undefined;
  const [net, gross] = [sumOf(items.map(({ netTotal }) => netTotal)), sumOf(items.map(({ grossTotal }) => grossTotal))];
  const isAddressed = facts['shippingAddress'] !== undefined || shippingInfos.length > 0;
  return {
    ...facts,
    shippingInfos: [],
    totalPrice: sumOf(items.map(({ totalPrice }) => totalPrice)),
    taxedPrice:
      items.length > 0 && isAddressed && net !== undefined && gross !== undefined ? { net, gross } : undefined,
  };
}

/** Kinds of which facts tell the keys, and of which a project has few. */
export const keyedKinds = ['tax-category', 'shipping-method', 'product-discount'] as const;

/** For predicates that read nothing of others. */
export const noOthers: Omit<FactSources, 'plain'> = {
  gathered: { products: new Map(), named: new Map() },
  found: { one: () => undefined, all: () => noDocuments },
};

const noDocuments: readonly Fixed<Document>[] = [];

export function factsOf(cart: Fixed<Cart>, sources: FactSources): CartFacts {
  const { currencyCode } = cart.totalPrice;
  const { plain } = sources;
  const { lines, customLines, shipping } = costedParts(cart, plain);
  const lineItems = lines.map(([line, costs]) => lineFacts(line, costs, sources));
  const customLineItems = customLines.map(([item, costs]) => customFacts(item, costs, sources));
  const shippingInfos = shipping.map(([info, { price }]) =>
    shippingFacts(info, centPrecision(currencyCode, price), sources),
  );
  const customer = cart.customerId === undefined ? undefined : sources.found.one('customer', cart.customerId);
  const { shippingAddress, billingAddress, itemShippingAddresses, custom, ...members } = cart;
  return {
    ...members,
    currency: currencyCode,
    totalPrice: centPrecision(currencyCode, plain.total),
    taxedPrice: taxedFacts(plain.taxed, currencyCode),
    totalLineItemQuantity: lines.reduce((count, [{ quantity }]) => count + quantity, 0),
    customer: customer && customerFacts(customer, sources),
    customerGroup: cart.customerGroup && named(cart.customerGroup, sources),
    shippingAddress: shippingAddress && withCustom(shippingAddress, sources),
    billingAddress: billingAddress && withCustom(billingAddress, sources),
    itemShippingAddresses: itemShippingAddresses.map((each) => withCustom(each, sources)),
    custom: customOf(custom, sources),
    lineItems,
    customLineItems,
    // Of several methods none is the cart's.
    shippingInfo: cart.shippingInfo === undefined ? undefined : shippingInfos[0],
    shippingInfos,
  };
}

interface ItemFacts {
  readonly id: string;
  readonly [member: string]: unknown;
  readonly totalPrice: CentPrecisionMoney;
  readonly netTotal: CentPrecisionMoney | undefined;
  readonly grossTotal: CentPrecisionMoney | undefined;
}

type Plain = Computed['items'][number];

function lineFacts(line: Fixed<LineItem>, plain: Plain, sources: FactSources): ItemFacts {
  const { id, key, productId, productType, variant, price, quantity, priceMode, supplyChannel, distributionChannel } =
    line;
  const unit = unitPrice(price);
  const product = sources.gathered.products.get(productId);
  const categories = (product?.masterData.current.categories ?? []).map((link) => named(link, sources));
  return {
    id,
    key,
    priceMode,
    quantity,
    sku: variant.sku,
    product: { typeId: 'product', id: productId, key: product?.key ?? line.productKey },
    productType: named(productType, sources),
    variant: { id: variant.id, key: variant.key, sku: variant.sku },
    attributes: Object.fromEntries(variant.attributes.map(({ name, value }) => [name, value])),
    categories: together(categories),
    categoriesWithAncestors: together([...categories, ...ancestorsOf(categories, sources)]),
    price: {
      ...unit,
      amount: (unit.type === 'highPrecision' ? unit.preciseAmount : unit.centAmount) / 10 ** unit.fractionDigits,
      currency: unit.currencyCode,
      country: price.country,
      customerGroup: price.customerGroup && named(price.customerGroup, sources),
      channel: price.channel && named(price.channel, sources),
      discount: price.discounted && keyed(price.discounted.discount, sources),
    },
    supplyChannel: supplyChannel && named(supplyChannel, sources),
    distributionChannel: distributionChannel && named(distributionChannel, sources),
    custom: customOf(line.custom, sources),
    taxRate: line.taxRate,
    ...amountsOf(plain, unit.currencyCode),
  };
}

function customFacts(item: Fixed<CustomLineItem>, plain: Plain, sources: FactSources): ItemFacts {
  const { id, key, slug, name, money, quantity, taxCategory, taxRate, priceMode } = item;
  return {
    id,
    key,
    slug,
    name,
    money,
    quantity,
    priceMode,
    taxCategory: taxCategory && keyed(taxCategory, sources),
    custom: customOf(item.custom, sources),
    taxRate,
    ...amountsOf(plain, money.currencyCode),
  };
}

function shippingFacts(
  { shippingMethodName, shippingMethod, taxCategory, taxRate }: Fixed<ShippingInfo>,
  price: CentPrecisionMoney,
  sources: FactSources,
): object {
  return {
    shippingMethodName,
    price,
    shippingMethod: shippingMethod && keyed(shippingMethod, sources),
    taxCategory: taxCategory && keyed(taxCategory, sources),
    taxRate,
  };
}

function customerFacts(customer: Fixed<Document>, sources: FactSources): object {
  // Stored customers were parsed by their kind.
  const { customerGroup, custom, ...members } = customer as Fixed<Document> & {
    readonly customerGroup?: Link;
    readonly custom?: Fixed<Cart['custom']>;
  };
  return {
    ...members,
    customerGroup: customerGroup && named(customerGroup, sources),
    custom: customOf(custom, sources),
  };
}

interface Link {
  readonly typeId: string;
  readonly id: string;
}

function named({ typeId, id }: Link, { gathered }: FactSources): Named {
  const key = gathered.named.get(id)?.['key'];
  return { typeId, id, ...(typeof key === 'string' && { key }) } as Named;
}

function keyed({ typeId, id }: Link, { found }: FactSources): Named {
  const key = indexed(found.all(typeId)).get(id)?.['key'];
  return { typeId, id, ...(typeof key === 'string' && { key }) } as Named;
}

function ancestorsOf(categories: readonly Named[], sources: FactSources): readonly Named[] {
  const links = categories.flatMap(({ id }) => {
    // Stored categories were parsed by their kind.
    return (sources.gathered.named.get(id) as Partial<Fixed<Category>> | undefined)?.ancestors ?? [];
  });
  return [...new Map(links.map((link) => [link.id, link])).values()].map((link) => named(link, sources));
}

/** Undefined for none, of which predicates say that it is empty. */
function together(resources: readonly Named[]): object | undefined {
  if (resources.length === 0) return undefined;
  const keys = resources.flatMap(({ key }) => key ?? []);
  return { id: resources.map(({ id }) => id), ...(keys.length > 0 && { key: keys }) };
}

/** Fields by their names, beside the type, and once more below `fields`. */
function customOf(custom: Fixed<Cart['custom']>, sources: FactSources): object | undefined {
  return custom && { ...custom.fields, type: named(custom.type, sources), fields: custom.fields };
}

function withCustom<A extends { readonly custom?: Fixed<Cart['custom']> }>(address: A, sources: FactSources): object {
  return { ...address, custom: customOf(address.custom, sources) };
}

function amountsOf(
  { total, taxed }: Plain,
  currencyCode: string,
): Pick<ItemFacts, 'totalPrice' | 'netTotal' | 'grossTotal'> & { readonly taxedPrice: unknown } {
  const taxedPrice = taxedFacts(taxed, currencyCode);
  return {
    totalPrice: centPrecision(currencyCode, total),
    netTotal: taxedPrice?.net,
    grossTotal: taxedPrice?.gross,
    taxedPrice,
  };
}

function taxedFacts(
  taxed: Taxed | undefined,
  currencyCode: string,
): { readonly net: CentPrecisionMoney; readonly gross: CentPrecisionMoney } | undefined {
  return taxed && { net: centPrecision(currencyCode, taxed.net), gross: centPrecision(currencyCode, taxed.gross) };
}
