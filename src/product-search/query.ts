import { apiError } from '../errors/api-error.ts';
import { type FieldKind, type Fields, optional, required, type ValueOf } from '../fields/field.ts';
import { json } from '../fields/json.ts';
import { list } from '../fields/list.ts';
import { isObject, object } from '../fields/object.ts';
import { describe, type Parsing } from '../fields/parsing.ts';
import { recursive } from '../fields/recursive.ts';
import { anyNumber, boolean, enumeration } from '../fields/scalar.ts';
import { bounded } from './bounded.ts';
import { type Bounds, type Expression, type Test, unweighted } from './condition.ts';
import { reported } from './parsed-text.ts';
import type { Path, ValueClass } from './path.ts';
import { type FieldName, fieldMembers, nameInQueries, pathOf } from './query-fields.ts';
import { expectations, hasRanges, type Scalar, typedValue } from './values.ts';
import { wordsMax, wordsOf } from './words.ts';

/** Of one query: how deep its expressions stand in one another, how many there are, and values of one of them. */
const limits = { depth: 20, expressions: 500, values: 1000, textLength: 1000, stars: 20 };

/** What an expression says of its field; what it throws or records is reported with the other faults. */
type Meaning<F extends Fields> = (given: ValueOf<F>, path: Path) => Test;

/** An expression on one field. The values of the kind are what it means. */
function fieldExpression<const F extends Fields>(typeName: string, members: F, meaning: Meaning<F>): FieldKind<Test> {
  const kind = object(typeName, { field: fieldMembers.field, ...members });
  return parsedTo(kind, (given, parsing) =>
    reported(() => {
      // Each of them has the members that name a field.
      const named = given as unknown as FieldName & { readonly boost?: number };
      const test = meaning(given as unknown as ValueOf<F>, pathOf(named));
      return named.boost === undefined ? test : { ...test, boost: named.boost };
    }, parsing),
  );
}

/** The same kind with another value made of each. It is given by requests and never stored, checked or shown. */
export function parsedTo<Given, Value>(
  { parse, shape, output, input, schema, examples }: FieldKind<Given>,
  convert: (given: Given, parsing: Parsing) => Value | undefined,
): FieldKind<Value> {
  return {
    parse: (given, parsing) => {
      const parsed = parse(given, parsing);
      return parsed === undefined ? undefined : convert(parsed, parsing);
    },
    shape,
    output,
    input,
    schema,
    examples,
  };
}

const { fieldType, language } = fieldMembers;
const common = { fieldType, language, boost: optional(anyNumber()) };
const caseInsensitive = optional(boolean());
export const matchType = enumeration('SearchMatchType', ['all', 'any']);
const mustMatch = optional(matchType);

const exact = fieldExpression(
  'SearchExactValue',
  { ...common, value: optional(json()), values: optional(list(json())), caseInsensitive },
  ({ value, values, caseInsensitive: foldsCase = false }, path) => {
    if ((value === undefined) === (values === undefined))
      throw apiError(
        'InvalidInput',
        `An exact expression has either 'value' or 'values': field '${nameInQueries(path)}'.`,
      );
    const given = values ?? [value];
    if (given.length === 0 || given.length > limits.values)
      throw apiError(
        'InvalidInput',
        `An exact expression has 1 to ${limits.values} values: field '${nameInQueries(path)}'.`,
      );
    return { kind: 'in', path, values: given.map((each) => typed(path, each)), foldsCase };
  },
);

const textual: readonly ValueClass[] = ['keyword', 'text'];

function textTest(kind: 'prefix' | 'wildcard'): FieldKind<Test> {
  return fieldExpression(
    'SearchAnyValue',
    { ...common, value: required(json()), caseInsensitive },
    ({ value, caseInsensitive: foldsCase = false }, path) => {
      const given = textValue({ kind, path, classes: textual }, value);
      if (kind === 'prefix') return { kind, path, text: given, foldsCase };
      const pattern = given.replace(/\*+/g, '*');
      if (pattern.split('*').length - 1 > limits.stars)
        throw apiError('InvalidInput', `The pattern ${describe(given)} has more than ${limits.stars} stars.`);
      return { kind, path, pattern, foldsCase };
    },
  );
}

function fullText(kind: 'fullText' | 'fullTextPrefix'): FieldKind<Test> {
  const typeName = kind === 'fullText' ? 'SearchFullTextValue' : 'SearchFullTextPrefixValue';
  return fieldExpression(
    typeName,
    { ...common, value: required(json()), mustMatch },
    ({ value, mustMatch: given = 'all' }, path) => ({
      kind: 'words',
      path,
      words: words(textValue({ kind, path, classes: ['text'] }, value), 0),
      mustMatch: given,
      isPrefix: kind === 'fullTextPrefix',
    }),
  );
}

const fuzzy = fieldExpression(
  'SearchFuzzyValue',
  { ...common, value: required(json()), level: required(bounded({ min: 0, max: 2 })), mustMatch },
  ({ value, level, mustMatch: given = 'all' }, path) => ({
    kind: 'words',
    path,
    words: words(textValue({ kind: 'fuzzy', path, classes: textual }, value), level),
    mustMatch: given,
    isPrefix: false,
  }),
);

const ends = { gt: optional(json()), gte: optional(json()), lt: optional(json()), lte: optional(json()) };

