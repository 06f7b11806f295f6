import fc from 'fast-check';
import t from 'tap';
import { placesIn, wantedAt, withMembers } from '../../src/engine/json-places.ts';

const paths = ['data.first', 'data.list[*]', 'data.nested.deep[*]'];
const wanted = wantedAt(paths);

type Plain = Readonly<Record<string, unknown>>;

function isPlain(value: unknown): value is Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The same of what is parsed, in no order. */
function objectsAt(value: unknown, path: readonly string[]): readonly Plain[] {
  if (Array.isArray(value)) return value.flatMap((each) => objectsAt(each, path));
  if (!isPlain(value)) return [];
  const [name, ...rest] = path;
  if (name === undefined) return [value];
  return Object.hasOwn(value, name) ? objectsAt(value[name], rest) : [];
}

function expected(document: unknown): readonly Plain[] {
  return paths.flatMap((path) => objectsAt(document, path.replaceAll('[*]', '').split('.')));
}

/** Texts with all that the syntax of JSON has, and names that are looked for elsewhere. */
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('"', '\\', '\\"', '{"sku":"a"}', '[', '}', '日本', ',"sku":'),
);
const name = fc.oneof(fc.constantFrom('sku', 'data', 'first', 'list', 'nested', 'deep', 'id'), text);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(name, tie('tree'), { maxKeys: 4 }),
  ),
}));
const variant = fc.record({ id: fc.nat(), sku: tree, more: tree }, { requiredKeys: ['id'] });
const document = fc.record(
  {
    sku: text,
    data: fc.oneof(
      tree,
      fc.record(
        {
          first: fc.oneof(variant, tree),
          list: fc.array(fc.oneof(variant, tree), { maxLength: 4 }),
          nested: fc.record({ deep: fc.array(variant, { maxLength: 3 }), sku: tree }),
          other: tree,
        },
        { requiredKeys: [] },
      ),
    ),
    more: tree,
  },
  { requiredKeys: [] },
);

const inAnyOrder = (texts: readonly string[]): readonly string[] => texts.toSorted();

t.test('objects are found as in what is parsed, and take members', async (t) => {
  fc.assert(
    fc.property(document, fc.constantFrom(undefined, 1, '\t'), (given, space) => {
      // Members that JSON.parse gives another meaning are stored as they are parsed.
      const parsed = JSON.parse(JSON.stringify(given)) as unknown;
      const json = Buffer.from(JSON.stringify(parsed, undefined, space));
      const found = placesIn(json, wanted, 'sku');
      const objects = expected(parsed);
      const named = objects.map(({ sku }) => (typeof sku === 'string' ? sku : ''));
      t.ok(
        found.every(({ start }, index) => index === 0 || start > found[index - 1]!.start),
        'in their order',
      );
      if (found.length !== objects.length) throw new Error(`${found.length} of ${objects.length} were found`);
      const seen = inAnyOrder(found.map((place) => place.named ?? ''));
      if (seen.join('\n') !== inAnyOrder(named).join('\n')) throw new Error('They have other texts');
      const places = found.filter(({ start }) => json.toString('latin1', start).trimStart()[0] !== '}');
      const changed = withMembers(
        json,
        places.map(({ start }) => ({ start, members: '"added":{"a":[1]}' })),
      );
      for (const object of objects)
        if (Object.keys(object).length > 0) (object as Record<string, unknown>)['added'] = { a: [1] };
      if (JSON.stringify(sorted(JSON.parse(changed.toString()))) !== JSON.stringify(sorted(parsed)))
        throw new Error('Another document came of it');
    }),
    { numRuns: 2000 },
  );
  t.pass('in 2000 documents');
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isPlain(value)) return value;
  return Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}

t.test('a text without places is the same', async (t) => {
  const json = Buffer.from('{"data":{"first":5,"list":"[]"}}');
  t.strictSame(placesIn(json, wanted, 'sku'), []);
  t.equal(withMembers(json, []), json);
});
