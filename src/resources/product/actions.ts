import { action } from '../../engine/actions.ts';
import { defaulted, type FieldKind, optional, required } from '../../fields/field.ts';
import { localizedString, type LocalizedString } from '../../fields/localized-string.ts';
import { boolean } from '../../fields/scalar.ts';
import type { Product, ProductData } from './fields.ts';
import { searchKeywords as searchKeywordsKind } from './search-keywords.ts';

/** With staged=false a change reaches the current projection too. */
const staged = defaulted(boolean(), () => true);

/** Applies a change to the staged projection, and to the current one unless it is to stay staged. */
function changeData(product: Product, isStaged: boolean, change: (data: ProductData) => void): void {
  const { masterData } = product;
  for (const data of isStaged ? [masterData.staged] : [masterData.staged, masterData.current])
    if (data !== undefined) change(data);
}

type TextField = 'description' | 'metaTitle' | 'metaDescription' | 'metaKeywords';

function setText(field: TextField): ReturnType<typeof action> {
  const text: FieldKind<LocalizedString> = localizedString();
  return action({ [field]: optional(text), staged }, (product: Product, input) => {
    // The action declares this field by the computed name above.
    const value = (input as Partial<Record<TextField, LocalizedString>>)[field];
    changeData(product, (input as { staged: boolean }).staged, (data) => {
      if (value === undefined) delete data[field];
      else data[field] = value;
    });
  });
}

export const setDescription = setText('description');
export const setMetaTitle = setText('metaTitle');
export const setMetaDescription = setText('metaDescription');
export const setMetaKeywords = setText('metaKeywords');

export const changeName = action(
  { name: required(localizedString()), staged },
  (product: Product, { name, staged }) => {
    changeData(product, staged, (data) => (data.name = name));
  },
);

export const changeSlug = action(
  { slug: required(localizedString()), staged },
  (product: Product, { slug, staged }) => {
    changeData(product, staged, (data) => (data.slug = slug));
  },
);

export const setSearchKeywords = action(
  { searchKeywords: required(searchKeywordsKind()), staged },
  (product: Product, { searchKeywords, staged }) => {
    changeData(product, staged, (data) => (data.searchKeywords = searchKeywords));
  },
);

/** The staged projection becomes the current one. */
export const publish = action({}, ({ masterData }: Product) => {
  masterData.published = true;
  if (masterData.staged !== undefined) masterData.current = structuredClone(masterData.staged);
});

export const unpublish = action({}, ({ masterData }: Product) => {
  masterData.published = false;
});

export const revertStagedChanges = action({}, ({ masterData }: Product) => {
  if (masterData.current !== undefined) masterData.staged = structuredClone(masterData.current);
});
