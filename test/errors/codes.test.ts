import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import t, { type Test } from 'tap';
import { principalOf } from '../../src/auth/principal.ts';
import type { RequestContext } from '../../src/engine/context.ts';
import type { Engine } from '../../src/engine/resource.ts';
import { createRegistry } from '../../src/engine/registry.ts';
import { ApiError, apiError } from '../../src/errors/api-error.ts';
import { type ErrorCode, errorTable, fieldsOf, statusOf } from '../../src/errors/codes.ts';
import { createAnalyzer, type SchemaSource } from '../../src/graphql/analyze.ts';
import { createGraphql } from '../../src/graphql/execute.ts';
import { allResources } from '../../src/resources/all.ts';
import { project } from '../../src/resources/project/resource.ts';
import type { Versioned } from '../../src/tasks/task.ts';
import { createFence } from '../../src/storage/change-log.ts';
import { Lane } from '../../src/storage/lane.ts';
import { clientError, databaseUnreachable } from '../../src/storage/connection.ts';
import { errorsDocument, errorsDocumentFile } from '../support/errors-document.ts';
import { createDatabase } from '../support/services.ts';
import { type Answer, type Platform, send, startPlatform } from '../support/platform.ts';

/** Specification section 7: codes by status. */
const specified: Readonly<Record<number, string>> = {
  400:
    'AnonymousIdAlreadyInUse DuplicateField DuplicateFieldWithConflictingResource FeatureRemoved InvalidInput ' +
    'InvalidJsonInput InvalidOperation InvalidField InternalConstraintViolated MaxResourceLimitExceeded ' +
    'ReferenceExists ReferencedResourceNotFound RequiredField ResourceSizeLimitExceeded SyntaxError QueryTimedOut ' +
    'QueryComplexityLimitExceeded DuplicatePriceScope DuplicateVariantValues DuplicateAttributeValue ' +
    'DuplicateAttributeValues AttributeDefinitionAlreadyExists AttributeDefinitionTypeConflict DuplicateEnumValues ' +
    'EnumKeyAlreadyExists EnumKeyDoesNotExist AttributeNameDoesNotExist EnumValuesMustMatch EnumValueIsUsed ' +
    'OutOfStock PriceChanged DiscountCodeNonApplicable ShippingMethodDoesNotMatchCart InvalidItemShippingDetails ' +
    'MatchingPriceNotFound MissingTaxRateForCountry InvalidCredentials InvalidCurrentPassword WeakPassword ' +
    'EditPreviewFailed SearchFacetPathNotFound SearchDeactivated SearchIndexingInProgress LanguageUsedInStores ' +
    'ProjectNotConfiguredForLanguages MissingRoleOnChannel',
  403: 'NotEnabled',
  404: 'ResourceNotFound',
  409: 'ConcurrentModification',
  500: 'General',
  // SearchExecutionFailure stands among the 400s there; src/errors/codes.ts says why it is 502 here.
  502: 'ExtensionBadResponse ExtensionUpdateActionsFailed ExternalOAuthFailed SearchExecutionFailure',
  504: 'ExtensionNoResponse',
};

