/** Carts that are made from others: replicas, and those of customers with what they put together before they signed in. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { copyOf } from '../../engine/json.ts';
import type { Fixed } from '../../engine/document.ts';
import { textOf } from '../../fields/set.ts';
import { hasSameContent } from './actions/custom-line-items.ts';
import { addedName, staleName } from './actions/line-items.ts';
import { updatesProductData } from './actions/states.ts';
import { copiedName } from './computation/left-out.ts';
import type { Order } from '../order/fields.ts';
import { type Cart, fields } from './fields.ts';
import type { CustomLineItem, LineItem } from './item-fields.ts';
import { customLineItemsMax, lineItemsMax } from './limits.ts';

interface Copying {
  readonly now: string;
  /** What the computation is to hear of. */
  readonly said: Set<string>;
}

/** What a cart has and its replica has not: what is of one cart alone, or belongs to its purchase (carts 9.3). */
const notReplicated = ['key', 'freezeStrategy', 'lock', 'paymentInfo'] as const;
const replicated: readonly string[] = Object.keys(fields).filter((name) =>
  notReplicated.every((each) => each !== name),
);

type Replica = Pick<Cart, Exclude<keyof typeof fields, (typeof notReplicated)[number]>>;

/** The members of a new cart that is like another one, or that of an order, was when it was active. Gifts come with their discounts. */
export function replicaOf(
  source: Fixed<Cart | Order>,
  { now, said, days }: Copying & { readonly days: number },
): Replica {
  const members = Object.entries(copyOf(source)).filter(([name]) => replicated.includes(name));
  // An order has all members of a cart but for its state, which is set here, and its days.
  const replica = { deleteDaysAfterLastModification: days, ...Object.fromEntries(members) } as Replica;
  said.add(updatesProductData);
  replica.cartState = 'Active';
  replica.lineItems = replica.lineItems.filter(isStandard).map((line) => copiedLine(line, { now, said }));
  replica.customLineItems = replica.customLineItems.map((item) => copiedItem(item, said));
  // They were given to one cart, by those who may give them.
  replica.directDiscounts = [];
  if (replica.shippingInfo !== undefined) replica.shippingInfo.deliveries = [];
  for (const { shippingInfo } of replica.shipping) shippingInfo.deliveries = [];
  return replica;
}

function isStandard({ lineItemMode }: Fixed<LineItem>): boolean {
  return lineItemMode === 'Standard';
}

/** A new line, which is left out where it cannot be sold. */
function copiedLine(line: LineItem, { now, said }: Copying): LineItem {
  const id = randomUUID();
  said.add(addedName(id)).add(copiedName(id));
  const { reservation: _, ...own } = line;
  return { ...own, id, state: [], addedAt: now, lastModifiedAt: now };
}

/** A new item, which is left out where it cannot be taxed. */
function copiedItem(item: CustomLineItem, said: Set<string>): CustomLineItem {
  const id = randomUUID();
  said.add(copiedName(id));
  return { ...item, id, state: [] };
}

/**
 * Adds what a visitor had to the customer's cart, which stays what it is otherwise (carts 9.4): of what both have it has the
 * greater quantity. What it cannot hold is left out, for nobody is to be kept from signing in by a full cart; the visitor's
 * cart still has it.
 */
export function mergeItems(target: Cart, visitors: Fixed<Cart>, copying: Copying): void {
  const known = alikeLines(target.lineItems.filter(isStandard));
  for (const line of visitors.lineItems.filter(isStandard)) {
    const same = sameLine(known, line);
    if (same !== undefined) raise(same, line.quantity, copying.now);
    else if (target.lineItems.length < lineItemsMax && fits(line, target))
      target.lineItems.push(mergedLine(line, { target, visitors, copying }));
  }
  for (const item of visitors.customLineItems) {
    const same = target.customLineItems.find(({ slug }) => slug === item.slug);
    if (same !== undefined) {
      if (hasSameContent(same, item) && isDeepStrictEqual(same.custom, item.custom))
        same.quantity = Math.max(same.quantity, item.quantity);
    } else if (target.customLineItems.length < customLineItemsMax && customFits(item, target)) {
      const copy = withoutPlace(structuredClone(item) as CustomLineItem, { target, visitors });
      copying.said.add(copiedName(copy.id));
      target.customLineItems.push({ ...copy, ...ownKey(item, target.customLineItems) });
    }
  }
}

