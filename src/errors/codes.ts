/**
 * The one table of errors: every code of the API with its HTTP status, when it is sent, and the fields that its element
 * of `errors` has beside code and message. No other place knows a status. `docs/errors.md` is generated from it, and
 * types and tests hold every error to it. Source: specification section 7 and the public API's error types
 * (decisions.md #119); 405, 413 and 503 are HTTP's, the codes in lower case OAuth's.
 */
interface ErrorRow {
  readonly status: number;
  /** A second status that the code is sent with; the one who sends it says which. */
  readonly otherStatus?: number;
  readonly when: string;
  /** Types by field name; a name that ends in `?` may be absent. */
  readonly extra?: Readonly<Record<string, string>>;
}

const productTypeConflict = {
  conflictingProductTypeId: 'String',
  conflictingProductTypeName: 'String',
  conflictingAttributeName: 'String',
} as const;

const enumConflict = { conflictingEnumKey: 'String', conflictingAttributeName: 'String' } as const;

/** What a price is selected by. */
const priceScope = {
  currency: 'CurrencyCode',
  'country?': 'CountryCode',
  'customerGroup?': 'CustomerGroupResourceIdentifier',
  'channel?': 'ChannelResourceIdentifier',
} as const;

const validity = { 'validFrom?': 'DateTime', 'validUntil?': 'DateTime' } as const;

const conflictingValidity = {
  'conflictingValidFrom?': 'DateTime',
  'conflictingValidUntil?': 'DateTime',
} as const;

/** Errors of any code with status 400 have these as well, where an API extension has refused the request with them. */
export const extensionMembers = {
  'errorByExtension?': 'ErrorByExtension',
  'localizedMessage?': 'LocalizedString',
  'extensionExtraInfo?': 'Object',
} as const;

const extensionAnswer = {
  'errorByExtension?': 'ErrorByExtension',
  'localizedMessage?': 'LocalizedString',
  'extensionExtraInfo?': 'Object',
  extensionErrors: 'ExtensionError[]',
} as const;

