import type { DocumentOf } from '../../engine/document.ts';
import { address } from '../../fields/address.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assignedOptional, defaulted, optional, required } from '../../fields/field.ts';
import { geoJson } from '../../fields/geo-json.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { anyKey, enumeration } from '../../fields/scalar.ts';
import { reviewRatingStatistics } from '../review/fields.ts';

export const role = enumeration('ChannelRole', [
  'InventorySupply',
  'ProductDistribution',
  'OrderExport',
  'OrderImport',
  'Primary',
]);

export const fields = {
  key: required(anyKey()),
  roles: defaulted(list(role), () => ['InventorySupply' as const]),
  name: optional(localizedString()),
  description: optional(localizedString()),
  address: optional(address()),
  geoLocation: optional(geoJson()),
  /** Filled in from reviews. */
  reviewRatingStatistics: assignedOptional(reviewRatingStatistics),
  custom: optional(customFields('channel')),
};

export type Channel = DocumentOf<typeof fields>;
