/** Edits that are applied: the order becomes what the preview shows, in one write with the edit (orders 37). */
import type { RequestContext } from '../../engine/context.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { invalidOperation } from '../../engine/actions.ts';
import { endpoint } from '../../engine/endpoint.ts';
import { copyOf, documentOf, type Json } from '../../engine/json.ts';
import { anewWhileOutdated, commit, goingWith } from '../../engine/operations/commit.ts';
import { existing } from '../../engine/operations/get.ts';
import { planReplacement, stampChanged } from '../../engine/operations/plan.ts';
import { representAs } from '../../engine/operations/represent.ts';
import type { EndpointRequest, Engine, Planned } from '../../engine/resource.ts';
import type { Replacement } from '../../engine/store.ts';
import { type ErrorElement, throwAll } from '../../errors/api-error.ts';
import { calledInGraphql, required } from '../../fields/field.ts';
import { integer, text } from '../../fields/scalar.ts';
import type { Order } from '../order/fields.ts';
import { planCodes } from '../order/sold.ts';
import { type EditedOrder, editedOrder, requireVersion } from './edited-order.ts';
import type { OrderEdit } from './fields.ts';
import type { Applied } from './applied-result.ts';
import { editApplied } from './messages.ts';
import { usedCodes } from './recalculation.ts';

export const apply = endpoint({
  path: '{ID}/apply',
  method: 'POST',
  scopes: ['manage_order_edits'],
  parameters: { ID: required(calledInGraphql(text(), 'id')) },
  body: { editVersion: required(integer()), resourceVersion: required(integer()) },
  answer: 'one',
  summary: 'Makes of the order what the preview of the edit shows.',
  failures: [
    'ResourceNotFound',
    'ConcurrentModification',
    'InvalidOperation',
    'EditPreviewFailed',
    // What rivals took after the preview was made.
    'DiscountCodeNonApplicable',
    'DuplicateField',
  ],
  mutation: { name: 'applyOrderEdit' },
  run: async (engine, { context, resource, parameters: { ID: id }, body, expand }) => {
    const json = await anewWhileOutdated(() => applied(engine, context, { resource, id, ...body }));
    return (await representAs(engine, { context, resource, paths: expand }, [json]))[0]!;
  },
});

interface Applying extends Pick<EndpointRequest, 'resource'> {
  readonly id: string;
  readonly editVersion: number;
  readonly resourceVersion: number;
}

async function applied(engine: Engine, context: RequestContext, applying: Applying): Promise<Json> {
  const edit = await readEdit(engine, context, applying);
  // Edits are what the engine keeps of them.
  const before = edit as unknown as Document;
  const edited = await editedOrder(engine, context, {
    edit,
    // It may have become another since.
    resourceVersion: applying.resourceVersion,
    tells: (orderBefore) => [
      editApplied((orderAfter) => {
        const result = resultOf(context, { before: orderBefore, after: orderAfter });
        const after = { ...before, result };
        stampChanged(applying.resource, { before, after }, context);
        return { edit: after, result };
      }),
    ],
  });
  const result = resultOf(context, edited);
  const planned = await planAppliedEdit(engine, context, { ...applying, before, result });
  await commit(engine, context, [withCodes(engine, context, edited), planned]);
  return planned.write.json;
}

/** Throws where it, or its order, is at another version, or where it has been applied. */
async function readEdit(
  { store, registry }: Engine,
  { project }: RequestContext,
  { resource, id, editVersion, resourceVersion }: Applying,
): Promise<OrderEdit> {
  const [found] = await store.find(project.key, [{ kind: resource.kind, id }]);
  const edit = documentOf<OrderEdit>(existing(found, { resource, identity: { id } }).json);
  const kind = registry.byKind.get('order')!;
  const [order] = await store.find(project.key, [{ kind: kind.kind, id: edit.resource.id }]);
  if (order !== undefined) requireVersion(kind, order, resourceVersion);
  requireVersion(resource, edit, editVersion);
  if (edit.result.type === 'Applied') throw invalidOperation(`The edit '${edit.id}' has been applied already.`);
  return edit;
}

function resultOf(
  { now }: RequestContext,
  { before, after }: { readonly before: Fixed<Order>; readonly after: Fixed<Order> },
): Applied {
  return { type: 'Applied', appliedAt: now, excerptBeforeEdit: excerptOf(before), excerptAfterEdit: excerptOf(after) };
}

function excerptOf({ totalPrice, taxedPrice, version }: Fixed<Order>): Applied['excerptAfterEdit'] {
  return { totalPrice, ...(taxedPrice !== undefined && { taxedPrice }), version };
}

async function planAppliedEdit(
  engine: Engine,
  context: RequestContext,
  { resource, before, result }: Applying & { readonly before: Document; readonly result: Applied },
): Promise<Planned<Replacement>> {
  const after = { ...copyOf(before), result };
  // It has become another.
  return (await planReplacement(engine, { context, resource, id: before.id, before, after }))!;
}

/** A code that the edit has brought is used once. Codes that the order had keep the use that they have. */
function withCodes(
  engine: Engine,
  context: RequestContext,
  { before, after, planned }: EditedOrder,
): Planned<Replacement> {
  const known = new Set(usedCodes(before));
  const discountCodes = after.discountCodes.filter(({ discountCode: { id } }) => !known.has(id));
  const used = goingWith(planned, async () => {
    const errors: ErrorElement[] = [];
    const uses = await planCodes(engine, context, { cart: { ...after, discountCodes }, errors });
    throwAll(errors);
    return uses;
  });
  // Whoever wants to hear of it does so through the messages (orders 37).
  return { ...used, isUnannounced: true };
}
