import type { MessagesDeclaration } from '../../engine/define.ts';
import { type Fixed, versioned } from '../../engine/document.ts';
import { messageType, told, type Told } from '../../engine/messages.ts';
import { whenChanged } from '../../engine/tellers.ts';
import { embedded } from '../../fields/embedded.ts';
import { optional, required } from '../../fields/field.ts';
import { integer, text } from '../../fields/scalar.ts';
import { fields, type InventoryEntry } from './fields.ts';

type Entry = Fixed<InventoryEntry>;

const ofStock = { sku: required(text()), supplyChannel: fields.supplyChannel };
const ofLevel = { ...ofStock, quantityOnStock: required(integer({ type: 'Int' })) };
const quantity = required(integer());

const created = messageType('InventoryEntryCreated', {
  inventoryEntry: required(embedded<InventoryEntry>('InventoryEntry', { ...versioned, ...fields })),
});
const deleted = messageType('InventoryEntryDeleted', ofStock);
const outOfStock = messageType('InventoryEntryOutOfStock', ofStock);
const reorderPoint = messageType('InventoryEntryReorderPoint', ofLevel);
const safetyStock = messageType('InventoryEntrySafetyStock', ofLevel);
const quantitySet = messageType('InventoryEntryQuantitySet', {
  oldQuantityOnStock: quantity,
  newQuantityOnStock: quantity,
  oldAvailableQuantity: quantity,
  newAvailableQuantity: quantity,
  sku: optional(text()),
  supplyChannel: fields.supplyChannel,
});
const minutes = optional(integer({ type: 'Int' }));
const reservationMinutesSet = messageType('InventoryEntryReservationExpirationInMinutesSet', {
  newReservationExpirationInMinutes: minutes,
  oldReservationExpirationInMinutes: minutes,
});

/** A stock that is less than it was tells of each level that it has come down to, once. */
function crossed(before: Entry, after: Entry): readonly Told[] {
  const { sku, supplyChannel, quantityOnStock, stockLevels = {} } = after;
  const hasReached = (level: number | undefined): boolean =>
    level !== undefined && before.quantityOnStock > level && quantityOnStock <= level;
  return [
    ...(before.availableQuantity > 0 && after.availableQuantity <= 0 ? [told(outOfStock, { sku, supplyChannel })] : []),
    ...(hasReached(stockLevels.reorderPoint) ? [told(reorderPoint, { sku, quantityOnStock, supplyChannel })] : []),
    ...(hasReached(stockLevels.safetyStock) ? [told(safetyStock, { sku, quantityOnStock, supplyChannel })] : []),
  ];
}

type Quantities = Pick<Entry, 'quantityOnStock' | 'availableQuantity'>;

const tellsQuantity = whenChanged<InventoryEntry, Quantities>(
  ({ quantityOnStock, availableQuantity }) => ({ quantityOnStock, availableQuantity }),
  ({ before, after, document: { sku, supplyChannel } }) => [
    told(quantitySet, {
      oldQuantityOnStock: before.quantityOnStock,
      newQuantityOnStock: after.quantityOnStock,
      oldAvailableQuantity: before.availableQuantity,
      newAvailableQuantity: after.availableQuantity,
      sku,
      supplyChannel,
    }),
  ],
);

export const messages: MessagesDeclaration<InventoryEntry> = {
  types: [created, deleted, outOfStock, quantitySet, reorderPoint, safetyStock, reservationMinutesSet],
  created: (inventoryEntry) => [told(created, { inventoryEntry })],
  deleted: ({ sku, supplyChannel }) => [told(deleted, { sku, supplyChannel })],
  replaced: crossed,
  levelOf: ({ stockLevels = {} }, member) => {
    if (member === 'availableQuantity') return 0;
    return member === 'quantityOnStock' ? (stockLevels.reorderPoint ?? stockLevels.safetyStock) : undefined;
  },
  actions: {
    addQuantity: tellsQuantity,
    changeQuantity: tellsQuantity,
    removeQuantity: tellsQuantity,
    setReservationExpirationInMinutes: whenChanged<InventoryEntry, number | undefined>(
      ({ reservationExpirationInMinutes }) => reservationExpirationInMinutes,
      ({ before, after }) => [
        told(reservationMinutesSet, {
          newReservationExpirationInMinutes: after,
          oldReservationExpirationInMinutes: before,
        }),
      ],
    ),
  },
};
