import type { MutantsOfFile } from './mutant.ts';

const differential = 'resources/cart/differential';

export const taxes: readonly MutantsOfFile[] = [
  {
    file: 'pricing/cart/taxes',
    test: 'pricing/cart/taxes',
    rules: {
      '7.2 a rate that is included is divided by': ['includedInPrice ? inverse(withTax) : withTax', 'withTax'],
      '7.2 a rate that is not included makes gross of net': [
        'rate.includedInPrice ? [other, cents] : [cents, other]',
        '[other, cents]',
      ],
      '7.3 each unit is rounded by itself': [
        'scale(price, factor, rounding) * quantity',
        'scale(price * quantity, factor, rounding)',
      ],
      '7.3 units are taxed in their own precision': ['ratio(1n, 10n ** BigInt(moreDigits))', 'ratio(1n, 1n)'],
      '7.4 a rate of nothing has a portion': [
        'if (subRates.length === 0)',
        'if (tax === 0) return []; if (subRates.length === 0)',
      ],
      '7.4 sub-rates share the tax as they are': ['ratioOfDecimal(subRate.amount)', 'ratioOfDecimal(1)'],
      '7.5 portions of one rate and other names stand apart': [
        "`${portion.rate} ${portion.name ?? ''}`",
        '`${portion.rate}`',
      ],
      '7.5 portions of one name and other rates stand apart': [
        "`${portion.rate} ${portion.name ?? ''}`",
        "`${portion.name ?? ''}`",
      ],
      '7.5 portions of one rate and name add up': ['amount: known.amount + portion.amount', 'amount: portion.amount'],
      '7.9 what net loses is rounded, and not what is left': [
        'net: net - scale(net, share, rounding)',
        'net: scale(net, ratio(BigInt(total - off), BigInt(total)), rounding)',
        'resources/cart/differential',
      ],
      '7.9 gross loses the same share': [
        'gross: gross - scale(gross, share, rounding)',
        'gross: gross - scale(net, share, rounding)',
      ],
      '7.9 portions share what tax is left as they are': ['BigInt(amount)', '1n'],
    },
  },
  {
    file: 'pricing/cart/item-taxes',
    test: differential,
    rules: {
      '7.3 UnitPriceLevel taxes units': ["cart.taxCalculation === 'UnitPriceLevel' && ", 'false && '],
      '7.3 a given total is taxed as a whole': [' && of.total === undefined', ''],
      '7.8 a given tax is not below zero': ['net < 0 ? gross <= net : gross >= net', 'true', 'resources/cart/refusals'],
      '7.8 what costs less than nothing is taxed so': [
        'net < 0 ? gross <= net : gross >= net',
        'gross >= net',
        'resources/cart/refusals',
      ],
      '7.8 a given tax goes when the total changes': [
        'taxes.net !== undefined && taxes.net !== total',
        'false',
        'resources/cart/computation',
      ],
      '8.8 an item is taxed where all its units go somewhere': ['=== of.quantity', '>= 0'],
      '8.8 an item is taxed where all its methods are': ['isComplete && known.length === methods.length', 'isComplete'],
      '8.8 a given total is spread over methods by quantities': [
        'of.total === undefined ? BigInt(price) : 1n',
        'BigInt(price)',
        'resources/cart/computation',
      ],
      '8.8 units go to methods in their order': ['let rest = parts', 'let rest = parts.toReversed()'],
    },
  },
  {
    file: 'resources/cart/computation/tax-rates',
    test: differential,
    rules: {
      '7.1 a rate is of the country of the address': ['rate.country === country', 'true'],
      '7.1 the rate of a state counts in that state': ['rates.find((rate) => rate.state === state) ??', ''],
      '7.1 states are told apart by their case': [
        'rate.state === state)',
        'rate.state?.toLowerCase() === state.toLowerCase())',
        'resources/cart/computation',
      ],
      '7.1 an empty state is none': ['!rate.state)', 'rate.state === undefined)', 'resources/cart/computation'],
      '7.1 the rate of a country counts for its states where the project says so': [
        'isCountryEnough ? stateless : undefined',
        'undefined',
      ],
      '7.1 the rate of a country counts for its states only where the project says so': [
        'isCountryEnough ? stateless : undefined',
        'stateless',
      ],
      '7.1 shipping is taxed by the category of its method': [
        'delete info.taxRate;\n    else',
        'delete info.taxRate;\n    else if (false)',
      ],
      '7.1 a line keeps its rate when its product loses its tax category': [
        'known !== undefined && holdsAt(known, place, taxation)',
        'false',
      ],
      '7.1 a line whose product has lost its tax category is not taxed elsewhere': [
        'known !== undefined && holdsAt(known, place, taxation)',
        'known !== undefined',
      ],
      '7.1 the rate of a country that is kept counts for its states only where the project says so': [
        '!place.state || isCountryEnough',
        'true',
        'resources/cart/computation',
      ],
      '7.7 rates that clients gave stay': [
        "if (cart.taxMode !== 'Platform')\n        return;\n    for",
        "if (cart.taxMode === 'Disabled')\n        return;\n    for",
      ],
    },
  },
  {
    file: 'resources/cart/computation/priced',
    test: differential,
    rules: {
      '1.3 line totals are rounded as prices are': [
        'rounding: cart.priceRoundingMode',
        'rounding: cart.taxRoundingMode',
      ],
      '1.3 taxes are rounded as the cart says': ['taxRounding: cart.taxRoundingMode', "taxRounding: 'HalfEven'"],
      '1.4 given prices are rounded half even': [
        "line.priceMode === 'ExternalPrice' &&",
        'false &&',
        'resources/cart/computation',
      ],
      '2.12 a line with a given total is closed to discounts': ['isOpen: !isOfTotal', 'isOpen: true'],
      '3.5 a custom line in the mode External is closed to discounts': [
        "isOpen: item.priceMode === 'Standard'",
        'isOpen: true',
      ],
      '5.4 predicates see no taxes that a client gave': [
        "cart.taxMode === 'ExternalAmount' ? { ...cart, taxMode: 'Disabled' } : cart",
        'cart',
        'resources/cart/computation',
      ],
      '5.23 product discounts stay where discounts stack': [
        '...(isBestDeal && !isHardFrozen &&',
        '...(!isHardFrozen &&',
      ],
      '7.6 in several methods each has its address': [
        "cart.shippingMode === 'Multiple' ? cart.shipping.length > 0 : cart.shippingAddress !== undefined",
        'cart.shippingAddress !== undefined',
        'resources/cart/computation',
      ],
      '7.8 gross is what the client gave': ['gross: totalGross.centAmount', 'gross: totalGross.centAmount + 1'],
      '9.2 a cart that is frozen hard keeps what it had off its total': [
        'onTotal: (cart.discountOnTotalPrice?.includedDiscounts ?? [])',
        'onTotal: []',
      ],
      '9.2 a cart that is frozen hard keeps its discounted prices': [
        'isHardFrozen && item.discountedPricePerQuantity.length > 0 &&',
        'false &&',
      ],
    },
  },
  {
    file: 'resources/cart/actions/taxes',
    test: differential,
    rules: {
      '7.7 rates go with their tax mode': ['if (!isKept)\n            delete part.taxRate;', ''],
      '7.7 taxes of methods are not given ones when the mode changes': [
        'item.taxedPricePortions = [];',
        '',
        'resources/cart/computation',
      ],
      '8.8 amounts are given for the methods of a cart that has several': [
        "if ((shippingMode === 'Multiple') === (named !== undefined))",
        'if (true)',
        'resources/cart/refusals',
      ],
      '8.8 amounts are given for methods that take units of the item': [
        'if (!methodsOf(item, cart).some((each) => each.shippingKey === method))',
        'if (false)',
      ],
      '7.7 rates are given in the mode External alone': ['if (taxMode !== mode)', 'if (false)'],
    },
  },
];
