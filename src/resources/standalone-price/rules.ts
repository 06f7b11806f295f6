import { isDeepStrictEqual } from 'node:util';
import type { Document, Fixed, UniqueValue } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import type { Check } from '../../engine/resource.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { clashOf, isInOrder, scopeName } from '../../pricing/price-scope.ts';
import type { StandalonePrice } from './fields.ts';

type Price = Fixed<StandalonePrice>;

export function validityInOrder(price: Price): ErrorElement | undefined {
  const { validFrom, validUntil } = price;
  return isInOrder(price)
    ? undefined
    : invalidField('validUntil', validUntil, `a moment after validFrom, ${validFrom}, is expected`);
}

/** Tiers begin at different quantities, and all amounts of a price are in one currency. */
export function amountsInOrder({ value, tiers = [], discounted, staged }: Price): ErrorElement | undefined {
  const expected = `the currency of the price, ${value.currencyCode}, is expected`;
  for (const [index, { minimumQuantity, value: given }] of tiers.entries()) {
    if (given.currencyCode !== value.currencyCode)
      return invalidField(`tiers[${index}].value.currencyCode`, given.currencyCode, expected);
    if (tiers.findIndex((tier) => tier.minimumQuantity === minimumQuantity) < index)
      return invalidField(`tiers[${index}].minimumQuantity`, minimumQuantity, 'another tier has it already');
  }
  const others = { discounted: discounted?.value, staged: staged?.value };
  for (const [name, other] of Object.entries(others)) {
    if (other !== undefined && other.currencyCode !== value.currencyCode)
      return invalidField(`${name}.value.currencyCode`, other.currencyCode, expected);
  }
  return undefined;
}

function invalidField(field: string, invalidValue: unknown, why: string): ErrorElement {
  const message = `The value '${String(invalidValue)}' is not valid for field '${field}': ${why}.`;
  return { code: 'InvalidField', message, field, invalidValue };
}

/** Of the prices of a SKU and scope one alone holds in the same validity. `validity` of migration 0014 has the rest. */
export function heldScope(price: Price): readonly UniqueValue[] {
  const { sku, validFrom, validUntil } = price;
  return [{ field: 'scope', value: JSON.stringify([scopeName(price), validFrom, validUntil, sku]), shown: sku }];
}

/** The prices of the SKU that are there already do not exclude it. */
export const noScopeClash: Check = async ({ store }, { project, before, after }) => {
  const price = asPrice(after);
  if (before !== undefined && isDeepStrictEqual(heldScope(asPrice(before)), heldScope(price))) return undefined;
  const lookup = { kind: 'standalone-price', member: 'sku', values: [price.sku] };
  for (const { json } of await store.findGrouped(project, lookup)) {
    const other = documentOf<StandalonePrice>(json);
    if (other.id === price.id || scopeName(other) !== scopeName(price)) continue;
    const reason = clashOf(other, price);
    if (reason !== undefined) return clash(price, other, reason);
  }
  return undefined;
};

function clash(price: Price, other: Price, reason: 'scope' | 'validity'): ErrorElement {
  const { sku } = price;
  const common = {
    conflictingStandalonePrice: { typeId: 'standalone-price', id: other.id },
    ...scopeOf(price),
    ...validityOf(price),
  };
  if (reason === 'scope') {
    const message = `There is a standalone price of the same scope and validity for the SKU '${sku}'.`;
    return { code: 'DuplicateStandalonePriceScope', message, ...common };
  }
  const { validFrom: conflictingValidFrom, validUntil: conflictingValidUntil } = validityOf(other);
  return {
    code: 'OverlappingStandalonePriceValidity',
    message: `The validity overlaps that of another standalone price of the same scope for the SKU '${sku}'.`,
    ...common,
    ...(conflictingValidFrom !== undefined && { conflictingValidFrom }),
    ...(conflictingValidUntil !== undefined && { conflictingValidUntil }),
  };
}

/** What the check did not see is held off by the unique value and the constraint, and answered as a lock. */
export function lostScope(price: Price, field: string): ErrorElement | undefined {
  const scope = scopeOf(price);
  const message = `Another request writes a standalone price of the same scope for the SKU '${price.sku}'. Try again.`;
  if (field === 'scope') return { code: 'ExactLockConflict', message, ...scope, ...validityOf(price) };
  return field === 'validity' ? { code: 'ValidityLockConflict', message, ...scope } : undefined;
}

function scopeOf({ sku, value, country, customerGroup, channel }: Price) {
  return {
    sku,
    currency: value.currencyCode,
    ...(country !== undefined && { country }),
    ...(customerGroup !== undefined && { customerGroup }),
    ...(channel !== undefined && { channel }),
  };
}

function validityOf({ validFrom, validUntil }: Price) {
  return { ...(validFrom !== undefined && { validFrom }), ...(validUntil !== undefined && { validUntil }) };
}

/** Documents are of the kind that has these rules. */
function asPrice(document: Fixed<Document>): Price {
  return document as unknown as Price;
}
