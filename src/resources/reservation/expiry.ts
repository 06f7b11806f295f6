import type { Expiry } from '../../engine/resource.ts';
import { planReplacement } from '../../engine/operations/plan.ts';
import type { Reservation } from './fields.ts';
import { planRelease } from './writes.ts';

/** Reservations end by the clock, and what they held back is available again. */
export const expiry: Expiry<Reservation> = {
  isOn: ({ inventory }) => inventory?.releaseExpiredReservations !== false,
  plan: async (engine, context, { resource, document }) => {
    const after = { ...document, state: 'Expired' as const };
    const change = { context, resource, id: document.id, before: document, after, isFollowing: true } as const;
    const [expired, released] = await Promise.all([
      planReplacement(engine, change),
      planRelease(engine, context, [document]),
    ]);
    return [...(expired === undefined ? [] : [expired]), ...released];
  },
};
