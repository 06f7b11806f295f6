import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assigned, optional, required } from '../../fields/field.ts';
import { object } from '../../fields/object.ts';
import { reference } from '../../fields/reference.ts';
import { dateTime, integer, key, text } from '../../fields/scalar.ts';

const cartQuantity = integer({ min: 1 });
const units = integer({ type: 'Int' });

export const stockLevels = { reorderPoint: optional(units), safetyStock: optional(units) };

export const fields = {
  key: optional(key()),
  sku: required(text(['sku-1'])),
  /** Where the stock is; an entry without is for all. */
  supplyChannel: optional(reference('channel', 'Channel')),
  quantityOnStock: required(integer()),
  /** Derived: what is on stock, less what is reserved. */
  availableQuantity: assigned(integer()),
  minCartQuantity: optional(cartQuantity),
  maxCartQuantity: optional(cartQuantity),
  restockableInDays: optional(units),
  expectedDelivery: optional(dateTime()),
  reservationExpirationInMinutes: optional(integer({ min: 1, max: 44_640, type: 'Int' })),
  stockLevels: optional(object('StockLevels', stockLevels)),
  custom: optional(customFields('inventory-entry')),
};

export type InventoryEntry = DocumentOf<typeof fields>;
