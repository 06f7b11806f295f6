import type { MessagesDeclaration } from '../../engine/define.ts';
import type { Fixed } from '../../engine/document.ts';
import { messageType, told } from '../../engine/messages.ts';
import { tellsChange, whenChanged } from '../../engine/tellers.ts';
import { optional } from '../../fields/field.ts';
import { text } from '../../fields/scalar.ts';
import { estimatedDelivery } from './delivery-fields.ts';
import type { Cart } from './fields.ts';

const frozen = messageType('CartFrozen', {});
const unfrozen = messageType('CartUnfrozen', {});
const locked = messageType('CartLocked', {});
const unlocked = messageType('CartUnlocked', {});
const purchaseOrderNumberSet = messageType('CartPurchaseOrderNumberSet', {
  purchaseOrderNumber: optional(text()),
  oldPurchaseOrderNumber: optional(text()),
});
const estimatedDeliverySet = messageType('CartEstimatedDeliverySet', {
  estimatedDelivery: optional(estimatedDelivery),
  shippingKey: optional(text()),
});

const stateOf = ({ cartState }: Fixed<Cart>): string => cartState;
const isLocked = ({ lock }: Fixed<Cart>): boolean => lock !== undefined;

/** When what ships it, or the one of several methods that an action names, is expected. */
export function estimatedDeliveryOf(
  { shipping, shippingInfo }: Pick<Fixed<Cart>, 'shipping' | 'shippingInfo'>,
  { shippingKey }: Readonly<Record<string, unknown>>,
): unknown {
  if (shippingKey === undefined) return shippingInfo?.estimatedDelivery;
  return shipping.find((each) => each.shippingKey === shippingKey)?.shippingInfo.estimatedDelivery;
}

export const messages: MessagesDeclaration<Cart> = {
  types: [frozen, unfrozen, locked, unlocked, purchaseOrderNumberSet, estimatedDeliverySet],
  actions: {
    freezeCart: whenChanged(stateOf, () => [told(frozen, {})]),
    unfreezeCart: whenChanged(stateOf, () => [told(unfrozen, {})]),
    lockCart: whenChanged(isLocked, () => [told(locked, {})]),
    unlockCart: whenChanged(isLocked, () => [told(unlocked, {})]),
    setPurchaseOrderNumber: tellsChange(purchaseOrderNumberSet, 'purchaseOrderNumber'),
    setEstimatedDelivery: whenChanged<Cart, unknown>(estimatedDeliveryOf, ({ after, input: { shippingKey } }) => [
      { type: estimatedDeliverySet.type, payload: { estimatedDelivery: after, shippingKey } },
    ]),
  },
};
