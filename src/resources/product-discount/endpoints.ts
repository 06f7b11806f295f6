import { allOf } from '../../engine/collection.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { endpoint } from '../../engine/endpoint.ts';
import { documentOf } from '../../engine/json.ts';
import { represent } from '../../engine/operations/represent.ts';
import type { Engine } from '../../engine/resource.ts';
import { apiError } from '../../errors/api-error.ts';
import { optional, required, type ValueOf } from '../../fields/field.ts';
import { json } from '../../fields/json.ts';
import { list } from '../../fields/list.ts';
import { money } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import type { Reference } from '../../fields/parsing.ts';
import { reference, resourceId } from '../../fields/reference.ts';
import { boolean, country, dateTime, integer, text } from '../../fields/scalar.ts';
import type { ProductDiscount } from './fields.ts';
import { discountFor, type Named, type PriceSubject } from './offers.ts';

const priceFields = {
  id: optional(text()),
  value: required(money()),
  country: optional(country()),
  customerGroup: optional(reference('customer-group', 'CustomerGroup')),
  channel: optional(reference('channel', 'Channel')),
  validFrom: optional(dateTime()),
  validUntil: optional(dateTime()),
  discounted: optional(
    object('DiscountedPriceDraft', {
      value: required(money()),
      discount: required(reference('product-discount', 'ProductDiscount')),
    }),
  ),
  // No discount asks for these.
  custom: optional(json()),
  tiers: optional(list(json())),
};

type Price = ValueOf<typeof priceFields>;

/** The discount that a price of a variant would have, whether the variant has such a price or not. */
export const matching = endpoint({
  path: 'matching',
  method: 'POST',
  scopes: ['view_products', 'view_product_discounts'],
  body: {
    productId: required(resourceId('product', 'Product')),
    variantId: required(integer({ min: 1, type: 'Int' })),
    staged: required(boolean()),
    price: required(object('QueryPrice', priceFields)),
  },
  answer: 'one',
  summary: 'Find the discount of a price.',
  failures: ['NoMatchingProductDiscountFound'],
  run: async (engine, { context, body, expand }) => {
    const project = context.project.key;
    const [subject, { documents }] = await Promise.all([
      subjectOf(engine, project, body),
      allOf(engine, project, ['product-discount']),
    ]);
    // Stored discounts were parsed by their kind.
    const discounts = documents.get('product-discount')! as unknown as readonly ProductDiscount[];
    const found = discountFor(subject, discounts, context.now);
    if (found === undefined)
      throw apiError('NoMatchingProductDiscountFound', 'No active product discount fits the price.');
    const discount = discounts.find(({ id }) => id === found.discount.id)!;
    return (await represent(engine, context, [JSON.stringify(discount)], expand))[0]!;
  },
});

/** What is read of a product. */
interface Product extends Named {
  readonly productType: Reference;
  readonly masterData: Readonly<Record<'current' | 'staged', Data | undefined>>;
}

interface Data {
  readonly masterVariant: Variant;
  readonly variants: readonly Variant[];
  readonly attributes: Variant['attributes'];
  readonly categories: readonly Reference[];
}

type Variant = PriceSubject['variant'];

interface Asked {
  readonly productId: string;
  readonly variantId: number;
  readonly staged: boolean;
  readonly price: Price;
}

/** The price as discounts see it, with the variant that it is asked for. */
async function subjectOf(
  engine: Engine,
  project: string,
  { productId, variantId, staged, price }: Asked,
): Promise<PriceSubject> {
  const { customerGroup, channel } = price;
  const read = (references: readonly Reference[]): Promise<readonly Fixed<Document>[]> =>
    find(engine, project, references);
  const prices = [customerGroup, channel].filter((named) => named !== undefined);
  const [found, ofPrice] = await Promise.all([read([{ typeId: 'product', id: productId }]), read(prices)]);
  // Stored products were parsed by their kind; the body led to one.
  const product = found[0] as unknown as Product | undefined;
  const data = product?.masterData[staged ? 'staged' : 'current'];
  const variant = data && [data.masterVariant, ...data.variants].find(({ id }) => id === variantId);
  if (product === undefined || data === undefined || variant === undefined)
    throw apiError('InvalidInput', `The product '${productId}' has no variant ${variantId}.`);
  const [productTypes, categories] = await Promise.all([read([product.productType]), read(data.categories)]);
  const ancestors = await read(distinct(categories.flatMap((each) => (each['ancestors'] ?? []) as Reference[])));
  const namedBy = (link: Reference | undefined): Named | undefined =>
    link && (ofPrice.find(({ id }) => id === link.id) ?? link);
  return {
    product,
    productType: productTypes[0] ?? product.productType,
    variant: { ...variant, attributes: [...variant.attributes, ...data.attributes] },
    price: { ...price, customerGroup: namedBy(customerGroup), channel: namedBy(channel) },
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
