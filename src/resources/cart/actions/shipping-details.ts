/** Where the units of an item go, and by which shipping method. */
import { action, invalidOperation } from '../../../engine/actions.ts';
import type { Action } from '../../../engine/resource.ts';
import type { Fixed } from '../../../engine/document.ts';
import type { PartNames } from '../../../engine/parts.ts';
import { apiError } from '../../../errors/api-error.ts';
import { type Fields, optional, required } from '../../../fields/field.ts';
import { inputFields, inputTypesOf, isObject, readInput } from '../../../fields/object.ts';
import type { Cart } from '../fields.ts';
import { shippingTargetsMax } from '../limits.ts';
import {
  type CustomLineItem,
  type LineItem,
  shippingDetailsDraft,
  type ShippingTarget,
  shippingTargetDeltas,
} from '../item-fields.ts';

type Item = LineItem | CustomLineItem;
type Details = NonNullable<Item['shippingDetails']>;

type Mode = Pick<Cart, 'shippingMode'>;

/** The details of an item with these targets more than it has. */
export function detailsWith(cart: Mode, { shippingDetails }: Item, more: readonly ShippingTarget[]): Details {
  requireMethods(cart, more);
  return withUnits(shippingDetails?.targets, more);
}

/** The details of an item that is to have these targets. */
export function newDetails(cart: Mode, targets: readonly ShippingTarget[]): Details {
  requireMethods(cart, targets);
  return withUnits([], targets);
}

/** Where a cart has several methods, none of them would ship the units of a target that names none. */
function requireMethods({ shippingMode }: Mode, targets: readonly ShippingTarget[]): void {
  const target = targets.find(({ shippingMethodKey }) => shippingMethodKey === undefined);
  if (shippingMode === 'Multiple' && target !== undefined)
    throw invalidOperation(
      `With the shippingMode Multiple the target '${target.addressKey}' needs a shippingMethodKey.`,
    );
}

/**
 * Units for one address and method together; none is no target. Touches only those targets that are named, for many actions
 * may name one of many. Whether they are all that there are is found at the end. Throws InvalidOperation where less than
 * nothing would be left.
 */
function withUnits(targets: readonly ShippingTarget[] = [], more: readonly ShippingTarget[]): Details {
  const sums = new Map<string, Map<string | undefined, ShippingTarget>>();
  const added = new Set<ShippingTarget>();
  for (const target of more) {
    let ofAddress = sums.get(target.addressKey);
    if (ofAddress === undefined) sums.set(target.addressKey, (ofAddress = new Map()));
    if (ofAddress.has(target.shippingMethodKey)) continue;
    const sum = { ...target, quantity: 0 };
    ofAddress.set(target.shippingMethodKey, sum);
    added.add(sum);
  }
  const known = targets.map((target) => {
    const sum = sums.get(target.addressKey)?.get(target.shippingMethodKey);
    if (sum === undefined) return target;
    sum.quantity = target.quantity;
    added.delete(sum);
    return sum;
  });
  for (const { addressKey, shippingMethodKey, quantity } of more) {
    const sum = sums.get(addressKey)!.get(shippingMethodKey)!;
    sum.quantity += quantity;
    if (sum.quantity < 0) throw invalidOperation(`The target '${addressKey}' has fewer units than are taken away.`);
  }
  const all = [...known, ...added].filter(({ quantity }) => quantity > 0);
  if (all.length > shippingTargetsMax)
    throw invalidOperation(`The units of an item have at most ${shippingTargetsMax} targets.`);
  return { targets: all, valid: false };
}

/** Adds to the quantities of targets, or takes away. */
function applyDelta(item: Item, deltas: readonly ShippingTarget[]): void {
  item.shippingDetails = withUnits(item.shippingDetails?.targets, deltas);
}

export function removeTargets(item: Item, targets: readonly ShippingTarget[]): void {
  applyDelta(
    item,
    targets.map((target) => ({ ...target, quantity: -target.quantity })),
  );
}

