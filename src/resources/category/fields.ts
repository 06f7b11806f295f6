import type { DocumentOf } from '../../engine/document.ts';
import { assets } from '../../fields/asset.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assigned, defaulted, optional, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { reference } from '../../fields/reference.ts';
import { key, text } from '../../fields/scalar.ts';
import { slug } from '../../fields/slug.ts';
import { anySortOrder, orderHint } from '../../fields/sort-order.ts';
import { countedFields } from './counts.ts';

const links = list(reference('category', 'Category', { strength: 'loose' }));

/** GraphQL has beside them what is below. */
const ancestors: typeof links = {
  ...links,
  output: {
    ...links.output,
    fields: (name, isRequired) => [...links.output.fields(name, isRequired), ...countedFields],
  },
};

export const fields = {
  key: optional(key()),
  name: required(localizedString()),
  slug: required(slug()),
  description: optional(localizedString()),
  /** Whoever deletes it deletes those below it, too (catalog 47). */
  parent: optional(reference('category', 'Category', { strength: 'loose' })),
  /** From the root to the parent. */
  ancestors: assigned(ancestors, () => []),
  orderHint: defaulted(orderHint(), anySortOrder),
  externalId: optional(text()),
  metaTitle: optional(localizedString()),
  metaDescription: optional(localizedString()),
  metaKeywords: optional(localizedString()),
  assets: defaulted(assets(), () => []),
  custom: optional(customFields('category')),
};

export type Category = DocumentOf<typeof fields>;
