/** Products with the prices that were selected by the parameters of a request (catalog 31, 34). */
import type { FormDeclaration } from '../../../engine/define.ts';
import type { Document } from '../../../engine/document.ts';
import type { Product } from '../fields.ts';
import { allVariants, sidesIn, skusIn } from '../all-variants.ts';
import { bySku, type PriceOfSku } from './others.ts';
import {
  candidatesOf,
  type Clock,
  clockOf,
  type SelectionParameters,
  priceSelection,
  requireCurrency,
  selectedPrice,
} from './selected-price.ts';

interface Gathered {
  readonly clock: Clock;
  readonly standalone: ReadonlyMap<string, readonly PriceOfSku[]>;
}

export const pricedProduct: FormDeclaration<Product, SelectionParameters, Gathered> = {
  parameters: priceSelection,
  check: requireCurrency,
  gather: async (gathering, products) => {
    const alone = products.filter(({ priceMode }) => priceMode === 'Standalone');
    return {
      clock: clockOf(gathering),
      standalone: await bySku<PriceOfSku>(
        gathering,
        'standalone-price',
        skusIn(...alone.flatMap(({ masterData }) => sidesIn(masterData))),
      ),
    };
  },
  shown: (product, selection, { clock, standalone }) => {
    for (const variant of sidesIn(product.masterData).flatMap(allVariants)) {
      const candidates = candidatesOf(variant, product.priceMode, standalone);
      const price = selectedPrice(candidates, selection, clock);
      if (price !== undefined) Object.assign(variant, { price });
    }
    return product as unknown as Document;
  },
};
