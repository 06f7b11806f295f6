import { requireViewOfAll } from '../../engine/access.ts';
import { allOf } from '../../engine/collection.ts';
import { endpoint } from '../../engine/endpoint.ts';
import { shareOfTurn } from '../../engine/heavy-turns.ts';
import { limitedTo } from '../../engine/lens.ts';
import { represent } from '../../engine/operations/represent.ts';
import { apiError } from '../../errors/api-error.ts';
import { optional, required } from '../../fields/field.ts';
import { json } from '../../fields/json.ts';
import { list } from '../../fields/list.ts';
import { money } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { reference, resourceId } from '../../fields/reference.ts';
import { boolean, country, dateTime, integer, text } from '../../fields/scalar.ts';
import { discountedPrice, type ProductDiscount } from './fields.ts';
import { discountFor } from './offers.ts';
import { subjectOf, variantAt } from './subject.ts';

const priceFields = {
  id: optional(text()),
  value: required(money()),
  country: optional(country()),
  customerGroup: optional(reference('customer-group', 'CustomerGroup')),
  channel: optional(reference('channel', 'Channel')),
  validFrom: optional(dateTime()),
  validUntil: optional(dateTime()),
  discounted: optional(discountedPrice),
  // No discount asks for these.
  custom: optional(json()),
  tiers: optional(list(json())),
};

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
  run: async (whole, { context, body, expand }) => {
    const project = context.project.key;
    const { productId, variantId, staged, price } = body;
    // What a predicate finds tells of the product what it asks for, so it asks of what the request may see alone.
    const engine = limitedTo(whole, context);
    if (staged) requireViewOfAll(context, whole.registry.byKind.get('product')!);
    const [product] = await engine.store.find(project, [{ kind: 'product', id: productId }]);
    const sold = variantAt(product, staged ? 'staged' : 'current', ({ id }) => id === variantId);
    if (sold === undefined)
      throw apiError('InvalidInput', `The product '${productId}' has no variant ${variantId} on that side.`);
    const [subject, { documents }] = await Promise.all([
      subjectOf(engine, project, { ...sold, price }),
      allOf(engine, project, ['product-discount']),
    ]);
    // Stored discounts were parsed by their kind.
    const discounts = documents.get('product-discount')! as unknown as readonly ProductDiscount[];
    const found = await discountFor(subject, discounts, {
      now: context.now,
      turn: (share) => shareOfTurn(context, share),
    });
    if (found === undefined)
      throw apiError('NoMatchingProductDiscountFound', 'No active product discount fits the price.');
    const discount = discounts.find(({ id }) => id === found.discount.id)!;
    return (await represent(engine, context, [JSON.stringify(discount)], expand))[0]!;
  },
});