const range = fieldExpression('SearchRangeValue', { ...common, ...ends }, ({ gt, gte, lt, lte }, path) => {
  if (!hasRanges(path)) throw wrongField('range', path);
  const given = Object.entries({ gt, gte, lt, lte }).filter(([, value]) => value !== undefined);
  if (given.length === 0)
    throw apiError('InvalidInput', `A range has one of gt, gte, lt and lte: field '${nameInQueries(path)}'.`);
  const bounds: Bounds = Object.fromEntries(given.map(([end, value]) => [end, typed(path, value)]));
  return { kind: 'range', path, bounds };
});

const exists = fieldExpression('SearchExistsValue', common, (_, path) => ({ kind: 'exists', path }));

/** The expressions on fields by their names. */
const onFields = {
  exact,
  fullText: fullText('fullText'),
  fullTextPrefix: fullText('fullTextPrefix'),
  prefix: textTest('prefix'),
  wildcard: textTest('wildcard'),
  fuzzy,
  range,
  exists,
};

const example: unknown = { exact: { field: 'key', value: 'lamp' } };

/** An expression with those in it, of any depth. */
const expression: FieldKind<Expression> = recursive('SearchQuery', [example as Expression], (self) => {
  const operands = optional(list(self));
  const members = {
    and: operands,
    or: operands,
    not: operands,
    filter: operands,
    ...mapped(onFields),
  };
  return { ...parsedTo(object('SearchQuery', members), oneOf), examples: [example] };
});

/** A query as a whole (catalog 67). What it says of variants `judgedAt` brings together. */
export const searchQuery: FieldKind<Expression> = {
  ...expression,
  parse: (input, parsing) => {
    if (countIn(input, limits.depth) <= limits.expressions) return expression.parse(input, parsing);
    const most = `${limits.expressions} expressions, in one another to a depth of ${limits.depth}`;
    return parsing.fault('InvalidInput', (field) => `The query '${field}' has more than ${most}.`);
  },
};

/** How many expressions stand in what was sent; at once too many for one that is deeper than `levels`. */
function countIn(input: unknown, levels: number): number {
  if (levels === 0) return Number.POSITIVE_INFINITY;
  if (!isObject(input)) return 1;
  let count = 1;
  for (const name of Object.keys(compounds)) {
    const operands = input[name];
    if (!Array.isArray(operands)) continue;
    for (const operand of operands) {
      count += countIn(operand, levels - 1);
      if (count > limits.expressions) return count;
    }
  }
  return count;
}

function mapped<Kinds extends Readonly<Record<string, FieldKind<Test>>>>(
  kinds: Kinds,
): { readonly [Name in keyof Kinds]: ReturnType<typeof optional<Test>> } {
  // Each name keeps its place.
  return Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, optional(kind)])) as never;
}

interface Given extends Partial<Record<keyof typeof onFields, Test>> {
  readonly and?: readonly Expression[];
  readonly or?: readonly Expression[];
  readonly not?: readonly Expression[];
  readonly filter?: readonly Expression[];
}

const compounds = { and: 'all', or: 'any', not: 'none', filter: 'all' } as const;

function oneOf(given: Given, parsing: Parsing): Expression | undefined {
  const names = Object.keys(given);
  const [name] = names;
  if (name === undefined || names.length > 1) {
    const found = names.length === 0 ? 'none' : names.join(', ');
    const known = [...Object.keys(compounds), ...Object.keys(onFields)].join(', ');
    return parsing.fault(
      'InvalidJsonInput',
      (field) => `'${field}' has exactly one expression, but ${found} stand. Known are ${known}.`,
    );
  }
  const { and, or, not, filter, ...tests } = given;
  const operands = and ?? or ?? not ?? filter;
  if (operands === undefined) return Object.values(tests)[0];
  if (operands.length === 0)
    return parsing.fault('InvalidInput', (field) => `The list '${field}.${name}' has to name an expression.`);
  // The only member is one of these.
  const kind = compounds[name as keyof typeof compounds];
  return { kind, operands: filter === undefined ? operands : operands.map(unweighted) };
}

/** The value as documents hold those of the path. Throws for one of another type. */
export function typed(path: Path, value: unknown): Scalar {
  const found = typedValue(path, value);
  if (found !== undefined) return found;
  const expected = expectations[path.class];
  throw apiError(
    'InvalidInput',
    `The value ${describe(value)} does not fit '${nameInQueries(path)}': ${expected} is expected.`,
  );
}

interface Wanted {
  readonly kind: string;
  readonly path: Path;
  readonly classes: readonly ValueClass[];
}

/** The text that an expression looks for, which is only for fields of these classes. */
function textValue({ kind, path, classes }: Wanted, value: unknown): string {
  if (!classes.includes(path.class)) throw wrongField(kind, path);
  if (typeof value !== 'string' || value.length > limits.textLength)
    throw apiError(
      'InvalidInput',
      `The value ${describe(value)} of '${nameInQueries(path)}' is no text of at most ${limits.textLength} characters.`,
    );
  return value;
}

function wrongField(kind: string, path: Path): Error {
  const field = nameInQueries(path);
  return apiError('InvalidInput', `An expression '${kind}' is not for the field '${field}' of type ${path.class}.`);
}

function words(value: string, distanceMax: number): { readonly text: string; readonly distanceMax: number }[] {
  const found = wordsOf(value);
  if (found.length > wordsMax)
    throw apiError('InvalidInput', `The value ${describe(value)} has more than ${wordsMax} words.`);
  return found.map((each) => ({ text: each, distanceMax }));
}
