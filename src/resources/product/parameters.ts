import { type FieldKind, optional, plainInput, refined, sameSchema } from '../../fields/field.ts';
import { boolean } from '../../fields/scalar.ts';

const offByDefault: FieldKind<boolean> = { ...boolean(), schema: sameSchema({ type: 'boolean', default: false }) };

/** Without a default in GraphQL, as in the public schema. */
export const fuzzy = offByDefault;

/** The parameter by which products show what is staged, in place of what is current. */
export const showsStaged: FieldKind<boolean> = { ...offByDefault, input: plainInput('Boolean = false') };

const unprojected = refined({ ...boolean(), input: plainInput('Boolean = false') }, (value, parsing) => {
  if (!value) return value;
  return parsing.fault(
    'InvalidInput',
    (field) => `'${field}' is not available in this version: products behind references show in all locales.`,
  );
});

/**
 * What is loaded behind references is shared by all fields of an answer, so it shows as it is. To have it follow the
 * field would take loading it for each projection that a query names.
 */
export const projectExpandedProducts = optional(unprojected);
