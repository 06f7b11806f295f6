import { action } from '../../../engine/actions.ts';
import { required } from '../../../fields/field.ts';
import { reservationMinutes } from '../../project/fields.ts';
import type { Cart } from '../fields.ts';

const renewing = 'reserves for minutes: ';

/** From now on, for all line items with a reservation. The last that a request says counts. */
export const setReservationExpirationInMinutes = action(
  { reservationExpirationInMinutes: required(reservationMinutes) },
  (_: Cart, { reservationExpirationInMinutes: minutes }, { said }) => {
    for (const name of said) if (name.startsWith(renewing)) said.delete(name);
    said.add(`${renewing}${minutes}`);
  },
);

/** The minutes for which a request reserves, where it says so. */
export function reservedMinutes(said: ReadonlySet<string>): number | undefined {
  const name = [...said].find((each) => each.startsWith(renewing));
  return name === undefined ? undefined : Number(name.slice(renewing.length));
}
