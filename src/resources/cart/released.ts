import type { AlongRemoval } from '../../engine/resource.ts';
import type { Fixed } from '../../engine/document.ts';
import { planGone } from '../reservation/offers.ts';
import type { Cart } from './fields.ts';

/** A cart that goes takes its reservations with it. What a change releases is part of its plan. */
export const releasedWithCart: AlongRemoval = (engine, context, gone) => {
  // The engine calls it with carts.
  const { lineItems } = gone as unknown as Fixed<Cart>;
  const ids = lineItems.flatMap(({ reservation }) => reservation?.id ?? []);
  return planGone(engine, context, ids);
};
