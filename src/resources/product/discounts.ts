/** What product discounts make of the prices of a product, on both sides, each by what it holds itself (catalog 53). */
import type { Fixed } from '../../engine/document.ts';
import type { Computation, Found } from '../../engine/resource.ts';
import type { Reference } from '../../fields/parsing.ts';
import { discountFor, requireTaken } from '../product-discount/offers.ts';
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
  compute: (product, found, { now, said }) => {
    // Stored discounts were parsed by their kind.
    const discounts = found.all('product-discount') as unknown as readonly Fixed<ProductDiscount>[];
    for (const data of [product.masterData.current, product.masterData.staged])
      discount(data, { product, discounts, found, said, now });
  },
};

interface Discounting {
  readonly product: Product;
  readonly discounts: readonly Fixed<ProductDiscount>[];
  readonly found: Found;
  readonly said: ReadonlySet<string>;
  readonly now: string;
}

function discount(data: ProductData, { product, discounts, found, said, now }: Discounting): void {
  const named = (link: Reference) => found.one(link.typeId, link.id) ?? link;
  const categories = data.categories.map(named);
  const links = categories.flatMap((category) => (category as Partial<Fixed<Category>>).ancestors ?? []);
  const ancestors = [...new Map(links.map((link) => [link.id, named(link)])).values()];
  const productType = named(product.productType);
  for (const variant of allVariants(data)) {
    const attributes = [...variant.attributes, ...data.attributes];
    for (const price of variant.prices) {
      const { customerGroup, channel } = price;
      const discounted =
        discounts.length === 0
          ? undefined
          : discountFor(
              {
                product,
                productType,
                variant: { ...variant, attributes },
                price: {
                  ...price,
                  customerGroup: customerGroup && named(customerGroup),
                  channel: channel && named(channel),
                },
                categories,
                ancestors,
              },
              discounts,
              now,
            );
      requireTaken(price.discounted, discounted, { priceName: price.id, said });
      if (discounted === undefined) delete price.discounted;
      // What discounts make is the price's own from here on.
      else price.discounted = structuredClone(discounted) as NonNullable<Price['discounted']>;
    }
  }
}
