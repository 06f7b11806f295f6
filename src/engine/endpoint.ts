import type { ErrorCode } from '../errors/codes.ts';
import type { FieldKind, Fields, ValueOf } from '../fields/field.ts';
import type { RequestContext } from './context.ts';
import type { Resource, Shopper } from './define.ts';
import type { Engine } from './engine.ts';
import type { Json } from './json.ts';
import type { Place } from './place.ts';

/** An answer whose members no fields can say, such as one for each locale that was asked for. */
export type AnswerKind = Pick<FieldKind<unknown>, 'output' | 'schema'>;

/** An operation that is none of the common ones. */
export interface Endpoint {
  /**
   * Below the resource's own path, or below the project when it begins with a slash. Its parameters stand behind an equals
   * sign, as `email-token={emailToken}`, or are whole segments, which have one name at their place: `{ID}` behind the path
   * of a resource. A parameter of the query does not count beside one of the same name.
   */
  readonly path: string;
  /** The parameter with which a list of the kind is this instead: `carts?customerId=…` is `carts/customer-id=…`. */
  readonly listParameter: string | undefined;
  readonly method: 'GET' | 'POST';
  readonly isInStore: boolean;
  /** Scopes of which one is needed; those that end in `:{storeKey}` count for the store of the path alone. */
  readonly scopes: readonly string[];
  /** The token has to be one of these; undefined where it is any client's. */
  readonly shoppers: readonly Shopper[] | undefined;
  /** Parameters of the query and the path. */
  readonly parameters: Fields;
  /** Members of the body of a POST. */
  readonly body: Fields;
  /** What it answers with: a page of the resource, one of it, what a create gives, or an object of these fields or kind. */
  readonly answer: 'page' | 'one' | 'created' | Fields | AnswerKind;
  /** By default 201 where it answers with what a create gives. */
  readonly status: 200 | 201;
  /**
   * The GraphQL query of the endpoint, which of a page gives the results alone: its name, and its arguments as parameters.
   * The name of the resource's own query for one gives that the arguments too. Endpoints below `/me` are fields of `me`.
   */
  readonly query: { readonly name: string; readonly args: Readonly<Record<string, string>> } | undefined;
  /**
   * The GraphQL mutation of the endpoint, which takes the members of the body as arguments, or as an input of the type
   * `draft`, and gives what the endpoint answers with. `answer` is the SDL of an object of fields, such as `Token!`.
   */
  readonly mutation: { readonly name: string; readonly draft?: string; readonly answer?: string } | undefined;
  /** What it does, in a sentence for the documentation; undefined where the path says it. */
  readonly summary: string | undefined;
  /** Codes that it answers with beside those of all operations. */
  readonly failures: readonly ErrorCode[];
  /** What it answers a GET with is made from resources, settings and the request alone; other answers are made anew. */
  readonly isKept: boolean;
  run(engine: Engine, request: EndpointRequest): Promise<Json>;
}

export function isAnswerKind(answer: Endpoint['answer']): answer is AnswerKind {
  return typeof answer === 'object' && 'output' in answer && 'item' in answer.output;
}

export interface EndpointRequest extends Place {
  readonly context: RequestContext;
  readonly resource: Resource;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly body: Readonly<Record<string, unknown>>;
  /** The body as the client sent it, for endpoints that create from a draft. */
  readonly draft: unknown;
  readonly expand: readonly string[];
  readonly sort: readonly string[];
}

export function endpoint<const F extends Fields = Fields, const B extends Fields = Fields>(
  declaration: Pick<Endpoint, 'path' | 'scopes'> &
    Partial<Omit<Endpoint, 'path' | 'scopes' | 'parameters' | 'body' | 'run'>> & {
      readonly parameters?: F;
      readonly body?: B;
      readonly run: (
        engine: Engine,
        request: Omit<EndpointRequest, 'parameters' | 'body'> & {
          readonly parameters: ValueOf<F>;
          readonly body: ValueOf<B>;
        },
      ) => Promise<Json>;
    },
): Endpoint {
  const usual = {
    method: 'GET',
    listParameter: undefined,
    isInStore: false,
    shoppers: undefined,
    answer: 'page',
    query: undefined,
    mutation: undefined,
    summary: undefined,
    failures: [],
    isKept: true,
  } as const;
  const { parameters = {}, body = {}, run, answer } = declaration;
  const status = answer === 'created' ? 201 : 200;
  // The adapter parses parameters and body by these fields before it calls run.
  return { ...usual, status, ...declaration, parameters, body, run: run as Endpoint['run'] };
}
