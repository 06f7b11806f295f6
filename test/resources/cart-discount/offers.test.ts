import t from 'tap';
import { valueFault } from '../../../src/resources/cart-discount/offers.ts';

type Given = Parameters<typeof valueFault>[0];

const inEuros = { currencyCode: 'EUR', centAmount: 100 };
const inDollars = { currencyCode: 'USD', centAmount: 100 };

/** The code that a discount with such a value and such a target is refused with. */
function fault(type: string, target: string | undefined, money: readonly object[] = [inEuros]): string | undefined {
  const value = type === 'relative' ? { type, permyriad: 1000 } : { type, money };
  // Only the types and the amounts are looked at.
  return valueFault({ value, ...(target !== undefined && { target: { type: target } }) } as unknown as Given)?.code;
}

t.test('values go with the targets that they can be taken off', async (t) => {
  const targets = ['lineItems', 'multiBuyLineItems', 'multiBuyCustomLineItems', 'pattern', 'shipping', 'totalPrice'];
  const faults = (type: string): readonly (string | undefined)[] => targets.map((target) => fault(type, target));
  const wrong = 'InvalidInput';
  t.strictSame(faults('relative'), [undefined, undefined, undefined, undefined, undefined, undefined]);
  t.strictSame(faults('absolute'), [undefined, wrong, wrong, undefined, undefined, undefined]);
  t.strictSame(faults('fixed'), [undefined, undefined, undefined, undefined, wrong, wrong]);
  t.equal(fault('relative', undefined), wrong, 'a value needs a target');
  t.equal(fault('giftLineItem', undefined), undefined, 'but for a gift');
  t.equal(fault('giftLineItem', 'lineItems'), wrong, 'which has none');
});

t.test('of percentages a pattern alone knows modes, and spreads them over what triggers it', async (t) => {
  const code = (applicationMode: string | undefined, target: object): string | undefined =>
    valueFault({ value: { type: 'relative', permyriad: 1000, applicationMode }, target } as unknown as Given)?.code;
  const spread = ['ProportionateDistribution', 'EvenDistribution'];
  const individual = 'IndividualApplication';
  const pattern = (triggerPattern: readonly object[]): object => ({ type: 'pattern', triggerPattern });
  for (const mode of [...spread, individual])
    for (const type of ['lineItems', 'customLineItems', 'multiBuyLineItems', 'shipping', 'totalPrice'])
      t.equal(code(mode, { type }), 'InvalidOperation', `${mode} of ${type}`);
  for (const mode of [...spread, individual, undefined]) t.equal(code(mode, pattern([{}])), undefined);
  for (const mode of spread) t.equal(code(mode, pattern([])), 'InvalidOperation');
  for (const mode of [individual, undefined]) t.equal(code(mode, pattern([])), undefined);
});

t.test('a value has amounts, one for each currency', async (t) => {
  t.equal(fault('absolute', 'lineItems', [inEuros, inDollars]), undefined);
  t.equal(fault('absolute', 'lineItems', []), 'InvalidOperation');
  t.equal(fault('fixed', 'lineItems', [inEuros, inDollars, inEuros]), 'InvalidOperation');
});
