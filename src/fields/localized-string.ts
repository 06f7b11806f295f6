import {
  type FieldKind,
  type InputObject,
  type OutputArguments,
  type OutputField,
  type OutputType,
  sameSchema,
} from './field.ts';
import { isObject } from './object.ts';
import { unstorableIndex } from '../predicate/lexer.ts';
import type { Parsing } from './parsing.ts';
import { isLocale, localePattern } from './scalar.ts';

/** Text by locale. */
export interface LocalizedString {
  [locale: string]: string;
}

/** Locales that one value may hold. */
export const localesMax = 500;

const localizedStringType: OutputType = {
  type: 'object',
  object: {
    name: 'LocalizedString',
    fields: [
      { name: 'locale', type: 'Locale!', complexity: 1, read: (parent) => parent['locale'] },
      { name: 'value', type: 'String!', complexity: 1, read: (parent) => parent['value'] },
    ],
  },
};

const localizedInput: InputObject = {
  name: 'LocalizedStringItemInputType',
  fields: [
    { name: 'locale', type: 'Locale!' },
    { name: 'value', type: 'String!' },
  ],
};

/** GraphQL gives the texts as a list; of two for one locale the last counts. */
function byLocale(items: unknown): unknown {
  if (!Array.isArray(items)) return items;
  // The schema has typed the items.
  return Object.fromEntries((items as { locale: string; value: string }[]).map(({ locale, value }) => [locale, value]));
}

export function localizedString(): FieldKind<LocalizedString> {
  return {
    parse: parseLocalizedString,
    shape: { class: 'localized' },
    output: {
      item: 'LocalizedString',
      types: () => [localizedStringType],
      fields: localizedFields,
    },
    input: { type: '[LocalizedStringItemInputType!]', types: () => [localizedInput], read: byLocale },
    schema: sameSchema({
      title: 'LocalizedString',
      type: 'object',
      propertyNames: { pattern: localePattern },
      additionalProperties: { type: 'string' },
      maxProperties: localesMax,
    }),
    examples: [{ en: 'Example', de: 'Beispiel' }],
  };
}

function parseLocalizedString(input: unknown, parsing: Parsing): LocalizedString | undefined {
  if (!isObject(input)) return parsing.wrongType('an object of locales and texts', input);
  const locales = Object.keys(input);
  if (locales.length > localesMax)
    return parsing.wrongValue(locales.length, `an object of at most ${localesMax} locales`);
  const value: LocalizedString = {};
  for (const locale of locales) {
    const text = input[locale];
    if (!isLocale(locale)) return parsing.wrongValue(locale, 'a locale such as en or en-US as the name of each member');
    if (typeof text !== 'string' || unstorableIndex(text) >= 0)
      return parsing.wrongType(`a string for locale ${locale}`, text);
    value[locale] = text;
  }
  return value;
}

/** `<name>` picks one text by locale; `<name>AllLocales` gives all. A locale may be missing, so the pick is nullable. */
function localizedFields(name: string, isRequired: boolean): readonly OutputField[] {
  return [
    {
      name,
      type: 'String',
      args: { locale: 'Locale', acceptLanguage: '[Locale!]' },
      complexity: 1,
      goesThrough: (_, { acceptLanguage }) => (Array.isArray(acceptLanguage) ? acceptLanguage.length : 0),
      // Stored values were parsed by this kind.
      read: (parent, args) => pickText(parent[name] as LocalizedString | undefined, args),
    },
    {
      name: `${name}AllLocales`,
      type: isRequired ? '[LocalizedString!]!' : '[LocalizedString!]',
      complexity: 1,
      read: (parent) => {
        const value = parent[name] as LocalizedString | undefined;
        return value && Object.entries(value).map(([locale, text]) => ({ locale, value: text }));
      },
    },
  ];
}

/**
 * The text for `locale`, else for the first of `acceptLanguage` that has one; the language alone stands in for a
 * regional tag. Without arguments it is the text of the shortest locale, and of those the first by the alphabet:
 * stored values keep no order of their members.
 */
function pickText(value: LocalizedString | undefined, args: OutputArguments): string | undefined {
  if (value === undefined) return undefined;
  const { locale, acceptLanguage } = args;
  // The schema has typed the list.
  const accepted = Array.isArray(acceptLanguage) ? (acceptLanguage as readonly string[]) : [];
  if (typeof locale === 'string')
    return textIn(value, locale) ?? textIn(value, locale.slice(0, 2)) ?? firstOf(value, accepted);
  return accepted.length === 0 ? value[shortestIn(value)] : firstOf(value, accepted);
}

function textIn(value: LocalizedString, locale: string): string | undefined {
  return Object.hasOwn(value, locale) ? value[locale] : undefined;
}

/** The text whose locale comes first among these. */
function firstOf(value: LocalizedString, accepted: readonly string[]): string | undefined {
  for (const locale of accepted) {
    const text = textIn(value, locale) ?? textIn(value, locale.slice(0, 2));
    if (text !== undefined) return text;
  }
  return undefined;
}

/** The shortest locales of texts that have many: each may be asked for under many names. */
const shortest = new WeakMap<LocalizedString, string>();
/** So few are looked through each time. */
const fewLocales = 10;

function shortestIn(value: LocalizedString): string {
  const known = shortest.get(value);
  if (known !== undefined) return known;
  const locales = Object.keys(value);
  const found = shortestOf(locales);
  if (locales.length > fewLocales) shortest.set(value, found);
  return found;
}

function shortestOf(locales: readonly string[]): string {
  let shortest = locales[0] ?? '';
  for (const locale of locales) {
    const difference = locale.length - shortest.length;
    if (difference < 0 || (difference === 0 && locale < shortest)) shortest = locale;
  }
  return shortest;
}
