/** What is kept of products for those who sell them: what carts need to know each time, and no more. */
import type { Document, Fixed } from '../../engine/document.ts';
import { allVariants } from './all-variants.ts';
import type { Product, ProductData } from './fields.ts';
import type { Variant } from './variant.ts';

/** A product as it is published, with the prices of its variants. A product as a whole is one, too. */
export type SoldProduct = Pick<Product, 'id' | 'key' | 'productType' | 'taxCategory' | 'priceMode'> & {
  readonly masterData: { readonly published: boolean; readonly current: SoldData };
};

type SoldVariant = Pick<Variant, 'id' | 'sku' | 'key' | 'prices'>;

type SoldData = Pick<ProductData, 'categories'> & {
  readonly masterVariant: SoldVariant;
  readonly variants: readonly SoldVariant[];
};

export function soldPart(document: Fixed<Document>): Document {
  // The engine gives products.
  const { id, version, key, productType, taxCategory, priceMode, masterData } = document as unknown as Fixed<Product> &
    Document;
  const { published, current } = masterData;
  const [masterVariant, ...variants] = allVariants(current).map(soldVariant);
  const sold = {
    id,
    version,
    key,
    productType,
    taxCategory,
    priceMode,
    masterData: { published, current: { categories: current.categories, masterVariant, variants } },
  };
  return sold as unknown as Document;
}

function soldVariant({ id, sku, key, prices }: Fixed<Variant>): Fixed<SoldVariant> {
  return { id, sku, key, prices } as Fixed<SoldVariant>;
}
