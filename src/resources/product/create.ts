import { ApiError, apiError } from '../../errors/api-error.ts';
import { invalidOperation } from '../../engine/actions.ts';
import type { ApplyContext } from '../../engine/resource.ts';
import type { ValueOf } from '../../fields/field.ts';
import { sayExternal } from '../product-discount/offers.ts';
import { definedBy, parseAttributes, requireDescribed } from './described.ts';
import type { fields, ProductData, ProductDraft } from './fields.ts';
import { followFromNow } from './described-by.ts';
import { fewVariants } from './rules.ts';
import { copyOfData } from './sides.ts';
import type { Variant } from './variant.ts';

type Content = Omit<Variant, 'id'>;

const empty: Content = { prices: [], attributes: [], images: [], assets: [] };

/** Both projections are what the draft says; it is published only where the draft says so. */
export function productFrom(draft: ProductDraft, context: ApplyContext): ValueOf<typeof fields> {
  const { key, productType, taxCategory, state, priceMode, publish, masterVariant, variants, ...texts } = draft;
  const tooMany = fewVariants({ variants });
  if (tooMany !== undefined) throw new ApiError([tooMany]);
  const defined = definedBy(productType, context);
  if (masterVariant === undefined && needsMaster()) {
    throw apiError('RequiredField', "A value is required for field 'masterVariant'.", { field: 'masterVariant' });
  }
  const { parsing } = context;
  const [first, ...others] = [masterVariant ?? empty, ...variants].map((content, index) => {
    for (const { id, discounted } of content.prices) sayExternal(discounted, id, context);
    return {
      id: index + 1,
      ...content,
      attributes: parseAttributes(content.attributes, 'Variant', { defined, parsing }),
    };
  });
  const current: ProductData = {
    ...texts,
    categories: [...new Map(texts.categories.map((category) => [category.id, category])).values()],
    attributes: parseAttributes(texts.attributes, 'Product', { defined, parsing }),
    // The list starts with the master variant, so it has a first element.
    masterVariant: first!,
    variants: others,
  };
  requireHintsOfOwn(current);
  const product = {
    ...(key !== undefined && { key }),
    productType,
    ...(taxCategory !== undefined && { taxCategory }),
    ...(state !== undefined && { state }),
    priceMode,
    masterData: { published: publish, hasStagedChanges: false, current, staged: copyOfData(current) },
  };
  requireDescribed(product, [current], context);
  followFromNow(productType.id, context);
  return product;

  function needsMaster(): boolean {
    const isNeeded = [...defined.definitions.values()].some(
      ({ level, isRequired }) => level === 'Variant' && isRequired,
    );
    return isNeeded || variants.length > 0;
  }
}

/** Catalog 26. */
function requireHintsOfOwn({ categories, categoryOrderHints }: ProductData): void {
  const ids = new Set(categories.map(({ id }) => id));
  const other = Object.keys(categoryOrderHints).find((id) => !ids.has(id));
  if (other !== undefined)
    throw invalidOperation(`The product has an order hint for the category '${other}', which it is not in.`);
}
