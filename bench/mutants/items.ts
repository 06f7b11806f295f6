import type { MutantsOfFile } from './mutant.ts';

const differential = 'resources/cart/differential';
const refusals = 'resources/cart/refusals';

export const items: readonly MutantsOfFile[] = [
  {
    file: 'resources/cart/actions/line-items',
    test: differential,
    rules: {
      '2.11 a line with an external price needs one for a new quantity': [
        "line.priceMode === 'ExternalPrice' && !isGiven",
        'false',
      ],
      '2.12 a new quantity ends an external total': ["isGiven || line.priceMode === 'ExternalTotal'", 'isGiven'],
      '3.1 what is not published cannot be added': ['const variant = published\n', 'const variant = current\n'],
      '3.2 another variant is another line': ['line.variant.id === variant.id &&', '', 'resources/cart/computation'],
      '3.2 a gift takes no units': ["line.lineItemMode === 'Standard' &&", ''],
      '3.2 a line whose price was given takes no units': ["line.priceMode === 'Platform' &&", ''],
      '3.2 a given price makes another line': ['draft.externalPrice === undefined &&', ''],
      '3.2 a given total makes another line': ['draft.externalTotalPrice === undefined &&', ''],
      '3.2 another supply channel is another line': ['line.supplyChannel?.id === draft.supplyChannel?.id &&', ''],
      '3.2 another distribution channel is another line': [
        'line.distributionChannel?.id === draft.distributionChannel?.id',
        'true',
      ],
      '3.2 other custom fields are another line': [' && hasSameCustom(line)', ''],
      '3.2 quantities of equal lines add up': ['same.quantity += draft.quantity', 'same.quantity = draft.quantity'],
      '3.3 no units left remove the line': ['if (input.quantity <= 0)', 'if (input.quantity < 0)'],
      '3.8 an order names all lines once': [
        'ordered.length !== byId.size || lineItemOrder.length !== byId.size',
        'false',
      ],
      '3.10 a cart has at most 500 lines': ['count > lineItemsMax', 'count > lineItemsMax + 1', refusals],
      '5.19 the quantity of a gift is what its discount says': [
        "line.lineItemMode === 'GiftLineItem' && (isGiven || input.quantity !== line.quantity)",
        'false',
      ],
      '5.19 the channels of a gift are those of its discount': [
        "line.lineItemMode !== 'Standard'",
        'false',
        'resources/cart/computation',
      ],
      '5.19 a gift that was removed is refused': [
        "cart.refusedGifts.push({ typeId: 'cart-discount', id: discount.id })",
        'void 0',
      ],
    },
  },
  {
    file: 'resources/cart/actions/custom-line-items',
    test: differential,
    rules: {
      '3.4 a slug stands for one thing': [
        'if (!hasSameContent(known, draft) || !withCustomOf(draft, context)(known))',
        'if (false)',
      ],
      '3.4 another amount is another thing': ["['name', 'money', 'taxCategory']", "['name', 'taxCategory']"],
      '3.4 another tax category is another thing': ["['name', 'money', 'taxCategory']", "['name', 'money']"],
      '3.4 other custom fields are another thing': [' || !withCustomOf(draft, context)(known)', ''],
      '3.4 quantities of equal things add up': ['known.quantity += draft.quantity', 'known.quantity = draft.quantity'],
      '3.4 the platform taxes what has a tax category': [
        "cart.taxMode === 'Platform' && draft.taxCategory === undefined",
        'false',
        refusals,
      ],
      '3.10 a cart has at most 100 custom lines': [
        'count > customLineItemsMax',
        'count > customLineItemsMax + 1',
        refusals,
      ],
    },
  },
  {
    file: 'resources/cart/actions/shipping-details',
    test: differential,
    rules: {
      '3.7 targets are valid where they have all units': [', 0) === quantity', ', 0) <= quantity'],
      '3.7 a target without units is none': ['.filter(({ quantity }) => quantity > 0)', '', refusals],
      '3.7 targets lead to addresses of the cart': ['if (!addresses.has(addressKey))', 'if (false)', refusals],
      '8.8 in a cart with several methods targets name one': [
        "shippingMode === 'Multiple' && target !== undefined",
        'false',
        refusals,
      ],
      '8.8 targets name methods of the cart': ['methods.has(shippingMethodKey)', 'true', refusals],
    },
  },
  {
    file: 'resources/cart/actions/discounts',
    test: differential,
    rules: {
      '3.10 a cart has at most 10 codes': [
        'cart.discountCodes.length >= discountCodesMax',
        'cart.discountCodes.length > discountCodesMax',
        refusals,
      ],
      '6.1 a code that is there already changes nothing': [
        'if (cart.discountCodes.some((known) => known.discountCode.id === id))',
        'if (false)',
      ],
      '6.1 a code that nobody knows is refused': [
        "apiError('DiscountCodeNonApplicable', `There is no",
        "apiError('InvalidInput', `There is no",
        refusals,
      ],
      '6.2 a cart with direct discounts takes no codes': ['if (cart.directDiscounts.length > 0)', 'if (false)'],
      '6.2 a cart with codes takes no direct discounts': [
        'discounts.length > 0 && cart.discountCodes.length > 0',
        'false',
      ],
      '9.2 a cart that is frozen hard keeps its codes': [
        "isFrozenHard(cart) && removed.state === 'MatchesCart' && isThere",
        'false',
        'resources/cart/computation',
      ],
      '9.2 a cart that is frozen hard loses a code that takes nothing': [
        " && removed.state === 'MatchesCart'",
        '',
        'resources/cart/computation',
      ],
      '9.2 a cart that is frozen hard loses a code that has gone': [' && isThere', '', 'resources/cart/computation'],
    },
  },
  {
    file: 'resources/cart/actions/states',
    test: differential,
    rules: {
      '9.1 a cart that was ordered changes no more': [
        "cartState === 'Ordered' || cartState === 'Merged'",
        "cartState === 'Merged'",
        refusals,
      ],
      '9.2 a frozen cart is not frozen again': ["if (cart.cartState !== 'Active')", 'if (false)', refusals],
      '9.2 an empty cart cannot be frozen': [
        'if (cart.lineItems.length + cart.customLineItems.length === 0)',
        'if (false)',
      ],
      '9.2 a frozen cart takes no lines': ["'addLineItem',\n", ''],
      '9.2 lines of a frozen cart keep their quantities': ["'changeLineItemQuantity',\n", ''],
      '9.2 lines of a frozen cart are given no prices': ["'setLineItemPrice',\n", ''],
      '9.2 a frozen cart keeps its tax mode': ["'changeTaxMode',\n", ''],
      '9.2 a cart that is frozen hard keeps its shipping method': [
        "'setShippingMethod',\n",
        '',
        'resources/cart/refusals',
      ],
      '9.2 a cart that is frozen hard keeps its methods where there are several': [
        "'removeShippingMethod',\n",
        '',
        'resources/cart/refusals',
      ],
      '9.2 a cart that is frozen hard keeps its direct discounts': [
        "'setDirectDiscounts',\n",
        '',
        'resources/cart/refusals',
      ],
      '9.2 a cart that is frozen hard keeps its address': [
        "isHard && name === 'setShippingAddress'",
        'false',
        'resources/cart/refusals',
      ],
      '9.2 a cart that is frozen hard without shipping has an address to lose': [
        'shippingInfo !== undefined && ',
        '',
        'resources/cart/refusals',
      ],
      '9.2 a cart that is frozen soft may be shipped otherwise': ['isHard = isFrozenHard(cart)', 'isHard = true'],
    },
  },
  {
    file: 'resources/cart/computation/quantity-limits',
    test: 'resources/cart/quantity-limits',
    rules: {
      '3.9 a line has at least the quantity that its stock says': [
        'if (quantity < minCartQuantity)',
        'if (quantity <= minCartQuantity)',
      ],
      '3.9 a line has at most the quantity that its stock says': [
        'if (quantity > maxCartQuantity)',
        'if (quantity >= maxCartQuantity)',
      ],
      '3.9 too few units are refused': ['if (quantity < minCartQuantity)', 'if (false)'],
      '3.9 too many units are refused': ['if (quantity > maxCartQuantity)', 'if (false)'],
    },
  },
  {
    file: 'resources/cart/computation/write',
    test: differential,
    rules: {
      '3.6 without lines there is no total quantity': [
        'cart.lineItems.length === 0 ? undefined : quantity',
        'quantity',
      ],
      '3.6 gifts count': [
        'cart.lineItems.reduce((sum, line) => sum + line.quantity, 0)',
        'lines.reduce((sum, line) => sum + line.quantity, 0)',
      ],
      '5.18 a discount on the total says what net and gross lost': ['...(offTaxed !== undefined &&', '...(false &&'],
      '5.19 a gift takes off all that it is worth': [
        'discountedAmount: moneyOf(of.price, precision)',
        'discountedAmount: moneyOf(0, precision)',
      ],
      '5.19 gifts go with their discounts': ["line.lineItemMode === 'Standard' || gifts.includes(line)", 'true'],
      '5.20 lines that no discount touched have no prices per quantity': [
        'if (parts.every(({ portions }) => portions.length === 0))',
        'if (false)',
      ],
      '5.23 the better kind is that of any line': ['portions.length > 0)', 'portions.length > 1)'],
    },
  },
];
