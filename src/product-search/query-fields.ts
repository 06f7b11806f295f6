import { apiError } from '../errors/api-error.ts';
import { optional, required, type ValueOf } from '../fields/field.ts';
import { enumeration, locale, text } from '../fields/scalar.ts';
import {
  attributePattern,
  type DocumentNames,
  type Path,
  ratings,
  type Scope,
  uuidPattern,
  type ValueClass,
} from './path.ts';

const singleTypes = [
  'boolean',
  'text',
  'ltext',
  'enum',
  'lenum',
  'number',
  'money',
  'date',
  'datetime',
  'time',
  'reference',
] as const;

type AttributeType = (typeof singleTypes)[number];

export const fieldType = enumeration('SearchFieldType', [
  ...singleTypes,
  ...singleTypes.map((type): `set_${AttributeType}` => `set_${type}`),
]);

/** How every part of a query names a field. */
export const fieldMembers = {
  field: required(text(['variants.sku'])),
  fieldType: optional(fieldType),
  language: optional(locale()),
};

export type FieldName = Pick<ValueOf<typeof fieldMembers>, 'field'> & Partial<ValueOf<typeof fieldMembers>>;

interface Field {
  readonly scope: Scope;
  /** Of documents. */
  readonly name: string;
  readonly class: ValueClass;
  /** The name ends in the language. */
  readonly isLocalized?: boolean;
}

const scopePrefixes = { product: '', variant: 'variants.', price: 'variants.prices.' } as const;

function product(
  valueClass: ValueClass,
  ...names: readonly DocumentNames['product'][]
): readonly (readonly [string, Field])[] {
  return names.map((name) => [name, { scope: 'product', name, class: valueClass }]);
}

function localized(...names: readonly string[]): readonly (readonly [string, Field])[] {
  return names.map((name) => [name, { scope: 'product', name, class: 'text', isLocalized: true }]);
}

/** `name` is that of documents, where it is another one. */
function variant(
  field: DocumentNames['variant'] | 'availability.isOnStockForChannel',
  valueClass: ValueClass,
  name: DocumentNames['variant'] = field,
): readonly [string, Field] {
  return [`${scopePrefixes.variant}${field}`, { scope: 'variant', name, class: valueClass }];
}

function price(
  valueClass: ValueClass,
  ...names: readonly DocumentNames['price'][]
): readonly (readonly [string, Field])[] {
  return names.map((name) => [`${scopePrefixes.price}${name}`, { scope: 'price', name, class: valueClass }]);
}

/** By their names in queries (catalog 68). */
const fields: ReadonlyMap<string, Field> = new Map([
  ...product('keyword', 'id', 'key', 'productType', 'taxCategory', 'state', 'stores', 'productSelections'),
  ...product('keyword', 'categories', 'categoriesSubTree'),
  ...product('dateTime', 'createdAt', 'lastModifiedAt'),
  ...product('number', ...ratings.map((name) => `reviewRatingStatistics.${name}` as const)),
  ...localized('name', 'description', 'slug', 'searchKeywords'),
  variant('sku', 'keyword'),
  variant('key', 'keyword'),
  variant('availability.isOnStock', 'boolean'),
  variant('availability.availableQuantity', 'number'),
  variant('availability.isOnStockForChannel', 'keyword', 'availability.isOnStockInChannels'),
  variant('availability.hasInventoryEntryForChannel', 'keyword'),
  ...price('number', 'centAmount', 'currentCentAmount'),
  ...price('keyword', 'currencyCode', 'country', 'customerGroup', 'channel'),
  ...price('boolean', 'discounted'),
]);

const ORDER_HINT = new RegExp(`^categoryOrderHints\\.(${uuidPattern})$`);
const ATTRIBUTE = new RegExp(`^(variants\\.|)attributes\\.(${attributePattern})(?:\\.([A-Za-z]+))?$`);

/**
 * The path that a part of a query names. Throws InvalidInput for a field that products do not have, for an attribute
 * without its type, and for texts by locale without a language (catalog 67).
 */
export function pathOf(named: FieldName): Path {
  const { field } = named;
  const found = fields.get(field) ?? orderHint(field) ?? attribute(named);
  if (found === undefined) throw apiError('InvalidInput', `The field '${field.slice(0, 300)}' is none of products.`);
  const { scope, name, class: valueClass, isLocalized = false } = found;
  if (!isLocalized) return { scope, name, class: valueClass };
  const { language } = named;
  if (language === undefined)
    throw apiError('InvalidInput', `A language is missing for the field '${field}', which has texts by locale.`);
  return { scope, name: `${name}.${language}`, class: valueClass };
}

/** The path as queries name it, with the member or language that is meant. */
export function nameInQueries({ scope, name }: Path): string {
  return `${scopePrefixes[scope]}${name}`;
}

function orderHint(field: string): Field | undefined {
  const id = ORDER_HINT.exec(field)?.[1];
  if (id === undefined) return undefined;
  // Ids are held in lower case.
  return { scope: 'product', name: `categoryOrderHints.${id.toLowerCase()}`, class: 'decimal' };
}

interface Member {
  readonly class: ValueClass;
  readonly isLocalized?: boolean;
}

const key: Member = { class: 'keyword' };
const label: Member = { class: 'text' };
const localizedText: Member = { class: 'text', isLocalized: true };

/** What can be named of attributes by their types: after their names, or by the name alone. */
const attributeMembers: Readonly<Record<AttributeType, Readonly<Record<string, Member>>>> = {
  boolean: { '': { class: 'boolean' } },
  text: { '': label },
  ltext: { '': localizedText },
  enum: { key, label },
  lenum: { key, label: localizedText },
  number: { '': { class: 'number' } },
  money: { centAmount: { class: 'number' }, currencyCode: key },
  date: { '': { class: 'date' } },
  datetime: { '': { class: 'dateTime' } },
  time: { '': { class: 'time' } },
  reference: { id: key, typeId: key },
};

function attribute(named: FieldName): Field | undefined {
  const match = ATTRIBUTE.exec(named.field);
  if (match === null) return undefined;
  const [, prefix, name = '', given = ''] = match;
  if (named.fieldType === undefined)
    throw apiError('InvalidInput', `Type is missing: the attribute '${named.field}' needs its fieldType.`);
  const type = singleType(named.fieldType);
  const members = new Map(Object.entries(attributeMembers[type]));
  const member = members.has(given) || given !== '' ? given : wholeMember(type, named);
  const found = members.get(member);
  if (found === undefined)
    throw apiError(
      'InvalidInput',
      `The field '${named.field}' has a member that attributes of type ${type} do not have: '${given}'.`,
    );
  const path = ['attributes', name, ...(member === '' ? [] : [member])].join('.');
  return { scope: prefix === '' ? 'product' : 'variant', name: path, ...found };
}

function singleType(type: NonNullable<FieldName['fieldType']>): AttributeType {
  // Sets are found by their elements.
  return type.startsWith('set_') ? (type.slice('set_'.length) as AttributeType) : (type as AttributeType);
}

/** What of an attribute is meant by its name alone. */
function wholeMember(type: AttributeType, { language }: FieldName): string {
  switch (type) {
    case 'enum':
      return 'key';
    case 'lenum':
      return language === undefined ? 'key' : 'label';
    case 'money':
      return 'centAmount';
    case 'reference':
      return 'id';
    default:
      return '';
  }
}
