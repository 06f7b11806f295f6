import t from 'tap';
import type { ProductData } from '../../../../src/resources/product/fields.ts';
import { showAsFound } from '../../../../src/resources/product/shown/as-found.ts';

const money = (centAmount: number): object => ({
  type: 'centPrecision',
  currencyCode: 'EUR',
  centAmount,
  fractionDigits: 2,
});

function dataOf(...variants: readonly object[]): ProductData {
  const [masterVariant, ...others] = structuredClone(variants);
  return { masterVariant, variants: others } as unknown as ProductData;
}

t.test('variants that match are marked, the others say nothing', async (t) => {
  const marks = (matching: Parameters<typeof showAsFound>[1]): unknown => {
    const data = dataOf({ id: 1 }, { id: 2 });
    showAsFound(data, matching);
    return [data.masterVariant, ...data.variants].map((variant) => 'isMatchingVariant' in variant);
  };
  t.strictSame(marks(undefined), [false, false]);
  t.strictSame(marks({ isAll: false, variants: [{ id: 2 }] }), [false, true]);
  t.strictSame(marks({ isAll: true, variants: [] }), [true, true]);
});

t.test('the selected price is the scoped price, with what it costs now', async (t) => {
  const price = { id: 'price', key: 'key', country: 'DE', value: money(500), tiers: [] };
  const discounted = { value: money(400), discount: { typeId: 'product-discount', id: 'discount' } };
  const data = dataOf({ id: 1, price }, { id: 2, price: { ...price, discounted } }, { id: 3 });
  showAsFound(data, undefined);
  const scoped = { id: 'price', country: 'DE', value: money(500) };
  t.match(data.masterVariant, {
    price,
    scopedPrice: { ...scoped, currentValue: money(500) },
    scopedPriceDiscounted: false,
  });
  t.match(data.variants[0], {
    scopedPrice: { ...scoped, currentValue: money(400), discounted },
    scopedPriceDiscounted: true,
  });
  t.strictSame(data.variants[1], { id: 3 });
});
