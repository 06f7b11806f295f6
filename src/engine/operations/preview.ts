/** What resources show that are previews of others, and writes that bring about nothing but the answer. */
import { isObject } from '../../fields/object.ts';
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
  document[preview.member] = await preview.of(whole, context, document);
  return JSON.stringify(document);
}
