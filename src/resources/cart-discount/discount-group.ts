/** A cart discount in a group: it has the place of the group, and takes something off items. */
import { action, invalidOperation } from '../../engine/actions.ts';
import type { FollowingDeclaration } from '../../engine/define.ts';
import type { Fixed, TakenValue, UniqueValue } from '../../engine/document.ts';
import type { Check, Computation } from '../../engine/resource.ts';
import { queriedKind } from '../../engine/operations/query.ts';
import { apiError, type ErrorElement } from '../../errors/api-error.ts';
import { optional, required } from '../../fields/field.ts';
import { parsePredicate } from '../../predicate/parser.ts';
import { groupOf, heldPlace } from '../discount-group/offers.ts';
import { type CartDiscount, fields } from './fields.ts';

/** Discounts that one group may have; the public API has this limit. */
const discountsPerGroupMax = 100;

const sortOrder = fields.sortOrder.kind;

/** Who leaves a group needs a place of its own. */
export const setDiscountGroup = action(
  { discountGroup: fields.discountGroup, sortOrder: optional(sortOrder) },
  (discount: CartDiscount, { discountGroup, sortOrder: place }) => {
    if (discountGroup !== undefined) {
      discount.discountGroup = discountGroup;
      return;
    }
    if (place === undefined)
      throw apiError('RequiredField', 'A cart discount without a group needs a sortOrder.', { field: 'sortOrder' });
    delete discount.discountGroup;
    discount.sortOrder = place;
  },
);

export const changeSortOrder = action({ sortOrder: required(sortOrder) }, (discount: CartDiscount, input) => {
  if (discount.discountGroup !== undefined)
    throw invalidOperation(
      'The cart discount has the sortOrder of its group. Change that, or take it out of the group.',
    );
  discount.sortOrder = input.sortOrder;
});

export const placeOfGroup: Computation<CartDiscount> = {
  reads: { 'discount-group': ['discountGroup.id'] },
  readsAll: [],
  compute: (discount, found) => {
    const group = discount.discountGroup && groupOf(found, discount.discountGroup);
    if (group !== undefined) discount.sortOrder = group.sortOrder;
  },
};

export const follows: readonly FollowingDeclaration[] = [
  {
    kind: 'discount-group',
    where: (ids) => `discountGroup(id in (${ids.map((id) => JSON.stringify(id)).join(', ')}))`,
    mark: ({ document }) => String(document['sortOrder']),
  },
];

/** The place of a group is the group's, and each in it is one of so many. */
export function heldPlaces({ discountGroup, sortOrder: place }: Fixed<CartDiscount>): readonly UniqueValue[] {
  if (discountGroup === undefined) return [heldPlace(place)];
  return [{ field: 'discountGroup', value: discountGroup.id, holdersMax: discountsPerGroupMax }];
}

/** What a cart discount is refused with that enters a group when rivals have. */
export function groupAtLimit({ field, value }: TakenValue): ErrorElement | undefined {
  return field === 'discountGroup' ? groupIsFull(String(value)) : undefined;
}

const itemTargets: ReadonlySet<string> = new Set([
  'lineItems',
  'customLineItems',
  'multiBuyLineItems',
  'multiBuyCustomLineItems',
]);

/** The best of a group is the one that takes most off items. */
export function itemsInGroup({ discountGroup, target }: Fixed<CartDiscount>): ErrorElement | undefined {
  if (discountGroup === undefined || (target !== undefined && itemTargets.has(target.type))) return undefined;
  const what = target === undefined ? 'no target' : `the target '${target.type}'`;
  const message = `A cart discount in a group has items as its target, but this one has ${what}.`;
  return { code: 'InvalidInput', message };
}

export const groupWithinLimit: Check = async (engine, { project, before, after }) => {
  const [was, is] = [before, after].map((document) => (document as Fixed<CartDiscount> | undefined)?.discountGroup?.id);
  if (is === undefined || is === was) return undefined;
  const resource = engine.registry.byKind.get('cart-discount')!;
  const where = [parsePredicate(`discountGroup(id = "${is}")`, resource.shape)];
  const count = await engine.store.count(project, { ...queriedKind(engine, resource), where });
  return count < discountsPerGroupMax ? undefined : groupIsFull(is);
};

function groupIsFull(id: string): ErrorElement {
  const message = `The discount group '${id}' has ${discountsPerGroupMax} cart discounts, which is the limit.`;
  return { code: 'InvalidOperation', message };
}
