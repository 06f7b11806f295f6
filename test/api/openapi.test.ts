import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import t, { type Test } from 'tap';
import { errorTable } from '../../src/errors/codes.ts';
import type { JsonSchema } from '../../src/fields/field.ts';
import { isObject } from '../../src/fields/object.ts';
import { keySegment } from '../../src/http/operations.ts';
import { allResources } from '../../src/resources/all.ts';
import { project } from '../../src/resources/project/resource.ts';
import {
  createFrom,
  examplesOf,
  fullDraft,
  givenFields,
  minimalDraft,
  pathOf,
  placed,
} from '../support/example-drafts.ts';
import { mismatches } from '../support/json-schema.ts';
import { send, startPlatform } from '../support/platform.ts';

interface Body {
  readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

/** As far as the tests look at one. */
interface Operation {
  readonly operationId: string;
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

interface Document {
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly parameters: Readonly<Record<string, object>>;
  };
}

const bytesMax = 1_200_000;

const platform = await startPlatform(t);
const { baseUrl } = platform;
const answer = await send({ baseUrl, method: 'GET', path: '/openapi.json' });
// The first test checks that it is one.
const document = answer.body as unknown as Document;
const { paths, components } = document;

t.test('the description is a valid OpenAPI 3.1 document, served to anyone', async (t) => {
  t.equal(answer.status, 200);
  t.match(answer.headers.get('content-type'), /^application\/json\b/);
  t.ok(Buffer.byteLength(answer.text) < bytesMax, `${Buffer.byteLength(answer.text)} bytes`);
  const validator = new Validator();
  const { valid, errors } = await validator.validate(structuredClone(answer.body));
  t.ok(valid, JSON.stringify(errors)?.slice(0, 1000));
  t.equal(validator.version, '3.1');
  const head = await send({ baseUrl, method: 'HEAD', path: '/openapi.json' });
  t.strictSame([head.status, head.text], [200, '']);
  t.equal(head.headers.get('content-length'), answer.headers.get('content-length'));
});

t.test('it has the version of the package, and is the same on every server', async (t) => {
  const file = readFileSync(join(import.meta.dirname, '..', '..', '..', 'package.json'), 'utf8');
  t.equal(document.info.version, (JSON.parse(file) as { version: string }).version);
  const other = await startPlatform(t);
  t.equal((await send({ baseUrl: other.baseUrl, method: 'GET', path: '/openapi.json' })).text, answer.text);
});

t.test('every link leads somewhere, and operations have names of their own', async (t) => {
  const links = new Set([...answer.text.matchAll(/"#\/([^"]+)"/g)].map(([, path]) => path!));
  const missing = [...links].filter((path) => path.split('/').reduce<unknown>(memberOf, answer.body) === undefined);
  t.strictSame(missing, []);
  t.ok(links.size > allResources.length);
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
  t.equal(new Set(ids).size, ids.length);
});

function memberOf(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** The path of the document that a request leads to: of several the one with most literal text. */
function describedPath(path: string): string | undefined {
  const fitting = Object.keys(paths).filter((template) =>
    new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  const literal = (template: string): number => template.replaceAll(/\{\w+\}/g, '').length;
  return fitting.toSorted((one, other) => literal(other) - literal(one))[0];
}

/** Every path that could be routed: words of paths in all combinations. */
function candidates(): readonly string[] {
  const words = [
    ...new Set(Object.keys(paths).flatMap((path) => path.split('/').filter((word) => /^[a-z-]+$/.test(word)))),
    ...allResources.flatMap(({ path, mine }) => [path, ...(mine === undefined ? [] : [`me/${mine.path}`])]),
    'key=some-key',
    'some-id',
  ];
  const byKey = allResources.flatMap(({ keyMembers: [member, ...others] }) =>
    member === undefined || others.length > 0
      ? []
      : [
          keySegment(member)
            .slice(1)
            .replace(/\{\w+\}/, 'some-key'),
        ],
  );
  const items = [
    ...new Set(byKey),
    'some-id',
    ...allResources.flatMap(({ endpoints }) =>
      endpoints.map(({ path }) => path.replace(/^\/(me\/)?/, '').replace(/\{\w+\}/, 'some-token')),
    ),
  ];
  const below = words.flatMap((word) => [
    `/${word}`,
    ...items.flatMap((item) => [`/${word}/${item}`, `/${word}/${item}/some-key`, `/${word}/${item}/some-key/deep`]),
  ]);
  const inProject = ['', ...below, ...items.map((item) => `/${item}`)];
  return ['', '/in-store/key=some-store'].flatMap((place) => inProject.map((path) => `/some-project${place}${path}`));
}

t.test('what writes bring about nothing but an answer is described', (t) => {
  const members = (name: string): unknown => Object.keys(components.schemas[name]!['properties'] ?? {});
  t.strictSame(members('OrderEditUpdate'), ['version', 'actions', 'dryRun']);
  t.strictSame(members('ZoneUpdate'), ['version', 'actions']);
  t.end();
});

t.test('what is described is routed, and what is routed is described', async (t) => {
  const plain = Object.keys(paths).filter((path) => !path.startsWith('/{projectKey}'));
  // A slash at the end makes no other path.
  const monitored = Object.keys(paths)
    .filter((path) => path.endsWith('/health'))
    .map((path) => path.replaceAll(/\{(\w+)\}/g, 'some-$1'));
  const probes = [...new Set([...plain, ...monitored, ...candidates()])].filter((path) => !path.endsWith('/'));
  const met = new Set<string>();
  const differing: string[] = [];
  for (const path of probes) {
    const template = describedPath(path);
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
      // Path and method are looked at before the token, which is missing.
      const { status } = await send({ baseUrl, method, path });
      // No image has the name of a parameter, and monitors are told of what is not there.
      const isRouted = status !== 405 && (status !== 404 || /\/(\{imageName\}|health)$/.test(template ?? ''));
      const isDescribed = template !== undefined && method.toLowerCase() in paths[template]!;
      if (isRouted !== isDescribed) differing.push(`${method} ${path}: ${status}, ${template ?? 'not described'}`);
      if (isDescribed) met.add(`${method.toLowerCase()} ${template}`);
    }
  }
  t.strictSame(differing, []);
  const all = Object.entries(paths).flatMap(([path, item]) => Object.keys(item).map((method) => `${method} ${path}`));
  t.strictSame([...met].sort(), all.sort(), 'every operation was tried');
});

/** A schema of the document, on its own. */
function standalone(schema: JsonSchema): JsonSchema {
  // Forms are told apart by validators without the hint.
  const text = JSON.stringify({ ...schema, $defs: components.schemas }, (name, value: unknown) =>
    name === 'discriminator' && isObject(value) && 'mapping' in value ? undefined : value,
  );
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as JsonSchema;
}

function schemaOf(body: Body): JsonSchema {
  return standalone(Object.values(body.content)[0]!.schema);
}

for (const resource of allResources.filter(({ lifecycle }) => lifecycle !== 'told')) {
  t.test(`requests and answers of ${resource.kind} match their description`, async (t) => {
    const there = await platform.anotherProject();
    const list = paths[`/{projectKey}/${resource.path}`]!;
    const draftSchema = schemaOf(list['post']!.requestBody!);
    const createdSchema = schemaOf(list['post']!.responses['201']!);
    for (const draft of [minimalDraft(resource, there), fullDraft(resource, there)]) {
      t.strictSame(mismatches(draftSchema, draft), [], 'draft');
      const document = await createFrom(there, resource, draft);
      t.strictSame(mismatches(createdSchema, asCreated(resource, document)), [], 'created');
      const page = await there.request('GET', `/${resource.path}`);
      t.strictSame(mismatches(schemaOf(list['get']!.responses['200']!), page.body), [], 'page');
      const { version: _, ...incomplete } = document;
      if (document.version !== undefined)
        t.not(mismatches(createdSchema, asCreated(resource, incomplete)).length, 0, 'the version is needed');
      const itemPath = Object.keys(paths).find(
        (path) => path.startsWith(`/{projectKey}/${resource.path}/`) && 'delete' in paths[path]!,
      )!;
      const query = resource.lifecycle === 'versioned' ? `?version=${document.version}` : '';
      const deleted = await there.request('DELETE', `${pathOf(resource, document)}${query}`);
      t.strictSame(mismatches(schemaOf(paths[itemPath]!['delete']!.responses['200']!), deleted.body), [], 'deleted');
    }
    const needed = Object.keys(minimalDraft(resource, there)).filter(
      (name) => resource.draft[name]!.presence === 'required',
    );
    for (const name of needed) {
      const { [name]: _, ...incomplete } = minimalDraft(resource, there);
      t.not(mismatches(draftSchema, incomplete).length, 0, `${name} is needed`);
    }
    for (const [name, field] of givenFields(resource.draft)) {
      const draft = minimalDraft(resource, there);
      // The full draft goes without some.
      for (const example of examplesOf(resource, name, field).filter((value) => value !== undefined))
        t.strictSame(mismatches(draftSchema, { ...draft, [name]: placed(example, there.projectKey) }), [], name);
    }
    if (resource.lifecycle === 'versioned')
      updatesMatch(t, resource, schemaOf(paths[`/{projectKey}/${resource.path}/{ID}`]!['post']!.requestBody!));
  });
}

/** The answer to the creation of a resource. */
function asCreated({ createdIn }: (typeof allResources)[number], document: unknown): unknown {
  return createdIn === undefined ? document : { [createdIn.member]: document };
}

function updatesMatch(t: Test, resource: (typeof allResources)[number], schema: JsonSchema): void {
  for (const [name, { fields }] of resource.actions) {
    const input = givenFields(fields).map(([member, { kind }]) => [member, kind.examples[0]] as const);
    const action = { action: name, ...Object.fromEntries(input) };
    t.strictSame(mismatches(schema, { version: 1, actions: [action] }), [], name);
  }
  t.not(mismatches(schema, { version: 1, actions: [{ action: 'nonsense' }] }).length, 0, 'other actions do not exist');
}

t.test('settings match their description', async (t) => {
  const { get, post } = paths['/{projectKey}']!;
  const settings = await platform.request('GET', '');
  t.strictSame(mismatches(schemaOf(get!.responses['200']!), settings.body), []);
  updatesMatch(t, project.resource, schemaOf(post!.requestBody!));
});

t.test('failures match the one description of errors, which has every code', async (t) => {
  const errors = standalone(components.schemas['ErrorResponse']!);
  const codes = components.schemas['ErrorObject']!['discriminator'] as { readonly mapping: object };
  t.strictSame(Object.keys(codes.mapping), Object.keys(errorTable).sort());
  for (const [method, path, body] of [
    ['GET', '/zones/nowhere', undefined],
    ['POST', '/zones', { key: '?', locations: [{ country: 'XX' }] }],
    ['PUT', '/zones', undefined],
    ['POST', '/graphql', {}],
  ] as const) {
    const failed = await platform.request(method, path, body);
    t.strictSame(mismatches(errors, failed.body), [], `${method} ${path}: ${failed.status}`);
  }
  const refused = await send({ baseUrl, method: 'POST', path: '/oauth/token' });
  t.strictSame(mismatches(errors, refused.body), []);
  t.not(mismatches(errors, { ...refused.body, errors: [{ code: 'Nonsense', message: '' }] }).length, 0);
});

t.test('an endpoint says what it needs, and how else than others it may fail', async (t) => {
  t.match(paths['/{projectKey}/product-projections/suggest']!['get'], {
    summary: /Staged ones/,
    responses: { 200: {}, 400: {}, 502: {} },
  });
  t.match(components.parameters['searchKeywords'], { name: 'searchKeywords', required: true });
});

t.test('a list that a parameter makes another answer may be either', async (t) => {
  const { schema } = paths['/{projectKey}/carts']!['get']!.responses['200']!.content['application/json']!;
  const names = (schema['oneOf'] as { $ref: string }[]).map(({ $ref }) => $ref.split('/').at(-1)!);
  t.strictSame(names, ['CartPagedQueryResponse', 'Cart']);
  t.ok(names.every((name) => name in components.schemas));
});

t.test('a short list takes as many elements as is said, and no more', async (t) => {
  const shown = components.schemas['ProductSearchProjectionParamsDraft']!['properties'] as Record<string, JsonSchema>;
  const elements = { localeProjection: 'de', priceCustomerGroupAssignments: 'a' };
  for (const [name, element] of Object.entries(elements)) {
    const { schema } = components.parameters[name] as { readonly schema: { readonly maxItems: number } };
    t.equal(shown[name]!['maxItems'], schema.maxItems, name);
    const answered = async (count: number): Promise<string | undefined> => {
      const productProjectionParameters = {
        priceCurrency: 'EUR',
        [name]: Array.from({ length: count }, () => element),
      };
      const { body } = await platform.request('POST', '/products/search', { productProjectionParameters });
      return (body['errors'] as readonly { readonly code: string }[])[0]?.code;
    };
    // Nothing is indexed, which is said of what is right.
    t.equal(await answered(schema.maxItems), 'SearchNotReady', name);
    t.equal(await answered(schema.maxItems + 1), 'InvalidInput', name);
  }
});
