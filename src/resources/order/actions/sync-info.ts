import { action } from '../../../engine/actions.ts';
import type { FieldKind } from '../../../fields/field.ts';
import { optional, required } from '../../../fields/field.ts';
import type { Reference } from '../../../fields/parsing.ts';
import { reference } from '../../../fields/reference.ts';
import { dateTime, text } from '../../../fields/scalar.ts';
import type { Order } from '../fields.ts';

const syncRoles = ['OrderExport', 'OrderImport'];

/** Of a system that orders are exported to or imported from. */
const channel: FieldKind<Reference> = {
  ...reference('channel', 'Channel', {
    strength: 'loose',
    lacks: ({ id, roles }) => {
      if (Array.isArray(roles) && syncRoles.some((role) => roles.includes(role))) return undefined;
      const message = `The channel with ID '${String(id)}' has none of the roles ${syncRoles.join(', ')}.`;
      return { code: 'InvalidInput', message };
    },
  }),
  examples: [{ typeId: 'channel', key: 'example-channel-order-export' }],
};

/** A channel has one entry. */
export const updateSyncInfo = action(
  { channel: required(channel), externalId: optional(text()), syncedAt: optional(dateTime()) },
  (order: Order, { syncedAt, ...given }, { now }) => {
    const entry = { ...given, syncedAt: syncedAt ?? now };
    const index = order.syncInfo.findIndex((known) => known.channel.id === given.channel.id);
    order.syncInfo.splice(index < 0 ? order.syncInfo.length : index, 1, entry);
  },
);