export const errorTable = {
  // Requests and resources of any kind.
  General: { status: 500, when: 'The server met a fault of its own; the log has it under the correlation ID.' },
  ResourceNotFound: { status: 404, when: 'Nothing is at the path of the request.' },
  MethodNotAllowed: {
    status: 405,
    when: 'The path does not take the method of the request.',
    extra: { allowedMethods: 'String[]' },
  },
  InvalidInput: { status: 400, when: 'A parameter, or a value in the body, is not one that the request can have.' },
  InvalidJsonInput: {
    status: 400,
    when: 'The body is no JSON, or a value in it has the wrong JSON type.',
    extra: { detailedErrorMessage: 'String' },
  },
  InvalidOperation: { status: 400, when: 'What the request asks for does not fit the state of the resource.' },
  InvalidField: {
    status: 400,
    when: 'A field has a value of the right type that it cannot take.',
    extra: { field: 'String', invalidValue: 'Any', 'allowedValues?': 'Any[]' },
  },
  RequiredField: { status: 400, when: 'A field that has to be there is absent.', extra: { field: 'String' } },
  DuplicateField: {
    status: 400,
    when: 'Another resource has a value that only one may have.',
    extra: { field: 'String', duplicateValue: 'Any' },
  },
  DuplicateFieldWithConflictingResource: {
    status: 400,
    when: 'As DuplicateField, where the other resource can be named.',
    extra: { field: 'String', duplicateValue: 'Any', conflictingResource: 'Reference' },
  },
  ReferencedResourceNotFound: {
    status: 400,
    when: 'The body refers to a resource that does not exist.',
    extra: { typeId: 'ReferenceTypeId', 'id?': 'String', 'key?': 'String' },
  },
  ReferenceExists: {
    status: 400,
    when: 'A resource that others refer to cannot be deleted; the field has the type of one of them.',
    extra: { 'referencedBy?': 'ReferenceTypeId' },
  },
  ConcurrentModification: {
    status: 409,
    when: 'The version sent is not the current one, or another write came first.',
    extra: { 'currentVersion?': 'Int' },
  },
  MaxResourceLimitExceeded: {
    status: 400,
    when: 'The project has as many resources of the type as it may have.',
    extra: { exceededResource: 'ReferenceTypeId' },
  },
  ResourceSizeLimitExceeded: { status: 400, when: 'The resource would have more than 16 MB.' },
  ContentTooLarge: { status: 413, when: 'The body, or the result that was asked for, is too large.' },
  RequestHeaderFieldsTooLarge: { status: 431, when: 'The request line and the headers have more than 15,360 bytes.' },
  SyntaxError: { status: 400, when: 'A predicate, a sort expression or a GraphQL text breaks its grammar.' },
  SemanticError: { status: 400, when: 'A search query is well formed, but what it says has no meaning.' },
  QueryTimedOut: { status: 400, when: 'A query took longer than queries may.' },
  QueryComplexityLimitExceeded: {
    status: 400,
    when: 'The score of a GraphQL query reaches the limit of 20,000, or its answer is too large.',
  },
  BulkOperationMaxItemsExceeded: {
    status: 400,
    when: 'A bulk request holds more items than it may.',
    extra: { limit: 'Number', provided: 'Number' },
  },
  FeatureRemoved: { status: 400, when: 'The request uses a feature that is gone.' },
  InternalConstraintViolated: { status: 400, when: 'A discount code that was never applied cannot be updated.' },
  LockedField: { status: 409, when: 'Another operation holds the field.', extra: { field: 'String' } },
  MoneyOverflow: { status: 400, when: 'An amount is larger than amounts can be.' },
  ObjectNotFound: { status: 404, when: 'What a search or a beta resource was asked for does not exist.' },
  BadGateway: {
    status: 502,
    when: 'The database was lost before it said whether a change was made; read the resource before you send it again.',
  },
  OverCapacity: { status: 503, when: 'The server has too much to do, or no database for a moment; try again.' },
  PendingOperation: { status: 503, when: 'An earlier operation on the resource is under way; try again.' },

  // Tokens and rights.
  access_denied: { status: 401, when: 'The request has no access token.' },
  invalid_token: { status: 401, when: 'The access token is unknown, has expired or was revoked.' },
  insufficient_scope: { status: 403, when: 'The access token has none of the scopes of which one is needed.' },
  invalid_client: { status: 401, when: 'The client id or secret of a token request is absent or wrong.' },
  invalid_request: { status: 400, when: 'The form of a token request lacks a parameter, repeats one or is no form.' },
  invalid_grant: { status: 400, when: 'The refresh token of a token request is unknown or has expired.' },
  invalid_scope: { status: 400, when: 'The client may not hand out a scope that the token request asks for.' },
  unsupported_grant_type: { status: 400, when: 'The token endpoint does not know the grant type.' },
  TooManyRequests: {
    status: 429,
    when: 'A client has asked for too many tokens in a minute, or too many wrong passwords have come.',
  },
  invalid_customer_account_credentials: { status: 400, when: 'The customer of a token request cannot be signed in.' },
  Unauthorized: {
    status: 401,
    when: 'The token does not reach the stores that the request names.',
    extra: { 'storesWithoutPermission?': 'String[]' },
  },
  AnonymousIdAlreadyInUse: { status: 400, when: 'Another session or customer has the anonymous ID.' },
  AssociateMissingPermission: {
    status: 403,
    when: 'The associate lacks a permission in the business unit.',
    extra: {
      associate: 'CustomerResourceIdentifier',
      businessUnit: 'BusinessUnitResourceIdentifier',
      'associateOnBehalf?': 'CustomerResourceIdentifier',
      permissions: 'Permission[]',
    },
  },
  ExternalOAuthFailed: {
    status: 502,
    otherStatus: 504,
    when: 'The introspection server of the project answered nonsense (502) or not at all (504).',
  },

  // Products, product types and prices.
  DuplicatePriceScope: {
    status: 400,
    when: 'Two prices of a variant hold for the same currency, country, customer group, channel and time.',
    // Both spellings are in use (decisions.md #121).
    extra: { conflictingPrice: 'Price', conflictingPrices: 'Price[]' },
  },
  DuplicatePriceKey: {
    status: 400,
    when: 'Two prices of a variant have the same key.',
    extra: { conflictingPrice: 'Price' },
  },
  OverlappingPriceValidity: {
    status: 400,
    when: 'The times of two prices of the same scope overlap.',
    extra: { conflictingPrice: 'String', ...priceScope, ...validity, ...conflictingValidity },
  },
  DuplicateStandalonePriceScope: {
    status: 400,
    when: 'A standalone price of the same scope exists for the SKU.',
    extra: { conflictingStandalonePrice: 'StandalonePriceReference', sku: 'String', ...priceScope, ...validity },
  },
  OverlappingStandalonePriceValidity: {
    status: 400,
    when: 'The times of two standalone prices of the same scope overlap.',
    extra: {
      conflictingStandalonePrice: 'StandalonePriceReference',
      sku: 'String',
      ...priceScope,
      ...validity,
      ...conflictingValidity,
    },
  },
  ExactLockConflict: {
    status: 409,
    when: 'Another request writes a standalone price of the same scope and time.',
    extra: { sku: 'String', ...priceScope, ...validity, 'recurrencePolicy?': 'RecurrencePolicyReference' },
  },
  ValidityLockConflict: {
    status: 409,
    when: 'Another request writes the times of standalone prices of the same scope.',
    extra: { sku: 'String', ...priceScope, 'recurrencePolicy?': 'RecurrencePolicyResourceIdentifier' },
  },
  DuplicateVariantValues: {
    status: 400,
    when: 'Two variants of a product have the same SKU, prices and attributes.',
    extra: { variantValues: 'VariantValues' },
  },
  DuplicateAttributeValue: {
    status: 400,
    when: 'Two variants share the value of an attribute that is unique.',
    extra: { attribute: 'Attribute' },
  },
  DuplicateAttributeValues: {
    status: 400,
    when: 'Two variants share a combination of attributes that is unique.',
    extra: { attributes: 'Attribute[]' },
  },
  AttributeDefinitionAlreadyExists: {
    status: 400,
    when: 'A product type has an attribute of this name.',
    extra: productTypeConflict,
  },
  AttributeDefinitionTypeConflict: {
    status: 400,
    when: 'An attribute of this name has another type in another product type.',
    extra: productTypeConflict,
  },
  AttributeNameDoesNotExist: {
    status: 400,
    when: 'The product type has no attribute of this name.',
    extra: { invalidAttributeName: 'String' },
  },
  DuplicateEnumValues: {
    status: 400,
    when: 'An enumeration names a key twice.',
    extra: { duplicates: 'String[]' },
  },
  EnumKeyAlreadyExists: { status: 400, when: 'The enumeration has this key already.', extra: enumConflict },
  EnumKeyDoesNotExist: { status: 400, when: 'The enumeration has no such key.', extra: enumConflict },
  EnumValuesMustMatch: { status: 400, when: 'A new order of enumeration values leaves one out or adds one.' },
  EnumValueIsUsed: { status: 400, when: 'A product has the value that is to be removed from a required attribute.' },
  NoMatchingProductDiscountFound: { status: 404, when: 'No active product discount fits the price.' },
  ProductAssignmentMissing: {
    status: 400,
    when: 'The product is not in the product selection.',
    extra: { product: 'ProductReference' },
  },
  ProductPresentWithDifferentVariantSelection: {
    status: 400,
    when: 'The product is in the product selection with other variants.',
    extra: { product: 'ProductReference', existingVariantSelection: 'ProductVariantSelection' },
  },
  MissingDependency: { status: 400, when: 'Something that the request builds on is not there.' },
  CircularDependency: { status: 400, when: 'What the request sets up would depend on itself.' },

  // Carts and orders.
  OutOfStock: {
    status: 400,
    when: 'Line items ask for more than the inventory has.',
    extra: { lineItems: 'String[]', skus: 'String[]' },
  },
  PriceChanged: {
    status: 400,
    when: 'Prices, tax rates or the shipping rate of the cart are no longer those of the project.',
    extra: { lineItems: 'String[]', shipping: 'Boolean' },
  },
  DiscountCodeNonApplicable: {
    status: 400,
    when: 'A discount code does not exist, or does not fit the cart or the time.',
    extra: {
      'discountCode?': 'String',
      'reason?': 'String',
      // Both spellings are in use (decisions.md #122).
      'discountCodeId?': 'String',
      'dicountCodeId?': 'String',
      ...validity,
      'validityCheckTime?': 'DateTime',
    },
  },
  ShippingMethodDoesNotMatchCart: {
    status: 400,
    when: 'The cart does not fulfill the predicate of its shipping method.',
  },
  InvalidItemShippingDetails: {
    status: 400,
    when: 'The quantities that an item ships to its addresses do not add up to its own.',
    extra: { subject: 'String', itemId: 'String' },
  },
  InvalidSubject: { status: 400, when: 'The operation cannot be applied to what it names.' },
  MatchingPriceNotFound: {
    status: 400,
    when: 'A variant has no price for what the cart selects prices by.',
    extra: {
      productId: 'String',
      variantId: 'Int',
      'currency?': 'CurrencyCode',
      'country?': 'CountryCode',
      'customerGroup?': 'CustomerGroupReference',
      'channel?': 'ChannelReference',
    },
  },
  MissingTaxRateForCountry: {
    status: 400,
    when: 'A tax category has no rate for the country and state of the shipping address.',
    extra: { taxCategoryId: 'String', 'country?': 'CountryCode', 'state?': 'String' },
  },
  LineItemQuantityAboveLimit: {
    status: 400,
    when: 'A line item has more than the most that a cart may hold of it.',
    extra: { quantity: 'Int', maxCartQuantity: 'Int', 'lineItem?': 'String' },
  },
  LineItemQuantityBelowLimit: {
    status: 400,
    when: 'A line item has less than the least that a cart has to hold of it.',
    extra: { quantity: 'Int', minCartQuantity: 'Int', 'lineItem?': 'String' },
  },
  CountryNotConfiguredInStore: {
    status: 400,
    when: 'The country of the cart is none of its store.',
    extra: { storeCountries: 'CountryCode[]', country: 'CountryCode' },
  },
  MaxCartDiscountsReached: { status: 400, when: 'The project has as many active cart discounts as it may have.' },
  MaxDiscountGroupsReached: { status: 400, when: 'The project has as many discount groups as it may have.' },
  StoreCartDiscountsLimitReached: {
    status: 400,
    when: 'A store has as many active cart discounts as it may have.',
    extra: { stores: 'StoreKeyReference[]' },
  },
  EditPreviewFailed: {
    status: 400,
    when: 'The preview of an order edit failed.',
    extra: { result: 'OrderEditPreviewFailure' },
  },
  RecurringOrderFailure: {
    status: 400,
    when: 'An order could not be made from its recurring order.',
    extra: { details: 'Any' },
  },

  // Customers.
  InvalidCredentials: { status: 400, when: 'No customer has this email address and password.' },
  InvalidCurrentPassword: { status: 400, when: 'The current password that was sent is wrong.' },
  WeakPassword: { status: 400, when: 'A password needs a letter, a digit and 8 characters.' },
  ExpiredCustomerEmailToken: { status: 400, when: 'The token that verifies an email address has expired.' },
  ExpiredCustomerPasswordToken: { status: 400, when: 'The token that resets a password has expired.' },

  // Projects, stores and channels.
  LanguageUsedInStores: { status: 400, when: 'A store uses the language that is to be removed from the project.' },
  ProjectNotConfiguredForLanguages: {
    status: 400,
    when: 'A store names languages that the project does not have.',
    extra: { languages: 'Locale[]' },
  },
  MissingRoleOnChannel: {
    status: 400,
    when: 'A channel lacks the role that its use needs.',
    extra: { channel: 'ChannelResourceIdentifier', missingRole: 'ChannelRole' },
  },
  MaxStoreReferencesReached: { status: 400, when: 'The resource names as many stores as it may name.' },

  // Extensions.
  ExtensionBadResponse: {
    status: 502,
    when: 'An API extension answered with something that is no answer.',
    extra: {
      ...extensionAnswer,
      'extensionBody?': 'String',
      'extensionStatusCode?': 'Int',
      extensionId: 'String',
      'extensionKey?': 'String',
    },
  },
  ExtensionNoResponse: {
    status: 504,
    when: 'An API extension could not be reached or did not answer in time.',
    extra: { extensionId: 'String', 'extensionKey?': 'String', 'errorByExtension?': 'ErrorByExtension' },
  },
  ExtensionUpdateActionsFailed: {
    status: 502,
    when: 'An update action that an API extension asked for could not be applied.',
    extra: extensionAnswer,
  },
  ExtensionPredicateEvaluationFailed: {
    status: 400,
    when: 'The condition under which an API extension is called could not be evaluated.',
    extra: { errorByExtension: 'ErrorByExtension' },
  },
  ExtensionChainTooDeep: { status: 400, when: 'API extensions call one another through too many levels.' },
  ExtensionChainTooWide: { status: 400, when: 'One request would call too many API extensions.' },
  ExtensionDependencyExists: { status: 400, when: 'Another API extension depends on the one to be removed.' },

  // Search.
  SearchDeactivated: { status: 400, when: 'The project has no search index.' },
  SearchIndexingInProgress: { status: 400, when: 'The first search index of the project is being built.' },
  SearchNotReady: { status: 400, when: 'The search index is not ready to answer.' },
  SearchFacetPathNotFound: { status: 400, when: 'A facet names a path that products do not have.' },
  // 502, not the 400 of the specification's table: the same request succeeds later, and clients try 5xx again.
  SearchExecutionFailure: { status: 502, when: 'The search engine did not answer; try again.' },
  NotEnabled: { status: 403, when: 'The project has not enabled category recommendations.' },
} as const satisfies Readonly<Record<string, ErrorRow>>;

