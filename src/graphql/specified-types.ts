import type { OutputField, OutputType } from '../fields/field.ts';

function read(name: string, type: string, args?: Readonly<Record<string, string>>): OutputField {
  return { name, type, complexity: 1, ...(args !== undefined && { args }), read: (parent) => parent[name] };
}

const name = read('name', 'String!');
const locale = { locale: 'Locale!' };

const forms: Readonly<Record<string, readonly OutputField[]>> = {
  BooleanField: [read('value', 'Boolean!')],
  DateField: [read('value', 'Date!')],
  DateTimeField: [read('value', 'DateTime!')],
  EnumField: [read('key', 'String!')],
  LocalizedEnumField: [read('key', 'String!'), read('label', 'String', locale)],
  LocalizedStringField: [read('value', 'String', locale)],
  MoneyField: [read('centAmount', 'Long!'), read('currencyCode', 'Currency!')],
  NumberField: [read('value', 'BigDecimal!')],
  ReferenceField: [read('typeId', 'String!'), read('id', 'String!')],
  StringField: [read('value', 'String!')],
  TimeField: [read('value', 'Time!')],
};

/** Types of section 2.7 that the schema declares and no field returns: custom fields are read raw (decisions.md #56). */
export const specifiedTypes: readonly OutputType[] = [
  {
    type: 'interface',
    name: 'CustomField',
    fields: [name],
    formOf: ({ form }) => String(form),
    members: Object.fromEntries(
      Object.entries(forms).map(([typeName, fields]) => [typeName, { name: typeName, fields: [name, ...fields] }]),
    ),
  },
];
