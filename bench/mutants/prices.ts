import type { MutantsOfFile } from './mutant.ts';

const differential = 'resources/cart/differential';

export const prices: readonly MutantsOfFile[] = [
  {
    file: 'pricing/select-price',
    test: 'pricing/select-price',
    rules: {
      '2.2 prices are of the currency of the cart': ['value.currencyCode === selection.currency', 'true'],
      '2.2 a price holds from its first moment on': ['validFrom <= now', 'validFrom < now'],
      '2.2 a price does not hold at its last moment': ['now < validUntil', 'now <= validUntil'],
      '2.3 a price of a country is for that country': [
        'country === selection.country',
        '(selection.country === undefined || country === selection.country)',
      ],
      '2.3 a price of a channel is for that channel': [
        'channel.id === selection.channel',
        '(selection.channel === undefined || channel.id === selection.channel)',
      ],
      '2.3 a price of a group is for that group': [
        'selection.customerGroups?.has(customerGroup.id) === true',
        'selection.customerGroups !== undefined',
      ],
      '2.4 a group counts for more than a channel with a country': ['const groupRank = 8', 'const groupRank = 5'],
      '2.4 a channel counts for more than a country': ['const channelRank = 4', 'const channelRank = 1.5'],
      '2.4 a country counts for more than no country': ['const countryRank = 2', 'const countryRank = 0'],
      '2.4 a country counts for more than a validity': ['const countryRank = 2', 'const countryRank = 0.5'],
      '2.5 a price with a validity goes before one without': ['const validityRank = 1', 'const validityRank = 0'],
      '2.5 an end alone is a validity': [
        'validFrom === undefined && validUntil === undefined',
        'validFrom === undefined',
      ],
      '2.5 of several groups the lowest price counts': [': order < 0', ': order > 0'],
      '2.6 all groups of a customer count': [
        'selection.customerGroups?.has(customerGroup.id) === true',
        '[...(selection.customerGroups ?? [])][0] === customerGroup.id',
      ],
    },
  },
  {
    file: 'pricing/store-prices',
    test: 'pricing/store-prices',
    rules: {
      '2.13 a store has the prices of its distribution channels': ['channels?.includes(channel) !== false', 'true'],
      '2.13 a store has prices without a channel': ['channel === undefined ||', 'channel !== undefined &&'],
      '2.13 a store has the prices of its countries': ['countries?.includes(country) === false', 'false'],
    },
  },
  {
    file: 'resources/cart/computation/prices',
    test: differential,
    rules: {
      '2.1 products with standalone prices have no embedded ones': [
        '(gathered.standalonePrices.get(sku) ?? [])',
        '[...(gathered.standalonePrices.get(sku) ?? []), ...variant.prices]',
      ],
      '2.1 products with embedded prices have no standalone ones': [
        "product.priceMode !== 'Standalone'",
        'variant.prices.length > 0',
      ],
      '2.3 the country is that of the cart': [
        'currency: totalPrice.currencyCode,\n        country,',
        'currency: totalPrice.currencyCode,\n        country: undefined,',
      ],
      '2.3 the channel is the distribution channel of the line': [
        'variantId: variant.id, channel: distributionChannel?.id',
        'variantId: variant.id, channel: undefined',
      ],
      '2.6 groups that a customer is assigned to count': [', ...assignedGroups]', ']'],
      '2.6 the group of the cart counts': ['customerGroup === undefined ? [] : [customerGroup.id]', '[]'],
      '2.7 a tier holds from its quantity on': ['tier.minimumQuantity <= quantity', 'tier.minimumQuantity < quantity'],
      '2.7 of the tiers that are reached the greatest counts': [
        'tier.minimumQuantity > best.minimumQuantity',
        'tier.minimumQuantity < best.minimumQuantity',
      ],
      '2.7 a discounted price has no tiers': ['if (price.discounted !== undefined)', 'if (false)'],
      '2.7 a discounted price is what is to pay': ['discounted?.value ?? value', 'value'],
      '2.8 the value of a tier is shown as the price': [
        '{ ...price, value: best.value }',
        '{ ...price, discounted: { ...best } }',
      ],
      '2.11 prices that a client gave stay': ["line.priceMode !== 'Platform' ||", ''],
      '2.9 without a candidate a request is refused': ['if (selected !== undefined)', 'if (true)'],
      '2.13 a store has its own prices': [
        'isSoldAt(limits, price.country, price.channel?.id)',
        'true',
        'resources/cart/refusals',
      ],
      '4.3 a line of what is not published keeps its price': [
        'masterData.published !== true',
        'masterData === undefined',
      ],
    },
  },
  {
    file: 'resources/cart/computation/gather',
    test: differential,
    rules: {
      '2.1 standalone prices that are not active are none': ['ofSku.filter(({ active }) => active)', 'ofSku'],
      '2.1 gifts have standalone prices, too': [
        '...given.map(({ product, variantId }) => ({ productId: product.id, variantId })),',
        '',
      ],
      '2.13 selections that are not active show nothing': [
        '.filter((each) => each.active)',
        '.filter(() => true)',
        'resources/cart/refusals',
      ],
    },
  },
  {
    file: 'resources/product-discount/discounted-value',
    test: 'resources/product-discount/offers',
    rules: {
      '2.10 a relative product discount is rounded half down': ["'HalfDown'", "'HalfUp'"],
      '2.10 an absolute product discount leaves no less than nothing': ['units < 0n ? 0n : units', 'units'],
      '2.10 an absolute product discount has an amount in the currency': [
        'currencyCode === value.currencyCode',
        'true',
      ],
      '1.5 a price keeps its precision under product discounts': [
        "type === 'highPrecision'\n        ? highPrecision",
        'false\n        ? highPrecision',
      ],
      '1.5 an absolute product discount is in the precision of the price': [
        '10n ** BigInt(value.fractionDigits - amount.fractionDigits)',
        '1n',
      ],
    },
  },
  {
    file: 'resources/product-discount/in-force',
    test: 'resources/product-discount/offers',
    rules: {
      '2.10 the product discount with the highest sort order counts': [
        'one.sortOrder < other.sortOrder ? 1 : -1',
        'one.sortOrder < other.sortOrder ? -1 : 1',
      ],
      '2.10 a product discount holds from its first moment on': ['validFrom <= now', 'validFrom < now'],
      '2.10 a product discount does not hold at its last moment': ['now < validUntil', 'now <= validUntil'],
      '2.10 a product discount that is not active does nothing': ['return isActive &&', 'return'],
      '2.10 one without an amount in the currency leaves the others': [
        'currencies?.has(value.currencyCode) === false',
        'false',
      ],
    },
  },
  {
    file: 'resources/cart/computation/computation',
    test: differential,
    rules: {
      "2.6 a customer's cart has the group of the customer": ['if (customer !== undefined) {', 'if (false) {'],
      '2.13 what is added is in a selection of the store': ['shows?.(variant.sku) !== false', 'true'],
      '2.13 what is added is a copy as the store shows it': [
        'if (!known.has(line.id))\n            keepToStore',
        'if (false)\n            keepToStore',
      ],
      '2.13 what is there stays the copy that it is': [
        'if (!known.has(line.id))\n            keepToStore',
        'if (true)\n            keepToStore',
        'resources/cart/computation',
      ],
      '2.13 what is taken over anew is a copy as the store shows it': ['keepToStore(working, snapshot);', ''],
      '2.13 a gift is a copy as the store shows it': ['if (!isKnown)', 'if (false)'],
      '2.13 lines go by the channels of the store': ['isNamed && !hasChannel', 'false && !hasChannel'],
      '4.2 product data stays until it is asked for': ['if (!isStale(line, said))', 'if (false)'],
      '4.2 product data of what is not published stays': [
        'product?.masterData.published !== true',
        'product === undefined',
      ],
    },
  },
  {
    file: 'resources/product/shown/in-store',
    test: differential,
    rules: {
      '2.13 a copy has the prices of the store': ['pricesIn(limitsOf(store), variant.prices)', 'variant.prices'],
      '2.13 a text in no language of the store keeps another': [
        'first === undefined ? Object.keys(text) : [first]',
        'Object.keys(text)',
      ],
    },
  },
  {
    file: 'resources/cart/actions/currency',
    test: differential,
    rules: {
      '1.6 every money is in the currency of the cart': ['|| amount.currencyCode === currencyCode', '|| true'],
    },
  },
  {
    file: 'resources/cart/actions/buyer',
    test: differential,
    rules: {
      '2.6 without a customer there is no group of one': [
        'delete cart.customerId;\n    delete cart.customerGroup;',
        'delete cart.customerId;',
      ],
      "2.6 a customer's cart is given no other group": [
        "if (cart.customerId !== undefined)\n        throw invalidOperation('The cart belongs to a customer, whose",
        "if (false)\n        throw invalidOperation('The cart belongs to a customer, whose",
      ],
      '8.6 without an address nothing is shipped': ['delete cart.shippingInfo;', ''],
      '8.6 without an address nothing is taxed': ['forgetTaxes(item);', ''],
      '8.6 without an address the cart is not taxed': ['delete cart.taxedPrice;', '', 'resources/cart/computation'],
    },
  },
];
