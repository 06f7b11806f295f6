import { isDeepStrictEqual } from 'node:util';
import { action, invalidOperation } from '../../engine/actions.ts';
import { isSameReference } from '../../engine/references.ts';
import { required } from '../../fields/field.ts';
import type { Reference } from '../../fields/parsing.ts';
import { reference } from '../../fields/reference.ts';
import { type ShippingMethod, shippingRate, type ZoneRate } from './fields.ts';
import { requireTiersOfProject } from './rules.ts';

const zone = required(reference('zone', 'Zone'));

export const addZone = action({ zone }, (method: ShippingMethod, { zone }) => {
  if (zoneRateOf(method, zone) !== undefined)
    throw invalidOperation(`The shipping method has the zone '${zone.id}' already.`);
  method.zoneRates.push({ zone, shippingRates: [] });
});

export const removeZone = action({ zone }, (method: ShippingMethod, { zone }) => {
  method.zoneRates.splice(method.zoneRates.indexOf(existingZoneRate(method, zone)), 1);
});

/** Adds the zone too where the method does not have it. */
export const addShippingRate = action(
  { zone, shippingRate: required(shippingRate) },
  (method: ShippingMethod, input, context) => {
    requireTiersOfProject([input.shippingRate], context);
    const zoneRate = zoneRateOf(method, input.zone);
    if (zoneRate === undefined) method.zoneRates.push({ zone: input.zone, shippingRates: [input.shippingRate] });
    else zoneRate.shippingRates.push(input.shippingRate);
  },
);

/** Takes away the rate that equals the one given; a zone stays when its last rate goes. */
export const removeShippingRate = action(
  { zone, shippingRate: required(shippingRate) },
  (method: ShippingMethod, input) => {
    const { shippingRates } = existingZoneRate(method, input.zone);
    const index = shippingRates.findIndex((rate) => isDeepStrictEqual(rate, input.shippingRate));
    if (index < 0) throw invalidOperation(`The zone '${input.zone.id}' has no such shipping rate.`);
    shippingRates.splice(index, 1);
  },
);

function zoneRateOf(method: ShippingMethod, zone: Reference): ZoneRate | undefined {
  return method.zoneRates.find((zoneRate) => isSameReference(zoneRate.zone, zone));
}

function existingZoneRate(method: ShippingMethod, zone: Reference): ZoneRate {
  const zoneRate = zoneRateOf(method, zone);
  if (zoneRate === undefined) throw invalidOperation(`The shipping method has no zone '${zone.id}'.`);
  return zoneRate;
}
