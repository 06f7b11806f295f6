/** What an edit would make of its order as it is now (orders 35). */
import type { RequestContext } from '../../engine/context.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { bytesTurn } from '../../engine/heavy-turns.ts';
import { documentOf, type Json } from '../../engine/json.ts';
import { commonMembers } from '../../engine/messages.ts';
import { unstamped } from '../../engine/operations/extend.ts';
import type { Engine } from '../../engine/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import { type EditedOrder, failureOf, oneOfFew, planEdited, refusalOf } from './edited-order.ts';
import type { OrderEdit } from './fields.ts';

/** Edits that were applied keep what came of them. What an edit shows is no fault of whoever stores it or asks for it. */
export async function previewOf(engine: Engine, context: RequestContext, edit: Fixed<OrderEdit>): Promise<string> {
  if (edit.result.type === 'Applied') return JSON.stringify(edit.result);
  return oneOfFew(context, () => madePreview(engine, context, edit));
}

async function madePreview(engine: Engine, context: RequestContext, edit: Fixed<OrderEdit>): Promise<string> {
  let edited: EditedOrder;
  try {
    edited = await planEdited(engine, context, { edit });
  } catch (error) {
    return JSON.stringify(failureOf(isOfExtension(error) ? error : refusalOf(error)));
  }
  const { before, after, planned } = edited;
  // Documents of orders are what the engine keeps of them.
  const preview = unstamped(after as unknown as Document, before as unknown as Document);
  const payloads: string[] = [];
  for (const { write } of planned.messages ?? []) {
    await bytesTurn(context, write.json.length);
    payloads.push(JSON.stringify(payloadIn(write.json)));
  }
  return `{"type":"PreviewSuccess","preview":${JSON.stringify(preview)},"messagePayloads":[${payloads.join(',')}]}`;
}

function isOfExtension(error: unknown): error is ApiError {
  return error instanceof ApiError && error.errors.some((element) => 'errorByExtension' in element);
}

function payloadIn(message: Json): object {
  return Object.fromEntries(Object.entries(documentOf(message)).filter(([name]) => !commonMembers.has(name)));
}
