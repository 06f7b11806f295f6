import t from 'tap';
import type { ApiError } from '../../../src/errors/api-error.ts';
import { oneRatePerCurrency, requireTiersOfProject } from '../../../src/resources/shipping-method/rules.ts';

type Method = Parameters<typeof oneRatePerCurrency>[0];
type Rates = Parameters<typeof requireTiersOfProject>[0];
type Project = Parameters<typeof requireTiersOfProject>[1]['project'];

function fault(...zoneRates: readonly (readonly [zone: string, currencies: readonly string[]])[]): string | undefined {
  // Nothing else is read of the method.
  const method = {
    zoneRates: zoneRates.map(([id, currencies]) => ({
      zone: { id },
      shippingRates: currencies.map((currencyCode) => ({ price: { currencyCode } })),
    })),
  } as unknown as Method;
  return oneRatePerCurrency(method)?.code;
}

t.test('a method has a zone once, and in it one rate of a currency', async (t) => {
  t.equal(fault(['north', ['EUR', 'USD']], ['south', ['EUR']]), undefined);
  t.equal(fault(['north', ['EUR']], ['north', ['USD']]), 'InvalidInput');
  t.equal(fault(['north', ['EUR', 'USD', 'EUR']]), 'InvalidInput');
});

t.test('tiers are of the type that the project uses, and name its classes', async (t) => {
  const value = { type: 'CartValue', minimumCentAmount: 100 };
  const small = { type: 'CartClassification', value: 'small' };
  const codes = (shippingRateInputType: object | undefined, ...tiers: readonly object[]): readonly string[] => {
    try {
      // Nothing else is read of the rate and of the project.
      const project = { settings: { shippingRateInputType } } as unknown as Project;
      requireTiersOfProject([{ tiers }] as unknown as Rates, { project });
      return [];
    } catch (error) {
      return (error as ApiError).errors.map(({ code }) => code);
    }
  };
  const classes = { type: 'CartClassification', values: [{ key: 'small' }, { key: 'heavy' }] };
  t.strictSame(codes({ type: 'CartValue' }, value), []);
  t.strictSame(codes({ type: 'CartScore' }, value), ['InvalidOperation']);
  t.strictSame(codes(undefined, value, small), ['InvalidOperation', 'InvalidOperation']);
  t.strictSame(codes(undefined), []);
  t.strictSame(codes(classes, small), []);
  t.strictSame(codes(classes, { ...small, value: 'Small' }), ['InvalidField']);
});
