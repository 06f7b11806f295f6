import type { ErrorElement } from '../../errors/api-error.ts';
import type { ShippingMethod } from './fields.ts';

/** A method lists a zone once, and a zone never has two rates of one currency (specification 2.5, ZoneRate). */
export function oneRatePerCurrency({ zoneRates }: ShippingMethod): ErrorElement | undefined {
  const zones = new Set<string>();
  for (const { zone, shippingRates } of zoneRates) {
    if (zones.has(zone.id))
      return { code: 'InvalidInput', message: `The zone '${zone.id}' stands in zoneRates more than once.` };
    zones.add(zone.id);
    const currencies = new Set<string>();
    for (const { price } of shippingRates) {
      if (currencies.has(price.currencyCode)) {
        return {
          code: 'InvalidInput',
          message: `The zone '${zone.id}' has more than one shipping rate in ${price.currencyCode}.`,
        };
      }
      currencies.add(price.currencyCode);
    }
  }
  return undefined;
}
