import { Parsing } from '../../fields/parsing.ts';
import { parseObject } from '../../fields/object.ts';
import type { CreateRequest, Engine } from '../resource.ts';
import { draftInPlace } from '../place.ts';
import { readHolders } from '../computation.ts';
import { Readings } from '../readings.ts';
import { load } from '../load.ts';
import { loadDescribed } from '../describe.ts';
import { storesSight } from '../scoped-stores.ts';
import { ownSight } from '../visibility.ts';
import { readDescriptions } from '../descriptions.ts';
import type { Creation } from './plan.ts';
import { applyContextOf } from './write.ts';

/** What a draft makes: the resource's own fields, and what is kept beside them. What it names is added to `found`. */
export async function parsedDraft(
  engine: Engine,
  request: CreateRequest,
  found = new Readings(),
): Promise<Pick<Creation, 'body' | 'internals' | 'noted' | 'said' | 'told'>> {
  const { context, resource } = request;
  const parsing = new Parsing();
  const draft = parseObject(resource.draft, draftInPlace(resource, request), parsing);
  parsing.settle();
  const project = context.project.key;
  // settle() has thrown when the draft has faults.
  await Promise.all([
    load(engine, context, {
      parsing,
      note: (kind, stored) => found.add(kind, stored),
      sees:
        request.owner === undefined
          ? storesSight(engine.registry, context, resource)
          : ownSight(engine.registry, context),
    }),
    readHolders(engine, project, { holders: resource.draftHolders(draft!), into: found }),
  ]);
  await readDescriptions(engine, project, { resource, holder: draft!, into: found });
  const [further, left] = [new Parsing(), { internals: {}, noted: [], said: new Set<string>(), told: [] }];
  const body = await resource.create(draft!, applyContextOf(context, { found, parsing: further, ...left }));
  further.settle();
  await loadDescribed(engine, context, further);
  return { body, ...left };
}
