import type { ErrorElement } from '../../errors/api-error.ts';

interface VariantNames {
  readonly sku?: string | undefined;
  readonly productId?: string | undefined;
  readonly variantId?: number | undefined;
}

/** What is wrong where the variant that was found by its SKU is not the one that the other names are of. */
export function namesFault(
  { sku, productId, variantId }: VariantNames,
  known: { readonly productId: string; readonly variantId: number },
): ErrorElement | undefined {
  const isNamed = (given: unknown, own: unknown): boolean => given === undefined || given === own;
  if (sku === undefined || (isNamed(productId, known.productId) && isNamed(variantId, known.variantId)))
    return undefined;
  const message = `The SKU '${sku}' is of another variant than productId and variantId name.`;
  return { code: 'InvalidInput', message };
}
