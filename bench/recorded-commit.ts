/** What the platform writes for a request, to be written again and again by pgbench. */
import { inBackground } from '../src/background.ts';
import type { RequestContext } from '../src/engine/context.ts';
import type { Engine } from '../src/engine/resource.ts';
import type { Write } from '../src/engine/store.ts';
import { allResources } from '../src/resources/all.ts';
import { commitOf } from '../src/storage/write-statements.ts';
import { topicsOf } from '../src/topics.ts';
import { literal, scriptOf } from './contests.ts';
import type { Stage } from './stage.ts';

/** Does it on an engine of its own, and gives the writes of its last commit. */
export async function recordedWrites(
  { config }: Stage,
  request: (engine: Engine, context: RequestContext) => Promise<unknown>,
): Promise<readonly Write[]> {
  const { engine, fence, context, close } = inBackground(config, allResources);
  let recorded: readonly Write[] = [];
  const commit: Engine['writes']['commit'] = (project, writes) => {
    recorded = writes;
    return engine.writes.commit(project, writes);
  };
  try {
    await fence.pass();
    await request({ ...engine, writes: { commit } }, await context('bench', config.projectKey));
  } finally {
    await close();
  }
  return recorded;
}

/** The statement of a commit with its values, but that each of these texts in them is an expression instead. */
export function recordedScript(writes: readonly Write[], replaced: ReadonlyMap<string, string>): string {
  const { statement, groups } = commitOf(writes, topicsOf(allResources));
  const values = statement.valuesOf('', groups);
  const names = new RegExp([...replaced.keys()].join('|'), 'g');
  const expressionOf = (value: unknown): string => {
    if (Array.isArray(value)) return value.length === 0 ? `'{}'` : `array[${value.map(expressionOf).join(', ')}]`;
    if (typeof value !== 'string') return String(value);
    const between = value.split(names).map(literal);
    const found = (value.match(names) ?? []).map((name) => replaced.get(name)!);
    return between.flatMap((text, index) => (index === 0 ? [text] : [found[index - 1]!, text])).join(' || ');
  };
  const expressions = statement.parameters.map((name, index) => [name, `(${expressionOf(values[index])})`] as const);
  return scriptOf(statement, { ...Object.fromEntries(expressions), project: ':project' });
}
