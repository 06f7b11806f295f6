import type { MutantsOfFile } from './mutant.ts';

const differential = 'resources/cart/differential';

export const shipping: readonly MutantsOfFile[] = [
  {
    file: 'pricing/cart/shipping-price',
    test: 'pricing/cart/compute',
    rules: {
      '8.3 shipping is free from freeAbove on': [
        'subject.value >= rate.freeAbove.centAmount',
        'subject.value > rate.freeAbove.centAmount',
      ],
      '8.3 freeAbove goes before any tier': [
        'if (rate.freeAbove !== undefined &&',
        'if (tierFor(rate.tiers, subject) === undefined && rate.freeAbove !== undefined &&',
      ],
      '8.3 a tier of values holds from its value on': [
        'value >= tier.minimumCentAmount',
        'value > tier.minimumCentAmount',
      ],
      '8.3 the greatest tier that is reached counts': [
        'threshold <= bestThreshold',
        'best !== undefined',
        'pricing/shipping-rate',
      ],
      '8.3 tiers of another type do not count': [
        'if (tier.type !== subject.tierType)',
        'if (false)',
        'pricing/shipping-rate',
      ],
      '8.3 a tier of scores holds from its score on': [
        'score < tier.score',
        'score <= tier.score',
        'pricing/shipping-rate',
      ],
      '8.3 a classification is equal': ['rateInput.key === tier.value', 'true', 'pricing/shipping-rate'],
      '8.3 the score is the x of a price function': ['rateInput?.score ?? 0', '1', 'resources/cart/differential'],
    },
  },
  {
    file: 'pricing/score-function',
    test: 'pricing/score-function',
    rules: {
      '8.3 a price function gives no less than nothing': ['Math.max(0, ', 'Math.max(-Infinity, '],
      '8.3 products go before sums': [
        "while (this.#operator('*') !== undefined)\n            left = { kind: '*', left, right: this.#factor(depth) };",
        "while (this.#operator('*') !== undefined)\n            left = { kind: '*', left, right: this.sum(depth) };",
      ],
      '8.3 differences are taken from the left': ['right: this.#product(depth)', 'right: this.sum(depth)'],
    },
  },
  {
    file: 'pricing/shipping-rate',
    test: 'pricing/shipping-rate',
    rules: {
      '8.2 a zone that names the state goes before one of the country': [
        '[`${country}/${state}`, country]',
        '[country, `${country}/${state}`]',
      ],
      '8.2 a location of a state is no other place of its country': [
        'state === undefined ? country : ',
        'true ? country : ',
      ],
      '8.1 methods that are not active match nothing': ['.filter(({ method }) => method.active)', ''],
      '8.1 a method of other stores does not match': ['!isForStore(method.stores, cart.store)', 'false'],
      '8.1 a method whose predicate is false does not match': ['method.matchesCart?.(cart.facts) === false', 'false'],
      '8.1 a rate is in the currency of the cart': ['price.currencyCode === currencyCode', 'true'],
      '8.1 a rate is in the currency of the cart that is shipped': [
        'price.currencyCode === currencyCode',
        'true',
        differential,
      ],
      '8.1 without a cart methods with predicates match nothing': [
        'if (method.matchesCart !== undefined)',
        'if (false)',
      ],
      '8.3 the value of a cart has custom lines in it': [
        'for (const { totalPrice } of customLineItems)',
        'for (const { totalPrice } of [])',
      ],
    },
  },
  {
    file: 'resources/cart/computation/shipping',
    test: differential,
    rules: {
      '8.1 a method that is not active cannot be set': ['method?.active === false', 'false'],
      '8.1 a method of other stores cannot be set': ['!isForStore(method.stores, store)', 'false'],
      '8.1 a method that does not fit cannot be set': ['!isMatching && said.has(setMethodName(shippingKey))', 'false'],
      '8.1 a method without a rate cannot be set': [
        'if (isNew)\n                throw',
        'if (false)\n                throw',
      ],
      '8.5 a method whose predicate turned false is DoesNotMatchCart': ['isMatching && !isStuck', '!isStuck'],
      '8.6 a method that has no rate at a new address goes': [
        'delete cart.shippingInfo;',
        ';',
        'resources/cart/computation',
      ],
      '8.6 one of several that has no rate any more does not match': [
        'isMatching && !isStuck',
        'isMatching',
        'resources/cart/computation',
      ],
      '8.5 a rate is shown without marks': ['{ isMatching: _, ...rate }', 'rate', 'resources/cart/computation'],
    },
  },
  {
    file: 'resources/cart/actions/shipping',
    test: differential,
    rules: {
      '8.4 the input for rates is of the type of the project': ['type?.type !== `Cart${given.type}`', 'false'],
      '8.4 a classification has its label': ['{ ...given, label: value.label }', 'given'],
      '8.7 a custom method needs a tax category': [
        "cart.taxMode === 'Platform' && category === undefined",
        'false',
        'resources/cart/refusals',
      ],
      '8.8 methods have keys of their own': [
        'cart.shipping.some((each) => each.shippingKey === name)',
        'false',
        'resources/cart/refusals',
      ],
      '8.8 actions are of the shipping mode of the cart': [
        'if (shippingMode !== mode)',
        'if (false)',
        'resources/cart/refusals',
      ],
      '8.1 methods ship to an address': [
        'if (shippingAddress === undefined)\n        throw invalidOperation',
        'if (false)\n        throw invalidOperation',
      ],
    },
  },
  {
    file: 'resources/shipping-method/rules',
    test: 'resources/shipping-method/rules',
    rules: {
      '8.1 a method has a zone once': ['if (zones.has(zone.id))', 'if (false)'],
      '8.1 a zone has one rate of a currency': ['if (currencies.has(price.currencyCode))', 'if (false)'],
      '8.1 another zone may have a rate of the same currency': [
        'const currencies = new Set();',
        'const currencies = zones;',
      ],
      '8.4 tiers are of the type of the project': ['if (tier.type !== type?.type)', 'if (false)'],
      '8.4 tiers of classes have keys of the project': ["|| keys.includes(String(tier['value']))", '|| true'],
    },
  },
];
