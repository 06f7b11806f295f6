/** Which values of required enumerations a product takes, so that they are not removed at the same moment. */
import { apiError } from '../../errors/api-error.ts';
import { describingIfThere } from '../../engine/descriptions.ts';
import type { Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import type { Along } from '../../engine/resource.ts';
import { isObject } from '../../fields/object.ts';
import { definitionsOf, requiredEnumerations } from '../product-type/offers.ts';
import type { ProductType } from '../product-type/fields.ts';
import { planUse } from '../required-values/offers.ts';
import { allVariants } from './all-variants.ts';
import type { Product } from './fields.ts';

/** Keys of values by the names of attributes. */
type Keys = ReadonlyMap<string, ReadonlySet<string>>;

export const takenRequiredValues: Along = async (engine, context, { before, after }) => {
  const project = context.project.key;
  // Of the kind that declares this.
  const { productType, ...product } = after as unknown as Fixed<Product>;
  const description = await describingIfThere(engine, project, productType);
  const type = description && (description.document as unknown as Fixed<ProductType>);
  const names = type && requiredEnumerations(type);
  if (names === undefined || names.size === 0) return [];
  const defined = definitionsOf(type!);
  // One that is not defined was renamed at the same moment, or removed.
  const isMeant = (name: string): boolean => names.has(name) || !defined.has(name);
  const had = keysOf(before as unknown as Fixed<Product> | undefined, isMeant);
  const taken = [...keysOf(product, isMeant)].flatMap(([name, keys]) =>
    [...keys].filter((key) => had.get(name)?.has(key) !== true).map((key) => ({ name, key })),
  );
  if (taken.length === 0) return [];
  const requireThere = async (): Promise<void> => {
    const [stored] = await engine.store.find(project, [{ kind: productType.typeId, id: productType.id }]);
    if (stored === undefined) return;
    const now = documentOf<Fixed<ProductType>>(stored.json);
    const there = requiredEnumerations(now);
    for (const { name, key } of taken) {
      const isThere = there.get(name)?.has(key) ?? definitionsOf(now).has(name);
      if (isThere) continue;
      const message = `The value '${key}' of the attribute '${name}' was removed or renamed at the same moment.`;
      throw apiError('InvalidField', message, { field: name, invalidValue: key });
    }
  };
  return [await planUse(engine, context, { productType: productType.id, requireThere })];
};

function keysOf(product: Pick<Fixed<Product>, 'masterData'> | undefined, isMeant: (name: string) => boolean): Keys {
  const found = new Map<string, Set<string>>();
  if (product === undefined) return found;
  const { current, staged } = product.masterData;
  for (const data of [current, staged]) {
    for (const attributes of [data.attributes, ...allVariants(data).map((variant) => variant.attributes)]) {
      for (const { name, value } of attributes) {
        // Other values than those of enumerations have no key.
        if (!isMeant(name) || !isObject(value) || typeof value['key'] !== 'string') continue;
        const keys = found.get(name) ?? new Set();
        found.set(name, keys);
        keys.add(value['key']);
      }
    }
  }
  return found;
}
