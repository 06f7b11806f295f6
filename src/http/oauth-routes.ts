import { issueToken } from '../auth/flows.ts';
import { apiError } from '../errors/api-error.ts';
import type { CredentialStore } from '../engine/credentials.ts';
import { anyFailures, type OperationDescription } from './description.ts';
import type { Exchange } from './server.ts';
import type { PlainRoute } from './routes.ts';

const formBytesMax = 64 * 1024;

const tokenDescription: OperationDescription = {
  id: 'issueToken',
  summary: 'Get an access token. The parameters may stand in the query string as well.',
  tag: 'Token',
  access: 'client',
  body: {
    mediaType: 'application/x-www-form-urlencoded',
    schema: {
      title: 'TokenRequest',
      type: 'object',
      properties: {
        grant_type: { type: 'string', const: 'client_credentials' },
        scope: { type: 'string', description: 'Scopes separated by blanks; by default all of the client.' },
      },
      required: ['grant_type'],
    },
  },
  answers: {
    200: {
      title: 'TokenResponse',
      type: 'object',
      properties: {
        access_token: { type: 'string' },
        expires_in: { type: 'integer', description: 'Seconds.' },
        scope: { type: 'string' },
        token_type: { type: 'string', const: 'Bearer' },
      },
      required: ['access_token', 'expires_in', 'scope', 'token_type'],
    },
  },
  failures: [...anyFailures, 401],
};

/** The authorization endpoints (specification section 5). */
export function oauthRoutes(credentials: CredentialStore): readonly PlainRoute[] {
  return [
    {
      path: '/oauth/token',
      operations: { POST: tokenDescription },
      handle: async (exchange) => {
        const token = await issueToken(credentials, {
          authorization: exchange.head.authorization,
          form: formOf(exchange),
        });
        return {
          status: 200,
          body: JSON.stringify(token),
          headers: [
            ['Cache-Control', 'no-store'],
            ['Pragma', 'no-cache'],
          ],
        };
      },
    },
  ];
}

/** Parameters of the form body, and of the query string as older clients send them. */
function formOf({ head, body }: Exchange): URLSearchParams {
  if (body.length > formBytesMax) throw apiError('invalid_request', `The form has more than ${formBytesMax} bytes.`);
  const mediaType = head.contentType.split(';')[0]!.trim().toLowerCase();
  if (body.length > 0 && mediaType !== 'application/x-www-form-urlencoded') {
    throw apiError(
      'invalid_request',
      `The content type is '${mediaType.slice(0, 80)}', but application/x-www-form-urlencoded is expected.`,
    );
  }
  return new URLSearchParams([...new URLSearchParams(body.toString('utf8')), ...new URLSearchParams(head.query)]);
}
