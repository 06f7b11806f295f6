/** What resources show that are previews of others, and writes that bring about nothing but the answer. */
import { ApiError, apiError } from '../../errors/api-error.ts';
import { isObject } from '../../fields/object.ts';
import { answerBytesMax } from '../answer-budget.ts';
import { wholeOf } from '../lens.ts';
import type { RequestContext } from '../context.ts';
import { documentOf, type Json } from '../json.ts';
import type { Engine, Resource } from '../resource.ts';

/** Whether a draft asks for the answer alone, which kinds with a preview take. */
export function isDryRun({ preview }: Pick<Resource, 'preview'>, given: unknown): boolean {
  return preview !== undefined && isObject(given) && given['dryRun'] === true;
}

/** The representation, with what it shows of what it would bring about. */
export async function previewed(
  engine: Engine,
  context: RequestContext,
  { resource: { preview }, json }: { readonly resource: Pick<Resource, 'preview'>; readonly json: Json },
): Promise<Json> {
  if (preview === undefined) return json;
  // It may be another at any moment: time goes on, and others are asked.
  engine.sources.noteUntil(0);
  const whole = { ...engine, store: wholeOf(engine.store) };
  const document = documentOf(json);
  const shown = await preview.of(whole, context, document);
  requireRoom(context, Buffer.byteLength(shown));
  const { [preview.member]: _, ...stored } = document;
  return `${JSON.stringify(stored).slice(0, -1)},"${preview.member}":${shown}}`;
}

/**
 * The same of what has just been written. Where there is no preview at the moment the answer is what is stored: the write is
 * done, and whoever were told of an error would do it again.
 */
export async function previewedAfterWrite(
  engine: Engine,
  context: RequestContext,
  written: { readonly resource: Pick<Resource, 'preview'>; readonly json: Json },
): Promise<Json> {
  try {
    return await previewed(engine, context, written);
  } catch (error) {
    if (error instanceof ApiError) return written.json;
    throw error;
  }
}

/** Bytes of what was shown to a request. */
const shownTo = new WeakMap<RequestContext, number>();

/** One preview is as long as what it would write; of several a request holds no more than an answer has. */
function requireRoom(context: RequestContext, bytes: number): void {
  const before = shownTo.get(context) ?? 0;
  if (before > 0 && before + bytes > answerBytesMax)
    throw apiError(
      'InvalidInput',
      `The previews of the request would have more than ${answerBytesMax} bytes together. Ask for fewer at a time.`,
    );
  shownTo.set(context, before + bytes);
}
