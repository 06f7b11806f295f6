import {
  issueAnonymousToken,
  issueCustomerToken,
  type Issuer,
  issueToken,
  type TokenRequest,
  type TokenResponse,
} from '../auth/flows.ts';
import { introspect, revoke } from '../auth/token-service.ts';
import { type ApiError, apiError } from '../errors/api-error.ts';
import type { JsonSchema } from '../fields/field.ts';
import { anyFailures, formType, type OperationDescription } from './description.ts';
import { parametersOf } from './parameters.ts';
import type { Response } from './response.ts';
import type { PathParameters } from './path-table.ts';
import type { PlainRoute } from './routes.ts';
import type { Exchange } from './server.ts';

const formBytesMax = 64 * 1024;

const text: JsonSchema = { type: 'string' };
const scope: JsonSchema = {
  type: 'string',
  description: 'Scopes separated by blanks; by default all of the client, or of the session.',
};

function grant(name: string): JsonSchema {
  return { type: 'string', const: name };
}

function form(
  title: string,
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[],
): JsonSchema {
  return { title, type: 'object', properties, required };
}

const token = {
  access_token: text,
  expires_in: { type: 'integer', description: 'Seconds.' },
  scope: text,
  token_type: { type: 'string', const: 'Bearer' },
};

const tokenAnswer = form('TokenResponse', token, Object.keys(token));
const session = { ...token, refresh_token: text };
const sessionAnswer = form('SessionResponse', session, Object.keys(token));
/** `false` starts a session that ends with its access token. */
const refreshToken: JsonSchema = {
  type: 'boolean',
  default: true,
  description: 'Whether the answer has a refresh token.',
};

const password = form(
  'PasswordRequest',
  { grant_type: grant('password'), username: text, password: text, scope, refresh_token: refreshToken },
  ['grant_type', 'username', 'password'],
);

type Answer = (request: TokenRequest, parameters: PathParameters) => Promise<object>;

interface Declared {
  readonly path: string;
  readonly id: string;
  readonly summary: string;
  readonly body: JsonSchema;
  readonly answer: JsonSchema;
  readonly run: Answer;
}

/** The authorization endpoints (specification section 5). */
export function oauthRoutes(issuer: Issuer): readonly PlainRoute[] {
  const { credentials } = issuer;
  const signIn = (request: TokenRequest, { projectKey = '', storeKey }: PathParameters): Promise<TokenResponse> =>
    issueCustomerToken(issuer, { project: projectKey, storeKey }, request);
  const declared: readonly Declared[] = [
    {
      path: '/oauth/token',
      id: 'issueToken',
      summary: 'Get an access token of the client, or another one of a session by its refresh token.',
      body: {
        title: 'TokenRequest',
        anyOf: [
          form('ClientCredentialsRequest', { grant_type: grant('client_credentials'), scope }, ['grant_type']),
          form('RefreshRequest', { grant_type: grant('refresh_token'), refresh_token: text, scope }, [
            'grant_type',
            'refresh_token',
          ]),
        ],
      },
      answer: tokenAnswer,
      run: (request) => issueToken(issuer, request),
    },
    {
      path: '/oauth/{projectKey}/customers/token',
      id: 'issueCustomerToken',
      summary: 'Start a session of a customer who belongs to no store.',
      body: password,
      answer: sessionAnswer,
      run: signIn,
    },
    {
      path: '/oauth/{projectKey}/in-store/key={storeKey}/customers/token',
      id: 'issueCustomerTokenInStore',
      summary: 'Start a session of a customer of the store.',
      body: password,
      answer: sessionAnswer,
      run: signIn,
    },
    {
      path: '/oauth/{projectKey}/anonymous/token',
      id: 'issueAnonymousToken',
      summary: 'Start an anonymous session. Without an anonymous_id it gets a new one.',
      body: form(
        'AnonymousRequest',
        { grant_type: grant('client_credentials'), scope, anonymous_id: text, refresh_token: refreshToken },
        ['grant_type'],
      ),
      answer: sessionAnswer,
      run: (request, { projectKey = '' }) => issueAnonymousToken(issuer, projectKey, request),
    },
    {
      path: '/oauth/introspect',
      id: 'introspectToken',
      summary: 'Say whether a token holds (RFC 7662).',
      body: form('IntrospectionRequest', { token: text }, ['token']),
      answer: form(
        'IntrospectionResponse',
        { active: { type: 'boolean' }, scope: text, exp: { type: 'integer' }, client_id: text },
        ['active'],
      ),
      run: (request) => introspect(credentials, request),
    },
    {
      path: '/oauth/token/revoke',
      id: 'revokeToken',
      summary: 'End a token of the client (RFC 7009); with a refresh token, its session.',
      body: form('RevocationRequest', { token: text, token_type_hint: { enum: ['access_token', 'refresh_token'] } }, [
        'token',
      ]),
      answer: { title: 'RevocationResponse', type: 'object' },
      run: async (request) => {
        await revoke(credentials, request);
        return {};
      },
    },
  ];
  return declared.map(routeOf);
}

function routeOf({ path, id, summary, body, answer, run }: Declared): PlainRoute {
  const description: OperationDescription = {
    id,
    summary: `${summary} The parameters may stand in the query string as well.`,
    tag: 'Token',
    access: 'client',
    body: { mediaTypes: [formType], schema: body },
    answers: { 200: answer },
    failures: [...anyFailures, 401, 429],
  };
  return {
    path,
    operations: { POST: description },
    handle: async (exchange, parameters) => {
      const { authorization } = exchange.head;
      return secret(await run({ authorization, form: await formOf(exchange) }, parameters));
    },
  };
}

/** RFC 6749, 5.1: nobody on the way keeps it. */
function secret(body: object): Response {
  const headers = [
    ['Cache-Control', 'no-store'],
    ['Pragma', 'no-cache'],
  ] as const;
  return { status: 200, body: JSON.stringify(body), headers };
}

/** Parameters of the form body, and of the query string as older clients send them. */
async function formOf({ head, body: incoming }: Exchange): Promise<URLSearchParams> {
  const refusal = (): ApiError => apiError('invalid_request', `The form has more than ${formBytesMax} bytes.`);
  const body = await incoming.read({ own: { bytesMax: formBytesMax, refusal } });
  const mediaType = head.contentType.split(';')[0]!.trim().toLowerCase();
  if (body.length > 0 && mediaType !== formType) {
    throw apiError('invalid_request', `The content type is '${mediaType.slice(0, 80)}', but ${formType} is expected.`);
  }
  return new URLSearchParams([
    ...parametersOf(body.toString('utf8'), 'invalid_request'),
    ...parametersOf(head.query, 'invalid_request'),
  ]);
}
