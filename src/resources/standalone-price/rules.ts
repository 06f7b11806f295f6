import { isDeepStrictEqual } from 'node:util';
import type { Document, Fixed, TakenValue, UniqueValue } from '../../engine/document.ts';
import { readGrouped } from '../../engine/groups.ts';
import type { Check } from '../../engine/resource.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { describe, faultsMax } from '../../fields/parsing.ts';
import { faultsOf } from '../../pricing/price-faults.ts';
import { clashOf, scopeName } from '../../pricing/price-scope.ts';
import type { StandalonePrice } from './fields.ts';

type Price = Fixed<StandalonePrice>;

/** What the members say together. */
export function membersInOrder(price: Price): readonly ErrorElement[] {
  return faultsOf(price)
    .slice(0, faultsMax)
    .map(({ field, value, expected }) => {
      const message = `The value ${describe(value)} is not valid for field '${field}': ${expected} is expected.`;
      return { code: 'InvalidField', message, field, invalidValue: value };
    });
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
  for (const other of await readGrouped<StandalonePrice>({ store, project }, lookup)) {
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
export function lostScope(price: Price, { field }: TakenValue): ErrorElement | undefined {
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
