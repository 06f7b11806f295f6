/** The public client by the paths of operations: its builders are named after what they add to a path. */
import type { ByProjectKeyRequestBuilder } from '@commercetools/platform-sdk';

export interface SdkRequest {
  clientRequest(): { readonly method: string; readonly uriTemplate: string };
  execute(): Promise<{ readonly statusCode: number; readonly body: Readonly<Record<string, unknown>> }>;
}

type Builder = Readonly<Record<string, ((args?: object) => Builder) | undefined>>;

/**
 * The client's request for a method of a path such as `/{projectKey}/zones/key={key}`, with the values of its parameters;
 * undefined where the client has none.
 */
export function sdkRequest(
  api: ByProjectKeyRequestBuilder,
  { method, path }: { readonly method: string; readonly path: string },
  args: { readonly values: Readonly<Record<string, unknown>>; readonly queryArgs?: object; readonly body?: unknown },
): SdkRequest | undefined {
  const { values, ...given } = args;
  // Builders are reached by name here; the client's types know each by its own.
  let builder = api as unknown as Builder | undefined;
  const steps = stepsOf(path);
  for (let index = 0; index < steps.length; index += 1) {
    const step = steps[index]!;
    const pair = joined(builderName(step), builderName(steps[index + 1] ?? ''));
    const isPair = index + 1 < steps.length && builder?.[pair] !== undefined;
    const given = Object.fromEntries(namesIn(step).map((parameter) => [parameter, values[parameter]]));
    builder = builder?.[isPair ? pair : builderName(step)]?.(given);
    if (isPair) index += 1;
  }
  return builder?.[method.toLowerCase()]?.(given) as unknown as SdkRequest | undefined;
}

/** What each builder adds: `in-store/key={storeKey}`, `zones`, `{ID}`, `{container}/{key}`. */
function stepsOf(path: string): readonly string[] {
  return path.replace(/^\/\{projectKey\}\/?/, '').match(/in-store\/key=\{\w+\}|\{\w+\}(\/\{\w+\})*|[^/]+/g) ?? [];
}

/** Some builders add two steps at once: `password` and `reset` as `passwordReset`. */
function joined(one: string, next: string): string {
  return `${one}${next.slice(0, 1).toUpperCase()}${next.slice(1)}`;
}

function namesIn(step: string): readonly string[] {
  return [...step.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

/** A word of the language names no builder. */
const reserved: ReadonlyMap<string, string> = new Map([['import', 'importOrder']]);

function builderName(step: string): string {
  if (step.startsWith('in-store/')) return 'inStoreKeyWithStoreKeyValue';
  const names = namesIn(step);
  if (names.length === 0)
    return reserved.get(step) ?? step.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return `with${names.map((name) => (name === 'ID' ? 'Id' : `${name[0]!.toUpperCase()}${name.slice(1)}`)).join('And')}`;
}
