/** What carts use of cart discounts besides their fields: which values go with which targets. */
import type { Fixed } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { Tagged } from '../../fields/one-of.ts';

interface Given {
  readonly value: Fixed<Tagged>;
  readonly target?: Fixed<Tagged> | undefined;
}

/** Prices are those of units: nothing of shipping or of the total has one. */
const withoutPrices: ReadonlySet<string> = new Set(['shipping', 'totalPrice']);

/** Of which some units alone are cheaper. */
const multiBuys: ReadonlySet<string> = new Set(['multiBuyLineItems', 'multiBuyCustomLineItems']);

/** Why a discount, of a cart or for carts, cannot be applied to any (carts 5.13, 5.14 and 5.21). */
export function valueFault({ value, target }: Given): ErrorElement | undefined {
  if (value.type === 'giftLineItem') {
    if (target === undefined) return undefined;
    return { code: 'InvalidInput', message: "A discount with the value 'giftLineItem' has no target." };
  }
  if (target === undefined)
    return { code: 'InvalidInput', message: `A discount with the value '${value.type}' needs a target.` };
  const isMisplaced =
    (value.type === 'fixed' && withoutPrices.has(target.type)) ||
    (value.type === 'absolute' && multiBuys.has(target.type));
  if (isMisplaced)
    return {
      code: 'InvalidInput',
      message: `The value '${value.type}' of a discount does not go with the target '${target.type}'.`,
    };
  return modeFault(value, target) ?? amountsFault(value);
}

/**
 * Of percentages a pattern alone knows modes. What it takes is spread over the units that trigger it as well, which there
 * have to be then.
 */
function modeFault({ type, applicationMode }: Fixed<Tagged>, target: Fixed<Tagged>): ErrorElement | undefined {
  if (type !== 'relative' || applicationMode === undefined) return undefined;
  const mode = applicationMode as string;
  if (target.type !== 'pattern')
    return {
      code: 'InvalidOperation',
      message: `A relative discount with the applicationMode '${mode}' needs the target 'pattern', but has '${target.type}'.`,
    };
  // The member is that of patterns.
  const isTriggered = (target['triggerPattern'] as readonly unknown[]).length > 0;
  if (mode === 'IndividualApplication' || isTriggered) return undefined;
  return {
    code: 'InvalidOperation',
    message: `A relative discount with the applicationMode '${mode}' needs a triggerPattern that is not empty.`,
  };
}

function amountsFault({ type, money }: Fixed<Tagged>): ErrorElement | undefined {
  if (money === undefined) return undefined;
  // The member is that of the forms that have it.
  const currencies = (money as readonly { readonly currencyCode: string }[]).map(({ currencyCode }) => currencyCode);
  if (currencies.length > 0 && new Set(currencies).size === currencies.length) return undefined;
  return {
    code: 'InvalidOperation',
    message: `The value '${type}' of a discount needs one amount of money for each currency, but has [${currencies.join(', ')}].`,
  };
}
