import { GraphQLError, GraphQLScalarType, Kind, print, type ValueNode, valueFromASTUntyped } from 'graphql';
import { excerptOf, shortened } from '../errors/excerpt.ts';
import { isDate, momentOf } from '../fields/scalar.ts';

/** Of a value that a client gave, as errors quote it. */
const describedLengthMax = 60;

interface ScalarOptions {
  readonly name: string;
  readonly expected: string;
  /** Undefined for a value that the scalar does not take. */
  parse(value: unknown): unknown;
}

function scalar({ name, expected, parse }: ScalarOptions): GraphQLScalarType {
  const refusal = (given: string): string => `${name} cannot represent ${given}: ${expected} is expected.`;
  return new GraphQLScalarType({
    name,
    serialize: (value) => value,
    parseValue: (value) => {
      const parsed = parse(value);
      if (parsed === undefined) throw new GraphQLError(refusal(excerptOf(value, describedLengthMax)));
      return parsed;
    },
    parseLiteral: (node, variables) => {
      // Validation does not know them yet, and takes null for a value.
      if (variables === undefined && hasVariable(node)) return null;
      const parsed = parse(valueFromASTUntyped(node, variables));
      if (parsed === undefined) throw new GraphQLError(refusal(literalOf(node)), { nodes: node });
      return parsed;
    },
  });
}

/** As it was written, for JavaScript would round a number. */
function literalOf(node: ValueNode): string {
  return shortened(print(node), describedLengthMax);
}

/** Whether a literal holds a variable somewhere. */
export function hasVariable(node: ValueNode): boolean {
  switch (node.kind) {
    case Kind.VARIABLE:
      return true;
    case Kind.LIST:
      return node.values.some(hasVariable);
    case Kind.OBJECT:
      return node.fields.some(({ value }) => hasVariable(value));
    default:
      return false;
  }
}

function textScalar(name: string, isValid: (value: string) => boolean, expected: string): GraphQLScalarType {
  return scalar({
    name,
    expected,
    parse: (value) => (typeof value === 'string' && isValid(value) ? value : undefined),
  });
}

const long = scalar({
  name: 'Long',
  expected: 'an integer that JSON carries exactly',
  parse: (value) => (Number.isSafeInteger(value) ? value : undefined),
});

const bigDecimal = scalar({
  name: 'BigDecimal',
  expected: 'a number',
  parse: (value) => (Number.isFinite(value) ? value : undefined),
});

const json = scalar({ name: 'Json', expected: 'a value', parse: (value) => value });

/** What a field of a search is compared with, or a list of such values. */
const searchValueType = scalar({
  name: 'SearchValueType',
  expected: 'a text, a number, a boolean or a list of these',
  parse: (value) => ((Array.isArray(value) ? value : [value]).every(isPlain) ? value : undefined),
});

function isPlain(value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/** A store by its key: `{ typeId: "store", key: "…" }`, or the key alone. */
const keyReferenceInput = scalar({
  name: 'KeyReferenceInput',
  expected: 'a key',
  parse: (value) => {
    const key = typeof value === 'object' && value !== null && 'key' in value ? value.key : value;
    return typeof key === 'string' ? key : undefined;
  },
});

/** The scalars of the public schema that the declared fields use. */
export const scalars: readonly GraphQLScalarType[] = [
  long,
  json,
  bigDecimal,
  searchValueType,
  textScalar('Locale', (value) => /^[a-z]{2}(-[A-Z]{2})?$/.test(value), 'a locale such as en or en-US'),
  textScalar('Date', isDate, 'a date such as 2030-01-31'),
  textScalar('Time', (value) => /^\d{2}:\d{2}:\d{2}(\.\d{1,3})?$/.test(value), 'a time such as 14:30:00.000'),
  textScalar('YearMonth', (value) => /^\d{4}-\d{2}$/.test(value), 'a month such as 2030-01'),
  keyReferenceInput,
  textScalar('Country', (value) => /^[A-Z]{2}$/.test(value), 'a two-letter country code'),
  textScalar('Currency', (value) => /^[A-Z]{3}0?$/.test(value), 'a three-letter currency code'),
  textScalar('DateTime', (value) => momentOf(value) !== undefined, 'a date and time such as 2030-01-31T12:00:00.000Z'),
];
