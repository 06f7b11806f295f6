import { fractionDigitsOf } from '../money/currency.ts';
import {
  centPrecision,
  highPrecision,
  isRoundingOf,
  type CentPrecisionMoney,
  type HighPrecisionMoney,
  type TypedMoney,
} from '../money/money.ts';
import { apiError } from '../errors/api-error.ts';
import {
  type FieldKind,
  type InputField,
  type InputObject,
  type JsonSchema,
  namedSchema,
  type OutputField,
  type OutputObject,
  type OutputType,
  plainInput,
  plainOutput,
  type Schema,
} from './field.ts';
import { isObject } from './object.ts';
import type { Parsing } from './parsing.ts';

/** Digits after the point that a high-precision amount may have. */
const fractionDigitsMax = 20;

const moneyFields: readonly OutputField[] = [
  { name: 'type', type: 'String!', complexity: 1, read: (parent) => parent['type'] },
  { name: 'currencyCode', type: 'Currency!', complexity: 1, read: (parent) => parent['currencyCode'] },
  { name: 'centAmount', type: 'Long!', complexity: 1, read: (parent) => parent['centAmount'] },
  { name: 'fractionDigits', type: 'Int!', complexity: 1, read: (parent) => parent['fractionDigits'] },
];

const preciseAmount: OutputField = {
  name: 'preciseAmount',
  type: 'Long!',
  complexity: 1,
  read: (parent) => parent['preciseAmount'],
};

const centObject: OutputObject = { name: 'Money', fields: moneyFields };
const highObject: OutputObject = {
  name: 'HighPrecisionMoney',
  fields: [...moneyFields, preciseAmount],
};

const baseMoney: OutputType = {
  type: 'interface',
  name: 'BaseMoney',
  fields: moneyFields,
  formOf: ({ type }) => String(type),
  members: { centPrecision: centObject, highPrecision: highObject },
};

const moneyTypes = (): readonly OutputType[] => [baseMoney];

const centFields: readonly InputField[] = [
  { name: 'currencyCode', type: 'Currency!' },
  { name: 'centAmount', type: 'Long!' },
];

/** The inputs for amounts in either precision; the second one also takes the members of a cent amount directly. */
const baseMoneyInputs = {
  BaseMoneyInput: [],
  CartDiscountValueBaseMoneyInput: [
    { name: 'currencyCode', type: 'Currency' },
    { name: 'centAmount', type: 'Long' },
  ],
} as const;

const baseMoneyTypes = (name: keyof typeof baseMoneyInputs): readonly InputObject[] => [
  {
    name,
    fields: [
      { name: 'centPrecision', type: 'MoneyInput' },
      { name: 'highPrecision', type: 'HighPrecisionMoneyInput' },
      ...baseMoneyInputs[name],
    ],
  },
  { name: 'MoneyInput', fields: centFields },
  {
    name: 'HighPrecisionMoneyInput',
    fields: [
      { name: 'currencyCode', type: 'Currency!' },
      { name: 'preciseAmount', type: 'Long!' },
      { name: 'fractionDigits', type: 'Int!' },
      { name: 'centAmount', type: 'Long' },
    ],
  },
];

function readBaseMoney(value: unknown): unknown {
  const { centPrecision, highPrecision, ...direct } = isObject(value) ? value : {};
  const given = [
    ...(isObject(centPrecision) ? [centPrecision] : []),
    ...(isObject(highPrecision) ? [{ ...highPrecision, type: 'highPrecision' }] : []),
    ...(Object.values(direct).some((member) => member !== null) ? [direct] : []),
  ];
  if (given.length === 1) return given[0];
  throw apiError('InvalidInput', 'An amount takes exactly one of centPrecision, highPrecision.');
}

const centMembers = {
  type: { type: 'string', const: 'centPrecision' },
  currencyCode: { type: 'string' },
  centAmount: { type: 'integer' },
  fractionDigits: { type: 'integer' },
};

const highMembers = {
  type: { type: 'string', const: 'highPrecision' },
  currencyCode: { type: 'string' },
  centAmount: { type: 'integer' },
  preciseAmount: { type: 'integer' },
  fractionDigits: { type: 'integer', maximum: fractionDigitsMax },
};

/** Drafts may leave out what follows from the currency and the amount. */
function moneySchema(members: Readonly<Record<string, JsonSchema>>, needed: readonly string[]): Schema {
  const object = { type: 'object', properties: members };
  return { draft: { ...object, required: needed }, value: { ...object, required: Object.keys(members) } };
}

