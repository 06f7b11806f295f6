import { isDeepStrictEqual } from 'node:util';
import { apiError } from '../errors/api-error.ts';
import {
  type FieldKind,
  type Input,
  type JsonSchema,
  namedSchema,
  optional,
  type OutputField,
  type OutputType,
  plainOutput,
  required,
} from './field.ts';
import { json } from './json.ts';
import { localizedString } from './localized-string.ts';
import { money } from './money.ts';
import { isObject, parseObject } from './object.ts';
import { pickedByName } from './picking.ts';
import { listed, type Parsing, type Reference } from './parsing.ts';
import { identifierInput, reference } from './reference.ts';
import { anyNumber, boolean, date, dateTime, enumeration, text, time } from './scalar.ts';
import { setOf } from './set.ts';

/** Values by the names of the type's field definitions (decisions.md #144). */
export interface CustomFields {
  type: Reference;
  fields: Record<string, unknown>;
}

/** What a type says of one field; the resource `type` declares the whole of it. */
interface FieldType {
  readonly name: string;
  readonly values?: readonly { readonly key: string }[];
  readonly referenceTypeId?: string;
  readonly elementType?: FieldType;
}

interface FieldDefinition {
  readonly name: string;
  readonly type: FieldType;
  readonly required: boolean;
}

/** The document of a type, as far as values are checked by it. */
interface TypeDocument {
  readonly resourceTypeIds: readonly string[];
  readonly fieldDefinitions: readonly FieldDefinition[];
}

const typeReference = reference('type', 'TypeDefinition');

const members = { type: required(typeReference), fields: optional(freeFields()) };

/** What an action that sets a custom type takes; without a type it takes type and fields away. */
export const customTypeMembers = { type: optional(typeReference), fields: members.fields };

/** An object of free values. Null says that there is none. */
function freeFields(): FieldKind<Record<string, unknown>> {
  const free = json();
  return {
    ...free,
    parse: (input, parsing) => {
      if (!isObject(input)) return parsing.wrongType('an object of names and values', input);
      const value = free.parse(input, parsing) as Readonly<Record<string, unknown>> | undefined;
      return value && Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
    },
    examples: [{ note: 'Example' }],
  };
}

/** Custom fields of a resource, or a part of one, that types name by `resourceTypeId`. */
export function customFields(resourceTypeId: string): FieldKind<CustomFields> {
  return {
    parse: (input, parsing) => {
      const value = parseObject(members, input, parsing);
      return value && { type: value.type, fields: value.fields ?? {} };
    },
    shape: {
      class: 'object',
      fields: new Map(Object.entries(members).map(([name, { kind }]) => [name, kind.shape])),
    },
    output: plainOutput('CustomFieldsType', 1, () => outputTypes),
    input: customFieldsInput,
    schema: namedSchema('CustomFields', {
      draft: schemaOf(typeReference.schema.draft),
      value: { ...schemaOf(typeReference.schema.value), required: ['type', 'fields'] },
    }),
    references: (value, visit) => visit(value.type),
    described: (value, place, visit) =>
      visit(
        {
          by: value.type,
          value,
          // The engine looks up the type that `by` names.
          check: (type, before, parsing) => {
            dropRemoved(value, type as unknown as TypeDocument, before as CustomFields | undefined);
            check(value, { type: type as unknown as TypeDocument, resourceTypeId }, parsing);
          },
          leave: (type) => leaveUndefinedFields(value, type),
        },
        // Clients choose ids of addresses, which may be those of other parts.
        { ...place, name: `${resourceTypeId} ${place.name}` },
      ),
    // The example of a type defines the field.
    examples: [{ type: typeReference.examples[0], fields: { note: 'Example' } }],
  };
}

/** Takes out, in place, values of fields that the document of the type does not define any more. */
export function leaveUndefinedFields({ fields }: CustomFields, type: Readonly<Record<string, unknown>>): void {
  const defined = kindsOf(type as unknown as TypeDocument);
  for (const name of Object.keys(fields)) if (!defined.has(name)) delete fields[name];
}

function schemaOf(type: JsonSchema): JsonSchema {
  return { type: 'object', properties: { type, fields: { type: 'object' } }, required: ['type'] };
}

/** Takes out what is left of fields that the type has given up: values that stood there before under no definition. */
function dropRemoved({ fields }: CustomFields, type: TypeDocument, before: CustomFields | undefined): void {
  for (const name of Object.keys(before?.fields ?? {})) {
    if (!kindsOf(type).has(name) && isDeepStrictEqual(fields[name], before!.fields[name])) delete fields[name];
  }
}

/** Puts the checked values in place of those that were sent. */
function check(
  value: CustomFields,
  { type, resourceTypeId }: { readonly type: TypeDocument; readonly resourceTypeId: string },
  parsing: Parsing,
): void {
  if (!type.resourceTypeIds.includes(resourceTypeId)) {
    const since = parsing.faultCount;
    parsing.wrongValue(value.type, `a type for resources of '${resourceTypeId}'`);
    parsing.within('type', since);
    return;
  }
  const since = parsing.faultCount;
  const kinds = kindsOf(type);
  let defined: string | undefined;
  for (const name of Object.keys(value.fields)) {
    if (kinds.has(name)) continue;
    const unknownSince = parsing.faultCount;
    defined ??= `a field that the type defines (${listed(kinds.keys())})`;
    parsing.wrongValue(value.fields[name], defined);
    parsing.within(name, unknownSince);
  }
  for (const [name, { kind, isRequired }] of kinds) {
    const given = Object.hasOwn(value.fields, name) ? value.fields[name] : undefined;
    const memberSince = parsing.faultCount;
    if (given !== undefined) value.fields[name] = kind.parse(given, parsing);
    else if (isRequired) parsing.missing();
    parsing.within(name, memberSince);
  }
  parsing.within('fields', since);
}

