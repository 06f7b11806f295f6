/** What an edit would make of its order as it is now (orders 35). */
import type { RequestContext } from '../../engine/context.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import { unstamped } from '../../engine/operations/extend.ts';
import type { Engine, Planned } from '../../engine/resource.ts';
import type { Insertion } from '../../engine/store.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type EditedOrder, failureOf, planEdited, refusalOf } from './edited-order.ts';
import type { OrderEdit } from './fields.ts';

/** Edits that were applied keep what came of them. What an edit shows is no fault of whoever stores it or asks for it. */
export async function previewOf(
  engine: Engine,
  context: RequestContext,
  edit: Fixed<OrderEdit>,
): Promise<Fixed<OrderEdit['result']>> {
  if (edit.result.type === 'Applied') return edit.result;
  let edited: EditedOrder;
  try {
    edited = await planEdited(engine, context, { edit });
  } catch (error) {
    return failureOf(isOfExtension(error) ? error : refusalOf(error));
  }
  const { before, after, planned } = edited;
  // Documents of orders are what the engine keeps of them.
  const preview = unstamped(after as unknown as Document, before as unknown as Document);
  return { type: 'PreviewSuccess', preview, messagePayloads: (planned.messages ?? []).map(payloadOf) };
}

function isOfExtension(error: unknown): error is ApiError {
  return error instanceof ApiError && error.errors.some((element) => 'errorByExtension' in element);
}

/** Members that all messages have. */
const envelope = [
  'id',
  'version',
  'createdAt',
  'lastModifiedAt',
  'createdBy',
  'lastModifiedBy',
  'sequenceNumber',
  'resource',
  'resourceVersion',
  'resourceUserProvidedIdentifiers',
];

function payloadOf({ write }: Planned<Insertion>): object {
  return Object.fromEntries(Object.entries(documentOf(write.json)).filter(([name]) => !envelope.includes(name)));
}
