/**
 * What is taken with an order, in its commit: units of stock, which reservations may have held back, and uses of discount
 * codes (orders 15, 16). It is planned anew where rivals come before, and refused where there is not enough any more.
 */
import type { RequestContext } from '../../engine/context.ts';
import type { Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import type { Engine, Planned } from '../../engine/resource.ts';
import { type ErrorElement, throwAll } from '../../errors/api-error.ts';
import type { Cart } from '../cart/fields.ts';
import { planUses } from '../code-use/offers.ts';
import type { DiscountCode } from '../discount-code/fields.ts';
import { planSale } from '../inventory-entry/offers.ts';
import { committedOf, planCommitted } from '../reservation/offers.ts';
import { codeError } from './checks.ts';
import { takenFaults } from './rules.ts';

interface Selling {
  readonly orderNumber?: string | undefined;
  readonly cart: Pick<Fixed<Cart>, 'lineItems' | 'inventoryMode' | 'discountCodes' | 'customerId'>;
}

export async function planSold(engine: Engine, context: RequestContext, selling: Selling): Promise<readonly Planned[]> {
  const errors: ErrorElement[] = [];
  const [stock, codes] = await Promise.all([
    planStock(engine, context, { ...selling, errors }),
    planCodes(engine, context, { ...selling, errors }),
  ]);
  if (errors.length > 0)
    errors.push(...(await takenFaults(engine, context.project.key, { orderNumber: selling.orderNumber })));
  throwAll(errors);
  return [...stock, ...codes];
}

interface Planning extends Selling {
  /** Takes what there is not enough of. */
  readonly errors: ErrorElement[];
}

/** What a reservation holds back leaves the stock alone, and not what is available, which it has left before. */
export async function planStock(
  engine: Engine,
  context: RequestContext,
  {
    cart: { lineItems, inventoryMode },
    errors,
  }: Pick<Planning, 'errors'> & {
    readonly cart: Pick<Selling['cart'], 'lineItems' | 'inventoryMode'>;
  },
): Promise<readonly Planned[]> {
  const lines = lineItems.filter((line) => (line.inventoryMode ?? inventoryMode) !== 'None');
  if (lines.length === 0) return [];
  const committed = await committedOf(
    engine,
    context,
    lines.flatMap(({ reservation }) => reservation?.id ?? []),
  );
  const sold = lines.map((line) => ({
    lineItemId: line.id,
    sku: line.variant.sku,
    supplyChannelId: line.supplyChannel?.id,
    quantity: line.quantity,
    isTrackedAlone: (line.inventoryMode ?? inventoryMode) === 'TrackOnly',
    isReserved: line.reservation !== undefined && committed.has(line.reservation.id),
  }));
  const { planned, shortage } = await planSale(engine, context, sold);
  if (shortage !== undefined) errors.push(shortage);
  return [...planned, ...(await planCommitted(engine, context, [...committed.values()]))];
}

/** One use of each code that is in effect, by the customer too where there is one. Uses never come back. */
export async function planCodes(
  engine: Engine,
  context: RequestContext,
  { cart: { discountCodes, customerId }, errors }: Planning,
): Promise<readonly Planned[]> {
  const kind = 'discount-code';
  const resource = engine.registry.byKind.get(kind)!;
  const used = discountCodes.filter(({ state }) => state === 'MatchesCart');
  if (used.length === 0) return [];
  const stored = await engine.store.find(
    context.project.key,
    used.map(({ discountCode: { id } }) => ({ kind, id })),
  );
  const codes = new Map<string, DiscountCode>();
  for (const [index, each] of stored.entries()) {
    const { id } = used[index]!.discountCode;
    if (each === undefined) errors.push(codeError(id, { discountCode: id, reason: 'DoesNotExist' }));
    else codes.set(id, documentOf<DiscountCode>(each.json));
  }
  const fault = (id: string): void => {
    errors.push(codeError(id, { discountCode: codes.get(id)!.code }));
  };
  const usable = [...codes.values()].filter((code) => {
    const isUsable = (code.applicationCount ?? 0) < (code.maxApplications ?? Infinity);
    if (!isUsable) fault(code.id);
    return isUsable;
  });
  const uses = usable.flatMap(({ id: codeId, maxApplicationsPerCustomer: max }) =>
    customerId === undefined ? [] : [{ codeId, customerId, max }],
  );
  const counted = usable.map(({ id, maxApplications: max }): Planned => {
    const bound = max === undefined ? {} : { max };
    const { groupedBy } = resource;
    return {
      resource,
      write: { type: 'increment', kind, id, member: 'applicationCount', by: 1, ...bound, now: context.now, groupedBy },
    };
  });
  return [...counted, ...(await planUses(engine, context, { uses, onUsedUp: fault }))];
}