/** Specification section 7: extra fields, as the table writes them. */
const specifiedFields: Readonly<Record<string, readonly string[]>> = {
  DuplicateField: ['field', 'duplicateValue'],
  DuplicateFieldWithConflictingResource: ['field', 'duplicateValue', 'conflictingResource'],
  InvalidField: ['field', 'invalidValue', 'allowedValues?'],
  MaxResourceLimitExceeded: ['exceededResource'],
  ReferencedResourceNotFound: ['typeId', 'id?', 'key?'],
  RequiredField: ['field'],
  ConcurrentModification: ['currentVersion?'],
  DuplicatePriceScope: ['conflictingPrices'],
  DuplicateAttributeValue: ['attribute'],
  DuplicateAttributeValues: ['attributes'],
  AttributeDefinitionAlreadyExists: [
    'conflictingProductTypeId',
    'conflictingProductTypeName',
    'conflictingAttributeName',
  ],
  AttributeDefinitionTypeConflict: [
    'conflictingProductTypeId',
    'conflictingProductTypeName',
    'conflictingAttributeName',
  ],
  DuplicateEnumValues: ['duplicates'],
  EnumKeyAlreadyExists: ['conflictingEnumKey', 'conflictingAttributeName'],
  EnumKeyDoesNotExist: ['conflictingEnumKey', 'conflictingAttributeName'],
  AttributeNameDoesNotExist: ['invalidAttributeName'],
  OutOfStock: ['lineItems', 'skus'],
  PriceChanged: ['lineItems', 'shipping'],
  DiscountCodeNonApplicable: [
    'discountCode?',
    'reason?',
    'dicountCodeId?',
    'validFrom?',
    'validUntil?',
    'validityCheckTime?',
  ],
  InvalidItemShippingDetails: ['subject', 'itemId'],
  MatchingPriceNotFound: ['productId', 'variantId', 'currency?', 'country?', 'customerGroup?', 'channel?'],
  MissingTaxRateForCountry: ['taxCategoryId', 'country?', 'state?'],
  EditPreviewFailed: ['result'],
  ProjectNotConfiguredForLanguages: ['languages'],
  MissingRoleOnChannel: ['channel', 'missingRole'],
};

t.test('the table has the codes, statuses and extra fields of the specification', async (t) => {
  for (const [status, codes] of Object.entries(specified)) {
    for (const code of codes.split(' ')) t.equal(errorTable[code as ErrorCode]?.status, Number(status), code);
  }
  t.match(errorTable.ExternalOAuthFailed, { status: 502, otherStatus: 504 });
  for (const [code, names] of Object.entries(specifiedFields)) {
    const known = Object.keys(fieldsOf(code as ErrorCode));
    t.strictSame(
      names.filter((name) => !known.includes(name)),
      [],
      code,
    );
  }
});

t.test('docs/errors.md is what the table says; npm run docs:errors writes it', async (t) => {
  t.equal(readFileSync(errorsDocumentFile, 'utf8'), errorsDocument());
  const sentences = Object.values(errorTable).map(({ when }) => when);
  t.equal(new Set(sentences).size, sentences.length, 'every code has a sentence of its own');
  for (const sentence of sentences) t.match(sentence, /^[A-Z0-9][^|\n]+\.$/);
});

t.test('the compiler refuses a missing and an unknown extra field', async (t) => {
  // @ts-expect-error InvalidField needs invalidValue.
  apiError('InvalidField', 'A message.', { field: 'name' });
  // @ts-expect-error ReferencedResourceNotFound needs typeId.
  apiError('ReferencedResourceNotFound', 'A message.');
  // @ts-expect-error ConcurrentModification has no version.
  apiError('ConcurrentModification', 'A message.', { version: 1 });
  // @ts-expect-error InvalidInput has no extra fields.
  apiError('InvalidInput', 'A message.', { field: 'name' });
  // @ts-expect-error RequiredField needs field, in a list of errors too.
  t.ok(new ApiError([{ code: 'RequiredField', message: 'A message.' }]));
});

/** Names of the fields that an error of this code has, and the ones it may have. */
function checkFields(t: Test, code: ErrorCode, extra: object, name: string): void {
  const names = Object.keys(fieldsOf(code));
  const needed = names.filter((field) => !field.endsWith('?'));
  const allowed = new Set(names.map((field) => field.replace('?', '')));
  const given = Object.keys(extra);
  t.strictSame(
    needed.filter((field) => !given.includes(field)),
    [],
    `${name}: every required extra field`,
  );
  t.strictSame(
    given.filter((field) => !allowed.has(field)),
    [],
    `${name}: no other extra field`,
  );
}

const LEAK = /\bat .*\.[jt]s:\d|\bselect\b.*\bfrom\b|insert into|relation |node_modules|PostgresError/i;

