import { customFields } from '../../fields/custom-fields.ts';
import { optional, required } from '../../fields/field.ts';
import { key, text } from '../../fields/scalar.ts';

export const fields = {
  key: optional(key()),
  name: required(text(['Wholesale'])),
  custom: optional(customFields('customer-group')),
};

export const draft = {
  key: optional(key()),
  groupName: required(text(['Wholesale'])),
  custom: optional(customFields('customer-group')),
};
