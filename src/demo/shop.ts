/**
 * The demo shop: drafts of a believable store over real countries and states, from a seed. Pure data, in the public
 * shapes of the API; loading it is another file's work.
 */
import { type Draft, type DraftGroup, numbered } from './draft.ts';
import { type Pictures, productDraft, thingKey } from './products.ts';
import { nestedType, productTypes } from './product-types.ts';
import { Random } from './random.ts';
import {
  categoryLevels,
  channels,
  customerGroups,
  productDiscounts,
  productSelections,
  reviews,
  standalonePrices,
  stock,
  stores,
} from './selling.ts';
import { carts, shippingMethods, taxCategories, zones } from './shipping.ts';

const seedOfDemo = 20_260_101;

/**
 * The same number of products is the same shop. What a group refers to stands in those before it. The products come last:
 * all that has come 2 s before them has no products yet that would have to follow it in the background.
 */
export function demoShop(products: number, pictures: Pictures = new Map()): readonly DraftGroup[] {
  const group = (path: string, drafts: readonly Draft[]): DraftGroup => ({
    path,
    count: drafts.length,
    drafts: () => drafts,
  });
  return [
    group('zones', zones()),
    group('tax-categories', taxCategories()),
    group('shipping-methods', shippingMethods(new Random(seedOfDemo))),
    group('customer-groups', customerGroups()),
    group('channels', channels()),
    group('product-selections', productSelections()),
    group('stores', stores()),
    group('product-types', nestedType()),
    group('product-types', productTypes()),
    ...categoryLevels(thingKey).map((level) => group('categories', level)),
    group('product-discounts', productDiscounts()),
    ...stock(products),
    standalonePrices(products),
    group('carts', carts(Math.min(10_000, Math.max(20, Math.floor(products / 20))), new Random(seedOfDemo + 2))),
    numbered('products', products, (number) => productDraft(number, pictures)),
    reviews(products),
  ];
}