interface Body {
  readonly statusCode: number;
  readonly message: string;
  readonly errors: readonly ({ code: ErrorCode; message: string } & Record<string, unknown>)[];
}

/** Holds an answer to the form of section 7: nothing is missing, and nothing else is there. */
function checkRest(t: Test, name: string, answer: Answer, expected: readonly object[]): void {
  const body = answer.body as unknown as Body;
  const [first] = body.errors ?? [];
  if (first === undefined) return void t.fail(`${name}: no errors in ${answer.text.slice(0, 500)}`);
  const isOfOauth = /^[a-z_]+$/.test(first.code);
  t.strictSame(
    body,
    {
      statusCode: statusOf(first.code),
      message: first.message,
      errors: body.errors,
      ...(isOfOauth && { error: first.code, error_description: first.message }),
    },
    `${name}: the body`,
  );
  t.equal(answer.status, body.statusCode, `${name}: the status`);
  t.match(body.errors, expected, name);
  t.equal(body.errors.length, expected.length, `${name}: all errors, and no more`);
  for (const { code, message, ...extra } of body.errors) {
    t.match(message, /^\S.{8,}/, `${name}: a sentence`);
    checkFields(t, code, extra, name);
  }
  t.notMatch(answer.text, LEAK, `${name}: no trace, no SQL`);
}

type Provocation = readonly [name: string, provoke: () => Promise<Answer>, expected: readonly object[]];

const uuid = '00000000-0000-4000-8000-000000000000';

