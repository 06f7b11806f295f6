import { isObject } from '../fields/object.ts';
import { isLocale } from '../fields/scalar.ts';
import type { Scalar } from './values.ts';

/** Values by the rest of the path, which is empty for those of the attribute itself. */
interface ValueFound {
  readonly member: string;
  readonly value: Scalar;
  /** Full text looks for it: in texts of this locale, or of any (`anyLocale`). */
  readonly textIn?: string;
}

/** Texts that belong to no language are looked for in each. */
export const anyLocale = '';

/**
 * The values that an attribute is searched by (catalog 60). Its type is not known here, but the form of its JSON tells most
 * of it: each row of `forms` is one, and the first that fits counts. What cannot be told:
 *
 * - A text, a date, a time and a moment are all texts. They compare as texts do, in the one form in which each is stored;
 *   full text looks for the digits of days, too.
 * - A text by locale without any text is nothing.
 * - A set tells nothing of its own: it has the values of all its elements.
 * - Nested attributes are not searched (catalog 5), nor is a list of them.
 */
export function attributeValues(value: unknown): readonly ValueFound[] {
  if (Array.isArray(value)) return value.some(isAttribute) ? [] : value.flatMap(attributeValues);
  for (const form of forms) {
    const found = form(value);
    if (found !== undefined) return found;
  }
  return [];
}

type Form = (value: unknown) => readonly ValueFound[] | undefined;

const forms: readonly Form[] = [
  /** text, date, time, datetime */
  (value) => (typeof value === 'string' ? [{ member: '', value, textIn: anyLocale }] : undefined),
  /** number, boolean */
  (value) => (typeof value === 'number' || typeof value === 'boolean' ? [{ member: '', value }] : undefined),
  /** reference */
  (value) => members(value, ['typeId', 'id']),
  /** money */
  (value) => members(value, ['currencyCode', 'centAmount']),
  /** enum */
  (value) => {
    if (!isObject(value) || typeof value['label'] !== 'string') return undefined;
    const key = members(value, ['key']);
    return key && [...key, { member: 'label', value: value['label'], textIn: anyLocale }];
  },
  /** lenum */
  (value) => {
    const key = isObject(value) && isObject(value['label']) ? members(value, ['key']) : undefined;
    return key && [...key, ...localized('label.', (value as { label: object }).label)];
  },
  /** ltext */
  (value) => (isObject(value) && isLocalized(value) ? localized('', value) : undefined),
];

function members(value: unknown, names: readonly string[]): readonly ValueFound[] | undefined {
  if (!isObject(value)) return undefined;
  const found = names.flatMap((member): ValueFound[] => {
    const held = value[member];
    return typeof held === 'string' || typeof held === 'number' ? [{ member, value: held }] : [];
  });
  return found.length === names.length ? found : undefined;
}

/** Nothing else has locales alone for its members. */
function isLocalized(value: Readonly<Record<string, unknown>>): boolean {
  return Object.entries(value).every(([name, text]) => isLocale(name) && typeof text === 'string');
}

function localized(prefix: string, texts: object): readonly ValueFound[] {
  return Object.entries(texts).flatMap(([locale, text]: [string, unknown]): ValueFound[] =>
    typeof text === 'string' ? [{ member: `${prefix}${locale}`, value: text, textIn: locale }] : [],
  );
}

function isAttribute(value: unknown): boolean {
  return isObject(value) && typeof value['name'] === 'string' && Object.hasOwn(value, 'value');
}
