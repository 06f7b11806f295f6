import { Parsing } from '../../fields/parsing.ts';
import type { Project, RequestContext } from '../context.ts';
import type { Document } from '../document.ts';
import type { Engine, Resource } from '../resource.ts';
import { documentOf } from '../json.ts';
import { load } from '../load.ts';
import { conflict } from './commit.ts';
import { parseUpdate } from './steps.ts';
import { applied } from './update.ts';

/** The settings of the request's project, as JSON text. */
export function projectText({ registry }: Engine, { project }: RequestContext): string {
  const { resource, shown } = registry.project;
  return JSON.stringify(shown(settingsOf(resource, project)));
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
  await load(engine, context, { parsing });
  const stored = { id: key, json: JSON.stringify(settingsOf(resource, context.project)) };
  return JSON.stringify(shown(documentOf(await applied(engine, { context, resource, stored, steps }))));
}

/** The settings as a document; members that older settings lack have their defaults. */
function settingsOf(resource: Resource, { key, version, settings }: Project): Document {
  const defaults = Object.entries(resource.fields).flatMap(([name, { initial }]) =>
    initial === undefined ? [] : [[name, initial()] as const],
  );
  // A project has no id; nothing of what documents are taken for here looks at one.
  return { ...Object.fromEntries(defaults), ...settings, key, version } as unknown as Document;
}
