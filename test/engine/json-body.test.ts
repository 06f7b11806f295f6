import t from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import { Random } from '../../src/demo/random.ts';
import { parseJson } from '../../src/engine/json-body.ts';
import { jsonDepthMax } from '../../src/engine/json-scan.ts';
import { membersMax } from '../../src/fields/json.ts';
import { lengthOf } from '../../src/engine/json.ts';
import { documentInTurns, parseInSlices, valuesMax } from '../../src/engine/json-slices.ts';
import { startPlatform } from '../support/platform.ts';

/** The value, or why the body is refused. */
function outcomeOf(body: Buffer): unknown {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof ApiError) || error.errors[0].code !== 'InvalidJsonInput') throw error;
    return error.errors[0].detailedErrorMessage;
  }
}

function nested(depth: number, [open, close]: readonly [string, string]): string {
  return open.repeat(depth) + close.repeat(depth);
}

const shapes = [
  ['[', ']'],
  ['{"a":', '}'],
  ['[{"a":', '}]'],
] as const;

const somebody = { project: { key: 'shop' }, principal: { clientId: 'client' } };

t.test('a body is as deep as it may be, and not deeper', async (t) => {
  for (const shape of shapes) {
    const levels = shape[0].length > 5 ? 2 : 1;
    const inner = (depth: number): Buffer =>
      Buffer.from(nested(depth, shape).replace(shape[0] + shape[1], `${shape[0]}"]}"${shape[1]}`));
    t.type(outcomeOf(inner(jsonDepthMax / levels)), 'object', shape[0]);
    for (const depth of [jsonDepthMax / levels + 1, 20_000, 1_000_000])
      t.match(outcomeOf(inner(depth)), /64 levels/, `${shape[0]} ${depth} times`);
  }
});

t.test('brackets within strings are none, and many beside each other are not deep', async (t) => {
  for (const value of ['['.repeat(100), '\\"[{'.repeat(100), '\\', '\\\\"'.repeat(50), 'ä'.repeat(30)]) {
    const body = { [value]: [value, `${value}\\`, ...Array.from({ length: 100 }, () => [value])] };
    t.strictSame(outcomeOf(Buffer.from(JSON.stringify(body))), body);
  }
});

t.test('a number that would become another value is refused by name', async (t) => {
  for (const number of ['1e400', '-1e400', '1E+309', '12.5e0000400', '9'.repeat(310), `${'9'.repeat(250)}e99`]) {
    t.match(outcomeOf(Buffer.from(`{"a":[1,${number}]}`)), number.replace('-', '').slice(0, 40), number);
  }
  for (const number of ['1e308', '-1.7976931348623157e308', '1e-400', '9'.repeat(308), '0.5e003', '12']) {
    t.strictSame(outcomeOf(Buffer.from(`[${number}]`)), [Number(number)], number);
    t.strictSame(outcomeOf(Buffer.from(`["1e400 ${number}e999"]`)), [`1e400 ${number}e999`], number);
  }
});

t.test('what is no UTF-8 is refused, and what is stays as it is', async (t) => {
  for (const bytes of ['\xff', '\xc3', '\xed\xa0\x80', '\xf5\x80\x80\x80'])
    t.match(outcomeOf(Buffer.from(`"${bytes}"`, 'latin1')), /UTF-8/);
  t.equal(outcomeOf(Buffer.from('"\u{1F600}\ufffd"')), '\u{1F600}\ufffd');
});

t.test('a member named __proto__ is a member, and of two with one name the last counts', async (t) => {
  const value = outcomeOf(Buffer.from('{"__proto__":{"a":1},"b":1,"b":2}')) as object;
  t.equal(Object.getPrototypeOf(value), Object.prototype);
  t.strictSame(Object.entries(value), [
    ['__proto__', { a: 1 }],
    ['b', 2],
  ]);
});

const seed = 20_261_122;
const pieces = ['[', ']', '{', '}', '"', '\\', ',', ':', '1', '1e9', '1e400', '-', ' ', 'true', 'ä', '"a":', '\\u0061'];

t.test('a body that is neither deep nor has large numbers is parsed as by JSON.parse', async (t) => {
  const random = new Random(seed);
  for (let count = 0; count < 20_000; count += 1) {
    const noise = Array.from({ length: random.integer(0, 30) }, () => random.pick(pieces)).join('');
    // Beside a hundred brackets it is scanned.
    const text = random.integer(0, 1) === 0 ? noise : `[${noise},${'[],'.repeat(100)}1]`;
    const expected = plainlyParsed(text);
    const given = outcomeOf(Buffer.from(text));
    if (expected === undefined || hasInfinity(expected)) t.type(given, 'string', text);
    else t.strictSame(given, expected, text);
  }
});

function plainlyParsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function hasInfinity(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInfinity);
}

/** White space, names that are repeated and structures that are cut off, in slices of a few bytes. */
t.test('a text that is parsed in slices is what JSON.parse makes of it', async (t) => {
  const random = new Random(seed);
  for (let count = 0; count < 20_000; count += 1) {
    const whole = JSON.stringify(randomValue(random, 4), undefined, random.integer(0, 1));
    const text = random.integer(0, 2) === 0 ? whole : mutated(random, whole);
    const plain = plainlyParsed(text);
    const expected = hasInfinity(plain) ? undefined : plain;
    const sliceBytes = random.integer(1, 20);
    const given = await parseInSlices(Buffer.from(text), somebody, sliceBytes).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'InvalidJsonInput') return undefined;
      throw error;
    });
    t.equal(JSON.stringify(given), JSON.stringify(expected), `${text} in slices of ${sliceBytes}`);
  }
});