t.test('every error over REST has exactly the form of the specification', async (t) => {
  const platform = await startPlatform(t);
  const { request, baseUrl, projectKey, sql } = platform;
  const path = `/${projectKey}/zones`;
  const shipped = await shop(platform);
  const withToken = (token: string): Promise<Answer> =>
    send({ baseUrl, method: 'GET', path, headers: { authorization: `Bearer ${token}` } });
  const provocations: readonly Provocation[] = [
    ['no such resource', () => request('GET', `/zones/${uuid}`), [{ code: 'ResourceNotFound' }]],
    ['no such path', () => request('GET', '/unicorns'), [{ code: 'ResourceNotFound' }]],
    ['a method of no path', () => request('PUT', '/zones'), [{ code: 'MethodNotAllowed' }]],
    ['a method of another path', () => request('DELETE', '/zones'), [{ code: 'MethodNotAllowed' }]],
    ['a parameter', () => request('GET', '/zones?limit=many'), [{ code: 'InvalidInput' }]],
    [
      'every parameter at once',
      () => request('GET', `/zones?limit=900&offset=-1&sort=wings&where=${encodeURIComponent('wings = 1')}`),
      [{ code: 'InvalidInput' }, { code: 'InvalidInput' }, { code: 'InvalidInput' }, { code: 'InvalidInput' }],
    ],
    [
      'no JSON',
      () => request('POST', '/zones', '{"name":'),
      [{ code: 'InvalidJsonInput', detailedErrorMessage: String }],
    ],
    [
      'JSON of the wrong type',
      () => request('POST', '/zones', { name: 1 }),
      [{ code: 'InvalidJsonInput', detailedErrorMessage: /'name'/ }],
    ],
    [
      'a wrong value',
      () => request('POST', '/zones', { name: 'Zone', locations: [{ country: 'XX' }] }),
      [{ code: 'InvalidField', field: 'locations[0].country', invalidValue: 'XX' }],
    ],
    [
      'a value that is none of some',
      () => request('POST', '/states', { key: 'state', type: 'Wings' }),
      [{ code: 'InvalidField', field: 'type', invalidValue: 'Wings', allowedValues: [String] }],
    ],
    ['an absent value', () => request('POST', '/zones', {}), [{ code: 'RequiredField', field: 'name' }]],
    [
      'every field at once',
      () => request('POST', '/zones', { key: '!', locations: [{}, { country: 7 }] }),
      [
        { code: 'InvalidField', field: 'key', invalidValue: '!' },
        { code: 'RequiredField', field: 'name' },
        { code: 'RequiredField', field: 'locations[0].country' },
        { code: 'InvalidJsonInput', detailedErrorMessage: String },
      ],
    ],
    [
      'a taken value',
      () => request('POST', '/zones', { key: 'de', name: 'Other' }),
      [{ code: 'DuplicateField', field: 'key', duplicateValue: 'de' }],
    ],
    [
      'references to nothing',
      () =>
        request('POST', '/shipping-methods', {
          name: 'Method',
          isDefault: false,
          taxCategory: { typeId: 'tax-category', key: 'nowhere' },
          zoneRates: [{ zone: { typeId: 'zone', id: uuid }, shippingRates: [] }],
        }),
      [
        { code: 'ReferencedResourceNotFound', typeId: 'tax-category', key: 'nowhere' },
        { code: 'ReferencedResourceNotFound', typeId: 'zone', id: uuid },
      ],
    ],
    [
      'a resource in use',
      () => request('DELETE', '/zones/key=de?version=1'),
      [{ code: 'ReferenceExists', referencedBy: 'shipping-method' }],
    ],
    [
      'an old version in an update',
      () => request('POST', '/zones/key=de', { version: 7, actions: [] }),
      [{ code: 'ConcurrentModification', currentVersion: 1 }],
    ],
    [
      'an old version in a delete',
      () => request('DELETE', '/zones/key=de?version=7'),
      [{ code: 'ConcurrentModification', currentVersion: 1 }],
    ],
    [
      'an action that does not fit',
      () =>
        request('POST', `/shipping-methods/${shipped}`, {
          version: 1,
          actions: [{ action: 'addZone', zone: { key: 'de' } }],
        }),
      [{ code: 'InvalidOperation' }],
    ],
    [
      'too many resources',
      async () => {
        await sql`update resource_counts set count = 100 where kind = 'tax-category'`;
        return request('POST', '/tax-categories', { name: 'More', rates: [] });
      },
      [{ code: 'MaxResourceLimitExceeded', exceededResource: 'tax-category' }],
    ],
    [
      'a predicate',
      () => request('GET', `/zones?where=${encodeURIComponent('name = = 1')}`),
      [{ code: 'SyntaxError' }],
    ],
    ['a sort expression', () => request('GET', '/zones?sort=name,desc'), [{ code: 'SyntaxError' }]],
    [
      'a resource above its size',
      () => request('POST', '/zones', `{"name":"${'x'.repeat(bodyBytesMax - '{"name":""}'.length)}"}`),
      [{ code: 'ResourceSizeLimitExceeded' }],
    ],
    [
      'a body above its size',
      async () => postBytes(`${baseUrl}${path}`, Buffer.alloc(bodyBytesMax + 1, 'x')),
      [{ code: 'ContentTooLarge' }],
    ],
    [
      'a search without an index',
      () => request('GET', '/product-projections/suggest?searchKeywords.en=x'),
      [{ code: 'SearchIndexingInProgress' }],
    ],
    ['no token', () => send({ baseUrl, method: 'GET', path }), [{ code: 'access_denied' }]],
    ['a wrong token', () => withToken('nonsense'), [{ code: 'invalid_token' }]],
    [
      'a token of other scopes',
      async () => withToken(await platform.tokenWith([`view_states:${projectKey}`])),
      [{ code: 'insufficient_scope' }],
    ],
    ['a token request without a client', () => oauth(platform, '', {}), [{ code: 'invalid_client' }]],
    ['a token request without a grant', () => oauth(platform, ownClient(platform), {}), [{ code: 'invalid_request' }]],
    [
      'a token request of another grant',
      () => oauth(platform, ownClient(platform), { grant_type: 'wish' }),
      [{ code: 'unsupported_grant_type' }],
    ],
    [
      'a token request for a scope of another project',
      () => oauth(platform, ownClient(platform), { grant_type: 'client_credentials', scope: 'view_zones:other' }),
      [{ code: 'invalid_scope' }],
    ],
  ];
  for (const [name, provoke, expected] of provocations) checkRest(t, name, await provoke(), expected);
});

