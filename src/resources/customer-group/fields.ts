import { optional, required } from '../../fields/field.ts';
import { key, text } from '../../fields/scalar.ts';
import { unavailable } from '../../fields/unavailable.ts';

export const fields = {
  key: optional(key()),
  name: required(text(['Wholesale'])),
};

export const draft = {
  key: optional(key()),
  groupName: required(text(['Wholesale'])),
  ...unavailable('custom'),
};
