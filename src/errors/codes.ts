/**
 * The HTTP status of every error code of the API. No other place knows it. Source: specification section 7 and the
 * public API's error types.
 */
const statusByCode = {
  General: 500,
  ResourceNotFound: 404,
  MethodNotAllowed: 405,
  AnonymousIdAlreadyInUse: 400,
  DuplicateField: 400,
  DuplicateFieldWithConflictingResource: 400,
  InvalidInput: 400,
  InvalidJsonInput: 400,
  InvalidOperation: 400,
  InvalidField: 400,
  MaxResourceLimitExceeded: 400,
  ReferenceExists: 400,
  ReferencedResourceNotFound: 400,
  RequiredField: 400,
  ResourceSizeLimitExceeded: 400,
  SyntaxError: 400,
  QueryTimedOut: 400,
  QueryComplexityLimitExceeded: 400,
  ConcurrentModification: 409,
  ContentTooLarge: 413,
  OverCapacity: 503,
  SearchDeactivated: 400,
  SearchIndexingInProgress: 400,
  SearchExecutionFailure: 502,
  invalid_token: 401,
  insufficient_scope: 403,
  access_denied: 401,
  invalid_client: 401,
  invalid_request: 400,
  invalid_grant: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
} as const;

export type ErrorCode = keyof typeof statusByCode;

export function statusOf(code: ErrorCode): number {
  return statusByCode[code];
}
