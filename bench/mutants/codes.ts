import type { MutantsOfFile } from './mutant.ts';

const differential = 'resources/cart/differential';

export const codes: readonly MutantsOfFile[] = [
  {
    file: 'resources/cart/computation/codes',
    test: differential,
    rules: {
      '6.1 a code outside its dates is refused': [
        'if (isWithin(code, now))\n        return undefined;',
        'return undefined;',
      ],
      '6.1 a code all whose discounts are outside their dates is refused': [
        'discounts.some((discount) => isInForce(discount, now))',
        'true',
      ],
      '6.1 a code all whose discounts are of other stores is refused': [
        'discounts.some(({ stores }) => isForStore(stores, cart.store))',
        'true',
      ],
      '6.3 a code that is not active is NotActive': ['!code.isActive || active.length === 0', 'active.length === 0'],
      '6.3 a code all whose discounts are not active is NotActive': [
        '!code.isActive || active.length === 0',
        '!code.isActive',
      ],
      '6.3 a code outside its dates is NotValid': [
        '!isWithin(code, now) || inForce.length === 0',
        'inForce.length === 0',
      ],
      '6.3 a code all whose discounts are outside their dates is NotValid': [
        '!isWithin(code, now) || inForce.length === 0',
        '!isWithin(code, now)',
        'resources/cart/computation',
      ],
      '6.3 NotActive goes before NotValid': [
        'if (!code.isActive ||',
        "if (!isWithin(code, now)) return 'NotValid'; if (!code.isActive ||",
      ],
      '6.3 a code that was used so often has reached its maximum': [
        'applicationCount >= maxApplications ||',
        'applicationCount > maxApplications ||',
      ],
      '6.3 MaxApplicationReached goes before DoesNotMatchCart': [
        'if (isUsedUp(code,',
        'if ((code.cartPredicate === undefined || holds(code.cartPredicate)) && isUsedUp(code,',
      ],
      '6.3 a code of another store does not match': ['!isForStore(code.stores, cart.store) ||', ''],
      '6.3 a code whose predicate is false does not match': ['|| !isMatching', ''],
      '6.3 a code none of whose discounts matches does not match': [
        "fitting.length === 0 ? 'DoesNotMatchCart' : undefined",
        'undefined',
      ],
      '6.3 a code was stopped where all its discounts were': [
        "matching.every((outcome) => outcome === 'stopped')",
        "matching.some((outcome) => outcome === 'stopped')",
      ],
      '6.3 a code lost in its groups where all its discounts did': [
        "matching.every((outcome) => outcome === 'worseThanOthersOfGroup')",
        "matching.some((outcome) => outcome === 'worseThanOthersOfGroup')",
      ],
      '6.3 discounts that do not match have no say': [
        "known.filter((outcome) => outcome !== 'doesNotMatchCart')",
        'known',
      ],
      '6.6 a code may not change a frozen cart': [
        "said.has(codeOfFrozenName(code.id)) && refused !== 'DoesNotMatchCart'",
        'false',
      ],
    },
  },
  {
    file: 'resources/cart/computation/computation',
    test: differential,
    rules: {
      '5.1 a code that was refused brings nothing': ['codes.filter(({ refused }) => refused === undefined)', 'codes'],
      '5.19 a gift that was refused stays off': ['cart.refusedGifts.some((refused) => refused.id === id)', 'false'],
      '5.19 the price of a gift follows the platform': [
        'if (isKnown && !isFrozen)',
        'if (false)',
        'resources/cart/computation',
      ],
      '6.3 a code that has gone is NotActive': [
        "state ?? 'NotActive'",
        "state ?? 'MatchesCart'",
        'resources/cart/computation',
      ],
      '7.8 the tax of a cart is not below zero': ['net === undefined && isPlain', 'false', 'resources/cart/refusals'],
      '7.8 that of a cart with vouchers may be': [
        'net === undefined && isPlain',
        'net === undefined',
        'resources/cart/refusals',
      ],
      '7.8 the tax of a cart goes when its total changes': ['net !== undefined && net.centAmount !== total', 'false'],
      '9.2 a frozen cart keeps its prices': [
        'if (!isFrozen)\n                selectPrices',
        'if (true)\n                selectPrices',
      ],
      '9.2 a cart is priced once more when it is frozen': [' && !said.has(freezesNow)', ''],
      '9.2 a cart that is frozen hard keeps its shipping rate': [
        'if (!isHardFrozen)\n        working.stuck',
        'if (true)\n        working.stuck',
        'resources/cart/computation',
      ],
      '9.2 a cart that is frozen hard keeps its discounts': ['isHardFrozen ? [] : placesFor', 'false ? [] : placesFor'],
      '9.2 a cart that is frozen hard keeps the states of its codes': [
        '{ cart, codes, computed, isHardFrozen }) {\n    if (isHardFrozen)',
        '{ cart, codes, computed, isHardFrozen }) {\n    if (false)',
        'resources/cart/computation',
      ],
      '9.2 a cart that is frozen hard keeps the states of its methods': [
        'said, stuck, isHardFrozen } = working;\n    if (isHardFrozen)',
        'said, stuck = new Set(), isHardFrozen } = working;\n    if (false)',
        'resources/cart/computation',
      ],
      '9.2 a cart that is frozen soft moves on with its discounts': [
        "isFrozen && cart.freezeStrategy === 'HardFreeze'",
        'isFrozen',
        'resources/cart/computation',
      ],
    },
  },
];
