import { isObject } from '../../../fields/object.ts';
import { isLocale } from '../../../fields/scalar.ts';
import type { Store } from '../../store/fields.ts';
import type { ProductData } from '../fields.ts';
import { allVariants } from '../all-variants.ts';

/** The locales of texts that show: those that are asked for, else a store's. Empty lists do not filter (catalog 40, 41). */
export function shownLocales(
  asked: readonly string[] = [],
  store: Pick<Store, 'languages'> | undefined,
): readonly string[] {
  return asked.length > 0 ? asked : (store?.languages ?? []);
}

/**
 * Keeps of each text by locale those of `locales` (catalog 40): of fields, assets, attributes with their labels, and custom
 * fields. Which values are such texts their form tells, for nothing else has locales alone for its members.
 */
export function keepLocales(data: ProductData, locales: ReadonlySet<string>): void {
  const { searchKeywords } = data;
  for (const locale of Object.keys(searchKeywords)) if (!locales.has(locale)) delete searchKeywords[locale];
  for (const name of ['name', 'slug', 'description', 'metaTitle', 'metaDescription', 'metaKeywords'] as const)
    if (data[name] !== undefined) keepTexts(data[name], locales);
  walk(data.attributes, locales);
  for (const { attributes, assets, prices } of allVariants(data)) {
    walk(attributes, locales);
    walk(assets, locales);
    for (const { custom } of prices) if (custom !== undefined) walk(Object.values(custom.fields), locales);
  }
}

function walk(value: unknown, locales: ReadonlySet<string>): void {
  if (Array.isArray(value)) for (const each of value) walk(each, locales);
  else if (isLocalized(value)) keepTexts(value, locales);
  else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      // Clients name custom fields as they like, also by two letters.
      if (name === 'custom' && isObject(member)) walk(Object.values(fieldsOf(member)), locales);
      else walk(member, locales);
    }
  }
}

function fieldsOf({ fields }: Readonly<Record<string, unknown>>): object {
  return isObject(fields) ? fields : {};
}

function isLocalized(value: unknown): value is Record<string, string> {
  if (!isObject(value)) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([name, text]) => isLocale(name) && typeof text === 'string');
}

/** The same of one text. */
export function keepTexts(texts: Record<string, string>, locales: ReadonlySet<string>): void {
  for (const locale of Object.keys(texts)) if (!locales.has(locale)) delete texts[locale];
}
