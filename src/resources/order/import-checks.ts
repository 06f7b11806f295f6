/** What refuses an order that is imported, all of it together: it need not be an order that could be made here. */
import type { Fixed } from '../../engine/document.ts';
import { type ErrorElement, throwAll } from '../../errors/api-error.ts';
import { hasChannel } from '../../pricing/stores.ts';
import { currencyFaults, type GivenAmounts } from '../cart/actions/currency.ts';
import { isOfAll, placeFault } from '../cart/actions/shipping-details.ts';
import { type CustomLineItem, itemName, type LineItem } from '../cart/item-fields.ts';
import type { Store } from '../store/fields.ts';
import { detailsError, storeFaults } from './checks.ts';
import type { Order } from './fields.ts';
import { statesFault } from './item-states.ts';

type Item = LineItem | CustomLineItem;

export type Imported = Pick<
  Order,
  | 'lineItems'
  | 'customLineItems'
  | 'itemShippingAddresses'
  | 'inventoryMode'
  | 'country'
  | 'orderNumber'
  | 'paymentInfo'
  | 'totalPrice'
  | 'taxedPrice'
  | 'shippingInfo'
>;

export function requireImportable(order: Fixed<Imported>, store: Fixed<Store> | undefined): void {
  const items = [...order.lineItems, ...order.customLineItems];
  const addresses = new Set(order.itemShippingAddresses.map(({ key }) => key));
  const errors = [
    ...currencyFaults(order, amountsOf(order)),
    ...items.flatMap(stateFaults),
    ...items.flatMap((item) => detailsFaults(item, addresses)),
    ...order.lineItems.flatMap((line) => channelFaults(line, store)),
    ...storeFaults({ cart: order, gathered: { store } }),
  ];
  throwAll(errors);
}

/**
 * By the members that drafts give them in: what items, taxes and shipping cost. Prices of variants may be of any currency, and
 * custom fields say what they like.
 */
function amountsOf({ lineItems, customLineItems, taxedPrice, shippingInfo }: Fixed<Imported>): GivenAmounts {
  return Object.fromEntries([
    ...lineItems.flatMap(({ price }, index) => amountsIn(price, `lineItems[${index}].price`)),
    ...customLineItems.flatMap(({ money }, index) => amountsIn(money, `customLineItems[${index}].money`)),
    ...amountsIn(taxedPrice, 'taxedPrice'),
    ...amountsIn(shippingInfo, 'shippingInfo'),
  ]);
}

type Amount = NonNullable<GivenAmounts[string]>;

function amountsIn(part: unknown, path: string): readonly (readonly [path: string, Amount])[] {
  if (typeof part !== 'object' || part === null) return [];
  if (Array.isArray(part)) return part.flatMap((each, index) => amountsIn(each, `${path}[${index}]`));
  // What has a currency is an amount.
  if ('currencyCode' in part) return [[path, part as Amount]];
  return Object.entries(part).flatMap(([name, member]) =>
    name === 'custom' ? [] : amountsIn(member, `${path}.${name}`),
  );
}

function refusal(item: Fixed<Item>, why: string): ErrorElement {
  return { code: 'InvalidOperation', message: `The item '${itemName(item)}': ${why}` };
}

function stateFaults(item: Fixed<Item>): readonly ErrorElement[] {
  const fault = statesFault(item.state, item.quantity);
  return fault === undefined ? [] : [refusal(item, fault)];
}

function detailsFaults(item: Fixed<Item>, addresses: ReadonlySet<string | undefined>): readonly ErrorElement[] {
  if (item.shippingDetails === undefined) return [];
  const faults = item.shippingDetails.targets.flatMap(
    (target) => placeFault(target, { addresses, methods: noMethods }) ?? [],
  );
  if (faults.length > 0) return faults.map((fault) => refusal(item, fault));
  return isOfAll(item) ? [] : [detailsError(item, item.id)];
}

/** One method ships an imported order, and has no key. */
const noMethods: ReadonlySet<string> = new Set();

/** A store that has channels of a sort has no others. */
function channelFaults(line: Fixed<LineItem>, store: Fixed<Store> | undefined): readonly ErrorElement[] {
  if (store === undefined) return [];
  const sorts = [
    [line.distributionChannel, store.distributionChannels],
    [line.supplyChannel, store.supplyChannels],
  ] as const;
  return sorts.flatMap(([channel, own]) => {
    if (hasChannel(own, channel)) return [];
    return [refusal(line, `The channel '${channel!.id}' is not one of the store '${store.key}'.`)];
  });
}
