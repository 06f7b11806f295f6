/** Ids of the resources of random worlds, which predicates name. */
const kinds = [
  'product',
  'product-type',
  'category',
  'customer',
  'customer-group',
  'channel',
  'tax-category',
  'zone',
  'shipping-method',
  'cart-discount',
  'product-discount',
  'discount-code',
  'discount-group',
  'store',
  'product-selection',
  'standalone-price',
  'price',
  'type',
  'tax-rate',
] as const;

export type Kind = (typeof kinds)[number];

/** The id of a kind's n-th resource, in the form of a UUID. */
export function idOf(kind: Kind, index: number): string {
  const ofKind = (0x8000 + kinds.indexOf(kind)).toString(16);
  return `00000000-0000-4000-${ofKind}-${index.toString(16).padStart(12, '0')}`;
}
