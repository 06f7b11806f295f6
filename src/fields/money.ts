import { fractionDigitsOf } from '../money/currency.ts';
import {
  centPrecision,
  highPrecision,
  type CentPrecisionMoney,
  type HighPrecisionMoney,
  type TypedMoney,
} from '../money/money.ts';
import { type FieldKind, type OutputField, type OutputObject, type OutputType, plainOutput } from './field.ts';
import { isObject } from './object.ts';
import type { Parsing } from './parsing.ts';

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

const centObject: OutputObject = { name: 'Money', fields: moneyFields, implements: 'BaseMoney' };
const highObject: OutputObject = {
  name: 'HighPrecisionMoney',
  fields: [...moneyFields, preciseAmount],
  implements: 'BaseMoney',
};

const baseMoney: OutputType = {
  type: 'interface',
  name: 'BaseMoney',
  fields: moneyFields,
  tagField: 'type',
  members: { centPrecision: centObject, highPrecision: highObject },
};

const moneyTypes = (): readonly OutputType[] => [baseMoney];

/** An amount in the currency's smallest unit; high precision is refused. */
export function centMoney(): FieldKind<CentPrecisionMoney> {
  return {
    parse: (input, parsing) => {
      const money = parseMoney(input, parsing);
      if (money === undefined || money.type === 'centPrecision') return money;
      return parsing.fault('InvalidField', (field) => `The field '${field}' takes centPrecision money only.`, {
        invalidValue: input,
      });
    },
    shape: { class: 'money' },
    output: plainOutput('Money', 1, moneyTypes),
    examples: [{ currencyCode: 'EUR', centAmount: 490 }],
  };
}

/** An amount in either precision (specification 2.3). */
export function money(): FieldKind<TypedMoney> {
  return {
    parse: parseMoney,
    shape: { class: 'money' },
    output: plainOutput('BaseMoney', 1, moneyTypes),
    examples: [
      { currencyCode: 'EUR', centAmount: 490 },
      { type: 'highPrecision', currencyCode: 'EUR', preciseAmount: 12345, fractionDigits: 4 },
    ],
  };
}

/** Digits after the point that a high-precision amount may have. */
const fractionDigitsMax = 20;

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
  if (centAmount !== undefined && centAmount !== null && centAmount !== value.centAmount) {
    return member(parsing, 'centAmount', centAmount, `${value.centAmount}, the preciseAmount rounded half even,`);
  }
  return value;
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
