/** What routes say of themselves in the API's description (OpenAPI 3.1). */
import type { JsonSchema } from '../fields/field.ts';
import type { Method } from './request.ts';

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required?: true;
  readonly description?: string;
  readonly schema: JsonSchema;
}

export interface OperationDescription {
  /** Its name among all operations, such as `getZoneById`. */
  readonly id: string;
  readonly summary: string;
  /** Heading in the description: the type that it is about. */
  readonly tag: string;
  /** Who may ask: anyone, a client by its secret, or a token with one of these scopes; any token where there are none. */
  readonly access: 'anyone' | 'client' | readonly string[];
  /** Without those that say where the operation works. */
  readonly parameters?: readonly Parameter[];
  /** One of these types; of a file the schema says nothing. */
  readonly body?: { readonly mediaTypes: readonly string[]; readonly schema: JsonSchema };
  /** Bodies by status. */
  readonly answers: Readonly<Record<number, JsonSchema>>;
  /** Types of the answers; JSON where it is absent. */
  readonly answerTypes?: readonly string[];
  /** Statuses of answers with the shared body of errors. */
  readonly failures: readonly number[];
}

/** What a route takes; one with GET takes HEAD as well. */
export type RouteOperations = Readonly<Partial<Record<Exclude<Method, 'HEAD'>, OperationDescription>>>;

/** Path parameters that say where an operation works. */
export const places: ReadonlySet<string> = new Set(['projectKey', 'storeKey']);

/** Names of the parameters of a path, which stand in braces. */
export function pathNames(path: string): readonly string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
}

export const jsonType = 'application/json';
export const formType = 'application/x-www-form-urlencoded';

/** Statuses with which any request may fail. */
export const anyFailures: readonly number[] = [400, 413, 431, 500, 503];
export const readFailures: readonly number[] = [...anyFailures, 401, 403, 404];
export const writeFailures: readonly number[] = [...readFailures, 409];
