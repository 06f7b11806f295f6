/** What reservations offer to carts: they are made, changed and released with the cart whose line items they are for. */
import type { RequestContext } from '../../engine/context.ts';
import type { Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import { planInsertion, planRemoval, planReplacement } from '../../engine/operations/plan.ts';
import type { Engine, Planned } from '../../engine/resource.ts';
import type { Reservation } from './fields.ts';
import { isLive, planRelease, planTaking } from './writes.ts';

export { isLive };

const kind = 'reservation';

/** What becomes of a reservation. */
export type Effect =
  | { readonly type: 'create'; readonly id: string; readonly made: Made }
  | { readonly type: 'change'; readonly of: Fixed<Reservation>; readonly to: Pick<Made, 'quantity' | 'expiresAt'> }
  /** Its units are available again where its stock is there still. */
  | { readonly type: 'release'; readonly of: Fixed<Reservation>; readonly isStocked: boolean };

type Made = Pick<Fixed<Reservation>, 'quantity' | 'expiresAt' | 'lineItemId'> & { readonly entryId: string };

/** The writes of what becomes of reservations of a cart. */
export async function planEffects(
  engine: Engine,
  context: RequestContext,
  { cartId, effects }: { readonly cartId: string; readonly effects: readonly Effect[] },
): Promise<readonly Planned[]> {
  const planned = await Promise.all(effects.map((effect) => planEffect(engine, context, { cartId, effect })));
  return planned.flat();
}

async function planEffect(
  engine: Engine,
  context: RequestContext,
  { cartId, effect }: { readonly cartId: string; readonly effect: Effect },
): Promise<readonly Planned[]> {
  const resource = engine.registry.byKind.get(kind)!;
  if (effect.type === 'create') {
    const { entryId, ...made } = effect.made;
    const inventoryEntry = { typeId: 'inventory-entry', id: entryId };
    const body = { id: effect.id, ...made, inventoryEntry, owner: { typeId: 'cart', id: cartId }, state: 'Created' };
    return [
      await planInsertion(engine, { context, resource, body }),
      planTaking(engine, context, { id: entryId, quantity: made.quantity }),
    ];
  }
  const { id, version, quantity, inventoryEntry } = effect.of;
  const taking = (more: number): readonly Planned[] =>
    more === 0 ? [] : [planTaking(engine, context, { id: inventoryEntry.id, quantity: more })];
  // What was read is shared, and plans stamp what they are given.
  const before = structuredClone(effect.of) as Reservation;
  if (effect.type === 'release') {
    const stored = { id, json: JSON.stringify(before) };
    const units = isLive(before) && effect.isStocked ? quantity : 0;
    return [planRemoval(engine, context, { resource, stored, version }), ...taking(-units)];
  }
  const after: Reservation = { ...before, ...effect.to, state: 'Updated' };
  const changed = await planReplacement(engine, { context, resource, id, before, after });
  return [...(changed === undefined ? [] : [changed]), ...taking(effect.to.quantity - quantity)];
}

/** The writes with which reservations go when nobody needs them any more. */
export async function planGone(
  engine: Engine,
  context: RequestContext,
  ids: readonly string[],
): Promise<readonly Planned[]> {
  if (ids.length === 0) return [];
  const resource = engine.registry.byKind.get(kind)!;
  const found = await engine.store.find(
    context.project.key,
    ids.map((id) => ({ kind, id })),
  );
  const stored = found.filter((each) => each !== undefined);
  const released = await planRelease(
    engine,
    context,
    stored.map(({ json }) => documentOf<Reservation>(json)),
  );
  return [
    ...stored.map((each) => planRemoval(engine, context, { resource, stored: each, version: each.version })),
    ...released,
  ];
}

/** Those of these that hold units back, by their ids: an order takes them for good. */
export async function committedOf(
  { store }: Engine,
  { project }: RequestContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Reservation>> {
  if (ids.length === 0) return new Map();
  const found = await store.find(
    project.key,
    ids.map((id) => ({ kind, id })),
  );
  const reservations = found.flatMap((stored) => (stored === undefined ? [] : [documentOf<Reservation>(stored.json)]));
  return new Map(reservations.filter(isLive).map((reservation) => [reservation.id, reservation]));
}

/** The writes of what becomes of them with the order. */
export async function planCommitted(
  engine: Engine,
  context: RequestContext,
  reservations: readonly Reservation[],
): Promise<readonly Planned[]> {
  const resource = engine.registry.byKind.get(kind)!;
  const planned = reservations.map((before) =>
    planReplacement(engine, {
      context,
      resource,
      id: before.id,
      before,
      after: { ...before, state: 'Committed' as const },
    }),
  );
  return (await Promise.all(planned)).flatMap((each) => each ?? []);
}