t.test('a fault of the server says nothing of itself, in REST and in GraphQL', async (t) => {
  const { request, sql } = await startPlatform(t);
  // The token is known by then, so the fault is met by the operations.
  await request('GET', '/zones?limit=1');
  await sql`alter table documents rename to gone`;
  checkRest(t, 'REST', await request('GET', '/zones'), [{ code: 'General' }]);
  checkRest(t, 'a write', await request('POST', '/zones', { name: 'Zone' }), [{ code: 'General' }]);
  const answer = await request('POST', '/graphql', { query: '{ zones { count } }' });
  checkGraphql(t, 'GraphQL', answer, [{ code: 'General' }]);
});

interface GraphqlError {
  readonly message: string;
  readonly extensions: { readonly code: ErrorCode };
}

/** The code and exactly the extra fields of the table are in `extensions`. */
function checkGraphql(t: Test, name: string, answer: Pick<Answer, 'body' | 'text'>, expected: readonly object[]): void {
  const errors = (answer.body['errors'] ?? []) as readonly GraphqlError[];
  t.match(
    errors.map(({ extensions }) => extensions),
    expected,
    name,
  );
  t.equal(errors.length, expected.length, `${name}: all errors, and no more`);
  for (const { message, extensions } of errors) {
    const { code, ...extra } = extensions;
    t.match(message, /^\S.{8,}/, `${name}: a sentence`);
    checkFields(t, code, extra, name);
  }
  t.notMatch(answer.text, LEAK, `${name}: no trace, no SQL`);
}