type AlikeLines = ReadonlyMap<string, ReadonlyMap<string, LineItem>>;

/** By variant and channels, and of those by custom fields: of hundreds of lines each is compared with all others. */
function alikeLines(lines: readonly LineItem[]): AlikeLines {
  const alike = new Map<string, Map<string, LineItem>>();
  for (const line of lines) {
    const offer = offerOf(line);
    const known = alike.get(offer);
    const custom = customText(line);
    if (known === undefined) alike.set(offer, new Map([[custom, line]]));
    else if (!known.has(custom)) known.set(custom, line);
  }
  return alike;
}

/** One of the same variant and channels; of several the one with the same custom fields. */
function sameLine(known: AlikeLines, line: Fixed<LineItem>): LineItem | undefined {
  const alike = known.get(offerOf(line));
  if (alike === undefined) return undefined;
  const [first] = alike.values();
  return alike.size === 1 ? first : (alike.get(customText(line)) ?? first);
}

function offerOf({ productId, variant, supplyChannel, distributionChannel }: Fixed<LineItem>): string {
  return [productId, variant.id, supplyChannel?.id, distributionChannel?.id].join(' ');
}

function customText({ custom }: Fixed<LineItem>): string {
  return custom === undefined ? '' : textOf(custom);
}

/** A price that was given holds for what it was given for: with more of it, its client gives one again (carts 2.11, 2.12). */
function raise(line: LineItem, quantity: number, now: string): void {
  if (quantity <= line.quantity || line.priceMode !== 'Platform') return;
  line.quantity = quantity;
  line.lastModifiedAt = now;
}

interface Merging {
  readonly target: Cart;
  readonly visitors: Fixed<Cart>;
}

function mergedLine(line: Fixed<LineItem>, { copying, ...merging }: Merging & { readonly copying: Copying }): LineItem {
  const { addedAt } = line;
  const copy = copiedLine(withoutPlace(structuredClone(line) as LineItem, merging), copying);
  const { target, visitors } = merging;
  // It is a copy of what another store shows.
  if (target.store?.key !== visitors.store?.key) copying.said.add(staleName(copy.id));
  return { ...copy, ...ownKey(line, target.lineItems), ...(addedAt !== undefined && { addedAt }) };
}

/** Where the units of an item go is said in terms of its cart, and so are its taxes where the carts have them otherwise. */
function withoutPlace<Item extends LineItem | CustomLineItem>(item: Item, { target, visitors }: Merging): Item {
  delete item.key;
  delete item.shippingDetails;
  item.id = randomUUID();
  item.state = [];
  item.perMethodTaxRate = [];
  item.taxedPricePortions = [];
  if (target.taxMode !== visitors.taxMode || target.shippingMode !== visitors.shippingMode) {
    delete item.taxRate;
    delete item.taxedPrice;
  }
  return item;
}

/** Items of a cart have different keys. */
function ownKey(
  { key }: { readonly key?: string | undefined },
  items: readonly { readonly key?: string | undefined }[],
): { readonly key?: string } {
  return key === undefined || items.some((other) => other.key === key) ? {} : { key };
}

function fits({ priceMode, price }: Fixed<LineItem>, { totalPrice }: Cart): boolean {
  return priceMode === 'Platform' || price.value.currencyCode === totalPrice.currencyCode;
}

function customFits({ money }: Fixed<CustomLineItem>, { totalPrice }: Cart): boolean {
  return money.currencyCode === totalPrice.currencyCode;
}
