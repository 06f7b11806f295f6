import type { DocumentOf } from '../../engine/document.ts';
import { defaulted, optional, required, type ValueOf } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { object } from '../../fields/object.ts';
import { country, key, text } from '../../fields/scalar.ts';

const locationFields = {
  country: required(country()),
  state: optional(text(['Bavaria'])),
};

export type Location = ValueOf<typeof locationFields>;

export const location = object('Location', locationFields, { input: 'ZoneLocation' });

export const fields = {
  key: optional(key()),
  name: required(text()),
  description: optional(text()),
  locations: defaulted(list(location), () => []),
};

export type Zone = DocumentOf<typeof fields>;
