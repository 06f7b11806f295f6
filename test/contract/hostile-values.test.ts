/**
 * Values that break parsers, writers and databases, at every member of every draft: each is refused as the client's
 * fault, or what was sent is in the answer.
 */
import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import t, { type Test } from 'tap';
import type { Resource } from '../../src/engine/resource.ts';
import { isObject } from '../../src/fields/object.ts';
import { contractResources } from '../support/contract-kinds.ts';
import { createdOf, createTargets, fullDraft, type Project, removeAt } from '../support/example-drafts.ts';
import { startPlatform } from '../support/platform.ts';

/** As JSON texts, for some of them are more than values can be. */
const hostileTexts: Readonly<Record<string, string>> = {
  'arrays 20,000 levels deep': '['.repeat(20_000) + ']'.repeat(20_000),
  'objects 20,000 levels deep': '{"a":'.repeat(20_000) + '1' + '}'.repeat(20_000),
  'arrays 40 levels deep': '['.repeat(40) + ']'.repeat(40),
  'objects 40 levels deep': '{"a":'.repeat(40) + '1' + '}'.repeat(40),
  'a text with NUL': String.raw`"a\u0000b"`,
  'half of a surrogate pair': String.raw`"\ud800"`,
  'a name with NUL': String.raw`{"a\u0000b":1}`,
  'a member __proto__': '{"__proto__":{"polluted":true}}',
  'a name that objects inherit': '{"toString":1,"constructor":null,"hasOwnProperty":[]}',
  'the text __proto__': '"__proto__"',
  'a number beyond all': '1e400',
  'a negative number beyond all': '-1e400',
  'a huge number': '1e308',
  'an integer that is rounded': '9007199254740993',
  'a negative zero': '-0',
  'a fraction': '0.1',
  'an empty text': '""',
  'an empty array': '[]',
  'an empty object': '{}',
  'a boolean': 'true',
  'a list with null': '[null]',
  'a long array': `[${Array.from({ length: 20_000 }, (_, index) => index).join()}]`,
  // No index takes it, not even compressed.
  'a long text': `"${randomBytes(8000).toString('hex')}"`,
  'an object with many members': `{${Array.from({ length: 1000 }, (_, index) => `"a${index}":1`).join()}}`,
};

/** Members of drafts that make something else than a member of the resource. */
const consumed: Readonly<Record<string, readonly string[]>> = {
  'api-client': ['deleteDaysAfterCreation'],
  customer: [
    'anonymousId',
    'password',
    'defaultShippingAddress',
    'shippingAddresses',
    'defaultBillingAddress',
    'billingAddresses',
  ],
  'key-value-document': ['version'],
  // They name the cart that the order is made of.
  order: ['id', 'cart', 'version'],
  product: ['publish'],
};
/** Paths of members that the platform fills in, whatever a draft says there. */
const overwritten: Readonly<Record<string, RegExp>> = {
  // A secret, of which a mask shows.
  extension: /^destination\.authentication\.headerValue$/,
  subscription: /^destination\.authentication\.headerValue$/,
  // Fields that the draft leaves out are those of the cart.
  order: /^custom\.fields$/,
  // Specification 2.4: addresses get their ids.
  customer: /^addresses\.\d+\.id$/,
  // The product type says what the values of enums are called.
  product: /^(masterVariant\.)?attributes\.\d+\.value\.(\d+\.)?label(\.|$)/,
};

type Path = readonly (string | number)[];

// Each kind has a project of its own, and most of its time passes between requests.
t.jobs = 4;

const platform = await startPlatform(t);

for (const resource of contractResources) {
  t.test(resource.kind, async (t) => {
    const project = await platform.anotherProject();
    const draft = fullDraft(resource, project);
    await createTargets(project, draft, resource);
    for (const path of pathsOf(draft)) {
      await tryAt(t, project, { resource, draft, path });
      await tryManyAt(t, project, { resource, draft, path });
    }
  });
}

interface Place {
  readonly resource: Resource;
  readonly draft: unknown;
  readonly path: Path;
}

