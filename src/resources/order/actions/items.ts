/** The units of an item: in which states they are, and where they are shipped to. */
import { action, invalidOperation } from '../../../engine/actions.ts';
import type { PartNames } from '../../../engine/parts.ts';
import type { Action } from '../../../engine/resource.ts';
import { ApiError } from '../../../errors/api-error.ts';
import { type Fields, optional, required } from '../../../fields/field.ts';
import { list } from '../../../fields/list.ts';
import { object } from '../../../fields/object.ts';
import type { Reference } from '../../../fields/parsing.ts';
import { givenById } from '../../../fields/reference.ts';
import { dateTime, integer } from '../../../fields/scalar.ts';
import { settleDetailsOf } from '../../cart/actions/shipping-details.ts';
import type { CustomLineItem, LineItem } from '../../cart/item-fields.ts';
import { requireTransition, stateOfType } from '../../state/offers.ts';
import { detailsError } from '../checks.ts';
import type { Order } from '../fields.ts';
import { type ItemStates, mergedStates, movedStates, statesFault } from '../item-states.ts';

type Named<Names extends string> = Readonly<Partial<Record<Names, string>>>;
type ItemOf<Names extends string> = (order: Order, input: Named<Names>) => LineItem | CustomLineItem;

const state = stateOfType('LineItemState');
export const itemStates = list(
  object(
    'ItemState',
    {
      quantity: required(integer()),
      state: required(givenById(state)),
    },
    { input: 'ItemStateDraftType' },
  ),
);

interface Transition {
  readonly quantity: number;
  readonly fromState: Reference;
  readonly toState: Reference;
}

/** The actions of a kind of items. */
export function itemActions<Names extends string>(
  identifier: PartNames<Names>['identifier'],
  itemOf: ItemOf<Names>,
): { readonly transition: Action; readonly importStates: Action } {
  const names = identifier as Fields;
  return {
    transition: action(
      {
        ...names,
        quantity: required(integer({ min: 1 })),
        fromState: required(state),
        toState: required(state),
        actualTransitionDate: optional(dateTime()),
      },
      (order: Order, input, { found }) => {
        // Parsed by the kinds of the members.
        const { quantity, fromState: from, toState: to } = input as unknown as Transition;
        const item = itemOf(order, input as unknown as Named<Names>);
        const moved = movedStates(item.state, { quantity, from, to });
        requireTransition(found, { before: from, next: to });
        item.state = moved;
      },
    ),
    importStates: action({ ...names, state: required(itemStates) }, (order: Order, input) => {
      const item = itemOf(order, input as unknown as Named<Names>);
      const given = input['state'] as ItemStates;
      const fault = statesFault(given, item.quantity);
      if (fault !== undefined) throw invalidOperation(fault);
      item.state = mergedStates(given);
    }),
  };
}

/** The action that sets where the units of an item go, in an order, where that has to be said of all of them. */
export function wholeDetails<Names extends string>(declared: Action, itemOf: ItemOf<Names>): Action {
  return {
    ...declared,
    apply: (document, input, context) => {
      declared.apply(document, input, context);
      // The engine calls it with orders.
      const order = document as unknown as Order;
      const item = itemOf(order, input as Named<Names>);
      settleDetailsOf([item], order);
      if (item.shippingDetails?.valid === false) throw new ApiError([detailsError(item, item.id)]);
    },
  };
}
