import type { MutantsOfFile } from './mutant.ts';

const differential = 'resources/cart/differential';

export const predicates: readonly MutantsOfFile[] = [
  {
    file: 'predicate/compile',
    test: 'predicate/predicate',
    rules: {
      '10.2 what is absent is not unequal': [
        'if (typeof value !== typeof literal)',
        'if (value !== undefined && typeof value !== typeof literal)',
      ],
      '10.2 what is absent is in no list, and not outside one': [
        'isScalar(value) && literals.has(value)',
        'literals.has(value)',
        'resources/cart/differential',
      ],
      '10.2 not holds where a comparison does not': [
        'return (value) => !operand(value);',
        'return (value) => value !== undefined && operand(value);',
      ],
      '10.1 contains all asks for all': [
        'literals.every((literal) => there.has(literal))',
        'literals.some((literal) => there.has(literal))',
      ],
      '10.1 money in another currency has no order': [
        "ownMember(value, 'currencyCode') !== amount.currencyCode",
        'false',
      ],
      '10.1 money of different precision compares by what it is worth': [
        '10n ** BigInt(Math.max(0, amount.fractionDigits - fractionDigits))',
        '1n',
      ],
      '10.1 or holds where one operand does': [
        'if (operand(value))\n                        return true;',
        'if (!operand(value))\n                        return true;',
      ],
      '10.1 is empty holds for what is absent': ["if (!isDefined(value) || value === '')", "if (value === '')"],
      '10.4 a sum of which one part is not known is not known': [
        'if (!totals.every(isDefined))',
        'if (false)',
        differential,
      ],
      '10.4 a sum is in the currency of the cart': [
        "ownMember(value, 'currency') !== compared.currencyCode",
        'false',
        differential,
      ],
      '10.4 functions are of the lines that match': ['elements.filter(matches)', 'elements', differential],
    },
  },
  {
    file: 'predicate/parser',
    test: differential,
    rules: {
      '10.4 counts are of quantities': ["member = 'quantity' }", "member = 'one' }"],
      '10.4 forAll holds where none does not': [
        "gives === 'exists' ? where : { kind: 'not', operand: where }",
        'where',
      ],
    },
  },
  {
    file: 'predicate/absence',
    test: 'predicate/predicate',
    rules: {
      '10.2 a path through what is absent is not defined': [
        'if (present !== undefined)',
        'if (false)',
        'resources/cart/differential',
      ],
    },
  },
  {
    file: 'resources/cart/computation/priced-parts',
    test: differential,
    rules: {
      '5.4 predicates see carts without gifts': [
        "cart.lineItems.filter(({ lineItemMode }) => lineItemMode === 'Standard')",
        'cart.lineItems',
      ],
    },
  },
  {
    file: 'resources/cart/computation/facts',
    test: differential,
    rules: {
      '8.1 predicates of methods see nothing of how a cart ships': [
        'totalPrice: sumOf(items.map(({ totalPrice }) => totalPrice)),',
        '',
        'resources/cart/computation',
      ],
      '10.3 the total has shipping in it': [
        'totalPrice: centPrecision(currencyCode, plain.total)',
        'totalPrice: centPrecision(currencyCode, plain.items.reduce((sum, { total }) => sum + total, 0))',
      ],
      '10.3 the customer is that of the cart': [
        'customer: customer && customerFacts(customer, sources)',
        'customer: undefined',
      ],
      '10.5 a price is that of a unit after product discounts': [
        'const unit = unitPrice(price)',
        'const unit = price.value',
      ],
      '10.5 categories with ancestors have the ancestors': [
        '[...categories, ...ancestorsOf(categories, sources)]',
        '[...categories]',
      ],
      '10.5 a price has the product discount that it came from': [
        'discount: price.discounted && keyed',
        'discount: false && keyed',
      ],
      '10.5 resources are named by their keys': [
        "...(typeof key === 'string' && { key }) };\n}\nfunction keyed",
        '};\n}\nfunction keyed',
      ],
    },
  },
];
