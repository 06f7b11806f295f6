import { requireScope } from '../auth/scopes.ts';
import type { RequestContext } from '../engine/context.ts';
import { type ApiError, apiError } from '../errors/api-error.ts';
import { isObject } from '../fields/object.ts';
import type { GraphqlRequest, GraphqlService } from '../graphql/execute.ts';
import { jsonType, type OperationDescription, readFailures } from './description.ts';
import { errorSchema } from './openapi-errors.ts';
import type { Authorize } from '../graphql/resolvers.ts';
import { type ProjectRequest, readJson } from './project-request.ts';
import type { ProjectRoute } from './routes.ts';

const text = { type: 'string' };

const answer = {
  title: 'GraphqlAnswer',
  type: 'object',
  properties: {
    data: { type: ['object', 'null'] },
    errors: {
      type: 'array',
      items: {
        title: 'GraphqlError',
        type: 'object',
        properties: {
          message: text,
          locations: { type: 'array', items: { type: 'object' } },
          path: { type: 'array', items: { type: ['string', 'integer'] } },
          extensions: {
            type: 'object',
            description: 'The code, and the extra fields that errors of this code have.',
            properties: { code: text },
            required: ['code'],
          },
        },
        required: ['message', 'locations', 'extensions'],
      },
    },
  },
};

const failure = { anyOf: [answer, errorSchema] };

const description: OperationDescription = {
  id: 'graphql',
  summary: 'Run a GraphQL query or mutation. Each of its fields needs the scopes that it needs in REST.',
  tag: 'GraphQL',
  access: [],
  body: {
    mediaTypes: [jsonType],
    schema: {
      title: 'GraphqlRequest',
      type: 'object',
      properties: { query: text, variables: { type: ['object', 'null'] }, operationName: { type: ['string', 'null'] } },
      required: ['query'],
    },
  },
  answers: { 200: answer, 400: failure, 403: failure },
  failures: readFailures.filter((status) => status !== 400 && status !== 403),
};

/** `POST /{projectKey}/graphql` (specification 4.5). */
export function graphqlRoute(graphql: GraphqlService): ProjectRoute {
  return {
    path: 'graphql',
    operations: { POST: description },
    handle: async (request) => {
      const { asked, context } = await requestOf(request);
      const { status, body, complexity } = await graphql.execute(asked, context);
      return {
        status,
        body,
        headers: complexity === undefined ? [] : [['x-graphql-query-complexity', String(complexity)]],
      };
    },
  };
}

export const authorizeField: Authorize = ({ principal, project }, needed, storeKey) => {
  requireScope(principal, needed, { projectKey: project.key, storeKey });
};

/** Bytes of variables, as they are written again without white space; and of a body, which has a text beside them. */
const variablesBytesMax = 1024 * 1024;
const bodyBytesMax = 2 * variablesBytesMax;

async function requestOf(
  request: ProjectRequest,
): Promise<{ readonly asked: GraphqlRequest; readonly context: RequestContext }> {
  const refusal = (): ApiError => apiError('InvalidInput', `The body has more than ${bodyBytesMax} bytes.`);
  const { value, bytes, context } = await readJson(request, { bytesMax: bodyBytesMax, refusal });
  const { query, variables, operationName } = isObject(value) ? value : {};
  if (bytes > variablesBytesMax && Buffer.byteLength(JSON.stringify(variables ?? null)) > variablesBytesMax)
    throw largeVariables();
  if (typeof query !== 'string')
    throw apiError('InvalidInput', "The body needs the member 'query' with the text of a query.");
  if (variables !== undefined && variables !== null && !isObject(variables))
    throw apiError('InvalidInput', "The member 'variables' has to be an object.");
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw apiError('InvalidInput', "The member 'operationName' has to be a string.");
  }
  return { asked: { query, variables: variables ?? {}, operationName: operationName ?? undefined }, context };
}

function largeVariables(): Error {
  return apiError('InvalidInput', `The member 'variables' has more than ${variablesBytesMax} bytes.`);
}
