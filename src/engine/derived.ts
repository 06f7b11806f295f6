/** What is found out of resources for answers that are not kept themselves: kept until one of these resources changes. */
import { readingThrough } from './answer.ts';
import { type Derived, type Made, Sources } from './coherence.ts';
import type { RequestContext } from './context.ts';
import { wholeOf } from './lens.ts';
import type { Engine } from './resource.ts';

/**
 * What `make` finds out, which is the same whoever asks: it reads through the engine that it is handed, which shows all and
 * notes what was read. `name` says what it is, and all that it is made by besides resources.
 */
export async function derived<T extends object>(
  engine: Engine,
  context: Pick<RequestContext, 'project' | 'signal' | 'now'>,
  { name, make }: { readonly name: string; make(reading: Engine): Promise<T> },
): Promise<T> {
  const { key, version } = context.project;
  const making = async (): Promise<Made<Derived>> => {
    const noted = new Sources(key);
    const made = await make(readingThrough({ ...engine, store: wholeOf(engine.store) }, noted, context));
    const { dependencies, until } = noted;
    const bytes = JSON.stringify(made).length;
    return { value: { value: made, bytes, sources: { dependencies, until } }, dependencies, until };
  };
  const { value, sources } = await engine.derived.get(`${key}@${version}/${name}`, making, context);
  if (sources.dependencies === undefined) engine.sources.noteMore();
  else engine.sources.noteAll(sources.dependencies);
  engine.sources.noteUntil(sources.until);
  // Whoever has the name makes the same.
  return value as T;
}
