import { action, set } from '../../engine/actions.ts';
import { customActions } from '../../engine/custom-actions.ts';
import { defineResource } from '../../engine/define.ts';
import type { Fixed } from '../../engine/document.ts';
import { apiError, type ErrorElement } from '../../errors/api-error.ts';
import { required } from '../../fields/field.ts';
import { integer } from '../../fields/scalar.ts';
import { fields, type InventoryEntry, stockLevels } from './fields.ts';
import { messages } from './messages.ts';
import { stockUnique } from './offers.ts';

const quantity = { quantity: required(integer()) };

const addQuantity = action(quantity, (entry: InventoryEntry, input) => restock(entry, input.quantity, input));

const changeQuantity = action(quantity, (entry: InventoryEntry, input) =>
  restock(entry, input.quantity - entry.quantityOnStock, input),
);

const removeQuantity = action(quantity, (entry: InventoryEntry, input) => restock(entry, -input.quantity, input));

/** What is reserved stays so, and may be more than there is then. */
function restock(entry: InventoryEntry, by: number, input: { readonly quantity: number }): void {
  const { quantityOnStock, availableQuantity } = entry;
  entry.quantityOnStock = exactly(quantityOnStock + by, input);
  entry.availableQuantity = exactly(availableQuantity + by, input);
}

/** A sum that is rounded would stay wrong when the next action takes it back into the range. */
function exactly(sum: number, { quantity }: { readonly quantity: number }): number {
  if (Number.isSafeInteger(sum)) return sum;
  throw apiError('InvalidField', `With the quantity ${quantity} the stock is a number that cannot be kept exactly.`, {
    field: 'quantity',
    invalidValue: quantity,
  });
}

const { minCartQuantity, maxCartQuantity } = fields;

/** Both at once: a limit that is left out goes. */
const setInventoryLimits = action({ minCartQuantity, maxCartQuantity }, (entry: InventoryEntry, input) => {
  delete entry.minCartQuantity;
  delete entry.maxCartQuantity;
  Object.assign(entry, input);
});

function setStockLevel(name: keyof typeof stockLevels) {
  return action({ quantity: stockLevels[name] }, (entry: InventoryEntry, input) => {
    const { [name]: _, ...others } = entry.stockLevels ?? {};
    const levels = input.quantity === undefined ? others : { ...others, [name]: input.quantity };
    if (Object.keys(levels).length > 0) entry.stockLevels = levels;
    else delete entry.stockLevels;
  });
}

function limitsInOrder({
  minCartQuantity: min = 1,
  maxCartQuantity: max = min,
}: Fixed<InventoryEntry>): ErrorElement | undefined {
  if (min <= max) return undefined;
  return { code: 'InvalidInput', message: `The minCartQuantity ${min} is larger than the maxCartQuantity ${max}.` };
}

export const inventoryEntry = defineResource({
  kind: 'inventory-entry',
  typeName: 'InventoryEntry',
  path: 'inventory',
  scopes: { view: ['view_products'], manage: ['manage_products'] },
  // Reservations lead shoppers to them.
  followedBy: 'viewers',
  fields,
  groupedBy: ['sku'],
  actions: {
    addQuantity,
    changeQuantity,
    removeQuantity,
    setExpectedDelivery: set('expectedDelivery'),
    setInventoryLimits,
    setKey: set('key'),
    setReorderPoint: setStockLevel('reorderPoint'),
    setReservationExpirationInMinutes: set('reservationExpirationInMinutes'),
    setRestockableInDays: set('restockableInDays'),
    setSafetyStock: setStockLevel('safetyStock'),
    setSupplyChannel: set('supplyChannel'),
    ...customActions,
  },
  derive: (entry) => {
    // Of a new one. From then on actions and reservations keep it.
    entry.availableQuantity ??= entry.quantityOnStock;
  },
  messages,
  rules: [limitsInOrder],
  graphql: {
    many: 'inventoryEntries',
    actions: {
      setInventoryLimits: 'SetInventoryLimits',
      setKey: 'SetInventoryKey',
      setReorderPoint: 'SetReorderPoint',
      setSafetyStock: 'SetSafetyStock',
    },
    members: { 'SetInventoryLimits.minCartQuantity': 'Int', 'SetInventoryLimits.maxCartQuantity': 'Int' },
  },
  // One for each SKU and channel.
  uniqueValues: ({ sku, supplyChannel }) => [{ ...stockUnique(sku, supplyChannel?.id), shown: sku }],
});
