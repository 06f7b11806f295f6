/** What an edit makes of its order: planned as an update of the order is, to be shown or to be committed. */
import type { RequestContext } from '../../engine/context.ts';
import { requireCommittable } from '../../engine/commit-bounds.ts';
import { compute, readAhead } from '../../engine/computation.ts';
import { checkDescribed } from '../../engine/describe.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { claimsOf, FairQueue, type SharesMax } from '../../engine/fair-queue.ts';
import { largeTurn } from '../../engine/heavy-turns.ts';
import { documentOf } from '../../engine/json.ts';
import { load, notFound } from '../../engine/load.ts';
import type { Told } from '../../engine/messages.ts';
import { conflict } from '../../engine/operations/commit.ts';
import { planExtendedReplacement } from '../../engine/operations/extend.ts';
import { keptMessages } from '../../engine/operations/plan-messages.ts';
import { applySteps, newSharing, parseSteps, takingSight } from '../../engine/operations/steps.ts';
import { type WorkingCopy, workingCopy } from '../../engine/operations/working-copy.ts';
import { Readings } from '../../engine/readings.ts';
import type { Computation, Engine, Planned, Resource } from '../../engine/resource.ts';
import type { Replacement, StoredVersion } from '../../engine/store.ts';
import { ApiError, apiError } from '../../errors/api-error.ts';
import { Parsing } from '../../fields/parsing.ts';
import type { CustomLineItem, LineItem } from '../cart/item-fields.ts';
import { initialIdIn } from '../state/offers.ts';
import type { Order } from '../order/fields.ts';
import type { OrderEdit } from './fields.ts';
import { requireShipped } from './kept-deliveries.ts';
import { toldByEdit } from './messages.ts';
import { recalculation } from './recalculation.ts';
import { concernsAmounts, stagedActions } from './staged-actions.ts';
import { statesFor } from './unit-states.ts';

export interface EditedOrder {
  /** As it is stored. */
  readonly before: Fixed<Order>;
  readonly after: Order;
  readonly planned: Planned<Replacement>;
}

/** What planning one takes. */
interface Editing {
  readonly edit: Fixed<OrderEdit>;
  /** That of the order, where it is to be at one; by default whatever it is at. */
  readonly resourceVersion?: number;
  /** What the edit itself leaves, last. */
  tells?(before: Fixed<Order>): readonly Told[];
}

/**
 * Of one process: what an edit of a few kilobytes leaves may have tens of megabytes. Some wait for extensions, while others go
 * on.
 */
const queue = new FairQueue({ runningMax: 8, waitingMax: 400, refusal: 'Too many edits are looked at.' });
const shares: SharesMax = { ofClient: 100, ofProject: 200, runningOfClient: 3, runningOfProject: 4 };

/** Does what plans an edit when its turn comes. */
export function oneOfFew<T>(context: RequestContext, work: () => Promise<T>): Promise<T> {
  return queue.run(claimsOf(context, shares), work, context.signal);
}

/** The order after the edit, in its turn; that the edit cannot be applied is an error of its own. */
export async function editedOrder(engine: Engine, context: RequestContext, editing: Editing): Promise<EditedOrder> {
  try {
    return await oneOfFew(context, () => planEdited(engine, context, editing));
  } catch (error) {
    const result = failureOf(refusalOf(error));
    throw apiError('EditPreviewFailed', `The edit '${editing.edit.id}' cannot be applied to its order.`, { result });
  }
}

export function failureOf({ errors }: ApiError): OrderEdit['result'] {
  return { type: 'PreviewFailure', errors };
}

const staged = { actions: stagedActions, schemaName: 'Order' };

