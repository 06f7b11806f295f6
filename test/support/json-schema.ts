import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../src/fields/field.ts';
import { isObject } from '../../src/fields/object.ts';

/** What keeps `value` from matching the schema, each with its path. Knows the keywords that field kinds use, and no other. */
export function mismatches(schema: JsonSchema, value: unknown, path = '$'): readonly string[] {
  return Object.entries(schema).flatMap(([keyword, expected]) => {
    const check = checks.get(keyword);
    if (check === undefined) throw new Error(`The schema at ${path} has the unknown keyword ${keyword}`);
    return check({ expected, value, path });
  });
}

/** The JSON types that a schema lets a value have; undefined when it says nothing of them. */
export function typesOf({ type, oneOf, anyOf }: JsonSchema): ReadonlySet<string> | undefined {
  if (typeof type === 'string') return new Set(type === 'integer' ? ['number'] : [type]);
  const forms = (oneOf ?? anyOf) as readonly JsonSchema[] | undefined;
  const types = forms?.map(typesOf);
  if (types === undefined || types.includes(undefined)) return undefined;
  return new Set(types.flatMap((form) => [...form!]));
}

interface Checked {
  readonly expected: unknown;
  readonly value: unknown;
  readonly path: string;
}

type Check = (checked: Checked) => readonly string[];

/** The schemas are ours: a keyword has the value that its name asks for. */
const checks: ReadonlyMap<string, Check> = new Map<string, Check>([
  ['type', ({ expected, value, path }) => unless(isOfType(value, String(expected)), path, `is no ${String(expected)}`)],
  [
    'const',
    ({ expected, value, path }) => unless(isDeepStrictEqual(value, expected), path, `is not ${String(expected)}`),
  ],
  ['enum', ({ expected, value, path }) => unless((expected as unknown[]).includes(value), path, 'is not in the enum')],
  [
    'format',
    ({ expected, value, path }) =>
      unless(formats[expected as string]!.test(String(value)), path, `is no ${String(expected)}`),
  ],
  [
    'pattern',
    ({ expected, value, path }) =>
      unless(new RegExp(expected as string, 'u').test(String(value)), path, `breaks ${String(expected)}`),
  ],
  [
    'minimum',
    ({ expected, value, path }) => unless(Number(value) >= Number(expected), path, `is below ${String(expected)}`),
  ],
  [
    'maximum',
    ({ expected, value, path }) => unless(Number(value) <= Number(expected), path, `is above ${String(expected)}`),
  ],
  [
    'maxItems',
    ({ expected, value, path }) =>
      unless(!Array.isArray(value) || value.length <= Number(expected), path, 'is too long'),
  ],
  [
    'maxProperties',
    ({ expected, value, path }) => unless(membersOf(value).length <= Number(expected), path, 'has too many members'),
  ],
  [
    'required',
    ({ expected, value, path }) =>
      (expected as string[]).flatMap((name) =>
        unless(isObject(value) && Object.hasOwn(value, name), path, `lacks ${name}`),
      ),
  ],
  [
    'properties',
    ({ expected, value, path }) =>
      membersOf(value).flatMap(([name, member]) => {
        const properties = expected as Readonly<Record<string, JsonSchema>>;
        return Object.hasOwn(properties, name) ? mismatches(properties[name]!, member, `${path}.${name}`) : [];
      }),
  ],
  [
    'additionalProperties',
    ({ expected, value, path }) =>
      membersOf(value).flatMap(([name, member]) => mismatches(expected as JsonSchema, member, `${path}.${name}`)),
  ],
  [
    'propertyNames',
    ({ expected, value, path }) =>
      membersOf(value).flatMap(([name]) => mismatches(expected as JsonSchema, name, `the name ${path}.${name}`)),
  ],
  [
    'items',
    ({ expected, value, path }) =>
      (Array.isArray(value) ? value : []).flatMap((item, index) =>
        mismatches(expected as JsonSchema, item, `${path}[${index}]`),
      ),
  ],
  [
    'oneOf',
    ({ expected, value, path }) =>
      unless(matching(expected, value, path) === 1, path, `matches ${matching(expected, value, path)} of oneOf`),
  ],
  ['anyOf', ({ expected, value, path }) => unless(matching(expected, value, path) > 0, path, 'matches none of anyOf')],
]);

const formats: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  // Languages with parsers of their own.
  'cart-predicate': /./,
  'item-predicate': /./,
  'score-function': /./,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/,
};

function unless(isTrue: boolean, path: string, fault: string): readonly string[] {
  return isTrue ? [] : [`${path} ${fault}`];
}

function isOfType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isObject(value) ? Object.entries(value) : [];
}

function matching(forms: unknown, value: unknown, path: string): number {
  return (forms as readonly JsonSchema[]).filter((form) => mismatches(form, value, path).length === 0).length;
}
