import { isObject } from '../../../fields/object.ts';
import { isLocale } from '../../../fields/scalar.ts';
import type { ProductData } from '../fields.ts';
import { allVariants } from '../all-variants.ts';
import type { Variant } from '../variant.ts';

/** Changes a text by locale: of some it keeps part. */
export type KeepTexts = (texts: Record<string, string>) => void;

/**
 * Keeps of each text by locale those of `locales` (catalog 40): of fields, assets, attributes with their labels, and custom
 * fields. Which values are such texts their form tells, for nothing else has locales alone for its members.
 */
export function keepLocales(data: ProductData, locales: ReadonlySet<string>): void {
  const { searchKeywords } = data;
  for (const locale of Object.keys(searchKeywords)) if (!locales.has(locale)) delete searchKeywords[locale];
  const keep: KeepTexts = (texts) => keepTexts(texts, locales);
  for (const name of ['name', 'slug', 'description', 'metaTitle', 'metaDescription', 'metaKeywords'] as const)
    if (data[name] !== undefined) keep(data[name]);
  walk(data.attributes, keep);
  for (const variant of allVariants(data)) keepVariantTexts(variant, keep);
}

/** Has part kept of each text by locale that a variant has. */
export function keepVariantTexts({ attributes, assets, prices }: Variant, keep: KeepTexts): void {
  walk(attributes, keep);
  walk(assets, keep);
  for (const { custom } of prices) if (custom !== undefined) walk(Object.values(custom.fields), keep);
}

function walk(value: unknown, keep: KeepTexts): void {
  if (Array.isArray(value)) for (const each of value) walk(each, keep);
  else if (isLocalized(value)) keep(value);
  else if (isObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      // Clients name custom fields as they like, also by two letters.
      if (name === 'custom' && isObject(member)) walk(Object.values(fieldsOf(member)), keep);
      else walk(member, keep);
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

/** Keeps of one text those of `locales`. */
export function keepTexts(texts: Record<string, string>, locales: ReadonlySet<string>): void {
  for (const locale of Object.keys(texts)) if (!locales.has(locale)) delete texts[locale];
}
