import { action } from '../../../engine/actions.ts';
import type { Action } from '../../../engine/resource.ts';
import { optional, required } from '../../../fields/field.ts';
import { dataFields, type Product, type ProductData } from '../fields.ts';
import { sidesOf, staged } from '../sides.ts';

type TextField = 'description' | 'metaTitle' | 'metaDescription' | 'metaKeywords';

function setText(field: TextField): Action {
  return action({ [field]: optional(dataFields[field].kind), staged }, (product: Product, input) => {
    // The action declares this field by the computed name above.
    const value = (input as Partial<Record<TextField, Record<string, string>>>)[field];
    for (const data of sidesOf(product, (input as { staged: boolean }).staged)) write(data, field, value);
  });
}

function write(data: ProductData, field: TextField, value: Readonly<Record<string, string>> | undefined): void {
  if (value === undefined) delete data[field];
  else data[field] = { ...value };
}

function changeText(field: 'name' | 'slug'): Action {
  return action({ [field]: required(dataFields[field].kind), staged }, (product: Product, input) => {
    // As above.
    const value = (input as Record<typeof field, Record<string, string>>)[field];
    for (const data of sidesOf(product, (input as unknown as { staged: boolean }).staged)) data[field] = { ...value };
  });
}

export const textActions = {
  changeName: changeText('name'),
  changeSlug: changeText('slug'),
  setDescription: setText('description'),
  setMetaTitle: setText('metaTitle'),
  setMetaDescription: setText('metaDescription'),
  setMetaKeywords: setText('metaKeywords'),
  /** The three at once, as GraphQL has it; what it does not name is removed, as those for one of them do. */
  setMetaAttributes: action(
    {
      metaTitle: optional(dataFields.metaTitle.kind),
      metaDescription: optional(dataFields.metaDescription.kind),
      metaKeywords: optional(dataFields.metaKeywords.kind),
      staged,
    },
    (product: Product, { staged, ...given }) => {
      for (const data of sidesOf(product, staged))
        for (const field of ['metaTitle', 'metaDescription', 'metaKeywords'] as const) write(data, field, given[field]);
    },
  ),
  setSearchKeywords: action(
    { searchKeywords: required(dataFields.searchKeywords.kind), staged },
    (product: Product, { searchKeywords, staged }) => {
      for (const data of sidesOf(product, staged)) data.searchKeywords = structuredClone(searchKeywords);
    },
  ),
};
