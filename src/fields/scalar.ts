import { fractionDigitsOf } from '../money/currency.ts';
import { isCountryCode } from './country.ts';
import {
  type FieldKind,
  type JsonSchema,
  namedSchema,
  type OutputType,
  plainInput,
  plainOutput,
  refined,
  sameSchema,
} from './field.ts';
import { unstorableIndex } from '../predicate/lexer.ts';
import { normalizedDateTime, normalizedTime } from '../predicate/literal.ts';
import type { Parsing } from './parsing.ts';

/** Completes the sentence "… is expected". */
export const storableText = 'text without the NUL character and without halves of surrogate pairs';

/** Any string that can be stored: without U+0000, and without half of a surrogate pair. */
export function text(examples: readonly string[] = ['Example']): FieldKind<string> {
  return {
    parse: parseText,
    shape: { class: 'text' },
    output: plainOutput('String'),
    input: plainInput('String'),
    schema: sameSchema({ type: 'string' }),
    examples,
  };
}

function parseText(input: unknown, parsing: Parsing): string | undefined {
  if (typeof input !== 'string') return parsing.wrongType('a string', input);
  if (unstorableIndex(input) >= 0) return parsing.wrongValue(input, storableText);
  return input;
}

interface TextForm {
  /** GraphQL scalar. */
  readonly type: string;
  readonly examples: readonly string[];
  /** JSON Schema keywords. */
  readonly schema: JsonSchema;
}

/** A string that `isValid` accepts; `expected` completes the sentence "… is expected". */
function checkedText(
  isValid: (value: string) => boolean,
  expected: string,
  { type, examples, schema }: TextForm,
): FieldKind<string> {
  return {
    parse: (input, parsing) => {
      if (typeof input !== 'string') return parsing.wrongType('a string', input);
      return isValid(input) ? input : parsing.wrongValue(input, expected);
    },
    shape: { class: 'text' },
    output: plainOutput(type),
    input: plainInput(type),
    schema: sameSchema({ type: 'string', ...schema }),
    examples,
  };
}

const keyPattern = '^[A-Za-z0-9_-]{2,256}$';
const KEY = new RegExp(keyPattern);

/** A client's identifier, 2 to 256 of A-Z a-z 0-9 _ and - (decisions.md #28). */
export function key(): FieldKind<string> {
  return checkedText((value) => KEY.test(value), 'a key of 2 to 256 letters, digits, hyphens and underscores', {
    type: 'String',
    examples: ['example-key'],
    schema: { pattern: keyPattern },
  });
}

const anyKeyLengths = { min: 2, max: 256 };

/** A client's identifier whose contract names no alphabet: 2 to 256 characters. */
export function anyKey(): FieldKind<string> {
  const { min, max } = anyKeyLengths;
  const kind = text(['example-key']);
  return refined(
    { ...kind, schema: sameSchema({ type: 'string', minLength: min, maxLength: max }) },
    (value, parsing) =>
      value.length >= min && value.length <= max
        ? value
        : parsing.wrongValue(value, `a key of ${min} to ${max} characters`),
  );
}

export const localePattern = '^[a-z]{2}(-[A-Z]{2})?$';
const LOCALE = new RegExp(localePattern);

export function isLocale(value: string): boolean {
  return LOCALE.test(value);
}

/** An IETF language tag of the form `en` or `en-US`. */
export function locale(): FieldKind<string> {
  return checkedText(isLocale, 'a locale such as en or en-US', {
    type: 'Locale',
    // A project has to know its locales, so these are what many projects have.
    examples: ['en', 'de'],
    schema: { pattern: localePattern },
  });
}

/** An ISO 3166-1 alpha-2 code. */
export function country(): FieldKind<string> {
  return checkedText(isCountryCode, 'a two-letter country code of ISO 3166-1', {
    type: 'Country',
    examples: ['DE'],
    schema: { pattern: '^[A-Z]{2}$' },
  });
}

/** An ISO 4217 code. */
export function currency(): FieldKind<string> {
  return checkedText((value) => fractionDigitsOf(value) !== undefined, 'a currency code of ISO 4217', {
    type: 'Currency',
    examples: ['EUR'],
    schema: { pattern: '^[A-Z]{3}0?$' },
  });
}

export function boolean(): FieldKind<boolean> {
  return {
    parse: (input, parsing) => (typeof input === 'boolean' ? input : parsing.wrongType('a boolean', input)),
    shape: { class: 'boolean' },
    output: plainOutput('Boolean'),
    input: plainInput('Boolean'),
    schema: sameSchema({ type: 'boolean' }),
    examples: [true, false],
  };
}

/** What GraphQL's integers hold, and what JSON carries exactly. */
const integerRanges = {
  Int: { min: -(2 ** 31), max: 2 ** 31 - 1 },
  Long: { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER },
};

