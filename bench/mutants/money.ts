import type { MutantsOfFile } from './mutant.ts';

export const money: readonly MutantsOfFile[] = [
  {
    file: 'money/rounding',
    test: 'money/money',
    rules: {
      '1.2 HalfDown breaks ties toward zero': [
        "mode === 'HalfDown' || (mode === 'HalfEven' && isEven)",
        "mode === 'HalfEven' && isEven",
        'money/rounding',
      ],
      '1.2 HalfEven breaks ties to the even neighbor': [
        "mode === 'HalfEven' && isEven",
        "mode === 'HalfEven' && !isEven",
      ],
      '1.2 below zero HalfUp goes away from zero': ['numerator < 0n ? quotient - 1n : quotient + 1n', 'quotient + 1n'],
      '1.2 rounding modes concern ties alone': [
        'if (twice < denominator)',
        "if (twice < denominator || mode === 'HalfDown')",
        'money/rounding',
      ],
    },
  },
  {
    file: 'money/ratio',
    test: 'money/ratio',
    rules: {
      '1.2 HalfDown breaks ties toward zero in plain numbers': [
        "mode === 'HalfDown' || (mode === 'HalfEven' && quotient % 2 === 0)",
        "mode === 'HalfEven' && quotient % 2 === 0",
      ],
      '1.2 HalfEven breaks ties to the even neighbor in plain numbers': ['quotient % 2 === 0', 'quotient % 2 !== 0'],
      '1.2 HalfUp goes away from zero in plain numbers': ['product < 0 ? quotient - 1 : quotient + 1', 'quotient + 1'],
      '1.1 products beyond safe integers are exact': ['if (Number.isSafeInteger(product))', 'if (true)'],
      '1.1 rates are the decimal numbers that are written': ['fraction.length - Number(exponent)', 'fraction.length'],
      '1.1 sums of rates are exact': [
        'one.numerator * other.denominator + other.numerator * one.denominator',
        'one.numerator + other.numerator',
      ],
    },
  },
  {
    file: 'money/share-out',
    test: 'money/share-out',
    rules: {
      '7.4 the rest goes to what lost most by rounding': [
        'shares[other].lost - shares[one].lost',
        'shares[one].lost - shares[other].lost',
      ],
      '7.4 of equal losses the first has the rest': ['1 : one - other', '1 : other - one'],
      '7.4 a negative tax is shared like a positive one': ['if (amount < 0)', 'if (false)'],
      '7.4 shares are of the finest unit of all': ['denominator > most ? denominator : most', 'most'],
      '7.9 negative weights are those without their signs': ['if (total < 0n)', 'if (false)'],
    },
  },
  {
    file: 'money/money',
    test: 'money/money',
    rules: {
      '1.1 cents of a precise amount are rounded half even': ["mode = 'HalfEven'", "mode = 'HalfUp'", 'money/rounding'],
    },
  },
  {
    file: 'money/compare',
    test: 'pricing/select-price',
    rules: {
      '2.5 prices of different precision compare by what they are worth': [
        '10n ** BigInt(digits - value.fractionDigits)',
        '1n',
      ],
    },
  },
];
