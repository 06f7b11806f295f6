import { isDeepStrictEqual } from 'node:util';
import { Parsing } from '../../fields/parsing.ts';
import type { Project, RequestContext } from '../context.ts';
import type { Document, Resource } from '../define.ts';
import type { Engine } from '../engine.ts';
import { load } from '../load.ts';
import { applySteps, conflict, parseUpdate } from './update.ts';
import { applyContextOf, checkRules, checkedText, runChecks } from './write.ts';

/** The settings of the request's project, as JSON text. */
export function projectText({ registry }: Engine, { project }: RequestContext): string {
  const { resource, shown } = registry.project;
  return JSON.stringify(shown(documentOf(resource, project)));
}

/** Applies all update actions to the settings of the request's project, or none. Gives them as JSON text. */
export async function updateProject(
  engine: Engine,
  { context, update }: { readonly context: RequestContext; readonly update: unknown },
): Promise<string> {
  const { resource, shown } = engine.registry.project;
  const { key, version: current } = context.project;
  const parsing = new Parsing();
  const { version, steps } = parseUpdate(resource, update, parsing);
  parsing.settle();
  if (version !== current) throw conflict(resource, { id: key, expected: version, current });
  await load(engine, key, { parsing });
  const before = documentOf(resource, context.project);
  const after = structuredClone(before);
  applySteps(steps, after, applyContextOf(context));
  if (isDeepStrictEqual(before, after)) return JSON.stringify(shown(before));
  checkRules(resource, after, context);
  await runChecks(engine, resource, { before, after, project: key });
  after.version = version + 1;
  checkedText(after);
  const outcome = await engine.replaceProject(projectOf(after), version);
  if (!outcome.isDone) throw conflict(resource, { id: key, expected: version, current: outcome.version ?? current });
  return JSON.stringify(shown(after));
}

/** The settings as a document; members that older settings lack have their defaults. */
function documentOf(resource: Resource, { key, version, settings }: Project): Document {
  const defaults = Object.entries(resource.fields).flatMap(([name, { initial }]) =>
    initial === undefined ? [] : [[name, initial()] as const],
  );
  // A project has no id; nothing of what documents are taken for here looks at one.
  return structuredClone({ ...Object.fromEntries(defaults), ...settings, key, version }) as unknown as Document;
}

function projectOf(document: Document): Project {
  const { key, version, ...settings } = document as unknown as { key: string; version: number } & Project['settings'];
  return { key, version, settings };
}
