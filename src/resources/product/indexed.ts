import type { Members } from '../../engine/indexed.ts';

const variant = { sku: true, key: true, attributes: true } as const;

const side = {
  name: true,
  slug: true,
  categories: true,
  attributes: true,
  masterVariant: variant,
  variants: variant,
} as const;

/** Prices, pictures, assets, keywords and long texts are five sixths of what a product says, and hardly ever asked for. */
export const indexed: Members = {
  productType: true,
  taxCategory: true,
  state: true,
  masterData: { published: true, hasStagedChanges: true, current: side, staged: side },
};
