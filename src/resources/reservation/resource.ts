import { defineResource } from '../../engine/define.ts';
import { expiry } from './expiry.ts';
import { fields } from './fields.ts';

/** Units of a stock that are held back for a line item. It has no paths of its own, and is written with its cart alone. */
export const reservation = defineResource({
  kind: 'reservation',
  typeName: 'Reservation',
  path: 'reservations',
  scopes: { view: ['view_orders'], manage: ['manage_orders'] },
  keyMembers: [],
  fields,
  actions: {},
  expiry,
});
