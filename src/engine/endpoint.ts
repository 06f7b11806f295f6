import type { Fields, ValueOf } from '../fields/field.ts';
import type { Json } from './json.ts';
import type { AnswerKind, AnswerList, Endpoint, EndpointRequest, Engine, GraphqlQuery } from './resource.ts';

export function isAnswerKind(answer: Endpoint['answer']): answer is AnswerKind {
  return typeof answer === 'object' && 'output' in answer && 'item' in answer.output;
}

export function isAnswerList(answer: Endpoint['answer']): answer is AnswerList {
  return typeof answer === 'object' && 'itemName' in answer && typeof answer.itemName === 'string';
}

export function graphqlQuery<const F extends Fields>(
  declaration: Omit<GraphqlQuery, 'arguments' | 'run' | 'places' | 'isSearch'> & {
    readonly arguments: F;
    /** By default at the root alone. */
    readonly places?: GraphqlQuery['places'];
    readonly isSearch?: true;
    readonly run: (
      engine: Engine,
      request: Pick<EndpointRequest, 'context' | 'resource' | 'storeKey'> & { readonly parameters: ValueOf<F> },
    ) => Promise<unknown>;
  },
): GraphqlQuery {
  // The adapter parses the arguments by these fields before it calls run.
  return { places: ['root'], isSearch: false, ...declaration, run: declaration.run as GraphqlQuery['run'] };
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
    file: undefined,
    takesForm: false,
    listParameter: undefined,
    isInStore: false,
    shoppers: undefined,
    answer: 'page',
    query: undefined,
    listField: undefined,
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
