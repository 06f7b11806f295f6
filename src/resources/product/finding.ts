/** How GraphQL finds products beside their ids and keys, and how it shows them. */
import type { Finding } from '../../engine/resource.ts';
import type { Fields } from '../../fields/field.ts';
import { localeProjection } from '../../product-search/showing.ts';
import { sidesIn } from './all-variants.ts';
import type { Product } from './fields.ts';
import { projectExpandedProducts } from './parameters.ts';
import { keepLocales } from './shown/locales.ts';

/** As many as a page has. */
const skusMax = 500;

export const form = {
  projectExpandedProducts,
  localeProjection,
} satisfies Fields;

export const finding: Finding = {
  one: {
    sku: { unique: 'sku' },
    // Keys of variants are unique in their product alone. The oldest product counts.
    variantKey: { where: hasVariant },
  },
  many: { skus: { unique: 'sku', valuesMax: skusMax } },
  form,
  shown: (document, { localeProjection }) => {
    // Stored products were parsed by their kind, and parameters by the fields above.
    keepProductLocales(document as unknown as Product, localeProjection as readonly string[] | undefined);
  },
};

function hasVariant(key: string, seesAll: boolean): string {
  const own = `key=${JSON.stringify(key)}`;
  const among = `masterVariant(${own}) or variants(${own})`;
  return seesAll ? `masterData(current(${among}) or staged(${among}))` : `masterData(current(${among}))`;
}

/** Without any locale all of them stay. */
export function keepProductLocales({ masterData }: Product, locales: readonly string[] = []): void {
  if (locales.length === 0) return;
  const kept = new Set(locales);
  for (const data of sidesIn(masterData)) keepLocales(data, kept);
}
