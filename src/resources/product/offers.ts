/** What products do for other resources. */
export { allVariants, sidesIn, withProductAttributes } from './all-variants.ts';
export { namesFault } from './named-variant.ts';
export { noteProduct } from './noted-product.ts';
export { keepForStore, type ProductCopy } from './shown/in-store.ts';
export type { SoldProduct } from './sold.ts';
