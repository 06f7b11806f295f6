/** What GraphQL says of the definition of an attribute, which stands in the product type of the product that has it. */
import type { Fixed } from '../../engine/document.ts';
import type { Lookups, OutputField } from '../../fields/field.ts';
import type { AttributeDefinition, ProductType } from '../product-type/fields.ts';
import { definitionsOf, nestedTypeOf } from '../product-type/offers.ts';
import { notedProduct } from './noted-product.ts';

/** The id of the product type that describes attributes, or the attribute in whose value they are. */
type Describing = string | Nesting;

interface Nesting {
  readonly name: string;
}

/** By attributes that were read, which do not say it themselves. */
const known = new WeakMap<object, Describing>();
/** Lists whose attributes are all known, for they may be read under many names. */
const knownLists = new WeakSet<readonly object[]>();

function note(attributes: readonly object[], describing: Describing): void {
  if (knownLists.has(attributes)) return;
  knownLists.add(attributes);
  for (const attribute of attributes) known.set(attribute, describing);
}

/** Remembers it of attributes that were read from a part of a product, and gives them. */
export function attributesOfPart<A extends object>(part: object, attributes: readonly A[]): readonly A[] {
  const describing = notedProduct(part)?.productTypeId;
  if (describing !== undefined) note(attributes, describing);
  return attributes;
}

/** The same of attributes that are the value of another one. */
export function attributesWithin<A extends object>(attribute: object, attributes: readonly A[]): readonly A[] {
  note(attributes, attribute as Nesting);
  return attributes;
}

/** Nothing, where the product type has given it up and the product has not followed yet. */
export const attributeDefinition: OutputField = {
  name: 'attributeDefinition',
  type: 'AttributeDefinition',
  complexity: 5,
  read: () => undefined,
  looksUp: (parent, _, lookups) => definitionOf(parent as unknown as Nesting, lookups),
};

async function definitionOf(attribute: Nesting, lookups: Lookups): Promise<Fixed<AttributeDefinition> | undefined> {
  const id = await typeIdOf(attribute, lookups);
  const type = id === undefined ? null : await lookups.one('product-type', id);
  // Stored types were parsed by their kind.
  return type === null ? undefined : definitionsOf(type as unknown as Fixed<ProductType>).get(attribute.name);
}

async function typeIdOf(attribute: Nesting, lookups: Lookups): Promise<string | undefined> {
  const describing = known.get(attribute);
  if (describing === undefined || typeof describing === 'string') return describing;
  const definition = await definitionOf(describing, lookups);
  return definition && nestedTypeOf(definition);
}
