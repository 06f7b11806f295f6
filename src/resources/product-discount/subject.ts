/** What product discounts have to know of a price, and how it is read. */
import type { Document, Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import type { Engine } from '../../engine/resource.ts';
import type { Stored } from '../../engine/store.ts';
import type { Reference } from '../../fields/parsing.ts';
import type { TypedMoney } from '../../money/money.ts';
import { allVariants } from '../product/offers.ts';

/** A resource that predicates name by id or by key. */
export interface Named {
  readonly id: string;
  readonly key?: string | undefined;
}

/** What a discounted price says: what is to be paid, and the discount that makes it so. */
export interface DiscountedPrice {
  readonly value: TypedMoney;
  readonly discount: Reference;
}

/** All that discounts know of a price and of the variant that it is for, on one side of its product. */
export interface PriceSubject {
  readonly product: Named;
  readonly productType: Named;
  readonly variant: {
    readonly id: number;
    readonly key?: string | undefined;
    readonly sku?: string | undefined;
    /** Those of the product as well. */
    readonly attributes: readonly { readonly name: string; readonly value: unknown }[];
  };
  readonly price: {
    readonly value: TypedMoney;
    readonly country?: string | undefined;
    readonly customerGroup?: Named | undefined;
    readonly channel?: Named | undefined;
    /** As it is stored, which counts where it is of an external discount. */
    readonly discounted?: DiscountedPrice | undefined;
  };
  /** That the product is assigned to. */
  readonly categories: readonly Named[];
  /** Of these categories, at any distance. */
  readonly ancestors: readonly Named[];
}

/** What is read of a product. */
interface Product extends Named {
  readonly productType: Reference;
  readonly masterData: Readonly<Record<'current' | 'staged', Data | undefined>> & { readonly published: boolean };
}

interface Data {
  readonly masterVariant: Variant;
  readonly variants: readonly Variant[];
  readonly attributes: Variant['attributes'];
  readonly categories: readonly Reference[];
}

type Variant = PriceSubject['variant'];

/** A variant on one side of its product. */
export interface SoldVariant {
  readonly product: Product;
  readonly data: Data;
  readonly variant: Variant;
}

/** Undefined where the product is not there, or has no such variant on that side. */
export function variantAt(
  stored: Stored | undefined,
  side: 'current' | 'staged',
  isWanted: (variant: Variant) => boolean,
): SoldVariant | undefined {
  // Stored products were parsed by their kind.
  const product = stored && (documentOf(stored.json) as unknown as Product);
  const data = product?.masterData[side];
  const variant = data && allVariants(data).find(isWanted);
  return product && data && variant && { product, data, variant };
}

/** A price, which may stand anywhere. */
interface Price {
  readonly value: TypedMoney;
  readonly country?: string;
  readonly customerGroup?: Reference;
  readonly channel?: Reference;
  readonly discounted?: DiscountedPrice;
}

/** The price of the variant as discounts see it. */
export async function subjectOf(
  engine: Engine,
  project: string,
  { product, data, variant, price }: SoldVariant & { readonly price: Price },
): Promise<PriceSubject> {
  const { customerGroup, channel } = price;
  const named = [product.productType, customerGroup, channel].filter((link) => link !== undefined);
  const [found, categories] = await Promise.all([find(engine, project, named), find(engine, project, data.categories)]);
  const ancestors = await find(
    engine,
    project,
    distinct(categories.flatMap((each) => (each['ancestors'] ?? []) as Reference[])),
  );
  const target = (link: Reference): Named => found.find(({ id }) => id === link.id) ?? link;
  return {
    product,
    productType: target(product.productType),
    variant: { ...variant, attributes: [...variant.attributes, ...data.attributes] },
    price: { ...price, customerGroup: customerGroup && target(customerGroup), channel: channel && target(channel) },
    categories,
    ancestors,
  };
}

/** Those that are there. */
async function find(
  engine: Engine,
  project: string,
  references: readonly Reference[],
): Promise<readonly Fixed<Document>[]> {
  if (references.length === 0) return [];
  const lookups = references.map(({ typeId, id }) => ({ kind: typeId, id }));
  const found = await engine.store.find(project, lookups);
  return found.flatMap((stored) => (stored === undefined ? [] : documentOf(stored.json)));
}

function distinct(references: readonly Reference[]): readonly Reference[] {
  return [...new Map(references.map((reference) => [reference.id, reference])).values()];
}
