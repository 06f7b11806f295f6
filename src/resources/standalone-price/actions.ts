import { action, invalidOperation } from '../../engine/actions.ts';
import { apiError } from '../../errors/api-error.ts';
import { defaulted, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { priceTier } from '../../fields/price-tier.ts';
import { boolean, integer } from '../../fields/scalar.ts';
import { sayExternal } from '../product-discount/offers.ts';
import { priceName } from './discounts.ts';
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
  (price: StandalonePrice, { discounted }, context) => {
    sayExternal(discounted, priceName, context);
    if (discounted === undefined) delete price.discounted;
    else price.discounted = discounted;
  },
);
