import type { Fixed } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { textOf } from '../../fields/set.ts';
import { firstClash } from '../../pricing/price-scope.ts';
import type { Product, ProductData } from './fields.ts';
import type { Price } from './price.ts';
import type { Variant } from './variant.ts';
import { allVariants } from './all-variants.ts';

type FixedVariant = Fixed<Variant>;
type FixedPrice = Fixed<Price>;

/** Variants of a product beside its master variant. */
const otherVariantsMax = 100;
const pricesMax = 100;

/** What the rule finds in either projection. Those that are alike are looked at once. */
function inEachSide(rule: (data: Fixed<ProductData>) => ErrorElement | undefined) {
  return ({ masterData: { staged, current, hasStagedChanges } }: Fixed<Product>): ErrorElement | undefined =>
    rule(staged) ?? (hasStagedChanges ? rule(current) : undefined);
}

function inEachVariant(rule: (variant: FixedVariant) => ErrorElement | undefined) {
  return inEachSide((data) => {
    for (const variant of allVariants(data)) {
      const error = rule(variant);
      if (error !== undefined) return error;
    }
    return undefined;
  });
}

function distinct(field: 'sku' | 'key') {
  return inEachSide((data) => {
    const seen = new Set<string>();
    for (const { [field]: value } of allVariants(data)) {
      if (value === undefined) continue;
      if (seen.has(value)) {
        const message = `Two variants of the product have the ${field} '${value}'.`;
        return { code: 'DuplicateField', message, field, duplicateValue: value };
      }
      seen.add(value);
    }
    return undefined;
  });
}

function differentAssetKeys({ id, assets }: FixedVariant): ErrorElement | undefined {
  const seen = new Set<string>();
  const twice = assets.flatMap(({ key }) => key ?? []).find((key) => seen.size === seen.add(key).size);
  if (twice === undefined) return undefined;
  const message = `Two assets of the variant ${id} have the key '${twice}'.`;
  return { code: 'DuplicateField', message, field: 'key', duplicateValue: twice };
}

function differentPriceKeys({ id, prices }: FixedVariant): ErrorElement | undefined {
  const byKey = new Map<string, FixedPrice>();
  for (const price of prices) {
    if (price.key === undefined) continue;
    const conflictingPrice = byKey.get(price.key);
    if (conflictingPrice !== undefined) {
      const message = `Two prices of the variant ${id} have the key '${price.key}'.`;
      return { code: 'DuplicatePriceKey', message, conflictingPrice };
    }
    byKey.set(price.key, price);
  }
  return undefined;
}

/** Catalog 25. */
function differentPrices({ id, prices }: FixedVariant): ErrorElement | undefined {
  const clash = firstClash(prices);
  if (clash === undefined) return undefined;
  const { reason, price, conflicting } = clash;
  if (reason === 'scope') {
    return {
      code: 'DuplicatePriceScope',
      message: `Two prices of the variant ${id} are for the same currency, country, customer group, channel and time.`,
      conflictingPrice: conflicting,
      conflictingPrices: [conflicting, price],
    };
  }
  const { country, customerGroup, channel, validFrom, validUntil } = price;
  return {
    code: 'OverlappingPriceValidity',
    message: `The times of two prices of the variant ${id} overlap, which are for the same currency, country, customer group and channel.`,
    conflictingPrice: conflicting.id,
    currency: price.value.currencyCode,
    ...(country !== undefined && { country }),
    ...(customerGroup !== undefined && { customerGroup }),
    ...(channel !== undefined && { channel }),
    ...(validFrom !== undefined && { validFrom }),
    ...(validUntil !== undefined && { validUntil }),
    ...(conflicting.validFrom !== undefined && { conflictingValidFrom: conflicting.validFrom }),
    ...(conflicting.validUntil !== undefined && { conflictingValidUntil: conflicting.validUntil }),
  };
}

/** What tells variants apart: neither their ids nor those of their prices do, nor what follows from discounts (catalog 20). */
function valuesOf({ images, prices, attributes }: FixedVariant): object {
  return { images, prices: prices.map(({ id: _, discounted: __, ...price }) => price), attributes };
}

function differentVariants(data: Fixed<ProductData>): ErrorElement | undefined {
  const variants = allVariants(data);
  // SKUs and keys are distinct, so one who has either is like no other.
  const unnamed = variants.filter(({ sku, key }) => sku === undefined && key === undefined);
  if (unnamed.length < 2) return undefined;
  const seen = new Set<string>();
  const index = unnamed.findIndex((variant) => seen.size === seen.add(textOf(valuesOf(variant))).size);
  if (index < 0) return undefined;
  const { prices, attributes } = unnamed[index]!;
  return {
    code: 'DuplicateVariantValues',
    message: `The variant ${unnamed[index]!.id} has the same SKU, key, prices, attributes and images as another one.`,
    variantValues: { prices, attributes },
  };
}

/** Asked of drafts as well, before anything is made of all their variants. */
export function fewVariants({ variants }: { readonly variants: readonly unknown[] }): ErrorElement | undefined {
  if (variants.length <= otherVariantsMax) return undefined;
  const message = `A product has at most ${otherVariantsMax} variants beside the master variant.`;
  return { code: 'InvalidOperation', message };
}

function fewPrices({ prices }: FixedVariant): ErrorElement | undefined {
  if (prices.length <= pricesMax) return undefined;
  return { code: 'InvalidOperation', message: `A variant has at most ${pricesMax} prices.` };
}

export const rules = [
  inEachSide(fewVariants),
  inEachVariant(fewPrices),
  distinct('sku'),
  distinct('key'),
  inEachVariant(differentAssetKeys),
  inEachVariant(differentPriceKeys),
  inEachVariant(differentPrices),
  inEachSide(differentVariants),
];
