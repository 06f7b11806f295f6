/** What is said of stock that could not be reserved as it was asked for. */
import type { Warning } from '../../../engine/resource.ts';
import type { LineItem } from '../item-fields.ts';

export function cannotCreate(line: LineItem): Warning {
  const { quantity } = line;
  return {
    code: 'CannotCreateReservation',
    message: `${quantity} of ${nameOf(line)} could not be reserved.`,
    ...placeOf(line),
    quantity,
  };
}

export function cannotUpdate(line: LineItem, reservedQuantity: number): Warning {
  const { id: lineItemId, quantity: requestedQuantity } = line;
  return {
    code: 'CannotUpdateReservation',
    message: `${requestedQuantity} of ${nameOf(line)} could not be reserved for the line item '${lineItemId}', for which ${reservedQuantity} are reserved still.`,
    lineItemId,
    requestedQuantity,
    reservedQuantity,
    ...placeOf(line),
  };
}

/** Of a reservation that has ended, or is not there any more. */
export function cannotChangeExpiry({ id: lineItemId }: LineItem): Warning {
  return {
    code: 'CannotChangeReservationExpiry',
    message: `The reservation of the line item '${lineItemId}' has ended, so its end cannot be changed.`,
    lineItemId,
  };
}

function placeOf({ productId, variant: { sku }, supplyChannel }: LineItem): {
  readonly productId: string;
  readonly sku?: string;
  readonly supplyChannel?: string;
} {
  return {
    productId,
    ...(sku !== undefined && { sku }),
    ...(supplyChannel !== undefined && { supplyChannel: supplyChannel.id }),
  };
}

function nameOf({ productId, variant: { sku }, supplyChannel }: LineItem): string {
  const channel = supplyChannel === undefined ? '' : `, supply channel '${supplyChannel.id}'`;
  return `the product '${productId}' (SKU '${sku ?? 'none'}'${channel})`;
}
