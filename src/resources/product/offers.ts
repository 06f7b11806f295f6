/** What products do for other resources. */
export { allVariants, skusIn } from './all-variants.ts';
