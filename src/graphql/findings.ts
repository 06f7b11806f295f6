/** What queries take beside the arguments that all kinds have, where the declaration of a kind says more. */
import type { Document } from '../engine/document.ts';
import { documentOf, type Json } from '../engine/json.ts';
import { findBy, requireFew, shownHolders } from '../engine/operations/find-by.ts';
import type { Finding, Parameters, Resource } from '../engine/resource.ts';
import type { Stored } from '../engine/store.ts';
import { inputFields, parseObject, readInput } from '../fields/object.ts';
import { Parsing } from '../fields/parsing.ts';
import type { Asking } from './mounts.ts';
import { documentIn } from './resolvers.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** Arguments of the query for one, as SDL. */
export function findingArguments({ finding }: Resource): Record<string, string> {
  if (finding === undefined) return {};
  const texts = Object.keys(finding.one).map((name) => [name, 'String']);
  return { ...(Object.fromEntries(texts) as Record<string, string>), ...formArguments(finding) };
}

/** Those of the query for pages. */
export function pageFindingArguments({ finding }: Resource): Record<string, string> {
  if (finding === undefined) return {};
  const lists = Object.keys(finding.many).map((name) => [name, '[String!]']);
  return { ...(Object.fromEntries(lists) as Record<string, string>), ...formArguments(finding) };
}

function formArguments({ form }: Finding): Record<string, string> {
  return Object.fromEntries(inputFields(form).map(({ name, type }) => [name, type]));
}

/** The resource that an argument beside id and key finds. */
export async function foundBy(
  resource: Resource,
  args: Arguments,
  { context: { engine, request } }: Asking,
): Promise<Stored | undefined> {
  const { one } = resource.finding!;
  const name = findingName(resource, args)!;
  const value = args[name] as string;
  return findBy(engine, { context: request, resource }, { by: one[name]!, value });
}

/** The argument that finds one, where one is given. */
export function findingName({ finding }: Resource, args: Arguments): string | undefined {
  if (finding === undefined) return undefined;
  return Object.keys(finding.one).find((name) => typeof args[name] === 'string');
}

/** Ids of those that a page keeps to; undefined where it keeps to none. Throws InvalidInput for too many values. */
export async function idsAmong(
  resource: Resource,
  args: Arguments,
  { context: { engine, request } }: Asking,
): Promise<readonly string[] | undefined> {
  const lists = Object.entries(resource.finding?.many ?? {}).filter(([name]) => Array.isArray(args[name]));
  let among: readonly string[] | undefined;
  for (const [name, { unique: field, valuesMax }] of lists) {
    const values = args[name] as readonly string[];
    requireFew(name, values, valuesMax);
    const ids = new Set(await shownHolders(engine, { context: request, resource }, { field, values }));
    among = among === undefined ? [...ids] : among.filter((id) => ids.has(id));
  }
  return among;
}

/** How the arguments have what is found show; undefined where it shows as it is. Throws InvalidInput. */
export function formOf({ finding }: Resource, args: Arguments): Parameters | undefined {
  if (finding === undefined) return undefined;
  const { form } = finding;
  // False is the default of each that is a boolean.
  const isGiven = (name: string): boolean => (args[name] ?? false) !== false;
  if (!Object.keys(form).some(isGiven)) return undefined;
  const parsing = new Parsing();
  const parameters = parseObject(form, readInput(form, args), parsing);
  parsing.settle();
  return parameters;
}

/** The document as the arguments have it show. One that shows as it is may be shared. */
export async function shownIn(
  resource: Resource,
  json: Json,
  { form, asking: { context } }: { readonly form: Parameters | undefined; readonly asking: Asking },
): Promise<Document> {
  const shared = await documentIn(context.request, json);
  if (form === undefined) return shared;
  const document = documentOf(json);
  resource.finding!.shown(document, form);
  return document;
}