t.test('every error of GraphQL has its code and fields in extensions', async (t) => {
  const platform = await startPlatform(t);
  const { baseUrl, projectKey, request } = platform;
  const ask = (query: string, variables: object = {}): Promise<Answer> =>
    request('POST', '/graphql', { query, variables });
  const cases: readonly Provocation[] = [
    ['a text that breaks the grammar', () => ask('{ zones { '), [{ code: 'SyntaxError' }]],
    ['an unknown field', () => ask('{ unicorns { id } }'), [{ code: 'InvalidInput' }]],
    [
      'a variable of the wrong type',
      () => ask('query Q($n: Int) { zones(limit: $n) { count } }', { n: 'x' }),
      [{ code: 'InvalidInput' }],
    ],
    ['a query that needs an argument', () => ask('{ zone { id } }'), [{ code: 'InvalidInput' }]],
    ['a predicate', () => ask('{ zones(where: "name = = 1") { count } }'), [{ code: 'SyntaxError' }]],
    [
      'every argument at once',
      () => ask('{ zones(where: "wings = 1", sort: ["wings"], limit: 900) { count } }'),
      [{ code: 'InvalidInput' }, { code: 'InvalidInput' }, { code: 'InvalidInput' }],
    ],
    [
      'a score above the limit',
      () =>
        ask(
          `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: zones(limit: 500) { results { id name } }`).join(' ')} }`,
        ),
      [{ code: 'QueryComplexityLimitExceeded' }],
    ],
    [
      'a token of other scopes',
      async () =>
        send({
          baseUrl,
          method: 'POST',
          path: `/${projectKey}/graphql`,
          body: { query: '{ zones { count } }' },
          headers: { authorization: `Bearer ${await platform.tokenWith([`view_states:${projectKey}`])}` },
        }),
      [{ code: 'insufficient_scope' }],
    ],
  ];
  for (const [name, provoke, expected] of cases) checkGraphql(t, name, await provoke(), expected);
});

/** What a query answers when a resolver throws, and what the log hears of it. */
async function failedQuery(t: Test, thrown: Error) {
  const { url } = await createDatabase(t);
  const fence = createFence(new Lane({ databaseUrl: url, prepare: true }));
  t.teardown(() => fence.close());
  const engine = {
    registry: createRegistry(allResources, project),
    store: { find: () => Promise.reject(thrown) },
    compute: {
      run: async (_: unknown, text: string, { state }: Versioned<SchemaSource>) => createAnalyzer(state)(text),
    },
  } as unknown as Engine;
  const request = { project: { key: 'project' }, principal: principalOf('client', []) } as unknown as RequestContext;
  const faults: unknown[] = [];
  const service = createGraphql(engine, {
    fence,
    answerBytesMax: 1_000_000,
    excerptBytesMax: 1_000_000,
    authorize: () => {},
    clientError,
    onFault: (fault) => faults.push(fault),
  });
  const { status, body } = await service.execute(
    { query: '{ zone(id: "x") { id } }', variables: {}, operationName: undefined },
    request,
  );
  t.equal(status, 200);
  const text = body.toString();
  return { answer: { text, body: JSON.parse(text) as Answer['body'] }, faults };
}

t.test('extra fields of a resolver that fails are in extensions', async (t) => {
  const failure = new ApiError([
    { code: 'ConcurrentModification', message: 'The version is another one.', currentVersion: 3 },
    { code: 'InvalidField', message: 'The value is none of these.', field: 'key', invalidValue: 1, allowedValues: [2] },
  ]);
  const { answer, faults } = await failedQuery(t, failure);
  checkGraphql(t, 'GraphQL', answer, [
    { code: 'ConcurrentModification', currentVersion: 3 },
    { code: 'InvalidField', field: 'key', invalidValue: 1, allowedValues: [2] },
  ]);
  t.strictSame(faults, []);
});

t.test('faults of resolvers are for the log, and clients hear when they may try again', async (t) => {
  const lost = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const unreachable = await failedQuery(t, databaseUnreachable(lost));
  checkGraphql(t, 'unreachable', unreachable.answer, [{ code: 'OverCapacity' }]);
  t.match(unreachable.faults, [{ errors: [{ code: 'OverCapacity' }], cause: lost }]);
  const bug = new Error('find_me_in_the_log');
  const unexpected = await failedQuery(t, bug);
  checkGraphql(t, 'unexpected', unexpected.answer, [{ code: 'General' }]);
  t.notMatch(unexpected.answer.text, /find_me/);
  t.strictSame(unexpected.faults, [bug]);
});

/** The limit of request bodies and of resources. */
const bodyBytesMax = 16 * 1024 * 1024;

/** A zone, a tax category, and a shipping method that needs both; gives the method's id. */
async function shop({ request }: Platform): Promise<string> {
  await request('POST', '/zones', { key: 'de', name: 'Germany', locations: [{ country: 'DE' }] });
  await request('POST', '/tax-categories', { key: 'standard', name: 'Standard', rates: [] });
  const { body } = await request('POST', '/shipping-methods', {
    name: 'Standard',
    isDefault: false,
    taxCategory: { key: 'standard' },
    zoneRates: [{ zone: { key: 'de' }, shippingRates: [] }],
  });
  return String(body['id']);
}

function ownClient({ client }: Platform): string {
  return Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
}

async function oauth({ baseUrl }: Platform, basic: string, form: Readonly<Record<string, string>>): Promise<Answer> {
  return send({
    baseUrl,
    method: 'POST',
    path: '/oauth/token',
    body: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(basic !== '' && { authorization: `Basic ${basic}` }),
    },
  });
}

/** Sends a body to its last byte before it reads the answer, as the server closes the connection after a refusal. */
function postBytes(url: string, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = httpRequest(url, { method: 'POST', headers: { 'content-length': body.length } }, (answer) => {
      let text = '';
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: new Headers(),
          text,
          body: JSON.parse(text) as Answer['body'],
        }),
      );
    });
    sending.on('error', reject);
    sending.end(body);
  });
}
