/** Discount codes and direct discounts of a cart. */
import { action, invalidOperation, withGraphqlMembers } from '../../../engine/actions.ts';
import type { Action, ApplyContext } from '../../../engine/resource.ts';
import { ApiError, apiError } from '../../../errors/api-error.ts';
import { required } from '../../../fields/field.ts';
import { list } from '../../../fields/list.ts';
import { reference } from '../../../fields/reference.ts';
import { text } from '../../../fields/scalar.ts';
import { valueFault } from '../../cart-discount/offers.ts';
import { directDiscountDraft } from '../discounted-fields.ts';
import type { Cart } from '../fields.ts';
import { directDiscountsMax, discountCodesMax } from '../limits.ts';
import { isFrozenHard } from './states.ts';

/** Code units of a code that nobody has, which an error tells. */
const shownLengthMax = 256;
const code = { code: required(text(['SUMMER'])) };

/** What a code is looked up by; codes are told apart by their case. */
export function codeHolders(codes: readonly string[]): ReturnType<NonNullable<Action['holders']>> {
  return codes.map((value) => ({ kind: 'discount-code', unique: { field: 'code', value } }));
}

/** Whether the code can be used is judged when the cart is computed, which hears of it in `said`. */
export function addCode(cart: Cart, given: string, { found, said }: ApplyContext): void {
  const discountCode = found.holder('discount-code', 'code', given);
  if (discountCode === undefined) {
    const shown = shownOf(given);
    throw apiError('DiscountCodeNonApplicable', `There is no discount code '${shown}'.`, {
      discountCode: shown,
      reason: 'DoesNotExist',
    });
  }
  if (cart.directDiscounts.length > 0) throw exclusive();
  const { id } = discountCode;
  if (cart.discountCodes.some((known) => known.discountCode.id === id)) return;
  if (cart.discountCodes.length >= discountCodesMax)
    throw invalidOperation(`A cart has at most ${discountCodesMax} discount codes.`);
  cart.discountCodes.push({ discountCode: { typeId: 'discount-code', id }, state: 'DoesNotMatchCart' });
  said.add(addedCodeName(id));
  if (cart.cartState === 'Frozen') said.add(codeOfFrozenName(id));
}

/** Its beginning, without the half of a character at which it would end. */
function shownOf(code: string): string {
  return code.slice(0, shownLengthMax).replace(/\p{Surrogate}$/u, '');
}

/** Said of codes that a request has added, which have to be usable. */
export function addedCodeName(id: string): string {
  return `added code ${id}`;
}

/** Said of those that were added to a frozen cart, which may not change it. */
export function codeOfFrozenName(id: string): string {
  return `added code ${id} to a frozen cart`;
}

function exclusive(): Error {
  return invalidOperation('A cart has either discount codes or direct discounts.');
}

/** GraphQL asks for a check that REST does not have: a code that is there already is none that changes anything. */
const adding = withGraphqlMembers(
  action(code, (cart: Cart, given, context) => addCode(cart, given.code, context)),
  { name: 'validateDuplicates', type: 'Boolean = false' },
);

export const addDiscountCode: Action = {
  ...adding,
  holders: (input) => codeHolders([String(input['code'])]),
};

/** The one that the example of a cart has. */
const example = { typeId: 'discount-code', key: 'example-discount-code-summer' };

export const removeDiscountCode = action(
  {
    discountCode: required({ ...reference('discount-code', 'DiscountCode', { mayBeGone: true }), examples: [example] }),
  },
  (cart: Cart, { discountCode }, { found }) => {
    const { discountCodes } = cart;
    const removed = discountCodes.find((known) => known.discountCode.id === discountCode.id);
    if (removed === undefined) throw invalidOperation(`The cart has no discount code '${discountCode.id}'.`);
    // One that takes nothing, or is nobody's any more, may go: with it the cart could not be ordered.
    const isThere = found.one('discount-code', discountCode.id) !== undefined;
    if (isFrozenHard(cart) && removed.state === 'MatchesCart' && isThere)
      throw invalidOperation(`The cart is frozen hard, and the discount code '${discountCode.id}' takes part in it.`);
    cart.discountCodes = discountCodes.filter((known) => known !== removed);
  },
);

export const setDirectDiscounts = action(
  { discounts: required(list(directDiscountDraft)) },
  (cart: Cart, { discounts }, { newId }) => {
    if (discounts.length > directDiscountsMax)
      throw invalidOperation(`A cart has at most ${directDiscountsMax} direct discounts.`);
    if (discounts.length > 0 && cart.discountCodes.length > 0) throw exclusive();
    const [fault, ...others] = discounts.flatMap((discount) => valueFault(discount) ?? []);
    if (fault !== undefined) throw new ApiError([fault, ...others]);
    cart.directDiscounts = discounts.map((discount) => ({ id: newId(), ...discount }));
  },
);
