/** What product discounts make of the prices of a product, on both sides, each by what it holds itself (catalog 53). */
import type { Fixed } from '../../engine/document.ts';
import { isSameJson } from '../../engine/json.ts';
import type { Computation, Found } from '../../engine/resource.ts';
import type { Reference } from '../../fields/parsing.ts';
import { type DiscountedPrice, discountsOf, requireTaken } from '../product-discount/offers.ts';
import type { ProductDiscount } from '../product-discount/fields.ts';
import type { Category } from '../category/fields.ts';
import type { Product, ProductData } from './fields.ts';
import type { Price } from './price.ts';
import { allVariants } from './all-variants.ts';

const sides = ['masterData.current', 'masterData.staged'] as const;

/** Where both projections have their prices. */
const prices = sides.flatMap((side) => [`${side}.masterVariant.prices[*]`, `${side}.variants[*].prices[*]`]);

/** What discounts ask for by key is read with the product, and with it the state, which says which ones may follow it. */
export const discountedPrices: Computation<Product> = {
  reads: {
    state: ['state.id'],
    category: sides.map((side) => `${side}.categories[*].id`),
    'customer-group': prices.map((price) => `${price}.customerGroup.id`),
    channel: prices.map((price) => `${price}.channel.id`),
  },
  readsThrough: { category: ['ancestors[*].id'] },
  readsAll: ['product-discount'],
  compute: async (product, found, { now, said, turn }) => {
    // Stored discounts were parsed by their kind.
    const discounts = found.all('product-discount') as unknown as readonly Fixed<ProductDiscount>[];
    const sides = [product.masterData.current, product.masterData.staged] as const;
    const isAlike = discounts.length > 0 && said.size === 0 && isSameJson(seen(sides[0]), seen(sides[1]));
    const different = isAlike ? sides.slice(1) : sides;
    const variants = discounts.length === 0 ? [] : different.flatMap((data) => pricedVariants(data, product, found));
    const discounted = (await discountsOf(variants, discounts, { now, turn })).flat();
    let index = 0;
    for (const data of sides) {
      // Alike sides have as many prices, in the same order.
      if (isAlike) index = 0;
      for (const price of allVariants(data).flatMap(({ prices }) => prices)) {
        take(price, discounted[index], said);
        index += 1;
      }
    }
  },
};

/** What discounts see of a side, and what is given of external ones. */
function seen(data: ProductData): object {
  const variants = allVariants(data).map(({ id, key, sku, attributes, prices }) => ({
    id,
    key,
    sku,
    attributes,
    prices,
  }));
  return { variants, attributes: data.attributes, categories: data.categories };
}

/** The variants of a side as discounts see them. */
function pricedVariants(data: ProductData, product: Product, found: Found): Parameters<typeof discountsOf>[0] {
  const named = (link: Reference) => found.one(link.typeId, link.id) ?? link;
  const categories = data.categories.map(named);
  const links = categories.flatMap((category) => (category as Partial<Fixed<Category>>).ancestors ?? []);
  const ancestors = [...new Map(links.map((link) => [link.id, named(link)])).values()];
  const productType = named(product.productType);
  return allVariants(data).map((variant) => ({
    product,
    productType,
    categories,
    ancestors,
    variant: { ...variant, attributes: [...variant.attributes, ...data.attributes] },
    prices: variant.prices.map((price) => ({
      ...price,
      customerGroup: price.customerGroup && named(price.customerGroup),
      channel: price.channel && named(price.channel),
    })),
  }));
}

function take(price: Price, discounted: DiscountedPrice | undefined, said: ReadonlySet<string>): void {
  requireTaken(price.discounted, discounted, { priceName: price.id, said });
  if (discounted === undefined) delete price.discounted;
  // What discounts make is the price's own from here on.
  else price.discounted = { value: { ...discounted.value }, discount: { ...discounted.discount } };
}
