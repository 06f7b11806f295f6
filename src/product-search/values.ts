import { decimalDigitsMax } from '../fields/sort-order.ts';
import { normalizedDateTime, normalForm, normalizedTime } from '../predicate/literal.ts';
import type { Path, ValueClass } from './path.ts';

/** A value of a document. */
export type Scalar = string | number | boolean;

/** A value that a request names, as documents hold those of this path; undefined when it is of another type. */
export function typedValue(path: Path, value: unknown): Scalar | undefined {
  switch (path.class) {
    case 'keyword':
    case 'text':
      return typeof value === 'string' ? value : undefined;
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined;
    case 'decimal':
      return typeof value === 'number' ? decimalText(value) : decimal(value);
    case 'date':
      return typeof value === 'string' ? date(value) : undefined;
    case 'time':
      return typeof value === 'string' ? normalizedTime(value) : undefined;
    case 'dateTime':
      return typeof value === 'string' ? normalizedDateTime(value) : undefined;
    case 'any':
      return anyValue(value);
  }
}

/**
 * All values that mean the same at this path. Where the type is not known, a moment or a time is looked for as they are held and
 * as it was written, for texts can have its form as well.
 */
export function meantValues(path: Path, value: unknown): readonly Scalar[] {
  const typed = typedValue(path, value);
  if (typed === undefined) return [];
  return path.class === 'any' && typeof value === 'string' && typed !== value ? [value, typed] : [typed];
}

/** Completes the sentence "… is expected". */
export const expectations: Readonly<Record<ValueClass, string>> = {
  keyword: 'a text',
  text: 'a text',
  number: 'a number',
  decimal: 'a decimal number between 0 and 1',
  boolean: 'true or false',
  date: 'a date such as 2030-01-31',
  time: 'a time such as 14:30:00.000',
  dateTime: 'a date and time such as 2030-01-31T12:00:00.000Z',
  any: 'a text, a number, true or false',
};

/** Whether values of the class lie in ranges. Texts do not: their order is that of no language. */
export function hasRanges({ class: valueClass }: Path): boolean {
  return valueClass !== 'keyword' && valueClass !== 'text' && valueClass !== 'boolean';
}

function anyValue(value: unknown): Scalar | undefined {
  if (typeof value === 'string') return normalForm(value)?.text ?? value;
  if (typeof value === 'boolean') return value;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

const DECIMAL = new RegExp(`^[01](?:\\.\\d{1,${decimalDigitsMax}})?$`);

/** Without zeros at the end, as order hints are; texts of this form compare as the numbers do. */
function decimal(value: unknown): string | undefined {
  if (typeof value !== 'string' || !DECIMAL.test(value)) return undefined;
  return value.includes('.') ? value.replace(/\.?0+$/, '') : value;
}

function decimalText(value: number): string | undefined {
  return value >= 0 && value <= 1 ? decimal(shortest(value)) : undefined;
}

/** The digits that tell the number from its neighbors, without an exponent. */
function shortest(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  const [digits = '', exponent = ''] = text.split('e-');
  return `0.${'0'.repeat(Number(exponent) - 1)}${digits.replace('.', '')}`.slice(0, '0.'.length + decimalDigitsMax);
}

function date(value: string): string | undefined {
  return /^\d{4}-\d{2}-\d{2}$/.test(value) && normalizedDateTime(value) !== undefined ? value : undefined;
}
