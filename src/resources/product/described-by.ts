import type { Description, Document, Fixed } from '../../engine/document.ts';
import type { ApplyContext, DescribedBy } from '../../engine/resource.ts';
import type { ProductType } from '../product-type/fields.ts';
import { changesAfter, followChanges, type Followed, nestedTypes } from '../product-type/offers.ts';
import type { Attribute } from './attribute.ts';
import type { Product } from './fields.ts';
import { allVariants } from './all-variants.ts';

const kind = 'product-type';

/** The versions of product types that the attributes of a product are in keeping with, by the ids of the types. */
type Versions = Readonly<Record<string, number>>;

/** A product type, and with it those that it nests, says what the attributes of its products may be. */
export const describedBy: DescribedBy = {
  kind,
  member: 'productType',
  // Of this kind.
  nested: (description) => nestedTypes(description as unknown as Fixed<ProductType>),
  follow,
};

/** Has the attributes follow what the product types have changed since. A type that is nested since then has changed nothing yet. */
function follow(document: Document, internals: Record<string, unknown>, descriptions: readonly Description[]): void {
  const product = document as unknown as Product;
  // Products of an earlier version of the platform have seen none of the changes that are logged.
  const isKnown = internals['followed'] !== undefined;
  const known = new Map(Object.entries((internals['followed'] ?? {}) as Versions));
  const followed = new Map(
    descriptions.map(({ document: type, internals: ofType }): [string, Followed] => [
      type.id,
      {
        type: type as unknown as Fixed<ProductType>,
        changes: changesAfter(ofType, known.get(type.id) ?? (isKnown ? type.version : 0)),
      },
    ]),
  );
  // What there was nothing to follow of stays as it is, so that products are not written for it.
  const versions = descriptions.map(({ document: { id, version } }) => {
    const since = known.get(id);
    return [id, since === undefined || followed.get(id)!.changes.length > 0 ? version : since] as const;
  });
  internals['followed'] = Object.fromEntries(versions);
  if ([...followed.values()].every(({ changes }) => changes.length === 0)) return;
  const after = (attributes: Attribute[]): Attribute[] =>
    // What changes is an array of its own.
    followChanges(attributes, product.productType.id, (id) => followed.get(id)) as Attribute[];
  const { staged, current } = product.masterData;
  for (const data of [staged, current]) {
    data.attributes = after(data.attributes);
    for (const variant of allVariants(data)) variant.attributes = after(variant.attributes);
  }
}

/** A new product is in keeping with the product types that it is made by. */
export function followFromNow(id: string, { found, internals }: ApplyContext): void {
  const versions = new Map<string, number>();
  const visit = (typeId: string): void => {
    const type = found.one(kind, typeId);
    if (type === undefined || versions.has(typeId)) return;
    versions.set(typeId, type.version);
    for (const nested of nestedTypes(type as unknown as Fixed<ProductType>)) visit(nested);
  };
  visit(id);
  internals['followed'] = Object.fromEntries(versions);
}