const centSchema = namedSchema('CentPrecisionMoney', moneySchema(centMembers, ['currencyCode', 'centAmount']));
const highSchema = namedSchema(
  'HighPrecisionMoney',
  moneySchema(highMembers, ['type', 'currencyCode', 'preciseAmount', 'fractionDigits']),
);
const typedSchema = namedSchema('TypedMoney', {
  draft: { anyOf: [centSchema.draft, highSchema.draft] },
  value: { oneOf: [centSchema.value, highSchema.value] },
});

/** An amount in the currency's smallest unit; high precision is refused. `input` is its GraphQL input type. */
export function centMoney(input: 'MoneyInput' | 'MoneyDraft' = 'MoneyInput'): FieldKind<CentPrecisionMoney> {
  return {
    parse: (input, parsing) => {
      const money = parseMoney(input, parsing);
      if (money === undefined || money.type === 'centPrecision') return money;
      return parsing.fault('InvalidField', (field) => `The field '${field}' takes centPrecision money only.`, {
        invalidValue: input,
      });
    },
    check: checkMoney,
    shape: { class: 'money' },
    output: plainOutput('Money', 1, moneyTypes),
    input: plainInput(input, () => [{ name: input, fields: centFields }]),
    schema: centSchema,
    examples: [{ currencyCode: 'EUR', centAmount: 490 }],
  };
}

/** An amount in either precision (specification 2.3). `input` is its GraphQL input type. */
export function money(input: keyof typeof baseMoneyInputs = 'BaseMoneyInput'): FieldKind<TypedMoney> {
  return {
    parse: parseMoney,
    check: checkMoney,
    shape: { class: 'money' },
    output: plainOutput('BaseMoney', 1, moneyTypes),
    input: { type: input, types: () => baseMoneyTypes(input), read: readBaseMoney },
    schema: typedSchema,
    examples: [
      { currencyCode: 'EUR', centAmount: 490 },
      { type: 'highPrecision', currencyCode: 'EUR', preciseAmount: 12345, fractionDigits: 4 },
    ],
  };
}

function parseMoney(input: unknown, parsing: Parsing): TypedMoney | undefined {
  if (!isObject(input)) return parsing.wrongType('an object of money', input);
  const { type = 'centPrecision', currencyCode, centAmount } = input;
  const digits = typeof currencyCode === 'string' ? fractionDigitsOf(currencyCode) : undefined;
  if (typeof currencyCode !== 'string' || digits === undefined) {
    return member(parsing, 'currencyCode', currencyCode, 'a currency code of ISO 4217');
  }
  if (type === 'highPrecision') return parseHighPrecision({ ...input, currencyCode }, digits, parsing);
  if (type !== 'centPrecision') return member(parsing, 'type', type, 'centPrecision or highPrecision');
  if (!isSafeInteger(centAmount)) return member(parsing, 'centAmount', centAmount, 'an integer');
  const { fractionDigits } = input;
  if (fractionDigits !== undefined && fractionDigits !== null && fractionDigits !== digits) {
    return member(parsing, 'fractionDigits', fractionDigits, `${digits}, the digits of ${currencyCode},`);
  }
  return centPrecision(currencyCode, centAmount);
}

function parseHighPrecision(
  { currencyCode, centAmount, preciseAmount, fractionDigits }: { currencyCode: string; [name: string]: unknown },
  digits: number,
  parsing: Parsing,
): HighPrecisionMoney | undefined {
  if (!isSafeInteger(preciseAmount)) return member(parsing, 'preciseAmount', preciseAmount, 'an integer');
  if (!isSafeInteger(fractionDigits) || fractionDigits <= digits || fractionDigits > fractionDigitsMax) {
    return member(parsing, 'fractionDigits', fractionDigits, `an integer from ${digits + 1} to ${fractionDigitsMax}`);
  }
  const value = highPrecision(currencyCode, preciseAmount, fractionDigits);
  if (centAmount === undefined || centAmount === null) return value;
  if (!isSafeInteger(centAmount) || !isRoundingOf(centAmount, value))
    return member(parsing, 'centAmount', centAmount, `the preciseAmount rounded, such as ${value.centAmount},`);
  return { ...value, centAmount };
}

function checkMoney(value: TypedMoney, parsing: Parsing): void {
  const amounts = value.type === 'highPrecision' ? [value.centAmount, value.preciseAmount] : [value.centAmount];
  if (!amounts.every(isSafeInteger))
    parsing.fault('MoneyOverflow', (field) => `The amount of field '${field}' is larger than amounts can be.`);
}

function isSafeInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function member(parsing: Parsing, name: string, value: unknown, expected: string): undefined {
  const since = parsing.faultCount;
  if (value === undefined || value === null) parsing.missing();
  else parsing.wrongValue(value, expected);
  parsing.within(name, since);
}
