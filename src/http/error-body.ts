import { ApiError, type ErrorElement } from '../errors/api-error.ts';
import type { ErrorCode } from '../errors/codes.ts';
import type { Response } from './response.ts';

/** What clients are told of tokens and by the endpoints that issue them; such bodies carry the fields of RFC 6749 as well. */
const oauthCodes: ReadonlySet<ErrorCode> = new Set([
  'invalid_token',
  'insufficient_scope',
  'access_denied',
  'invalid_client',
  'invalid_request',
  'invalid_grant',
  'invalid_scope',
  'unsupported_grant_type',
  'invalid_customer_account_credentials',
  'AnonymousIdAlreadyInUse',
  'TooManyRequests',
]);

const general: readonly [ErrorElement] = [
  { code: 'General', message: 'The server met a problem that it did not expect.' },
];

/** What is answered where no other answer can be made: nothing of it is computed when it is needed. */
export const lastResort: Response = {
  status: 500,
  body: JSON.stringify({ statusCode: 500, message: general[0].message, errors: general }),
};

const retryAfterSeconds = '1';

/** The answer to a request that failed (specification section 7). Nothing of an unexpected error gets out. */
export function errorResponse(error: unknown): Response {
  const failure = error instanceof ApiError ? error : new ApiError(general);
  const { status, message, errors, code } = failure;
  const body = {
    statusCode: status,
    message,
    errors,
    ...(oauthCodes.has(code) && { error: code, error_description: message }),
  };
  return { status, body: JSON.stringify(body), headers: headersFor(failure) };
}

function headersFor({ errors: [first] }: ApiError): Response['headers'] {
  switch (first.code) {
    // RFC 9110, 15.5.6: the answer names the methods that there are.
    case 'MethodNotAllowed':
      return [['Allow', first.allowedMethods.join(', ')]];
    case 'invalid_token':
      return [['WWW-Authenticate', 'Bearer error="invalid_token"']];
    case 'insufficient_scope':
      return [['WWW-Authenticate', 'Bearer error="insufficient_scope"']];
    // RFC 6750, 3.1: a request without credentials is told the scheme and no error.
    case 'access_denied':
      return [['WWW-Authenticate', 'Bearer']];
    case 'invalid_client':
      return [
        ['WWW-Authenticate', 'Basic realm="token"'],
        ['Cache-Control', 'no-store'],
      ];
    case 'invalid_request':
    case 'invalid_grant':
    case 'invalid_scope':
    case 'unsupported_grant_type':
    case 'invalid_customer_account_credentials':
      return [['Cache-Control', 'no-store']];
    case 'OverCapacity':
    case 'PendingOperation':
    case 'TooManyRequests':
      return [['Retry-After', retryAfterSeconds]];
    default:
      return undefined;
  }
}