t.test('a text in slices has the limits of others', async (t) => {
  const members = '1,'.repeat(100_000);
  const refused = { errors: [{ code: 'InvalidJsonInput' }] };
  for (const text of [`[${members}${nested(64, shapes[0])}]`, `[${members}1e400]`, `[${members}1]]`, `[${members}]`])
    await t.rejects(parseInSlices(Buffer.from(text), somebody), refused);
  t.strictSame(await parseInSlices(Buffer.from(`[${members}"1e400"]`), somebody), JSON.parse(`[${members}"1e400"]`));
  const prototypes = `{"a":[${members}1],"__proto__":[${members}1]}`;
  t.strictSame(Object.keys((await parseInSlices(Buffer.from(prototypes), somebody)) as object), ['a', '__proto__']);
});

t.test('others have their turn while what is stored is parsed', async (t) => {
  const json = Buffer.from(
    JSON.stringify({ list: Array.from({ length: 400_000 }, (_, index) => ({ index, text: 'ä' })) }),
  );
  let turns = 0;
  let isParsed = false;
  const others = (): void => {
    turns += 1;
    if (!isParsed) setImmediate(others);
  };
  setImmediate(others);
  await documentInTurns(json, somebody);
  isParsed = true;
  // To parse all of it takes as long as ten turns on any machine.
  t.ok(turns > 10, `${turns} turns`);
});

t.test('what is stored is parsed in slices as it is, beyond the limits of bodies', async (t) => {
  const wide = Object.fromEntries(Array.from({ length: membersMax + 1 }, (_, index) => [`m${index}`, index]));
  const stored = {
    id: 'x',
    wide,
    deep: JSON.parse(nested(100, shapes[0])) as unknown,
    list: Array.from({ length: 40_000 }, (_, index) => ({ index, text: 'ä€😀"\\', none: null })),
    last: 1.5,
  };
  const text = `${JSON.stringify(stored).slice(0, -1)},"__proto__":{"a":1}}`;
  for (const json of [Buffer.from(text), text]) {
    const document = await documentInTurns(json, somebody);
    t.equal(JSON.stringify(document), text);
    t.equal(lengthOf(document), json.length, 'what follows is known to take long as well');
  }
  t.strictSame(await documentInTurns(Buffer.from('{"id":"x"}'), somebody), { id: 'x' });
});

const names = ['a', 'b', 'ä"\\', '__proto__', '1'];

function randomValue(random: Random, depth: number): unknown {
  const count = depth === 0 ? 0 : random.integer(0, 4);
  switch (random.integer(0, 4)) {
    case 0:
      return Array.from({ length: count }, () => randomValue(random, depth - 1));
    case 1:
      return JSON.parse(
        `{${Array.from({ length: count }, () => `${JSON.stringify(random.pick(names))}:${JSON.stringify(randomValue(random, depth - 1))}`).join(',')}}`,
      );
    case 2:
      return random.pick(['', ',', '[', '\\"', 'ä€']);
    case 3:
      return random.pick([0, -1.5, 1e21, true, null]);
    default:
      return Array.from({ length: count }, (_, index) => index);
  }
}

function mutated(random: Random, text: string): string {
  const at = random.integer(0, text.length);
  return text.slice(0, at) + random.pick([...pieces, '']) + text.slice(at + random.integer(0, 2));
}

t.test('a large body has so many values, and no more', async (t) => {
  const list = (length: number): Buffer => Buffer.from(`[${'1,'.repeat(length - 1)}1]`);
  t.equal(((await parseInSlices(list(valuesMax), somebody)) as unknown[]).length, valuesMax);
  const objects = Buffer.from(`[${'{"a":{}},'.repeat(valuesMax / 3)}{"a":{}}]`);
  for (const body of [list(valuesMax + 1), objects])
    await t.rejects(parseInSlices(body, somebody), { code: 'InvalidInput', message: /more than 500000 values/ });
});

t.test('an object of a body has so many members, and no more', async (t) => {
  const object = (length: number): Buffer =>
    Buffer.from(`{"a":{${Array.from({ length }, (_, index) => `"k${index}":0`).join(',')}}}`);
  const { a } = (await parseInSlices(object(membersMax), somebody)) as { a: object };
  t.equal(Object.keys(a).length, membersMax);
  await t.rejects(parseInSlices(object(membersMax + 1), somebody), {
    code: 'InvalidInput',
    message: /more than 50000 members/,
  });
});

t.test('every body of the API is parsed this way', async (t) => {
  const { projectKey, request, baseUrl } = await startPlatform(t);
  const deep = nested(20_000, ['[', ']']);
  for (const path of [
    '',
    '/zones',
    '/zones/key=a',
    '/graphql',
    '/login',
    '/me/login',
    '/carts/replicate',
    '/custom-objects',
  ]) {
    for (const body of [deep, `{"a":${deep}}`, '[1e400]']) {
      const { status, body: answer } = await request('POST', path, body);
      if (status === 404 || status === 403) continue;
      t.match(
        { status, answer },
        { status: 400, answer: { errors: [{ code: 'InvalidJsonInput' }] } },
        `${path} ${body.slice(0, 9)}`,
      );
    }
  }
  t.equal((await fetch(`${baseUrl}/healthz`)).status, 200, projectKey);
  for (const length of [1, 300_000]) {
    const zone = { name: 'marked', description: 'x'.repeat(length) };
    const { status } = await request('POST', '/zones', `\uFEFF${JSON.stringify(zone)}`);
    t.equal(status, 201, 'a mark before a text says nothing');
  }
});