/** The actions of a kind of items. */
export function shippingDetailsActions<Names extends string>(
  identifier: PartNames<Names>['identifier'],
  itemIn: (cart: Cart, input: Readonly<Partial<Record<Names, string>>>) => Item,
  details = shippingDetailsDraft,
): { readonly set: Action; readonly applyDelta: Action } {
  type Input = Readonly<Partial<Record<Names, string>>>;
  const deltaFields: Fields = { ...(identifier as Fields), targetsDelta: required(shippingTargetDeltas) };
  return {
    set: action(
      { ...(identifier as Fields), shippingDetails: optional(details) },
      (cart: Cart, { shippingDetails, ...input }) => {
        const item = itemIn(cart, input as Input);
        // Parsed by the kind of the member.
        const given = shippingDetails as { readonly targets: readonly ShippingTarget[] } | undefined;
        if (given === undefined) delete item.shippingDetails;
        else item.shippingDetails = newDetails(cart, given.targets);
      },
    ),
    applyDelta: {
      ...action(deltaFields, (cart: Cart, { targetsDelta, ...input }) => {
        const deltas = targetsDelta as readonly ShippingTarget[];
        requireMethods(cart, deltas);
        applyDelta(itemIn(cart, input as Input), deltas);
      }),
      input: deltaInput(deltaFields),
    },
  };
}

/** GraphQL has the targets in the form that items have as well. One of the two says which. */
function deltaInput(fields: Fields): NonNullable<Action['input']> {
  const { targetsDelta, ...others } = fields;
  const { type, types, read } = shippingDetailsDraft.input!;
  return {
    fields: [
      ...inputFields(others),
      ...inputFields({ targetsDelta: optional(targetsDelta!.kind) }),
      { name: 'targetsDeltaDraft', type },
    ],
    types: () => [...inputTypesOf(fields), ...types()],
    read: ({ targetsDelta: given, targetsDeltaDraft: draft, ...input }) => {
      if (isGiven(given) && isGiven(draft))
        throw apiError('InvalidInput', 'An action has either targetsDelta or targetsDeltaDraft.');
      return {
        ...readInput(others, input),
        targetsDelta: given ?? (isObject(draft) ? (read!(draft) as { readonly targets: unknown }).targets : undefined),
      };
    },
  };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether targets name addresses, and methods, of the cart; they are complete where they have all units of the item. */
export function settleShippingDetails(cart: Cart): void {
  settleDetailsOf([...cart.lineItems, ...cart.customLineItems], cart);
}

/** The same of these items alone. */
export function settleDetailsOf(
  items: readonly Item[],
  { itemShippingAddresses, shipping }: Fixed<Pick<Cart, 'itemShippingAddresses' | 'shipping'>>,
): void {
  const addresses = new Set(itemShippingAddresses.map(({ key }) => key));
  const methods = new Set(shipping.map(({ shippingKey }) => shippingKey));
  for (const item of items) {
    if (item.shippingDetails === undefined) continue;
    const { targets } = item.shippingDetails;
    for (const target of targets) {
      const fault = placeFault(target, { addresses, methods });
      if (fault !== undefined) throw invalidOperation(fault);
    }
    item.shippingDetails.valid = isOfAll(item);
  }
}

interface Places {
  readonly addresses: ReadonlySet<string | undefined>;
  readonly methods: ReadonlySet<string>;
}

/** Why units cannot be shipped to a target. */
export function placeFault(
  { addressKey, shippingMethodKey }: Fixed<ShippingTarget>,
  { addresses, methods }: Places,
): string | undefined {
  if (!addresses.has(addressKey)) return `There is no item shipping address with the key '${addressKey}'.`;
  if (shippingMethodKey === undefined || methods.has(shippingMethodKey)) return undefined;
  return `An item is to be shipped by the method '${shippingMethodKey}', which is not there.`;
}

/** Whether the targets have as many units as the item. */
export function isOfAll({ shippingDetails, quantity }: Fixed<Pick<Item, 'shippingDetails' | 'quantity'>>): boolean {
  return shippingDetails?.targets.reduce((sum, target) => sum + target.quantity, 0) === quantity;
}

/** The methods that take units of the item, in their order. */
export function methodsOf(
  { shippingDetails }: Fixed<Pick<LineItem, 'shippingDetails'>>,
  { shipping }: Fixed<Pick<Cart, 'shipping'>>,
): Fixed<Cart>['shipping'] {
  const keys = new Set(shippingDetails?.targets.map(({ shippingMethodKey }) => shippingMethodKey));
  return shipping.filter(({ shippingKey }) => keys.has(shippingKey));
}
