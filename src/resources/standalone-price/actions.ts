import { action, invalidOperation } from '../../engine/actions.ts';
import type { ApplyContext } from '../../engine/resource.ts';
import { apiError } from '../../errors/api-error.ts';
import { defaulted, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { priceTier } from '../../fields/price-tier.ts';
import { boolean, integer } from '../../fields/scalar.ts';
import { fields, type StandalonePrice } from './fields.ts';

type Tiers = NonNullable<StandalonePrice['tiers']>;

export const changeValue = action(
  { value: fields.value, staged: defaulted(boolean(), () => false) },
  (price: StandalonePrice, { value, staged }) => {
    // What a discount made of the former staged value says nothing of this one.
    if (staged) price.staged = { value };
    else price.value = value;
  },
);

export const applyStagedChanges = action({}, (price: StandalonePrice) => {
  const { staged } = price;
  if (staged === undefined) throw invalidOperation('The standalone price has no staged changes.');
  price.value = staged.value;
  if (staged.discounted !== undefined) price.discounted = staged.discounted;
  delete price.staged;
});

/** Where nothing is staged, nothing changes. */
export const removeStagedChanges = action({}, (price: StandalonePrice) => {
  delete price.staged;
});

export const addPriceTier = action({ tier: required(priceTier) }, (price: StandalonePrice, { tier }) => {
  price.tiers = [...(price.tiers ?? []), tier];
});

export const removePriceTier = action(
  { minimumQuantity: required(integer({ type: 'Int' })) },
  (price: StandalonePrice, { minimumQuantity }) => {
    const tiers = price.tiers ?? [];
    const others = tiers.filter((tier) => tier.minimumQuantity !== minimumQuantity);
    if (others.length === tiers.length)
      throw apiError('InvalidField', `The standalone price has no tier from ${minimumQuantity} on.`, {
        field: 'minimumQuantity',
        invalidValue: minimumQuantity,
      });
    setTiers(price, others);
  },
);

export const setPriceTiers = action({ tiers: required(list(priceTier)) }, (price: StandalonePrice, { tiers }) => {
  setTiers(price, tiers);
});

/** No tiers are absent. */
export function setTiers(price: Pick<StandalonePrice, 'tiers'>, tiers: Tiers): void {
  if (tiers.length > 0) price.tiers = tiers;
  else delete price.tiers;
}

export const setDiscountedPrice = action(
  { discounted: fields.discounted },
  (price: StandalonePrice, { discounted }, { found }) => {
    requireExternal(discounted, found);
    if (discounted === undefined) delete price.discounted;
    else price.discounted = discounted;
  },
);

/** The platform says itself what other discounts make of a price. */
export function requireExternal(discounted: StandalonePrice['discounted'], found: ApplyContext['found']): void {
  if (discounted === undefined) return;
  const { id } = discounted.discount;
  // Stored discounts were parsed by their kind.
  const { value } = (found.one('product-discount', id) ?? {}) as { readonly value?: { readonly type: string } };
  if (value?.type !== 'external') throw invalidOperation(`The product discount '${id}' is not an external one.`);
}
