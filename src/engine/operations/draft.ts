import { Parsing } from '../../fields/parsing.ts';
import { parseObject } from '../../fields/object.ts';
import type { CreateRequest, Engine } from '../resource.ts';
import { draftInPlace } from '../place.ts';
import { Readings } from '../computation.ts';
import { load } from '../load.ts';
import { applyContextOf } from './write.ts';

/** What a draft makes of the resource's own fields. What it names is added to `found`. */
export async function parsedDraft(
  engine: Engine,
  request: CreateRequest,
  found = new Readings(),
): Promise<Record<string, unknown>> {
  const { context, resource } = request;
  const parsing = new Parsing();
  const draft = parseObject(resource.draft, draftInPlace(resource, request), parsing);
  parsing.settle();
  await load(engine, context.project.key, { parsing, note: (kind, stored) => found.add(kind, stored) });
  // settle() has thrown when the draft has faults.
  return resource.create(draft!, applyContextOf(context, found));
}
