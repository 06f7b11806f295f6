/** What products do for other resources. */
export { allVariants } from './all-variants.ts';
