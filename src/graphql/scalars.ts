import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { excerptOf } from '../errors/excerpt.ts';

/** Of a value that a client gave, as errors quote it. */
const describedLengthMax = 60;

function textScalar(name: string, isValid: (value: string) => boolean, expected: string): GraphQLScalarType {
  const parse = (value: unknown): string => {
    if (typeof value === 'string' && isValid(value)) return value;
    throw new GraphQLError(
      `${name} cannot represent ${excerptOf(value, describedLengthMax)}: ${expected} is expected.`,
    );
  };
  return new GraphQLScalarType({
    name,
    serialize: (value) => value,
    parseValue: parse,
    parseLiteral: (node) => parse(node.kind === Kind.STRING ? node.value : valueOf(node)),
  });
}

function valueOf(node: ValueNode): unknown {
  return valueFromASTUntyped(node);
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2})$/;

const long = new GraphQLScalarType({
  name: 'Long',
  serialize: (value) => value,
  parseValue: parseLong,
  parseLiteral: (node) => parseLong(node.kind === Kind.INT ? Number(node.value) : valueOf(node)),
});

function parseLong(value: unknown): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new GraphQLError(
    `Long cannot represent ${excerptOf(value, describedLengthMax)}: an integer that JSON carries exactly is expected.`,
  );
}

const bigDecimal = new GraphQLScalarType({
  name: 'BigDecimal',
  serialize: (value) => value,
  parseValue: parseDecimal,
  parseLiteral: (node) => parseDecimal(isNumber(node) ? Number(node.value) : valueOf(node)),
});

function isNumber(node: ValueNode): node is Extract<ValueNode, { value: string }> {
  return node.kind === Kind.INT || node.kind === Kind.FLOAT;
}

function parseDecimal(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw new GraphQLError(`BigDecimal cannot represent ${excerptOf(value, describedLengthMax)}: a number is expected.`);
}

const json = new GraphQLScalarType({
  name: 'Json',
  serialize: (value) => value,
  parseValue: (value) => value,
  parseLiteral: (node) => valueOf(node),
});

/** A store by its key: `{ typeId: "store", key: "…" }`, or the key alone. */
const keyReferenceInput = new GraphQLScalarType({
  name: 'KeyReferenceInput',
  serialize: (value) => value,
  parseValue: parseKeyReference,
  parseLiteral: (node) => parseKeyReference(valueOf(node)),
});

function parseKeyReference(value: unknown): string {
  const key = typeof value === 'object' && value !== null && 'key' in value ? value.key : value;
  if (typeof key === 'string') return key;
  throw new GraphQLError(
    `KeyReferenceInput cannot represent ${excerptOf(value, describedLengthMax)}: a key is expected.`,
  );
}

/** The scalars of the public schema that the declared fields use. */
export const scalars: readonly GraphQLScalarType[] = [
  long,
  json,
  bigDecimal,
  textScalar('Locale', (value) => /^[a-z]{2}(-[A-Z]{2})?$/.test(value), 'a locale such as en or en-US'),
  textScalar('Date', (value) => /^\d{4}-\d{2}-\d{2}$/.test(value), 'a date such as 2030-01-31'),
  textScalar('Time', (value) => /^\d{2}:\d{2}:\d{2}(\.\d{1,3})?$/.test(value), 'a time such as 14:30:00.000'),
  textScalar('YearMonth', (value) => /^\d{4}-\d{2}$/.test(value), 'a month such as 2030-01'),
  keyReferenceInput,
  textScalar('Country', (value) => /^[A-Z]{2}$/.test(value), 'a two-letter country code'),
  textScalar('Currency', (value) => /^[A-Z]{3}0?$/.test(value), 'a three-letter currency code'),
  textScalar('DateTime', (value) => dateTime.test(value), 'a date and time such as 2030-01-31T12:00:00.000Z'),
];
