import type { Along } from '../../engine/resource.ts';
import { planGone } from '../reservation/offers.ts';
import type { Cart } from './fields.ts';

/** A cart that goes takes its reservations with it. What a change releases is part of its plan. */
export const releasedWithCart: Along = (engine, context, { before, after }) => {
  // The engine calls it with carts.
  const lines = after === undefined ? (before as unknown as Cart).lineItems : [];
  const ids = lines.flatMap(({ reservation }) => reservation?.id ?? []);
  return planGone(engine, context, ids);
};
