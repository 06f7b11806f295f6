/** What edits offer to other resources: orders as they would be. */
import type { RequestContext } from '../../engine/context.ts';
import type { Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import { wholeOf } from '../../engine/lens.ts';
import { existing } from '../../engine/operations/get.ts';
import type { Engine } from '../../engine/resource.ts';
import type { Order } from '../order/fields.ts';
import { editedOrder } from './edited-order.ts';
import type { OrderEdit } from './fields.ts';

/** The order as the edit would make it, or has made it. Throws ResourceNotFound and EditPreviewFailed. */
export async function orderAsEdited(engine: Engine, context: RequestContext, id: string): Promise<Fixed<Order>> {
  const resource = engine.registry.byKind.get('order-edit')!;
  const { key: project } = context.project;
  const [found] = await engine.store.find(project, [{ kind: resource.kind, id }]);
  const edit = documentOf<OrderEdit>(existing(found, { resource, identity: { id } }).json);
  // What an applied edit did is in its order.
  const staged = edit.result.type === 'Applied' ? { ...edit, stagedActions: [] } : edit;
  const whole = { ...engine, store: wholeOf(engine.store) };
  return (await editedOrder(whole, context, { edit: staged })).after;
}
