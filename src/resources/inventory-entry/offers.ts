/** By which the entry of a SKU and a supply channel is found: that of no channel is one of its own. */
export function stockUnique(
  sku: string,
  supplyChannelId: string | undefined,
): { readonly field: string; readonly value: string } {
  return { field: 'sku', value: JSON.stringify([sku, supplyChannelId]) };
}
