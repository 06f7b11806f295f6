import t from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import type { Engine } from '../../src/engine/resource.ts';
import { isUuid, load, type Wanted } from '../../src/engine/load.ts';
import type { Lookup, Stored } from '../../src/engine/store.ts';
import { type Fields, optional } from '../../src/fields/field.ts';
import { list } from '../../src/fields/list.ts';
import { parseObject } from '../../src/fields/object.ts';
import { Parsing } from '../../src/fields/parsing.ts';
import { keyReference, reference, resourceId } from '../../src/fields/reference.ts';

const ids = {
  europe: '0a0a0a0a-0000-4000-8000-00000000000a',
  asia: '0b0b0b0b-0000-4000-8000-00000000000b',
  shop: '0c0c0c0c-0000-4000-8000-00000000000c',
  nobody: '0d0d0d0d-0000-4000-8000-00000000000d',
};

const stored: readonly (Stored & { readonly kind: string })[] = [
  { kind: 'zone', id: ids.europe, key: 'europe', version: 1, json: '{"name":"Europe"}' },
  { kind: 'zone', id: ids.asia, key: undefined, version: 1, json: '{"name":"Asia"}' },
  { kind: 'store', id: ids.shop, key: 'shop', version: 1, json: '{"name":"Shop"}' },
];

/** An engine whose store finds ids in any case, as Postgres does, and notes what it is asked for. */
function engineNoting(calls: (readonly Lookup[])[]): Engine {
  const find = async (_: string, lookups: readonly Lookup[]): Promise<readonly (Stored | undefined)[]> => {
    calls.push(lookups);
    return lookups.map((lookup) =>
      stored.find(({ kind, id, key }) => {
        const isNamed = lookup.id === undefined ? key === lookup.key : id === lookup.id.toLowerCase();
        return kind === lookup.kind && isNamed;
      }),
    );
  };
  return { store: { find } } as unknown as Engine;
}

const isAsia = (document: Readonly<Record<string, unknown>>): boolean => document['name'] === 'Asia';

const fields: Fields = {
  zone: optional(reference('zone', 'Zone')),
  zones: optional(list(reference('zone', 'Zone'))),
  store: optional(keyReference('store', 'Store')),
  zoneId: optional(resourceId('zone', 'Zone')),
  checked: optional(
    reference('zone', 'Zone', {
      lacks: (document) => (isAsia(document) ? undefined : { code: 'InvalidOperation', message: 'Only Asia will do.' }),
    }),
  ),
};

const requester = { project: { key: 'p' }, principal: { clientId: 'c' } };

interface Loaded {
  readonly value: unknown;
  readonly own: readonly (Stored | undefined)[];
  readonly calls: readonly (readonly Lookup[])[];
  /** Codes and names of what the errors are about. */
  readonly errors: readonly (readonly unknown[])[];
}

