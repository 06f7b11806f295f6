import type { Along, Planned } from '../../engine/resource.ts';
import { planAssignment } from '../product-selection-assignment/offers.ts';
import type { Noted } from './actions.ts';

/**
 * The assignments that the actions have changed, of each product what the last of them made. Those of a selection that goes
 * are too many for one commit: they follow it.
 */
export const assignments: Along = async (engine, context, { after, noted }) => {
  // Only the actions of selections note anything.
  const last = new Map((noted as readonly Noted[]).map((each) => [each.product, each]));
  const planned = await Promise.all(
    [...last.values()].map((each) => planAssignment(engine, context, { selection: after.id, ...each })),
  );
  return planned.flat() satisfies readonly Planned[];
};
