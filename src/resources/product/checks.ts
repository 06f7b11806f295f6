import type { Fixed } from '../../engine/document.ts';
import { queriedKind } from '../../engine/operations/query.ts';
import type { Check } from '../../engine/resource.ts';
import type { Predicate } from '../../predicate/ast.ts';
import { parsePredicate } from '../../predicate/parser.ts';
import type { Product, ProductData } from './fields.ts';
import { allVariants } from './all-variants.ts';

const inventory = 'inventory-entry';

/** Products hold at most 101 variants, and variants are named by texts of any length, so statements have some each. */
const skusOfQueryMax = 50;

/**
 * An SKU that inventory entries name stays with its variant (catalog 23). One that goes back to what is current was no
 * SKU of the shop yet.
 */
export const skuInInventory: Check = async (engine, { before, after, project }) => {
  if (before === undefined) return undefined;
  const skus = changedSkus(before as unknown as Fixed<Product>, after as unknown as Fixed<Product>);
  const resource = engine.registry.byKind.get(inventory)!;
  for (let start = 0; start < skus.length; start += skusOfQueryMax) {
    const [entry] = await engine.store.query(project, {
      ...queriedKind(engine, resource),
      where: [oneOf(skus.slice(start, start + skusOfQueryMax))],
      sort: [],
      limit: 1,
      offset: 0,
    });
    if (entry === undefined) continue;
    const message = `An SKU that an inventory entry names cannot be changed or removed: the entry '${entry.id}' names one.`;
    return { code: 'InvalidOperation', message };
  }
  return undefined;

  function oneOf(given: readonly string[]): Predicate {
    const variables = new Map([['skus', given]]);
    return parsePredicate('sku in :skus', resource.shape, variables);
  }
};

/** The SKUs that a variant had when it was staged before, and has no more. */
function changedSkus({ masterData: before }: Fixed<Product>, { masterData: after }: Fixed<Product>): readonly string[] {
  const current = skusById(before.current);
  const next = skusById(after.staged);
  return [...skusById(before.staged)].flatMap(([id, sku]) => {
    if (sku === undefined || !next.has(id) || next.get(id) === sku) return [];
    return current.has(id) && current.get(id) === next.get(id) ? [] : [sku];
  });
}

function skusById(data: Fixed<ProductData>): ReadonlyMap<number, string | undefined> {
  return new Map(allVariants(data).map(({ id, sku }) => [id, sku]));
}
