import { isDeepStrictEqual } from 'node:util';
import { action, invalidOperation, withGraphqlMembers } from '../../../engine/actions.ts';
import { foundIn } from '../../../engine/parts.ts';
import { setCustomField, setCustomType } from '../../../engine/custom-actions.ts';
import { apiError } from '../../../errors/api-error.ts';
import { optional, required } from '../../../fields/field.ts';
import { list } from '../../../fields/list.ts';
import { key, text } from '../../../fields/scalar.ts';
import { discountedPrice } from '../../product-discount/fields.ts';
import { sayExternal } from '../../product-discount/offers.ts';
import type { Product } from '../fields.ts';
import { price, type Price } from '../price.ts';
import { allVariants } from '../all-variants.ts';
import { sidesOf, staged, variantNames, variantsAt } from '../sides.ts';

const priceId = text(['{masterData.staged.masterVariant.prices[0].id}']);
const named = { priceId: required(priceId), staged };

interface PriceName {
  readonly priceId: string;
  readonly staged: boolean;
}

interface Placed {
  readonly prices: Price[];
  readonly index: number;
}

/** Where the price stands in the projections that the action changes. */
function pricesAt(product: Product, { priceId, staged }: PriceName): readonly Placed[] {
  return foundIn(
    sidesOf(product, staged),
    (data) => {
      for (const { prices } of allVariants(data)) {
        const index = prices.findIndex(({ id }) => id === priceId);
        if (index >= 0) return { prices, index };
      }
      return undefined;
    },
    () => invalidOperation(`The product has no price with the id '${priceId}'.`),
  );
}

function priceOf(product: Product, name: PriceName): readonly Price[] {
  return pricesAt(product, name).map(({ prices, index }) => prices[index]!);
}

/** What discounts make of a price is not of its content. */
function isSameContent(
  { id: _one, discounted: _made, ...price }: Price,
  { id: _other, discounted: _said, ...draft }: Price,
): boolean {
  return isDeepStrictEqual(price, draft);
}

export const priceActions = {
  addPrice: action(
    { ...variantNames, price: required(price), staged },
    (product: Product, { price, ...place }, context) => {
      sayExternal(price.discounted, price.id, context);
      for (const { prices } of variantsAt(product, place)) prices.push(structuredClone(price));
    },
  ),
  /** The whole of the price is another, but for its id, which alone names it. */
  changePrice: withGraphqlMembers(
    action({ ...named, price: required(price) }, (product: Product, { price, ...name }, context) => {
      sayExternal(price.discounted, name.priceId, context);
      for (const { prices, index } of pricesAt(product, name))
        prices[index] = { ...structuredClone(price), id: name.priceId };
    }),
    { name: 'variantId', type: 'Int' },
    { name: 'sku', type: 'String' },
  ),
  /** By its id; or the way it was named before: by its variant, and a draft of the same content. */
  removePrice: action(
    { ...variantNames, priceId: optional(priceId), price: optional(price), staged },
    (product: Product, { priceId, price, ...place }) => {
      if (priceId !== undefined) {
        for (const { prices, index } of pricesAt(product, { priceId, staged: place.staged })) prices.splice(index, 1);
        return;
      }
      if (price === undefined)
        throw apiError('InvalidInput', 'The price has to be named by priceId, or by its variant and a price.');
      const found = foundIn(
        variantsAt(product, place),
        ({ prices }) => {
          const index = prices.findIndex((other) => isSameContent(other, price));
          return index < 0 ? undefined : { prices, index };
        },
        () => invalidOperation('The variant has no such price.'),
      );
      for (const { prices, index } of found) prices.splice(index, 1);
    },
  ),
  /** All prices are new ones, with new ids. */
  setPrices: action(
    { ...variantNames, prices: required(list(price)), staged },
    (product: Product, { prices, ...place }, context) => {
      for (const { id, discounted } of prices) sayExternal(discounted, id, context);
      for (const variant of variantsAt(product, place)) variant.prices = structuredClone(prices);
    },
  ),
  setPriceKey: action({ ...named, key: optional(key()) }, (product: Product, { key, ...name }) => {
    for (const price of priceOf(product, name)) {
      if (key === undefined) delete price.key;
      else price.key = key;
    }
  }),
  setDiscountedPrice: action(
    { ...named, discounted: optional(discountedPrice) },
    (product: Product, { discounted, ...name }, context) => {
      sayExternal(discounted, name.priceId, context);
      for (const price of priceOf(product, name)) {
        if (discounted === undefined) delete price.discounted;
        else if (discounted.value.currencyCode === price.value.currencyCode)
          price.discounted = structuredClone(discounted);
        else
          throw apiError('InvalidField', `The price is in ${price.value.currencyCode}.`, {
            field: 'discounted.value.currencyCode',
            invalidValue: discounted.value.currencyCode,
          });
      }
    },
  ),
  setProductPriceCustomType: setCustomType(priceOf, named),
  setProductPriceCustomField: setCustomField(priceOf, named),
};
