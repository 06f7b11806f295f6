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

export const messages: MessagesDeclaration<Cart> = {
  types: [frozen, unfrozen, locked, unlocked, purchaseOrderNumberSet, estimatedDeliverySet],
  actions: {
    freezeCart: whenChanged(stateOf, () => [told(frozen, {})]),
    unfreezeCart: whenChanged(stateOf, () => [told(unfrozen, {})]),
    lockCart: whenChanged(isLocked, () => [told(locked, {})]),
    unlockCart: whenChanged(isLocked, () => [told(unlocked, {})]),
    setPurchaseOrderNumber: tellsChange(purchaseOrderNumberSet, 'purchaseOrderNumber'),
    setEstimatedDelivery: whenChanged<Cart, unknown>(
      ({ shipping, shippingInfo }, { shippingKey }) =>
        shippingKey === undefined
          ? shippingInfo?.estimatedDelivery
          : shipping.find((each) => each.shippingKey === shippingKey)?.shippingInfo.estimatedDelivery,
      ({ after, input: { shippingKey } }) => [
        { type: estimatedDeliverySet.type, payload: { estimatedDelivery: after, shippingKey } },
      ],
    ),
  },
};
