import { isDeepStrictEqual } from 'node:util';
import type { Document, Fixed, UniqueValue } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import { indexable } from '../../engine/operations/write.ts';
import type { Check, Engine } from '../../engine/resource.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { clashOf, isInOrder, scopeName } from '../../pricing/price-scope.ts';
import type { ProductDiscount } from '../product-discount/fields.ts';
import { subjectOf, takesFromClients, variantAt } from '../product-discount/offers.ts';
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

/** What a client says of an external discount needs a variant that is for sale, and that the discount is for. */
export const discountFits: Check = async (engine, { project, before, after }) => {
  const price = asPrice(after);
  const { discounted, sku } = price;
  const was = before && asPrice(before).discounted;
  if (discounted === undefined || isDeepStrictEqual(discounted, was)) return undefined;
  const { id } = discounted.discount;
  const unique = indexable({ field: 'sku', value: sku });
  const [[stored], [product]] = await Promise.all([
    engine.store.find(project, [{ kind: 'product-discount', id }]),
    engine.store.findHolders(project, [{ kind: 'product', unique }]),
  ]);
  const discount = stored && documentOf<ProductDiscount>(stored.json);
  // What the platform made of another discount is for it to say.
  if (discount !== undefined && discount.value.type !== 'external') return undefined;
  const sold = variantAt(product, 'current', (variant) => variant.sku === sku);
  if (sold === undefined || !sold.product.masterData.published)
    return refusal(`No published product has a variant with the SKU '${sku}'.`);
  return (await isForPrice(engine, project, { discount, sold, price }))
    ? undefined
    : refusal(`The product discount '${id}' is not active, or does not match the price.`);
};

async function isForPrice(
  engine: Engine,
  project: string,
  {
    discount,
    sold,
    price,
  }: {
    readonly discount: ProductDiscount | undefined;
    readonly sold: NonNullable<ReturnType<typeof variantAt>>;
    readonly price: Price;
  },
): Promise<boolean> {
  if (discount === undefined) return false;
  // Every write is stamped with the moment of its request.
  return takesFromClients(discount, await subjectOf(engine, project, { ...sold, price }), price.lastModifiedAt);
}

function refusal(message: string): ErrorElement {
  return { code: 'InvalidOperation', message };
}

/** Documents are of the kind that has these rules. */
function asPrice(document: Fixed<Document>): Price {
  return document as unknown as Price;
}
