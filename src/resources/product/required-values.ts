/** Which values of required enumerations a product takes, so that they are not removed at the same moment. */
import { apiError } from '../../errors/api-error.ts';
import { describingIfThere } from '../../engine/descriptions.ts';
import type { Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import type { Along } from '../../engine/resource.ts';
import { requiredEnumerations } from '../product-type/offers.ts';
import type { ProductType } from '../product-type/fields.ts';
import { planUse } from '../required-values/offers.ts';
import { allVariants } from './all-variants.ts';
import type { Product } from './fields.ts';

/** Keys of values by the names of attributes. */
type Keys = ReadonlyMap<string, ReadonlySet<string>>;

export const takenRequiredValues: Along = async (engine, context, { before, after }) => {
  if (after === undefined) return [];
  const project = context.project.key;
  // Of the kind that declares this.
  const { productType, ...product } = after as unknown as Fixed<Product>;
  const description = await describingIfThere(engine, project, productType);
  const names = description && requiredEnumerations(description.document as unknown as Fixed<ProductType>);
  if (names === undefined || names.size === 0) return [];
  const had = keysOf(before as unknown as Fixed<Product> | undefined, names);
  const taken = [...keysOf(product, names)].flatMap(([name, keys]) =>
    [...keys].filter((key) => had.get(name)?.has(key) !== true).map((key) => ({ name, key })),
  );
  if (taken.length === 0) return [];
  const requireThere = async (): Promise<void> => {
    const [stored] = await engine.store.find(project, [{ kind: productType.typeId, id: productType.id }]);
    if (stored === undefined) return;
    const there = requiredEnumerations(documentOf<Fixed<ProductType>>(stored.json));
    for (const { name, key } of taken) {
      const keys = there.get(name);
      // One that has another name, or is not required any more, is followed.
      if (keys === undefined || keys.has(key)) continue;
      throw apiError('InvalidField', `The value '${key}' of the attribute '${name}' was removed at the same moment.`, {
        field: name,
        invalidValue: key,
      });
    }
  };
  return [await planUse(engine, context, { productType: productType.id, requireThere })];
};

function keysOf(product: Pick<Fixed<Product>, 'masterData'> | undefined, names: Keys): Keys {
  const found = new Map<string, Set<string>>();
  if (product === undefined) return found;
  const { current, staged } = product.masterData;
  for (const data of [current, staged]) {
    for (const attributes of [data.attributes, ...allVariants(data).map((variant) => variant.attributes)]) {
      for (const { name, value } of attributes) {
        if (!names.has(name)) continue;
        const keys = found.get(name) ?? new Set();
        found.set(name, keys);
        // Values of enumerations were parsed by their types.
        keys.add((value as { readonly key: string }).key);
      }
    }
  }
  return found;
}
