import type { Fixed } from '../../engine/document.ts';
import type { ApplyContext } from '../../engine/resource.ts';
import { Parsing, type Reference } from '../../fields/parsing.ts';
import type { ProductType } from '../product-type/fields.ts';
import {
  attributesOf,
  type ChangedValues,
  type ConstraintHistory,
  type ProductAttributes,
} from '../product-type/offers.ts';
import type { Attribute } from './attribute.ts';
import type { Product, ProductData } from './fields.ts';
import { allVariants } from './all-variants.ts';
import { asMade, isMade } from './attribute-lists.ts';

export type Level = 'Product' | 'Variant';

/** The attributes that the product's type defines. */
export function definedBy(productType: Reference, { found }: Pick<ApplyContext, 'found'>): ProductAttributes {
  // Those that describe a product, and what they nest, are there.
  const typeOf = (id: string): Fixed<ProductType> => found.one('product-type', id) as Fixed<ProductType>;
  return attributesOf(typeOf(productType.id), typeOf);
}

/** Values as they are stored. Records what is wrong with them. */
export function parseAttributes(
  given: readonly Attribute[],
  level: Level,
  { defined, parsing }: { readonly defined: ProductAttributes; readonly parsing: Parsing },
): Attribute[] {
  const names = new Set<string>();
  const parsed = given.flatMap((attribute) => {
    if (names.has(attribute.name)) {
      const since = parsing.faultCount;
      parsing.wrongValue(attribute.value, 'one value for each attribute');
      parsing.within(attribute.name, since);
    }
    names.add(attribute.name);
    return defined.parse(attribute, level, parsing) ?? [];
  });
  return asMade(parsed);
}

/** The list with another value of one attribute, or without one. */
export function withAttribute(
  attributes: readonly Attribute[],
  name: string,
  attribute: Attribute | undefined,
): Attribute[] {
  const index = attributes.findIndex((other) => other.name === name);
  if (attribute === undefined) return asMade(attributes.filter((_, at) => at !== index));
  return asMade(index < 0 ? [...attributes, attribute] : attributes.with(index, attribute));
}

/**
 * Has the variants of these projections keep the constraints of the product type at this moment, after one action (catalog
 * 12), and all that the request has made what is required when all of its actions are done. Both are told when the
 * references in values are known, for only then do these tell whether they are the same.
 */
export function requireDescribed(
  product: Pick<Product, 'productType' | 'masterData'>,
  sides: readonly ProductData[],
  context: ApplyContext,
): void {
  const { parsing } = context;
  const defined = definedBy(product.productType, context);
  for (const data of sides) {
    const history = historyOf(data === product.masterData.staged ? 'staged' : 'current', { defined, parsing });
    parsing.whenLoaded(history.after(allVariants(data)));
  }
  const requirePresent = (): void => {
    const faults = new Parsing();
    const { staged, current } = product.masterData;
    for (const data of [staged, current]) {
      if (isMade(data.attributes)) defined.requirePresent(data.attributes, 'Product', faults);
      for (const { attributes } of allVariants(data))
        if (isMade(attributes)) defined.requirePresent(attributes, 'Variant', faults);
      // What one side lacks the other mostly does, too: it is told once.
      faults.settle();
    }
  };
  // Once for a request, whatever its actions are.
  parsing.whenLoaded(requirePresent, 'required');
}

interface Histories {
  readonly changed: ChangedValues;
  readonly bySide: Map<'staged' | 'current', ConstraintHistory>;
}

/** Of what the actions of a request do to a product. */
const histories = new WeakMap<Parsing, Histories>();

function historyOf(
  side: 'staged' | 'current',
  { defined, parsing }: { readonly defined: ProductAttributes; readonly parsing: Parsing },
): ConstraintHistory {
  let ofRequest = histories.get(parsing);
  if (ofRequest === undefined) histories.set(parsing, (ofRequest = { changed: { count: 0 }, bySide: new Map() }));
  const { changed, bySide } = ofRequest;
  let history = bySide.get(side);
  if (history === undefined) bySide.set(side, (history = defined.constraints(changed)));
  return history;
}
