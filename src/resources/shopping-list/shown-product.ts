/** What a line item shows of its product where it is asked for: the slug, and the variant with all of its attributes. */
import type { Fixed } from '../../engine/document.ts';
import type { Lookups, OutputField } from '../../fields/field.ts';
import { localizedString, type LocalizedString } from '../../fields/localized-string.ts';
import type { Product, ProductData } from '../product/fields.ts';
import { allVariants, noteProduct, sidesIn, withProductAttributes } from '../product/offers.ts';

/** How a line item names its variant. */
interface Named {
  readonly productId: string;
  readonly variantId?: number;
}

interface VariantName {
  readonly variantId?: number | undefined;
}

type Variant = ProductData['masterVariant'];

/** What is known of a product: those who may not see all of it have no staged projection. */
type Sides = Readonly<Partial<Record<'current' | 'staged', Fixed<ProductData>>>>;

interface Found {
  readonly data: Fixed<ProductData>;
  readonly variant: Fixed<Variant>;
}

/** The variant, and the projection that has it: the current one, or else what is staged. */
export function variantOf(product: Pick<Fixed<Product>, 'masterData'>, named: VariantName): Found | undefined {
  return variantIn(sidesIn(product.masterData as Sides), named);
}

export function variantIn(sides: readonly Fixed<ProductData>[], { variantId }: VariantName): Found | undefined {
  for (const data of sides) {
    const variant = variantId === undefined ? data.masterVariant : allVariants(data).find(({ id }) => id === variantId);
    if (variant !== undefined) return { data, variant };
  }
  return undefined;
}

export function shownVariant(product: Fixed<Product>, item: Named): Fixed<Variant> | undefined {
  const found = variantOf(product, item);
  if (found === undefined) return undefined;
  const shown = withProductAttributes(found.variant, found.data);
  noteProduct([shown], { priceMode: product.priceMode, productTypeId: product.productType.id });
  return shown;
}

export function shownSlug({ masterData }: Pick<Fixed<Product>, 'masterData'>): LocalizedString {
  return masterData.current.slug;
}

async function productOf(item: object, lookups: Lookups): Promise<Fixed<Product> | null> {
  // Fields of line items have line items as parents, and stored products were parsed by their kind.
  return (await lookups.one('product', (item as Named).productId)) as Fixed<Product> | null;
}

/** GraphQL has both as fields. */
export const productOutputs: readonly OutputField[] = [
  ...localizedString()
    .output.fields('productSlug', false)
    .map((field): OutputField => ({
      ...field,
      complexity: 5,
      looksUp: async (item, args, lookups) => {
        const product = await productOf(item, lookups);
        return product === null ? null : field.read({ productSlug: shownSlug(product) }, args);
      },
    })),
  {
    name: 'variant',
    type: 'ProductVariant',
    complexity: 5,
    read: () => undefined,
    looksUp: async (item, _, lookups) => {
      const product = await productOf(item, lookups);
      return product === null ? null : shownVariant(product, item as unknown as Named);
    },
  },
];
