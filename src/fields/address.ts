import { optional, required } from './field.ts';
import { object } from './object.ts';
import { country, key, text } from './scalar.ts';
import { customFields } from './custom-fields.ts';

export const addressFields = {
  id: optional(text(['home'])),
  key: optional(key()),
  country: required(country()),
  title: optional(text()),
  salutation: optional(text()),
  firstName: optional(text()),
  lastName: optional(text()),
  streetName: optional(text()),
  streetNumber: optional(text()),
  additionalStreetInfo: optional(text()),
  postalCode: optional(text()),
  city: optional(text()),
  region: optional(text()),
  state: optional(text()),
  company: optional(text()),
  department: optional(text()),
  building: optional(text()),
  apartment: optional(text()),
  pOBox: optional(text()),
  phone: optional(text()),
  mobile: optional(text()),
  email: optional(text()),
  fax: optional(text()),
  additionalAddressInfo: optional(text()),
  externalId: optional(text()),
  custom: optional(customFields('address')),
};

export function address(): ReturnType<typeof object<typeof addressFields>> {
  return object('Address', addressFields, { input: 'AddressInput' });
}