/** What becomes of a draft that is parsed and then loaded. */
async function loaded(draft: unknown, others: Omit<Wanted, 'parsing'> = {}): Promise<Loaded> {
  const parsing = new Parsing();
  const value = parseObject(fields, draft, parsing);
  parsing.settle();
  const calls: (readonly Lookup[])[] = [];
  try {
    const own = await load(engineNoting(calls), requester, { parsing, ...others });
    return { value, own, calls, errors: [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const errors = error.errors.map((element) =>
      element.code === 'ReferencedResourceNotFound'
        ? [element.code, element.typeId, element.id ?? element.key]
        : [element.code, element.message],
    );
    return { value, own: [], calls, errors };
  }
}

t.test('all that is named is read at once, and written into what was parsed', async (t) => {
  const { value, own, calls } = await loaded(
    {
      zone: { key: 'europe' },
      zones: [{ typeId: 'zone', id: ids.asia }, { key: 'europe' }],
      store: { id: ids.shop },
      zoneId: ids.asia,
      checked: { id: ids.asia },
    },
    {
      lookups: [
        { kind: 'zone', id: ids.europe },
        { kind: 'zone', key: 'nobody' },
      ],
    },
  );
  t.strictSame(value, {
    zone: { typeId: 'zone', id: ids.europe },
    zones: [
      { typeId: 'zone', id: ids.asia },
      { typeId: 'zone', id: ids.europe },
    ],
    store: { typeId: 'store', key: 'shop' },
    zoneId: ids.asia,
    checked: { typeId: 'zone', id: ids.asia },
  });
  t.strictSame(
    own.map((found) => found?.id),
    [ids.europe, undefined],
  );
  t.strictSame(calls, [
    [
      { kind: 'zone', id: ids.europe },
      { kind: 'zone', key: 'nobody' },
      { kind: 'zone', key: 'europe' },
      { kind: 'zone', id: ids.asia },
      { kind: 'zone', key: 'europe' },
      { kind: 'store', id: ids.shop },
      { kind: 'zone', id: ids.asia },
      { kind: 'zone', id: ids.asia },
    ],
  ]);
});

t.test('where nothing is named, nothing is read', async (t) => {
  t.strictSame(await loaded({}), { value: {}, own: [], calls: [], errors: [] });
});

t.test('an id is stored as the resource has it, in whatever case it was given', async (t) => {
  const { value } = await loaded({
    zone: { id: ids.europe.toUpperCase() },
    store: { id: ids.shop.toUpperCase() },
    zoneId: ids.asia.toUpperCase(),
  });
  t.strictSame(value, {
    zone: { typeId: 'zone', id: ids.europe },
    store: { typeId: 'store', key: 'shop' },
    zoneId: ids.asia,
  });
});

t.test('all that is missing is told together, by what it was named', async (t) => {
  const { errors, calls } = await loaded({
    zone: { id: ids.nobody },
    zones: [{ key: 'europe' }, { key: 'nowhere' }],
    store: { key: 'nowhere' },
    zoneId: ids.shop,
    checked: { key: 'europe' },
  });
  t.strictSame(errors, [
    ['ReferencedResourceNotFound', 'zone', ids.nobody],
    ['ReferencedResourceNotFound', 'zone', 'nowhere'],
    ['ReferencedResourceNotFound', 'store', 'nowhere'],
    ['ReferencedResourceNotFound', 'zone', ids.shop],
    ['InvalidOperation', 'Only Asia will do.'],
  ]);
  t.equal(calls.length, 1);
});

t.test('what the request does not see is told as missing', async (t) => {
  const [kinds, judged]: [string[], string[]] = [[], []];
  const { errors } = await loaded(
    { zones: [{ id: ids.asia }, { id: ids.europe }], checked: { id: ids.europe }, store: { key: 'shop' } },
    {
      sees: (kind) => {
        kinds.push(kind);
        return (document) => {
          judged.push(String(document['name']));
          return isAsia(document);
        };
      },
    },
  );
  t.strictSame(errors, [
    ['ReferencedResourceNotFound', 'zone', ids.europe],
    ['ReferencedResourceNotFound', 'store', 'shop'],
    ['ReferencedResourceNotFound', 'zone', ids.europe],
  ]);
  t.strictSame(kinds, ['zone', 'store'], 'each kind is asked about once');
  t.strictSame(judged, ['Asia', 'Europe', 'Shop'], 'so is each resource');
});

t.test('what the lookups led to is judged before the identifiers are', async (t) => {
  const judge = (found: readonly (Stored | undefined)[]): void => {
    t.strictSame(
      found.map((each) => each?.key),
      ['europe'],
    );
    throw new Error('Judged.');
  };
  const lookups = [{ kind: 'zone', key: 'europe' }];
  await t.rejects(loaded({ zone: { key: 'nowhere' } }, { lookups, judge }), { message: 'Judged.' });
});

t.test('what waits for the identifiers runs once they are known, and not where one is missing', async (t) => {
  for (const [key, expected] of [
    ['europe', [ids.europe]],
    ['nowhere', []],
  ] as const) {
    const parsing = new Parsing();
    const value = reference('zone', 'Zone').parse({ key }, parsing)!;
    const known: string[] = [];
    parsing.whenLoaded(() => known.push(value.id));
    await load(engineNoting([]), requester, { parsing }).catch((error: ApiError) =>
      t.equal(error.code, 'ReferencedResourceNotFound'),
    );
    t.strictSame(known, expected);
  }
});

t.test('a UUID has its digits in any case, and nothing around it', async (t) => {
  for (const id of Object.values(ids)) t.ok(isUuid(id) && isUuid(id.toUpperCase()));
  for (const text of [
    '',
    `${ids.asia}\n`,
    ` ${ids.asia}`,
    `{${ids.asia}}`,
    ids.asia.replaceAll('-', ''),
    `${ids.asia}0`,
    ids.asia.replace('b', 'g'),
  ])
    t.notOk(isUuid(text), text);
});
