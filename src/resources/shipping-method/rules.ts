import type { ApplyContext } from '../../engine/resource.ts';
import type { Fixed } from '../../engine/document.ts';
import { type ErrorElement, throwAll } from '../../errors/api-error.ts';
import { classificationsOf } from '../project/fields.ts';
import type { ShippingMethod, ShippingRate } from './fields.ts';

/** A method lists a zone once, and a zone never has two rates of one currency (specification 2.5, ZoneRate). */
export function oneRatePerCurrency({ zoneRates }: Fixed<ShippingMethod>): ErrorElement | undefined {
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

/**
 * Throws for new rates with tiers that the project does not use: all have the type of its shippingRateInputType, and
 * those for a classification one of its keys (specification 2.5, ShippingRatePriceTier). Rates that are stored stay
 * when the project changes its mind.
 */
export function requireTiersOfProject(
  rates: readonly ShippingRate[],
  { project }: Pick<ApplyContext, 'project'>,
): void {
  const type = project.settings.shippingRateInputType;
  const keys = classificationsOf(type).map(({ key }) => key);
  const errors = rates.flatMap(({ tiers }) =>
    tiers.flatMap((tier): readonly ErrorElement[] => {
      if (tier.type !== type?.type) {
        const taken = type === undefined ? 'uses no tiers' : `uses tiers of type ${type.type}`;
        const message = `The project ${taken}, but a shipping rate has one of type ${tier.type}.`;
        return [{ code: 'InvalidOperation', message }];
      }
      if (tier.type !== 'CartClassification' || keys.includes(String(tier['value']))) return [];
      const message = `'${String(tier['value'])}' is no key of the project's cart classification.`;
      return [{ code: 'InvalidField', message, field: 'value', invalidValue: tier['value'], allowedValues: keys }];
    }),
  );
  throwAll(errors);
}