export type ErrorCode = keyof typeof errorTable;

export function statusOf(code: ErrorCode): number {
  return errorTable[code].status;
}

/** Types of the fields that an error of this code has beside code and message; names that end in `?` may be absent. */
export function fieldsOf(code: ErrorCode): Readonly<Record<string, string>> {
  const row: ErrorRow = errorTable[code];
  return row.extra ?? {};
}

/** TypeScript types of the table's type names that have one; objects are checked where they are made. */
interface Types {
  readonly String: string;
  readonly Int: number;
  readonly Number: number;
  readonly Boolean: boolean;
  readonly DateTime: string;
  readonly ReferenceTypeId: string;
  readonly CurrencyCode: string;
  readonly CountryCode: string;
  readonly 'String[]': readonly string[];
  readonly 'Any[]': readonly unknown[];
}

type TypeOf<Name> = Name extends keyof Types ? Types[Name] : unknown;

type FieldsOf<Code extends ErrorCode> = (typeof errorTable)[Code] extends { readonly extra: infer Extra } ? Extra : {};

type RequiredNames<Extra> = { [Name in keyof Extra]: Name extends `${string}?` ? never : Name }[keyof Extra];

/** One plain object type, which the compiler checks for members too many. */
type Plain<T> = { readonly [Name in keyof T]: T[Name] };

type Extra<Fields> = Plain<
  { [Name in RequiredNames<Fields>]: TypeOf<Fields[Name]> } & {
    [Name in keyof Fields as Name extends `${infer Bare}?` ? Bare : never]?: TypeOf<Fields[Name]>;
  }
>;

/** The fields that an error of this code has beside code and message. */
export type ExtraOf<Code extends ErrorCode> = Extra<FieldsOf<Code>>;
