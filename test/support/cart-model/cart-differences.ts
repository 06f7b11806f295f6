/** How a cart of the platform and one of the model differ, in what both compute. Ids of what they hold are their own. */
import { isDeepStrictEqual } from 'node:util';
import type { Cart } from '../../../src/resources/cart/fields.ts';
import type { ModelCart } from './cart-shapes.ts';
import { idOf } from './world-ids.ts';

export interface Difference {
  readonly path: string;
  readonly platform: unknown;
  readonly model: unknown;
}

type Json = Readonly<Record<string, unknown>>;

export function differences(platform: Cart, model: ModelCart): readonly Difference[] {
  return differencesOf(comparable(platform), comparable(model), '');
}

function differencesOf(platform: unknown, model: unknown, path: string): readonly Difference[] {
  if (isDeepStrictEqual(platform, model)) return [];
  if (!isObject(platform) || !isObject(model)) return [{ path, platform, model }];
  const names = new Set([...Object.keys(platform), ...Object.keys(model)]);
  return [...names].flatMap((name) => differencesOf(platform[name], model[name], `${path}.${name}`));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null;
}

/** Not of the computation: who wrote it and when, how long it is kept, and the states of items, which orders have. */
const aside: ReadonlySet<string> = new Set([
  'id',
  'version',
  'createdAt',
  'lastModifiedAt',
  'deleteDaysAfterLastModification',
  'nextId',
  'addedAt',
  'state',
  'key',
]);

function comparable(cart: Cart | ModelCart): Json {
  let text = JSON.stringify(cart);
  for (const [index, { id }] of cart.directDiscounts.entries())
    text = text.replaceAll(`"id":"${id}"`, `"id":"direct discount ${index}"`);
  const whole = JSON.parse(text) as Json;
  const items = (name: string): readonly Json[] => (whole[name] as readonly Json[]).map(comparableItem);
  const shipping = (whole['shipping'] as readonly Json[]).map((each) => ({
    ...each,
    shippingInfo: comparableInfo(each['shippingInfo'] as Json),
  }));
  return {
    ...without(whole, aside),
    lineItems: items('lineItems'),
    customLineItems: items('customLineItems'),
    shipping,
    ...(whole['shippingInfo'] !== undefined && { shippingInfo: comparableInfo(whole['shippingInfo'] as Json) }),
    // What a discount says is read by both from the same text.
    directDiscounts: cart.directDiscounts.map(({ value: { type } }) => type),
  };
}

function comparableItem(item: Json): Json {
  const { price, discountedPricePerQuantity, taxRate, perMethodTaxRate, ...others } = item as Json & {
    readonly discountedPricePerQuantity: readonly Json[];
    readonly perMethodTaxRate: readonly Json[];
  };
  // What the client gave has an id of its own.
  const isOwnPrice = isObject(price) && !String(price['id']).startsWith(idOf('price', 0).slice(0, 18));
  return {
    ...without(others, aside),
    price: isOwnPrice ? without(price, new Set(['id'])) : price,
    // The parts of an item have no order.
    discountedPricePerQuantity: [...discountedPricePerQuantity].sort((one, other) =>
      JSON.stringify(one) < JSON.stringify(other) ? -1 : 1,
    ),
    taxRate: comparableRate(taxRate),
    perMethodTaxRate: perMethodTaxRate.map((each) => ({ ...each, taxRate: comparableRate(each['taxRate']) })),
  };
}

function comparableInfo(info: Json): Json {
  return { ...info, taxRate: comparableRate(info['taxRate']) };
}

/** No sub-rates are an empty list, or none. */
function comparableRate(rate: unknown): unknown {
  if (!isObject(rate)) return undefined;
  const { subRates = [], ...others } = rate;
  return { ...others, subRates };
}

function without(object: Json, names: ReadonlySet<string>): Json {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.has(name)));
}
