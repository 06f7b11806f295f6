import { issueToken } from '../auth/flows.ts';
import { apiError } from '../errors/api-error.ts';
import type { CredentialStore } from '../engine/credentials.ts';
import type { Exchange } from './server.ts';
import type { PlainRoute } from './routes.ts';

const formBytesMax = 64 * 1024;

/** The authorization endpoints (specification section 5). */
export function oauthRoutes(credentials: CredentialStore): readonly PlainRoute[] {
  return [
    {
      path: '/oauth/token',
      methods: new Set(['POST']),
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
