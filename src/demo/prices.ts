import type { Draft } from './draft.ts';
import type { Random } from './random.ts';

export const currencies = [
  { code: 'EUR', perEuro: 1 },
  { code: 'CHF', perEuro: 0.95 },
  { code: 'GBP', perEuro: 0.86 },
  { code: 'USD', perEuro: 1.1 },
  // The yen has no smaller unit.
  { code: 'JPY', perEuro: 1.6 },
] as const;

export type CurrencyCode = (typeof currencies)[number]['code'];

/** A price near `euroCents` in another currency, ending like prices do. */
export function priceIn(code: CurrencyCode, euroCents: number): { currencyCode: CurrencyCode; centAmount: number } {
  const { perEuro } = currencies.find((currency) => currency.code === code)!;
  const amount = Math.max(10, Math.round((euroCents * perEuro) / 10) * 10);
  return { currencyCode: code, centAmount: code === 'JPY' ? amount : amount - 1 };
}

/** A price in each currency, for everybody. */
export function plainPrices(euroCents: number): readonly Draft[] {
  return currencies.map(({ code }) => ({ value: priceIn(code, euroCents) }));
}

/** Prices of some products that go before the plain ones: for a country, a customer group, a channel, a time, or many. */
export function narrowPrices(euroCents: number, random: Random): readonly Draft[] {
  const euros = (share: number): Draft => priceIn('EUR', euroCents * share);
  const narrow: readonly Draft[] = [
    { value: euros(1.1), country: 'CH' },
    { value: euros(0.9), customerGroup: { key: 'trade' } },
    { value: euros(0.85), customerGroup: { key: 'trade' }, country: 'DE' },
    { value: euros(0.95), channel: { key: 'berlin' } },
    { value: euros(0.8), country: 'FR', validFrom: '2026-11-20T00:00:00.000Z', validUntil: '2031-12-01T00:00:00.000Z' },
    {
      value: euros(1),
      country: 'AT',
      tiers: [
        { minimumQuantity: 10, value: euros(0.95) },
        { minimumQuantity: 50, value: euros(0.9) },
      ],
    },
  ];
  return narrow.filter(() => random.chance(0.25));
}
