/**
 * Every error code of the API, in one table: its HTTP status and the extra fields that its error element carries.
 * The table alone knows the status of a code. Source: specification section 7 and the public API's error types.
 */
interface CodeRow {
  readonly status: number;
  readonly fields: readonly string[];
}

const TABLE = {
  General: { status: 500, fields: [] },
  ResourceNotFound: { status: 404, fields: [] },
  MethodNotAllowed: { status: 405, fields: [] },
  AnonymousIdAlreadyInUse: { status: 400, fields: [] },
  DuplicateField: { status: 400, fields: ['field', 'duplicateValue'] },
  DuplicateFieldWithConflictingResource: { status: 400, fields: ['field', 'duplicateValue', 'conflictingResource'] },
  InvalidInput: { status: 400, fields: [] },
  InvalidJsonInput: { status: 400, fields: ['detailedErrorMessage'] },
  InvalidOperation: { status: 400, fields: [] },
  InvalidField: { status: 400, fields: ['field', 'invalidValue', 'allowedValues'] },
  MaxResourceLimitExceeded: { status: 400, fields: ['exceededResource'] },
  ReferenceExists: { status: 400, fields: ['referencedBy'] },
  ReferencedResourceNotFound: { status: 400, fields: ['typeId', 'id', 'key'] },
  RequiredField: { status: 400, fields: ['field'] },
  ResourceSizeLimitExceeded: { status: 400, fields: [] },
  SyntaxError: { status: 400, fields: [] },
  QueryTimedOut: { status: 400, fields: [] },
  QueryComplexityLimitExceeded: { status: 400, fields: [] },
  ConcurrentModification: { status: 409, fields: ['currentVersion'] },
  ContentTooLarge: { status: 413, fields: [] },
  OverCapacity: { status: 503, fields: [] },
  SearchDeactivated: { status: 400, fields: [] },
  SearchIndexingInProgress: { status: 400, fields: [] },
  SearchExecutionFailure: { status: 502, fields: [] },
  invalid_token: { status: 401, fields: [] },
  insufficient_scope: { status: 403, fields: [] },
  access_denied: { status: 401, fields: [] },
  invalid_client: { status: 401, fields: [] },
  invalid_request: { status: 400, fields: [] },
  invalid_grant: { status: 400, fields: [] },
  invalid_scope: { status: 400, fields: [] },
  unsupported_grant_type: { status: 400, fields: [] },
} as const satisfies Record<string, CodeRow>;

export type ErrorCode = keyof typeof TABLE;

export function statusOf(code: ErrorCode): number {
  return TABLE[code].status;
}

/** Names of the extra fields that errors of this code may carry. */
export function extraFieldsOf(code: ErrorCode): readonly string[] {
  return TABLE[code].fields;
}

export const errorCodes = Object.keys(TABLE) as readonly ErrorCode[];
