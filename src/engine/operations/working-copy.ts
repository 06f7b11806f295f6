import { isDeepStrictEqual } from 'node:util';
import { readKept } from '../computation.ts';
import { Readings } from '../readings.ts';
import type { RequestContext } from '../context.ts';
import { internalsOf, readDescriptions } from '../descriptions.ts';
import type { Document, Fixed, Internals } from '../document.ts';
import { copyOf } from '../json.ts';
import { documentInTurns } from '../json-slices.ts';
import type { Engine, Resource } from '../resource.ts';
import type { Stored } from '../store.ts';

/** A resource that is being changed. */
export interface WorkingCopy {
  readonly before: Fixed<Document>;
  /** What it is to be; it has followed its descriptions already. */
  readonly after: Document;
  readonly internals: Record<string, unknown>;
  readonly found: Readings;
  /** Those that are to be stored; undefined where they are as before. */
  changedInternals(): Internals | undefined;
}

/** What is stored, with what describes it at hand in `found`. */
export async function workingCopy(
  engine: Engine,
  context: RequestContext,
  {
    resource,
    stored,
    found = new Readings(),
  }: {
    readonly resource: Resource;
    readonly stored: Pick<Stored, 'json' | 'internals'>;
    readonly found?: Readings;
  },
): Promise<WorkingCopy> {
  const { project } = context;
  const before = await documentInTurns(stored.json, context);
  const after = copyOf(before);
  const [kept, internals] = [internalsOf(stored), internalsOf(stored)];
  const descriptions = await readDescriptions(engine, project.key, { resource, holder: after, into: found });
  await readKept(engine, project.key, { computation: resource.computation, document: after, found });
  resource.describedBy?.follow(after, internals, descriptions);
  const changedInternals = (): Internals | undefined => (isDeepStrictEqual(kept, internals) ? undefined : internals);
  return { before, after, internals, found, changedInternals };
}
