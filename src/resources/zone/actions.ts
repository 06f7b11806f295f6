import { action, invalidOperation } from '../../engine/actions.ts';
import { required } from '../../fields/field.ts';
import { type Location, location, type Zone } from './fields.ts';

const fields = { location: required(location) };

/** A location stands in a zone once; adding it again changes nothing. */
export const addLocation = action(fields, (zone: Zone, { location }) => {
  if (indexOf(zone, location) < 0) zone.locations.push(location);
});

export const removeLocation = action(fields, (zone: Zone, { location }) => {
  const index = indexOf(zone, location);
  if (index < 0) throw invalidOperation(`The zone has no location ${nameOf(location)}.`);
  zone.locations.splice(index, 1);
});

function indexOf(zone: Zone, { country, state }: Location): number {
  return zone.locations.findIndex((other) => other.country === country && other.state === state);
}

/** `DE`, or `US/New York`. */
export function nameOf({ country, state }: Location): string {
  return state === undefined ? country : `${country}/${state}`;
}