/** Throws why the edit cannot be applied to the order as it is. Called in a turn, of `oneOfFew`. */
export async function planEdited(
  engine: Engine,
  context: RequestContext,
  { edit, resourceVersion, tells = () => [] }: Editing,
): Promise<EditedOrder> {
  const resource = engine.registry.byKind.get('order')!;
  const parsing = new Parsing();
  const steps = parseSteps(staged, edit.stagedActions, parsing);
  parsing.settle();
  const [found, source] = [new Readings(), { kind: 'order', id: edit.resource.id }];
  const holders = steps.flatMap(({ action, input }) => action.holders?.(input) ?? []);
  const [[stored]] = await Promise.all([
    load(engine, context, {
      lookups: [source],
      parsing,
      note: (kind, there) => found.add(kind, there),
      sees: takingSight(engine, context, { resource, steps }),
      judge: ([there]) => {
        if (there === undefined) throw new ApiError([notFound({ typeId: 'order', id: source.id })]);
        requireVersion(resource, there, resourceVersion);
      },
    }),
    readAhead(engine, context.project.key, { resource, source, holders, into: found }),
  ]);
  const copy = await workingCopy(engine, context, { resource, stored: stored!, found });
  const sharing = newSharing({ found, internals: copy.internals });
  // Documents of orders are what the engine keeps of them.
  const [before, order] = [copy.before as unknown as Fixed<Order>, copy.after as unknown as Order];
  Object.assign(order, { cartState: 'Active' });
  const bytes = stored!.json.length;
  await applySteps(engine, context, { steps, before: copy.before, after: copy.after, sharing, bytes });
  requireShipped(order);
  forgetStock(order, before);
  await largeTurn(context, bytes);
  // As they are stored they are judged by predicates.
  await checkDescribed(engine, context, { resource, before: copy.before, after: copy.after });
  if (edit.stagedActions.some(({ action }) => concernsAmounts(action)))
    await recalculate(engine, context, { resource, copy, sharing });
  statesOfUnits(order, before, await initialIdIn(engine, context.project.key));
  forgetCart(resource, copy.after);
  // An order is edited even where it stays the same.
  const leaving = { ...sharing, noted: [edit.id], told: [...sharing.told, ...toldByEdit(before, order)] };
  const planned = await planExtendedReplacement(engine, context, {
    resource,
    id: stored!.id,
    copy,
    sharing: leaving,
    toldLast: tells(before),
  });
  const after = documentOf<Order>(planned!.write.json);
  requireCommittable(commitOf(context, { edit, after, planned: planned! }));
  return { before, after, planned: planned! };
}

/** What applying it writes: the order, the edit, messages, and what counts the uses of codes. */
function commitOf(
  context: RequestContext,
  { edit, after, planned }: { readonly edit: Fixed<OrderEdit>; readonly after: Order } & Pick<EditedOrder, 'planned'>,
): Parameters<typeof requireCommittable>[0] {
  const messages = keptMessages(context, planned.messages ?? []).map(({ write }) => write.json);
  const texts = [planned.write.json, JSON.stringify(edit), ...messages];
  return {
    count: texts.length + 2 * after.discountCodes.length,
    bytes: texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0),
  };
}

/** Throws where the resource is at another version. */
export function requireVersion(
  resource: Pick<Resource, 'schemaName'>,
  { id, version }: StoredVersion,
  expected: number | undefined,
): void {
  if (expected !== undefined && version !== expected) throw conflict(resource, { id, expected, current: version });
}

/** Why an edit fails that a client may mend; what tells of the moment is thrown. */
export function refusalOf(error: unknown): ApiError {
  if (error instanceof ApiError && error.status < 500 && error.status !== 409) return error;
  throw error;
}

async function recalculate(
  engine: Engine,
  context: RequestContext,
  {
    resource,
    copy,
    sharing: { found, said, warnings },
  }: {
    readonly resource: Resource;
    readonly copy: WorkingCopy;
    readonly sharing: ReturnType<typeof newSharing>;
  },
): Promise<void> {
  // What computes carts is asked as what computes any resource.
  const computation = recalculation as unknown as Computation;
  await compute(engine, context, {
    resource: { ...resource, computation },
    document: copy.after,
    before: copy.before,
    found,
    said,
    warnings,
  });
}

/** Lines that an edit brings take nothing from stock. */
function forgetStock({ lineItems }: Order, before: Fixed<Order>): void {
  const known = new Set(before.lineItems.map(({ id }) => id));
  for (const line of lineItems) if (!known.has(line.id)) delete line.inventoryMode;
}

function statesOfUnits(order: Order, before: Fixed<Order>, initialId: string): void {
  const was = new Map<string, Fixed<LineItem | CustomLineItem>>(
    [...before.lineItems, ...before.customLineItems].map((item) => [item.id, item]),
  );
  for (const item of [...order.lineItems, ...order.customLineItems])
    if (item.quantity !== was.get(item.id)?.quantity) item.state = statesFor(item, initialId);
}

/** Members that carts have while they are computed. */
function forgetCart({ fields }: Resource, document: Document): void {
  for (const name of Object.keys(document)) if (!Object.hasOwn(fields, name)) delete document[name];
}