async function tryAt(t: Test, project: Project, { resource, draft, path }: Place): Promise<void> {
  const faults: string[] = [];
  const isConsumed =
    consumed[resource.kind]?.includes(String(path[0])) === true ||
    overwritten[resource.kind]?.test(path.join('.')) === true;
  const send = (hostile: string): Promise<Sent> => sendTo(project, { resource, text: textWith(draft, path, hostile) });
  // Members that are not declared count as absent, so where that is accepted, other members say nothing either.
  const { document } = await send('{"nonsense":1}');
  const isOpen = document !== undefined && !holds(document, { nonsense: 1 }, path);
  for (const [name, hostile] of Object.entries(hostileTexts)) {
    const sent = await send(hostile);
    const value = JSON.parse(hostile) as unknown;
    if (sent.fault !== undefined) faults.push(`${name}: ${sent.fault}`);
    if (sent.document === undefined || isConsumed || (isOpen && isObject(value))) continue;
    if (!holds(sent.document, value, path)) faults.push(`${name} was accepted, and is lost`);
  }
  t.strictSame(faults, [], path.join('.'));
}

/** More than are told of. */
const wrongCount = 150;

/** A list with more faults than are told: all of its elements lack their members, or have one that is wrong. */
async function tryManyAt(t: Test, project: Project, { resource, draft, path }: Place): Promise<void> {
  const [element] = [valueAt(draft, path)].flat(1) as readonly unknown[];
  if (!Array.isArray(valueAt(draft, path)) || !isObject(element)) return;
  const wrong = [
    {},
    ...Object.keys(element).flatMap((name) => ['no', {}].map((value) => ({ ...element, [name]: value }))),
  ];
  const faults: string[] = [];
  for (const each of wrong) {
    const text = textWith(draft, path, JSON.stringify(Array.from({ length: wrongCount }, () => each)));
    const { fault } = await sendTo(project, { resource, text });
    if (fault !== undefined) faults.push(`${JSON.stringify(each).slice(0, 200)}: ${fault}`);
  }
  t.strictSame(faults, [], `many in ${path.join('.')}`);
}

/** Every place in the value, the outer ones first. One locale stands for all. */
function pathsOf(value: unknown, path: Path = []): readonly Path[] {
  const members = Array.isArray(value) ? [...value.entries()] : isObject(value) ? Object.entries(value) : [];
  return [
    ...(path.length === 0 ? [] : [path]),
    ...members.filter(([name]) => name !== 'de').flatMap(([name, member]) => pathsOf(member, [...path, name])),
  ];
}

const marker = 'the-hostile-value';

function textWith(draft: unknown, path: Path, hostile: string): string {
  const copy = structuredClone(draft) as Record<string | number, unknown>;
  let holder = copy;
  for (const name of path.slice(0, -1)) holder = holder[name] as typeof holder;
  holder[path.at(-1)!] = marker;
  return JSON.stringify(copy).replace(`"${marker}"`, () => hostile);
}

/** The document has the value where the draft had it, or, where the draft has another form, anywhere. */
function holds(document: unknown, value: unknown, path: Path): boolean {
  const held = valueAt(document, path);
  if (held !== undefined) return isSame(value, held);
  return (Array.isArray(value) && value.length === 0) || hasAnywhere(document, value);
}

function valueAt(document: unknown, path: Path): unknown {
  let value = document;
  for (const name of path) value = (value as Readonly<Record<string | number, unknown>> | undefined)?.[name];
  return value;
}

function hasAnywhere(document: unknown, value: unknown): boolean {
  if (isSame(value, document)) return true;
  return (
    typeof document === 'object' &&
    document !== null &&
    Object.values(document).some((member) => hasAnywhere(member, value))
  );
}

/** JSON knows one zero. */
function isSame(sent: unknown, held: unknown): boolean {
  return sent === 0 ? held === 0 : isDeepStrictEqual(sent, held);
}

interface Sent {
  /** What was created, which is deleted. */
  readonly document?: unknown;
  /** What went wrong. */
  readonly fault?: string;
}

async function sendTo(
  project: Project,
  { resource, text }: { readonly resource: Resource; readonly text: string },
): Promise<Sent> {
  const { status, body } = await project.request('POST', `/${resource.path}`, text);
  // A draft may say the version of what it is made of.
  if ((status === 400 || status === 409) && Array.isArray(body['errors'])) return {};
  if (status !== 201) return { fault: `answered with ${status}` };
  const document = createdOf(resource, body);
  const removed = await removeAt(project, resource, document);
  return removed.status === 200 ? { document } : { document, fault: `cannot be deleted: ${removed.status}` };
}
