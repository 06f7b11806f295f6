import { type FieldKind, plainInput, sameSchema } from '../../fields/field.ts';
import { boolean } from '../../fields/scalar.ts';

/** Without a default in GraphQL, as in the public schema. */
export const fuzzy: FieldKind<boolean> = { ...boolean(), schema: sameSchema({ type: 'boolean', default: false }) };

/** Of products what is staged, in place of what is current. */
export const staged: FieldKind<boolean> = { ...fuzzy, input: plainInput('Boolean = false') };