/** A whole number between `min` and `max`, by default all of its type; one out of range is refused, never rounded. */
export function integer(range: { min?: number; max?: number; type?: 'Int' | 'Long' } = {}): FieldKind<number> {
  const { type = 'Long' } = range;
  const { min, max } = { ...integerRanges[type], ...range };
  if (!Number.isSafeInteger(min) || !Number.isSafeInteger(max) || min > max)
    throw new Error(`No integer is from ${min} to ${max}`);
  const check = (value: number, parsing: Parsing): void => {
    if (!Number.isSafeInteger(value) || value < min || value > max)
      parsing.wrongValue(value, `an integer from ${min} to ${max}`);
  };
  return {
    parse: (input, parsing) => {
      if (typeof input !== 'number') return parsing.wrongType('an integer', input);
      const since = parsing.faultCount;
      check(input, parsing);
      return parsing.faultCount === since ? input : undefined;
    },
    check,
    shape: { class: 'number' },
    output: plainOutput(type),
    input: plainInput(type),
    schema: sameSchema({ type: 'integer', minimum: min, maximum: max }),
    examples: [Math.max(1, min)],
  };
}

/** A number between `min` and `max`, such as a tax rate's share; an integer that JSON cannot carry exactly is refused. */
export function decimal(range: { min: number; max: number }): FieldKind<number> {
  if (!(range.min <= range.max)) throw new Error(`No number is from ${range.min} to ${range.max}`);
  return {
    parse: (input, parsing) => {
      if (typeof input !== 'number') return parsing.wrongType('a number', input);
      const isExact = !Number.isInteger(input) || Number.isSafeInteger(input);
      return isExact && input >= range.min && input <= range.max
        ? input
        : parsing.wrongValue(input, `a number from ${range.min} to ${range.max} that JSON carries exactly`);
    },
    shape: { class: 'number' },
    output: plainOutput('Float'),
    input: plainInput('Float'),
    schema: sameSchema({ type: 'number', minimum: range.min, maximum: range.max }),
    examples: [range.max],
  };
}

/** A number of any size. */
export function anyNumber(): FieldKind<number> {
  return decimal({ min: -Number.MAX_VALUE, max: Number.MAX_VALUE });
}

/** A moment has a day, a time and an offset; a day alone would be ambiguous. */
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** The moment that a text names, in the form that is stored; undefined where there is none. */
export function momentOf(text: string): string | undefined {
  return DATE_TIME.test(text) ? normalizedDateTime(text) : undefined;
}

/** A moment, stored and read as YYYY-MM-DDThh:mm:ss.sssZ; offsets are accepted and converted. */
export function dateTime(): FieldKind<string> {
  return {
    parse: (input, parsing) => {
      if (typeof input !== 'string') return parsing.wrongType('a date and time', input);
      return momentOf(input) ?? parsing.wrongValue(input, 'a date and time such as 2030-01-31T12:00:00.000Z');
    },
    shape: { class: 'dateTime' },
    output: plainOutput('DateTime'),
    input: plainInput('DateTime'),
    schema: sameSchema({ type: 'string', format: 'date-time' }),
    examples: ['2030-01-31T12:00:00.000Z'],
  };
}

/** One of `values`. `typeName` names the GraphQL enum; `graphqlType` the scalar where GraphQL has none for it. */
export function enumeration<const Value extends string>(
  typeName: string,
  values: readonly Value[],
  graphqlType = typeName,
): FieldKind<Value> {
  const allowed: ReadonlySet<string> = new Set(values);
  // Without a name they are a client's.
  if (typeName !== '' && (allowed.size === 0 || allowed.size < values.length))
    throw new Error(`${typeName} has no values, or one twice`);
  const types = (): readonly Extract<OutputType, { type: 'enum' }>[] => {
    return graphqlType === typeName ? [{ type: 'enum', name: typeName, values }] : [];
  };
  const schema = { type: 'string', enum: values };
  return {
    parse: (input, parsing) => {
      if (typeof input !== 'string') return parsing.wrongType('a string', input);
      // The set holds exactly the members of Value.
      if (allowed.has(input)) return input as Value;
      return parsing.notAllowed(input, values);
    },
    shape: { class: 'text' },
    output: plainOutput(graphqlType, 1, types),
    input: plainInput(graphqlType, types),
    // Kinds that are made while requests run describe no API.
    schema: typeName === '' ? sameSchema(schema) : namedSchema(typeName, sameSchema(schema)),
    examples: values,
  };
}

const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** A day, YYYY-MM-DD. */
export function date(): FieldKind<string> {
  return checkedText(isDate, 'a date such as 2030-01-31', {
    type: 'Date',
    examples: ['2030-01-31'],
    schema: { format: 'date' },
  });
}

export function isDate(value: string): boolean {
  return DATE.test(value) && normalizedDateTime(`${value}T00:00:00Z`) !== undefined;
}

/** A time of day, stored and read as hh:mm:ss.sss. */
export function time(): FieldKind<string> {
  const kind = checkedText((value) => normalizedTime(value) !== undefined, 'a time such as 14:30:00.000', {
    type: 'Time',
    examples: ['14:30:00.000'],
    schema: { pattern: '^\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,3})?$' },
  });
  return refined(kind, normalizedTime);
}
