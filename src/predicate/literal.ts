import type { CompareTest, Comparison, Literal, MoneyLiteral, NormalForm } from './ast.ts';
import { unstorableIndex } from './lexer.ts';
import type { Shape } from './shape.ts';

/** A literal as documents hold the values of a field of this shape; undefined when it is of another type. */
export function typedLiteral(shape: Shape, literal: Literal): Literal | undefined {
  if (typeof literal === 'number' && !Number.isFinite(literal)) return undefined;
  switch (shape.class) {
    case 'text':
      return typeof literal === 'string' ? literal : undefined;
    case 'number':
      return typeof literal === 'number' ? literal : undefined;
    case 'boolean':
      return typeof literal === 'boolean' ? literal : undefined;
    case 'dateTime':
      return typeof literal === 'string' ? normalizedDateTime(literal) : undefined;
    case 'dynamic':
      return literal;
    default:
      return undefined;
  }
}

const NUMBER = /^-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?$/;

/**
 * What else may be meant by a literal that is compared with a value of any type: by a text the moment or the time of day that
 * it names, as documents hold it, and by a variable's text a number or a boolean too. A literal says by its quotes which one is
 * meant, and a variable has none.
 */
export function otherMeaning(literal: Literal, isVariable: boolean): Literal | NormalForm | undefined {
  if (typeof literal !== 'string' && !isVariable) return undefined;
  const text = String(literal);
  const plain = isVariable
    ? (typedVariable({ class: 'number' }, text) ?? typedVariable({ class: 'boolean' }, text))
    : undefined;
  if (plain !== undefined) return plain;
  const form = normalForm(text);
  return form?.text === text ? undefined : form;
}

/** All that may be meant by it. */
export function formsOf(literal: Literal, isVariable: boolean): readonly Literal[] {
  return bothForms({ literal, other: otherMeaning(literal, isVariable) });
}

export function bothForms({
  literal,
  other,
}: {
  readonly literal: Literal;
  readonly other?: CompareTest['other'] | undefined;
}): readonly Literal[] {
  return other === undefined ? [literal] : [literal, typeof other === 'object' ? other.text : other];
}

/** A variable's text in the type of the field that it is compared with. */
export function typedVariable(shape: Shape, text: string): Literal | undefined {
  if (unstorableIndex(text) >= 0) return undefined;
  switch (shape.class) {
    case 'number':
      return NUMBER.test(text) ? typedLiteral(shape, Number(text)) : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    default:
      return typedLiteral(shape, text);
  }
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?(Z|[+-]\d{2}:\d{2})?$/;

/** A moment in the form that is stored, as most are sent; the 29th of February is left to the calendar. */
const NORMALIZED =
  /^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

/**
 * Moments are stored in one form, so that their texts compare as they do. A day is its first moment, and a time
 * without an offset is UTC, wherever the server stands.
 */
export function normalizedDateTime(text: string): string | undefined {
  if (NORMALIZED.test(text)) return text;
  const [, day = '', time = 'T00:00', offset = 'Z'] = DATE_TIME.exec(text) ?? [];
  // The engine's parser takes the 31st of February for a day of March.
  const midnight = Date.parse(`${day}T00:00Z`);
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(day)) return undefined;
  const moment = Date.parse(`${day}${time}${offset}`);
  const normalized = Number.isNaN(moment) ? '' : new Date(moment).toISOString();
  // An offset can lead out of the years 0 to 9999, which have the same number of digits.
  return /^\d{4}-/.test(normalized) ? normalized : undefined;
}

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,3})?$/;

/** Times of day are stored as `hh:mm:ss.sss`; undefined for any other text. */
export function normalizedTime(text: string): string | undefined {
  if (!TIME.test(text)) return undefined;
  return (text.includes('.') ? text : `${text}.`).padEnd('hh:mm:ss.sss'.length, '0');
}

const WHOLE_MOMENT = /^\d{4}-\d{2}-\d{2}T.*(?:Z|[+-]\d{2}:\d{2})$/;

const normalizedMoments = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}Z$';
const normalizedTimes = '^[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{3}$';

/** The moment or the time of day that a text names in full; undefined for any other text. */
export function normalForm(text: string): NormalForm | undefined {
  const isMoment = WHOLE_MOMENT.test(text);
  const normalized = isMoment ? normalizedDateTime(text) : normalizedTime(text);
  return normalized === undefined
    ? undefined
    : { text: normalized, pattern: isMoment ? normalizedMoments : normalizedTimes };
}

const MONEY = /^(-?)(\d{1,15})(?:\.(\d{1,15}))? ([A-Z]{3}0?)$/;

/** The amount that a text such as `10.50 EUR` names; undefined for any other literal. */
export function moneyLiteral(literal: Literal | undefined): MoneyLiteral | undefined {
  const match = typeof literal === 'string' ? MONEY.exec(literal) : null;
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', currencyCode = ''] = match;
  return { currencyCode, digits: `${sign}${whole}${fraction}`, fractionDigits: fraction.length };
}

/** Whether a comparison is true, given how its sides compare: negative, zero or positive. */
export function isTrue(comparison: Comparison, order: number): boolean {
  switch (comparison) {
    case '=':
      return order === 0;
    case '!=':
      return order !== 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
  }
}
