/** How many cart discounts may be active at once, of those that need no code: each cart tries all of its store. */
import type { Fixed, TakenValue, UniqueValue } from '../../engine/document.ts';
import { oneOf, queriedKind } from '../../engine/operations/query.ts';
import type { Check, Engine } from '../../engine/resource.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { Predicate, Test } from '../../predicate/ast.ts';
import { parsePredicate } from '../../predicate/parser.ts';
import type { CartDiscount } from './fields.ts';

/** Of a project those that are of no store, and of each store its own; the public API has these limits. */
const activeDiscountsMax = 100;
/** That one cart discount names. */
const storesMax = 500;

export function storesWithinLimit({ stores }: Pick<Fixed<CartDiscount>, 'stores'>): ErrorElement | undefined {
  if (stores.length <= storesMax) return undefined;
  const message = `Maximum number of store discounts on a single cart discount reached ${storesMax}.`;
  return { code: 'MaxStoreReferencesReached', message };
}

type Place = Pick<Fixed<CartDiscount>, 'isActive' | 'requiresDiscountCode' | 'stores'>;

/** Of those that are tried by all carts, or by all of a store, the database has so many at most. */
export function heldActive(discount: Fixed<CartDiscount>): readonly UniqueValue[] {
  if (!isTriedAlways(discount)) return [];
  const { stores } = discount;
  if (stores.length === 0) return [{ field: 'isActive', value: 'true', holdersMax: activeDiscountsMax }];
  const keys = new Set(stores.map(({ key }) => key));
  return [...keys].map((value) => ({ field: 'stores', value, holdersMax: activeDiscountsMax }));
}

/** What a cart discount is refused with that becomes active when rivals have. */
export function activeAtLimit({ field, value }: TakenValue): ErrorElement | undefined {
  if (field === 'isActive') return tooManyActive();
  return field === 'stores' ? tooManyInStores([String(value)]) : undefined;
}

/** A discount that becomes active for all carts, or for those of a store, is one of so many. All full stores are told at once. */
export const activeWithinLimit: Check = async (engine, { project, before, after }) => {
  // The engine calls it with cart discounts.
  const [was, is] = [before, after] as unknown as [Place | undefined, Place];
  if (!isTriedAlways(is)) return undefined;
  const count = (stores: Test): Promise<number> => countActive(engine, project, stores);
  if (is.stores.length === 0) {
    const isNew = was === undefined || !isTriedAlways(was) || was.stores.length > 0;
    if (!isNew || (await count({ kind: 'empty', isNegated: false })) < activeDiscountsMax) return undefined;
    return tooManyActive();
  }
  const known = new Set(was !== undefined && isTriedAlways(was) ? was.stores.map(({ key }) => key) : []);
  const keys = is.stores.map(({ key }) => key).filter((key) => !known.has(key));
  const full = await fullStores(keys, count);
  return full.length === 0 ? undefined : tooManyInStores(full);
};

function tooManyActive(): ErrorElement {
  const message = `Maximum number of active cart discounts reached (${activeDiscountsMax}).`;
  return { code: 'MaxCartDiscountsReached', message };
}

function tooManyInStores(keys: readonly string[]): ErrorElement {
  return {
    code: 'StoreCartDiscountsLimitReached',
    message: `Maximum number of active cart discounts reached for ${keys.join(', ')}.`,
    stores: keys.map((key) => ({ typeId: 'store', key })),
  };
}

/** A code is not needed for it. */
function isTriedAlways({ isActive, requiresDiscountCode }: Place): boolean {
  return isActive && !requiresDiscountCode;
}

function countActive(engine: Engine, project: string, test: Test): Promise<number> {
  const resource = engine.registry.byKind.get('cart-discount')!;
  const active = parsePredicate('isActive = true and requiresDiscountCode = false', resource.shape);
  const where: readonly Predicate[] = [active, { kind: 'field', name: 'stores', holds: 'list', test }];
  return engine.store.count(project, { ...queriedKind(engine, resource), where });
}

/** Where all of the stores together have fewer, each has, so that what names many is one query but for a full store. */
async function fullStores(
  keys: readonly string[],
  count: (stores: Test) => Promise<number>,
): Promise<readonly string[]> {
  if (keys.length === 0) return [];
  const countIn = (stores: readonly string[]): Promise<number> =>
    count({ kind: 'group', predicate: oneOf('key', stores) });
  if ((await countIn(keys)) < activeDiscountsMax) return [];
  const full: string[] = [];
  for (const key of keys) if ((await countIn([key])) >= activeDiscountsMax) full.push(key);
  return full;
}
