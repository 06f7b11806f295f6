import type { MutantsOfFile } from './mutant.ts';

const differential = 'resources/cart/differential';

export const discounts: readonly MutantsOfFile[] = [
  {
    file: 'pricing/cart/values',
    test: 'pricing/cart/values',
    rules: {
      '5.8 a price is rounded, and not what is taken off it': [
        'price - scale(price, value.rest, rounding)',
        'scale(price, { numerator: value.rest.denominator - value.rest.numerator, denominator: value.rest.denominator, plain: undefined }, rounding)',
      ],
      '5.8 prices are rounded as the cart says': [
        'price - scale(price, value.rest, rounding)',
        "price - scale(price, value.rest, 'HalfEven')",
      ],
      '5.9 no unit costs less than nothing': ['Math.min(price, inDigits(', 'Math.max(0, inDigits('],
      '5.9 amounts are in the precision of the price': ['picked.item.fractionDigits - fractionDigits)', '0)'],
      '5.13 a fixed price raises none': [
        'Math.max(0, price - unitsInDigits',
        'Math.max(-Infinity, price - unitsInDigits',
      ],
      '5.10 no more is spread than units cost': ['cents < all ? cents : all', 'cents'],
      '5.12 whole cents alone are spread': [
        'units > 0n ? units / perCent : 0n',
        'units > 0n ? (units + perCent - 1n) / perCent : 0n',
      ],
      '5.11 EvenDistribution spreads over units': [
        "value.mode === 'EvenDistribution' ? spreadEvenly : spreadByPrice",
        'spreadByPrice',
      ],
      '5.16 a relative amount is spread over targets and triggers': [
        "value.type === 'relative' ? affected.spreadOver.filter(costs) : targeted",
        'targeted',
      ],
      '5.16 other amounts are spread over targets alone': [
        "value.type === 'relative' ? affected.spreadOver.filter(costs) : targeted",
        'affected.spreadOver.filter(costs)',
        'resources/cart/differential',
      ],
      '5.16 a fixed price is that of all targets together': [
        'cost * perUnit - unitsOf(money) * perCent',
        'cost * perUnit - unitsOf(money) * perCent * BigInt(targets.length)',
      ],
      '5.16 what is left of a relative amount is rounded': [
        'divideRounded(cost * numerator, denominator * perCent, rounding)',
        '(cost * numerator) / (denominator * perCent)',
        'resources/cart/differential',
      ],
      '5.17 shipping costs no less than nothing': [
        'Math.min(cents, value.money.get(currencyCode) ?? 0)',
        '(value.money.get(currencyCode) ?? 0)',
        differential,
      ],
      '5.18 nothing is taken off a total below zero': ['if (cents <= 0)', 'if (false)', differential],
      '5.21 a discount without the currency does nothing': [
        "value.type === 'relative' || value.money.has(currencyCode)",
        'true',
        differential,
      ],
      '5.9 what is given with money loses nothing': ['if (price <= 0)', 'if (false)'],
    },
  },
  {
    file: 'pricing/cart/spread',
    test: 'pricing/cart/spread',
    rules: {
      '5.10 cents go to the largest remainders': [
        'parts[other].lost - parts[one].lost',
        'parts[one].lost - parts[other].lost',
      ],
      '5.10 of equal remainders the first in the cart has the cent': [
        '1 : one - other',
        '1 : other - one',
        'resources/cart/differential',
      ],
      '5.10 shares are as prices are': ['base: (cents * price) / total,', 'base: 0n,'],
      '5.11 what cheap units leave is shared anew': ['if (cheap.length === 0) {', 'if (true) {'],
      '5.11 cents that are left go to the first units': [
        'order: [...shares.keys()] })',
        'order: [...shares.keys()].reverse() })',
        'resources/cart/differential',
      ],
      '5.10 no unit goes below zero for a cent that is left': ['(base + 1n) * perCent <= price', 'true'],
    },
  },
  {
    file: 'pricing/cart/targets',
    test: 'pricing/cart/targets',
    rules: {
      '5.7 closed lines keep their prices': ['item.isOpen && ', ''],
      '5.7 a target is of lines or of custom lines': ['item.kind === kind && ', ''],
      '5.7 a target is of what matches': [' && matches(item.facts)', ''],
      '5.14 a multi-buy needs full sets': [
        'Math.floor(count / target.triggerQuantity)',
        'Math.ceil(count / target.triggerQuantity)',
      ],
      '5.14 a multi-buy occurs as often as it may': [
        'target.triggerQuantity), target.maxOccurrence)',
        'target.triggerQuantity), Infinity)',
      ],
      '5.14 each set has so many discounted units': ['times * target.discountedQuantity', 'times'],
      '5.14 the cheapest units are the cheapest': ["mode === 'Cheapest' ? 1 : -1", "mode === 'Cheapest' ? -1 : 1"],
      '5.14 prices of different precision compare by what they are worth': ['if (more === 0)', 'if (true)'],
      '5.15 triggers take from the other end': ['.toReversed()', ''],
      '5.15 so many units are skipped': ['let skip = component.excludeCount', 'let skip = 0'],
      '5.15 a component needs its least count': ['count >= component.minCount', 'count > 0'],
      '5.15 a component takes no more than its greatest count': [
        'let wanted = component.maxCount',
        'let wanted = Infinity',
      ],
      '5.15 a pattern occurs as often as it may': ['let left = maxOccurrence', 'let left = 1000'],
      '5.15 a pattern without target units stops': ['!occurs || discounted.length === 0', '!occurs'],
      '5.15 what is skipped is used up': ['use(stock, excluded + quantity, taking)', 'use(stock, quantity, taking)'],
      '5.15 what is taken is used up': ['use(stock, excluded + quantity, taking)', 'use(stock, excluded, taking)'],
      '5.15 triggers take before targets do': [
        'takesAll(triggers, taking, triggered) && takesAll(targets, taking, discounted)',
        'takesAll(targets, taking, discounted) && takesAll(triggers, taking, triggered)',
        'resources/cart/differential',
      ],
      '5.15 occurrences that are alike use up what they take': ['stock.left -= stock.used * times', ''],
      '5.15 occurrences that are alike are as many as there are units for': [
        'Math.floor(stock.left / stock.used)',
        'Math.ceil(stock.left / stock.used)',
      ],
      '5.15 what a pattern looks at for each occurrence counts': ['goOn(taking.steps, 1);', ''],
      '5.16 an amount is spread in the order of the cart': ['inCartOrder(discounted, places)', 'discounted'],
    },
  },
  {
    file: 'pricing/cart/units',
    test: differential,
    rules: {
      '5.6 what takes nothing off leaves no entry': ['if (amount === 0)', 'if (false)'],
      '5.20 units of one price and the same discounts stand together': ['if (parts.length === 1)', 'if (true)'],
      '5.20 units that no discount touched have an entry': ['left === 0 ? cheaper :', 'left >= 0 ? cheaper :'],
      '5.20 units of one price and other discounts stand apart': ['name += `|${discount.id} ${amount}`', "name += ''"],
      '5.20 discounts stand in the order in which they were applied': [
        '[...portions, { discount, amount }]',
        '[{ discount, amount }, ...portions]',
      ],
    },
  },
  {
    file: 'pricing/cart/discounts',
    test: differential,
    rules: {
      '5.15 the patterns of all discounts look at so many units together': [
        'occurrencesOf(target, items, steps)',
        'occurrencesOf(target, items, patternSteps())',
        'pricing/cart/compute',
      ],
      '5.1 the predicate of a discount holds for the cart': [
        'else if (discount.matchesCart(cart.facts))',
        'else if (true)',
      ],
      '5.5 what stops drops all that comes after it': ['isStopped = isApplied && best.isLast', 'isStopped = false'],
      '5.5 what was not applied stops nothing': ['isStopped = isApplied && best.isLast', 'isStopped = best.isLast'],
      '5.5 a discount on shipping was applied where something ships': [' || cart.shippingCount === 0', ''],
      '5.5 a discount on the total was applied where something is left to pay': [
        'return isLeft;',
        'return true;',
        'resources/cart/computation',
      ],
      '5.22 of a group the discount that saves most applies': [
        'saving > best ? saving : best',
        'saving < best ? saving : best',
      ],
      '5.22 of equal savings the first counts': [
        'matching[savings.indexOf(most)]',
        'matching[savings.lastIndexOf(most)]',
        'resources/cart/computation',
      ],
      '5.22 where none saves anything none was worse': ['most === 0n ? undefined : ', ''],
      '5.22 savings of different precision compare by what they are worth': [
        '* 10n ** BigInt(finestDigits - item.fractionDigits)',
        '',
        'resources/cart/computation',
      ],
      '6.3 what would not have matched was not stopped': [
        "matchesCart(facts) ? 'stopped' : 'doesNotMatchCart'",
        "'stopped'",
        'resources/cart/computation',
      ],
    },
  },
  {
    file: 'pricing/cart/stored-discounts',
    test: differential,
    rules: {
      '5.10 amounts are spread by price where nothing else is said': [
        "mode: mode ?? 'ProportionateDistribution'",
        "mode: mode ?? 'IndividualApplication'",
      ],
      '5.16 relative values are of each unit where nothing else is said': [
        "value['permyriad']), mode: mode ?? 'IndividualApplication'",
        "value['permyriad']), mode: mode ?? 'ProportionateDistribution'",
      ],
      '5.15 a component needs one unit where nothing else is said': ['minCount = 1', 'minCount = 2'],
      '5.1 a direct discount holds for any cart': [
        'cartPredicate === undefined ? () => true',
        'cartPredicate === undefined ? () => false',
      ],
    },
  },
  {
    file: 'pricing/cart/compute',
    test: differential,
    rules: {
      '5.18 what is kept takes no more than there is': ['Math.min(off, total)', 'off', 'resources/cart/computation'],
      '5.18 what is kept adds nothing where there is nothing to pay': [
        'Math.max(0, Math.min(off, total))',
        'Math.min(off, total)',
        'resources/cart/computation',
      ],
      '1.4 prices in high precision are added up before they are rounded': [
        'divideRounded(sum, 10n ** BigInt(moreDigits), rounding)',
        'parts.reduce((cents, { price, quantity }) => cents + divideRounded(BigInt(price), 10n ** BigInt(moreDigits), rounding) * BigInt(quantity), 0n)',
      ],
      '1.4 given prices in high precision are rounded half even': [
        'rounding = currency.rounding } = of',
        'rounding: _ } = of, { rounding } = currency',
        'resources/cart/computation',
      ],
      '2.12 a given total is not multiplied': ['return BigInt(total);', 'return BigInt(total) * BigInt(of.quantity);'],
      '4.4 the total has shipping after its discounts': ['BigInt(toPay(method))', 'BigInt(method.price)'],
      '5.3 discounts on shipping follow each other': [
        'lossOfAmount(effect.value, value, currency)',
        'lossOfAmount(effect.value, method.price, currency)',
      ],
      '5.3 discounts on the total follow each other': [
        'lossOfAmount(effect.value, left, currency)',
        'lossOfAmount(effect.value, total, currency)',
      ],
      '5.5 a gift that was refused stops nothing': ['return of !== undefined;', 'return true;'],
      '5.23 product discounts count where cart discounts are no better': [
        '< costOf(item, others, currency)',
        '<= costOf(item, others, currency)',
      ],
      '5.23 cart discounts are of prices without product discounts': [
        'price: undiscounted, portions',
        'price, portions',
      ],
      '5.23 the better kind counts for each line': ['if (undiscounted === undefined)', 'if (true)'],
      '7.6 without an address a cart has no taxes': ['!cart.isAddressed || ', ''],
      '7.6 without items a cart has no taxes': [' || items.length + gifts.length === 0', ''],
      '7.6 a cart is taxed where all its parts are': ['known.length === parts.length', 'known.length > 0'],
      '7.9 a discount on the total takes its share of the taxes of shipping': [
        'ofShipping && scaled(ofShipping)',
        'ofShipping',
      ],
      '7.9 the share is of the total before the discount': ['total: total + off', 'total: Math.max(1, total)'],
      '7.9 shares are rounded as taxes are': ['rounding: cart.taxRounding }', "rounding: 'HalfEven' }"],
      '7.10 shipping is taxed after its discounts': [
        'taxedTotal(toPay(method), taxRate',
        'taxedTotal(method.price, taxRate',
      ],
      '8.3 the value of a cart is after discounts on items': [
        'const value = itemsTotal(working)',
        'const value = working.items.reduce((sum, { of }) => sum + of.price * of.quantity, 0)',
      ],
      '9.2 shipping that is kept keeps its discounts': ['if (method.of.kept === undefined)', 'if (true)'],
    },
  },
  {
    file: 'pricing/stores',
    test: differential,
    rules: {
      '5.1 a discount without stores is for all': ['stores.length === 0 ||', ''],
      '5.1 what is for some stores is for no cart without one': ['key === store?.key', 'true'],
    },
  },
  {
    file: 'resources/cart/computation/discounts',
    test: differential,
    rules: {
      '5.1 where a cart has direct discounts no others apply': ['if (cart.directDiscounts.length > 0)', 'if (false)'],
      '5.1 a discount is of a store that fits': ['isForStore(stores, store) &&', ''],
      '5.1 a discount that needs a code is brought by one': ['!requiresDiscountCode || brought.has(id)', 'true'],
      '5.1 a code brings discounts that need one': [
        '!requiresDiscountCode || brought.has(id)',
        '!requiresDiscountCode',
      ],
      '5.1 a discount holds from its first moment on': ['validFrom <= now', 'validFrom < now'],
      '5.1 a discount does not hold at its last moment': ['now < validUntil', 'now <= validUntil'],
      '5.1 a discount that is not active does nothing': ['return isActive &&', 'return'],
      '5.2 discounts apply in descending order': [
        'compareSortOrders(other.sortOrder, one.sortOrder)',
        'compareSortOrders(one.sortOrder, other.sortOrder)',
      ],
      '5.2 sort orders are decimal numbers': [
        'one < other ? -1 : one > other ? 1 : 0',
        'Number(one.slice(2)) - Number(other.slice(2))',
      ],
      '5.22 a group has a place of its own in the order': [
        'sortOrder: byId.get(id).sortOrder',
        'sortOrder: ofGroup[0].sortOrder',
      ],
      '5.22 of equal savings the discount that was created first counts': [
        'created(one) < created(other) ? -1 : 1',
        'created(one) < created(other) ? 1 : -1',
        'resources/cart/computation',
      ],
      '5.22 a group that is not active has none of its discounts apply': ['else if (group.isActive)', 'else'],
      '6.3 in a group that is not active a code is not active': ['discount && isOff ?', 'discount && false ?'],
      '5.5 a discount stops where it says so': ["stackingMode === 'StopAfterThisDiscount'", 'false'],
    },
  },
  {
    file: 'resources/cart/computation/gifts',
    test: differential,
    rules: {
      '5.19 a gift is priced for the channel of its discount': [
        'channel: distributionChannel?.id',
        'channel: undefined',
      ],
      '5.19 a gift is the product of its discount': [
        'productId === value.product.id &&',
        '',
        'resources/cart/computation',
      ],
      '5.19 a gift has the channels of its discount': [
        '...(supplyChannel !== undefined && { supplyChannel: { ...supplyChannel } }),',
        '',
        'resources/cart/computation',
      ],
      '5.19 a gift of another supply channel is another': [
        'supplyChannel?.id === value.supplyChannel?.id &&',
        '',
        'resources/cart/computation',
      ],
      '5.19 a gift of another distribution channel is another': [
        '&&\n        distributionChannel?.id === value.distributionChannel?.id',
        '',
        'resources/cart/computation',
      ],
      '5.19 a gift is one unit': ['quantity: 1,\n', 'quantity: 2,\n'],
    },
  },
  {
    file: 'resources/cart-discount/offers',
    test: 'resources/cart-discount/offers',
    rules: {
      '5.13 a fixed value is not for shipping or the total': [
        "(value.type === 'fixed' && withoutPrices.has(target.type)) ||",
        '',
      ],
      '5.14 an absolute value is not for a multi-buy': [
        "(value.type === 'absolute' && multiBuys.has(target.type))",
        'false',
      ],
      '5.16 a percentage has a mode with a pattern alone': ["target.type !== 'pattern'", 'false'],
      '5.16 a percentage that is spread has a trigger': ["mode === 'IndividualApplication' || isTriggered", 'true'],
      '5.16 each unit by itself needs no trigger': ["mode === 'IndividualApplication' || ", ''],
      '5.19 a gift has no target': ['if (target === undefined)\n            return undefined;', 'return undefined;'],
      '5.21 a value has an amount': ['currencies.length > 0 &&', ''],
      '5.21 a value has one amount for each currency': ['new Set(currencies).size === currencies.length', 'true'],
    },
  },
];