interface DefinedKind {
  readonly kind: FieldKind<unknown>;
  readonly isRequired: boolean;
}

/** Kinds by field name, kept as long as the document that they were made from. */
const known = new WeakMap<TypeDocument, ReadonlyMap<string, DefinedKind>>();

function kindsOf(type: TypeDocument): ReadonlyMap<string, DefinedKind> {
  let kinds = known.get(type);
  if (kinds === undefined) {
    kinds = new Map(
      type.fieldDefinitions.map((definition) => [
        definition.name,
        { kind: kindOf(definition.type), isRequired: definition.required },
      ]),
    );
    known.set(type, kinds);
  }
  return kinds;
}

/** Makers of kinds by the names of field types; no client's name is looked up in an object. */
const makers: ReadonlyMap<string, (type: FieldType) => FieldKind<unknown>> = new Map<
  string,
  (type: FieldType) => FieldKind<unknown>
>([
  ['Boolean', boolean],
  ['String', () => text()],
  ['LocalizedString', localizedString],
  ['Number', anyNumber],
  ['Money', () => money()],
  ['Date', date],
  ['Time', time],
  ['DateTime', dateTime],
  ['Enum', enumOf],
  ['LocalizedEnum', enumOf],
  // A value is no reason to keep its target; it reads as before when the target goes.
  ['Reference', ({ referenceTypeId = '' }) => reference(referenceTypeId, '', { strength: 'loose' })],
  ['Set', ({ elementType }) => setOf(kindOf(elementType!))],
]);

function kindOf(type: FieldType): FieldKind<unknown> {
  const make = makers.get(type.name);
  if (make === undefined) throw new Error(`A stored type has the field type '${type.name}'`);
  return make(type);
}

/** Values of an enum are stored by key. */
function enumOf({ values = [] }: FieldType): FieldKind<unknown> {
  return enumeration(
    '',
    values.map(({ key }) => key),
  );
}

interface NamedField {
  readonly name: string;
  readonly value: unknown;
}

/** Of resources with many fields, which a query may ask for under many names. */
const namedOf = new WeakMap<CustomFields['fields'], readonly NamedField[]>();
/** So few are put together each time. */
const fewFields = 10;

/** Values of custom fields, with their names. */
export function namedFields({ fields = {} }: { readonly fields?: CustomFields['fields'] }): readonly NamedField[] {
  const known = namedOf.get(fields);
  if (known !== undefined) return known;
  const named = Object.entries(fields).map(([name, value]) => ({ name, value }));
  if (named.length > fewFields) namedOf.set(fields, named);
  return named;
}

const rawFields: readonly OutputField[] = [
  { name: 'name', type: 'String!', complexity: 1, read: (parent) => parent['name'] },
  { name: 'value', type: 'Json!', complexity: 1, read: (parent) => parent['value'] },
  {
    name: 'referencedResource',
    type: 'ReferenceExpandable',
    complexity: 5,
    expands: true,
    read: ({ value }) => (Array.isArray(value) ? undefined : value),
  },
  {
    name: 'referencedResourceSet',
    type: '[ReferenceExpandable!]!',
    complexity: 5,
    expands: true,
    read: ({ value }) => (Array.isArray(value) ? value : []),
  },
];

const outputTypes: readonly OutputType[] = [
  { type: 'object', object: { name: 'RawCustomField', fields: rawFields } },
  {
    type: 'object',
    object: {
      name: 'CustomFieldsType',
      fields: [
        ...typeReference.output.fields('type', true),
        {
          name: 'customFieldsRaw',
          type: '[RawCustomField!]',
          complexity: 1,
          // Stored values were parsed by this kind.
          ...pickedByName((parent) => namedFields(parent as unknown as CustomFields)),
        },
      ],
    },
  },
  ...typeReference.output.types(),
];

const customFieldInput = {
  name: 'CustomFieldInput',
  fields: [
    { name: 'name', type: 'String!' },
    { name: 'value', type: 'String!' },
  ],
};

/** The members of GraphQL's `CustomFieldsDraft`, and of the actions that set a custom type. */
export const customFieldsMembers = [
  { name: 'typeId', type: 'String' },
  { name: 'typeKey', type: 'String' },
  { name: 'type', type: 'ResourceIdentifierInput' },
  { name: 'fields', type: '[CustomFieldInput!]' },
];

export const customFieldsMemberTypes: Input['types'] = () => [customFieldInput, ...identifierInput.types()];

const customFieldsInput: Input = {
  type: 'CustomFieldsDraft',
  types: () => [{ name: 'CustomFieldsDraft', fields: customFieldsMembers }, ...customFieldsMemberTypes()],
  read: readCustomFields,
};

/** The type may be named in three ways, and values are JSON texts (decisions.md #145). */
export function readCustomFields(input: unknown): unknown {
  if (!isObject(input)) return input;
  const { typeId, typeKey, type, fields } = input;
  const named =
    type ?? ((typeId ?? typeKey) ? { typeId: 'type', id: typeId ?? undefined, key: typeKey ?? undefined } : undefined);
  // The schema has typed the list.
  const given = (fields ?? undefined) as readonly { name: string; value: string }[] | undefined;
  return {
    ...(named !== undefined && { type: named }),
    ...(given !== undefined && {
      fields: Object.fromEntries(given.map(({ name, value }) => [name, parseJsonText(name, value)])),
    }),
  };
}

/** The value that the JSON text of a custom field holds. */
export function parseJsonText(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw apiError('InvalidInput', `The value of the custom field '${name.slice(0, 100)}' is not valid JSON.`);
  }
}
