/** The object that predicates of product discounts speak of. What is absent has no member. */
import { unitsOf } from './discounted-value.ts';
import type { Named, PriceSubject } from './subject.ts';

/** What is the same for all prices of a variant. */
export type VariantFacts = ReturnType<typeof factsOfVariant>;

export function factsOfVariant({ product, productType, variant, categories, ancestors }: Omit<PriceSubject, 'price'>) {
  return {
    product,
    productType,
    variant: { id: variant.id, key: variant.key },
    variantId: variant.id,
    sku: variant.sku,
    attributes: Object.fromEntries(variant.attributes.map(({ name, value }) => [name, value])),
    categories: together(categories),
    categoriesWithAncestors: together([...categories, ...ancestors]),
  };
}

export function factsOfPrice(facts: VariantFacts, price: PriceSubject['price']): object {
  const { value, country, customerGroup, channel } = price;
  const ofPrice = {
    amount: Number(unitsOf(value)) / 10 ** value.fractionDigits,
    centAmount: value.centAmount,
    currency: value.currencyCode,
    country,
    customerGroup,
    channel,
  };
  return { ...facts, price: { ...value, ...ofPrice }, ...ofPrice };
}

/** Undefined for none, of which predicates say that it is empty. */
function together(resources: readonly Named[]): object | undefined {
  if (resources.length === 0) return undefined;
  const keys = resources.flatMap(({ key }) => key ?? []);
  return { id: resources.map(({ id }) => id), ...(keys.length > 0 && { key: keys }) };
}
