import { address } from '../../fields/address.ts';
import { defaulted, optional, required } from '../../fields/field.ts';
import { geoJson } from '../../fields/geo-json.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { enumeration, key } from '../../fields/scalar.ts';
import { unavailable } from '../../fields/unavailable.ts';

export const role = enumeration('ChannelRole', [
  'InventorySupply',
  'ProductDistribution',
  'OrderExport',
  'OrderImport',
  'Primary',
]);

export const fields = {
  key: required(key()),
  roles: defaulted(list(role), () => []),
  name: optional(localizedString()),
  description: optional(localizedString()),
  address: optional(address()),
  geoLocation: optional(geoJson()),
};

export const draft = { ...fields, ...unavailable('custom') };
