/**
 * The ways between what REST and GraphQL say of one value, read off the schema: texts by locale are lists there, forms of
 * tagged objects are members, references have a twin that is expanded. No resource is named here.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  getNamedType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
} from 'graphql';
import type { Resource } from '../../src/engine/resource.ts';
import { createRegistry } from '../../src/engine/registry.ts';
import type { Fields } from '../../src/fields/field.ts';
import { isObject } from '../../src/fields/object.ts';
import { createSchema } from '../../src/graphql/schema.ts';
import { allResources } from '../../src/resources/all.ts';
import { project } from '../../src/resources/project/resource.ts';
import type { Draft } from './example-drafts.ts';
import type { Answer, Platform } from './platform.ts';

export const schema: GraphQLSchema = createSchema(createRegistry(allResources, project));

/** Types of resources, and interfaces of them, of which a selection below another resource takes the id alone. */
const resourceTypes: ReadonlySet<string> = new Set([
  ...allResources.map(({ typeName }) => typeName),
  ...Object.values(schema.getTypeMap()).flatMap((type) =>
    isInterfaceType(type) && isOfResources(type) ? type.name : [],
  ),
]);

function isOfResources(type: GraphQLInterfaceType): boolean {
  return schema.getPossibleTypes(type).every(({ name }) => allResources.some(({ typeName }) => typeName === name));
}

export type Variables = Readonly<Record<string, { readonly type: string; readonly value: unknown }>>;

export interface GraphqlCall {
  readonly operation: 'query' | 'mutation';
  readonly field: string;
  readonly args: Variables;
  readonly selection: string;
}

/** Calls one field of the root. */
export function graphql(
  { request }: Pick<Platform, 'request'>,
  { operation, field, args, selection }: GraphqlCall,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const given = Object.entries(args);
  const declared = given.map(([name, { type }]) => `$${name}: ${type}`).join(', ');
  const passed = given.map(([name]) => `${name}: $${name}`).join(', ');
  const wrap = (text: string): string => (text === '' ? '' : `(${text})`);
  const query = `${operation} ${wrap(declared)} { ${field}${wrap(passed)} ${selection} }`;
  const variables = Object.fromEntries(given.map(([name, { value }]) => [name, value]));
  return request('POST', '/graphql', { query, variables }, headers);
}

/** The mutation that creates a resource, and selects this of it. */
export function createCall(
  { graphql: names, lifecycle, createdIn }: Resource,
  { value, selection }: { readonly value: unknown; readonly selection: string },
): GraphqlCall {
  const verb = lifecycle === 'upserted' ? 'createOrUpdate' : 'create';
  return {
    operation: 'mutation',
    field: names.create ?? `${verb}${names.mutation}`,
    args: { draft: { type: `${names.draft}!`, value } },
    selection: createdIn === undefined ? selection : `{ ${createdIn.member} ${selection} }`,
  };
}

/** The arguments that name one resource by its key; undefined when it has none. */
export function keyArguments(
  { keyMembers }: Resource,
  document: Readonly<Record<string, unknown>>,
): Variables | undefined {
  if (keyMembers.length === 0 || keyMembers.some((name) => document[name] === undefined)) return undefined;
  return Object.fromEntries(keyMembers.map((name) => [name, { type: 'String', value: document[name] }]));
}

/** The same for a query, which may know the kind by id alone. */
export function queriedKeyArguments(
  resource: Resource,
  document: Readonly<Record<string, unknown>>,
): Variables | undefined {
  const given = keyArguments(resource, document);
  const queries = schema.getQueryType()!.getFields();
  const known = queries[resource.graphql.one]!.args.map(({ name }) => name);
  return given !== undefined && Object.keys(given).every((name) => known.includes(name)) ? given : undefined;
}

export function idArguments(id: string): Variables {
  return { id: { type: 'String!', value: id } };
}

/** The least that GraphQL takes for a draft, as REST has it: what either of them demands. */
export function minimalInput(
  { graphql: { draft: typeName }, draft: fields, examples: { needed } }: Resource,
  full: Draft,
): Draft {
  const members = inputType(typeName).getFields();
  const isDemanded = (name: string): boolean => {
    const called = inputName(fields, name);
    return (
      fields[name]!.presence === 'required' ||
      needed.includes(name) ||
      (Object.hasOwn(members, called) && isRequiredInputField(members[called]!))
    );
  };
  return Object.fromEntries(Object.entries(full).filter(([name]) => isDemanded(name)));
}

/** An update action as GraphQL takes it; undefined for one that it does not have. */
export function actionInput(resource: Resource, name: string, input: Draft): unknown {
  const members = inputType(resource.graphql.updateAction).getFields();
  if (!Object.hasOwn(members, name)) return undefined;
  const typeName = getNamedType(members[name]!.type).name;
  return { [name]: inputOf(typeName, resource.actions.get(name)!.fields, input) };
}

function inputType(typeName: string): GraphQLInputObjectType {
  const type = schema.getType(typeName);
  if (!isInputObjectType(type)) throw new Error(`GraphQL has no input type ${typeName}`);
  return type;
}

/** What GraphQL takes for the fields of a draft or action. Members that the type does not have are left out. */
export function inputOf(typeName: string, fields: Fields, value: Readonly<Record<string, unknown>>): unknown {
  const members = inputType(typeName).getFields();
  return Object.fromEntries(
    Object.entries(value).flatMap(([member, given]) => {
      const name = inputName(fields, member);
      if (!Object.hasOwn(members, name)) return [];
      const isFree = Object.keys(fields[member]!.kind.schema.draft).length === 0;
      const isText = isFree && getNamedType(members[name]!.type).name === 'String';
      return [[name, isText ? JSON.stringify(given) : inputValue(members[name]!.type, given)]];
    }),
  );
}

/** What GraphQL calls a member of a draft or action. */
function inputName(fields: Fields, member: string): string {
  return fields[member]!.kind.input?.name ?? member;
}

/** The draft without the elements of lists, however deep, that GraphQL has no form for. */
export function sayable(typeName: string, fields: Fields, draft: Draft): Draft {
  const members = inputType(typeName).getFields();
  return Object.fromEntries(
    Object.entries(draft).map(([member, value]) => {
      const type = members[inputName(fields, member)]?.type;
      return [member, type && Array.isArray(value) ? value.filter((item) => isSayable(type, item)) : value];
    }),
  );
}

/** Whether GraphQL can say all of an action's input. */
export function hasWholeInput(resource: Resource, name: string, input: Draft): boolean {
  const { fields } = resource.actions.get(name)!;
  const { type } = inputType(resource.graphql.updateAction).getFields()[name]!;
  return isDeepStrictEqual(sayable(getNamedType(type).name, fields, givenOf(fields, input)), givenOf(fields, input));
}

function givenOf(fields: Fields, input: Draft): Draft {
  return Object.fromEntries(Object.entries(input).filter(([name]) => Object.hasOwn(fields, name)));
}

function isSayable(type: GraphQLInputType, value: unknown): boolean {
  const named = getNamedType(type);
  if (Array.isArray(value)) return value.every((item) => isSayable(named, item));
  if (!isInputObjectType(named) || !isObject(value)) return true;
  const members = named.getFields();
  const isOfForms = Object.values(members).every((member) => isInputObjectType(getNamedType(member.type)));
  const form = isOfForms ? formOf(members, value) : undefined;
  if (isOfForms && form === undefined) return false;
  if (form !== undefined) return isSayable(members[form]!.type, value);
  return Object.entries(value).every(([name, member]) => {
    return !Object.hasOwn(members, name) || isSayable(members[name]!.type, member);
  });
}

function inputValue(type: GraphQLInputType, value: unknown): unknown {
  if (isNonNullType(type)) return inputValue(type.ofType, value);
  if (isListType(type)) {
    if (Array.isArray(value)) return value.map((item) => inputValue(type.ofType, item));
    return isObject(value) ? pairsOf(getNamedType(type), value) : value;
  }
  if (!isInputObjectType(type) || !isObject(value)) return value;
  const members = type.getFields();
  // The value of a pair is a JSON text.
  if (Object.keys(members).join() === 'name,value' && getNamedType(members['value']!.type).name === 'String')
    return { name: value['name'], value: JSON.stringify(value['value']) };
  const form = formOf(members, value);
  if (form !== undefined) return { [form]: inputValue(members[form]!.type, value) };
  const { type: tag, ...others } = value;
  // A form that has a list alone is that list.
  if (typeof tag === 'string' && Object.hasOwn(members, tag)) return { [tag]: Object.values(others)[0] };
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [sizes.get(name) ?? name, member] as const)
      .filter(([name]) => Object.hasOwn(members, name))
      .map(([name, member]) => [name, inputValue(members[name]!.type, member)]),
  );
}

/** What GraphQL calls the members of dimensions. */
const sizes: ReadonlyMap<string, string> = new Map([
  ['w', 'width'],
  ['h', 'height'],
]);

type InputMembers = ReturnType<GraphQLInputObjectType['getFields']>;

/**
 * Each form of a tagged object is a member with an input object of its own. Where a form comes in several, which begin
 * with its tag, the first that has a member for all of the value is taken.
 */
function formOf(members: InputMembers, value: Readonly<Record<string, unknown>>): string | undefined {
  const given = ['type', 'name', 'action'].flatMap((tag) => value[tag] ?? []);
  const tags: readonly unknown[] = given.length > 0 ? given : ['centPrecision'];
  const forms = Object.keys(members).filter((name) => isInputObjectType(getNamedType(members[name]!.type)));
  const exact = forms.find((name) => tags.includes(name));
  if (exact === undefined) return undefined;
  const whole = forms.filter((name) => name.startsWith(exact)).find((name) => hasAll(members[name]!.type, value));
  return whole ?? exact;
}

function hasAll(
  type: GraphQLInputType,
  { type: _, name: _n, action: _a, ...value }: Readonly<Record<string, unknown>>,
): boolean {
  const named = getNamedType(type);
  return isInputObjectType(named) && Object.keys(value).every((name) => Object.hasOwn(named.getFields(), name));
}

/** An object of free names is a list of pairs; values of custom fields are JSON texts. */
function pairsOf(type: GraphQLNamedType, value: Readonly<Record<string, unknown>>): readonly unknown[] {
  const members = isInputObjectType(type) ? type.getFields() : {};
  const [name, other] = Object.keys(members);
  return Object.entries(value).map(([key, member]) => ({
    [name!]: key,
    [other!]: name === 'locale' ? inputValue(members[other!]!.type, member) : JSON.stringify(member),
  }));
}

/** Every field of the type, and of what it is made of. */
export function selectionOf(typeName: string): string {
  return selected(schema.getType(typeName)!, []);
}

/** What stands in other resources, and what has so many forms that one document cannot ask for all, is compared with nothing. */
function isLeftOut({ extensions, type }: GraphQLField<unknown, unknown>): boolean {
  return extensions['isOfOthers'] === true || getNamedType(type).name === 'OrderMessagePayload';
}

/** Types that hold themselves, such as sets of sets, are followed once. */
const nestingMax = 2;

function selected(type: GraphQLNamedType, around: readonly string[]): string {
  const within = [...around, type.name];
  const fieldsOf = (object: GraphQLObjectType, alias: (field: string) => string): string =>
    Object.values(object.getFields())
      .flatMap((field) => {
        if (field.args.some(isRequiredArgument)) return [];
        const named = getNamedType(field.type);
        if (isLeafType(named)) return `${alias(field.name)}${field.name}`;
        if (resourceTypes.has(named.name)) return `${alias(field.name)}${field.name} { id }`;
        if (isLeftOut(field)) return `${alias(field.name)}${field.name} { __typename }`;
        if (within.filter((name) => name === named.name).length === nestingMax) return [];
        return `${alias(field.name)}${field.name} ${selected(named, within)}`;
      })
      .join(' ');
  if (isObjectType(type)) return `{ ${fieldsOf(type, () => '')} }`;
  if (!isInterfaceType(type)) throw new Error(`The type ${type.name} has no fields`);
  // Members of different forms may share a name and not a type, so each has an alias of its own.
  const forms = schema
    .getPossibleTypes(type)
    .map((form) => `... on ${form.name} { ${fieldsOf(form, (field) => `${form.name}_${field}: `)} }`);
  return `{ __typename ${forms.join(' ')} }`;
}

/** Where an answer with all fields of the type says something else than the representation of REST. */
export function differences(typeName: string, answer: unknown, rest: unknown): readonly string[] {
  return compared(schema.getType(typeName)!, answer, { rest, path: typeName });
}

interface Place {
  readonly rest: unknown;
  readonly path: string;
}

function compared(
  type: GraphQLOutputType | GraphQLNamedType,
  answer: unknown,
  { rest, path }: Place,
): readonly string[] {
  if (isNonNullType(type)) return compared(type.ofType as GraphQLOutputType, answer, { rest, path });
  if (answer === null || answer === undefined || rest === null || rest === undefined)
    return (answer ?? undefined) === (rest ?? undefined) ? [] : [difference(path, answer, rest)];
  if (isListType(type)) {
    if (!Array.isArray(answer) || !Array.isArray(rest) || answer.length !== rest.length)
      return [difference(path, answer, rest)];
    return answer.flatMap((item, index) =>
      compared(type.ofType as GraphQLOutputType, item, { rest: rest[index], path: `${path}[${index}]` }),
    );
  }
  if (isInterfaceType(type)) {
    const name = String((answer as Record<string, unknown>)['__typename']);
    const entries = Object.entries(answer).map(([alias, value]) => [alias.replace(`${name}_`, ''), value] as const);
    return compared(schema.getType(name)!, Object.fromEntries(entries), { rest, path });
  }
  // Parts of which a query may pick some.
  if (Array.isArray(rest) && isObjectType(type)) {
    const { results } = type.getFields();
    return compared(results!.type, (answer as { results: unknown }).results, { rest, path });
  }
  if (!isObjectType(type)) return isDeepStrictEqual(answer, rest) ? [] : [difference(path, answer, rest)];
  return Object.values(type.getFields()).flatMap((field) =>
    comparedField(field, answer as Readonly<Record<string, unknown>>, {
      rest: rest as Readonly<Record<string, unknown>>,
      path: `${path}.${field.name}`,
      typeName: type.name,
    }),
  );
}

interface FieldPlace {
  readonly rest: Readonly<Record<string, unknown>>;
  readonly path: string;
  /** Of the object that has the field. */
  readonly typeName: string;
}

/** Fields that are called otherwise than the members of REST that they show. */
const otherNames: ReadonlyMap<string, string> = new Map([
  ['customFieldsRaw', 'fields'],
  ['attributesRaw', 'attributes'],
  ['interfaceInteractionsRaw', 'interfaceInteractions'],
  ['attributeDefinitions', 'attributes'],
  ['NestedAttributeDefinitionType.typeRef', 'typeReference'],
  ['refusedGiftsRefs', 'refusedGifts'],
  ['width', 'w'],
  ['height', 'h'],
]);

/** Fields that REST has no member for. */
const constants: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['isPlatformClient', false],
  ['applicationCount', 0],
  ['isValid', true],
]);

/** Fields that show what other members hold, in another way; test/api has them. */
const otherWays: ReadonlySet<string> = new Set([
  'Product.skus',
  'ProductData.allVariants',
  'ProductData.skus',
  'ProductData.variant',
  'RawProductAttribute.attributesRaw',
  'RawProductAttribute.referencedResource',
  'RawProductAttribute.referencedResourceSet',
]);

/** The member of REST that a field shows, of this type where it is called so there alone. */
export function memberOf(fieldName: string, typeName = ''): string {
  // An action that is kept in a resource.
  if (fieldName === 'type' && /StagedOrder\w+Output$/.test(typeName)) return 'action';
  const other = otherNames.get(`${typeName}.${fieldName}`) ?? otherNames.get(fieldName);
  return other ?? fieldName.replace(/(AllLocales|Ref)$/, '').replace(/Refs$/, 's');
}

/** The value of that member, or the addresses that are named by their ids. */
function restMember({ rest, typeName }: FieldPlace, fieldName: string): unknown {
  const name = memberOf(fieldName, typeName);
  const ids = rest[`${name}Id`] ?? rest[`${name.replace(/es$/, '')}Ids`];
  if (name in rest || ids === undefined || !Array.isArray(rest['addresses'])) return rest[name];
  const addresses = rest['addresses'] as readonly Draft[];
  return Array.isArray(ids) ? addresses.filter(({ id }) => ids.includes(id)) : addresses.find(({ id }) => id === ids);
}

function comparedField(
  field: GraphQLField<unknown, unknown>,
  answer: Readonly<Record<string, unknown>>,
  place: FieldPlace,
): readonly string[] {
  const { path } = place;
  if (field.args.some(isRequiredArgument) || otherWays.has(`${place.typeName}.${field.name}`)) return [];
  const value = answer[field.name];
  if (isLeftOut(field)) return [];
  // A list that REST has on a path of its own.
  if (field.args.some(({ name }) => name === 'where')) return [];
  if (constants.has(field.name)) return value === constants.get(field.name) ? [] : [difference(path, value, undefined)];
  const member = restMember(place, field.name);
  const isSame = (one: unknown, other: unknown): readonly string[] =>
    isDeepStrictEqual(one ?? undefined, other ?? undefined) ? [] : [difference(path, one, other)];
  // REST has no member where there are none.
  if (field.name === 'warnings') return isSame(value, member ?? []);
  if (resourceTypes.has(getNamedType(field.type).name))
    return isKeyed(member) ? [] : isSame(idsOf(value), idsOf(member));
  if (field.args.some(({ name }) => name === 'locale')) return isSame(value, textOf(member));
  // What has a member for each name in REST is a list of pairs here.
  if (Array.isArray(value) && isObject(member)) return isSame(objectOfPairs(value), member);
  return compared(field.type, value, { rest: member, path });
}

/** The text that is taken where no locale is asked for. */
function textOf(member: unknown): unknown {
  const [locale = ''] = Object.keys(isObject(member) ? member : {}).toSorted(
    (one, other) => one.length - other.length || one.localeCompare(other, 'en'),
  );
  return isObject(member) ? member[locale] : member;
}

/** What references lead to, in order. */
function idsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(idsOf);
  return isObject(value) ? value['id'] : undefined;
}

/** A link by key; its target shows in the answer alone. */
function isKeyed(member: unknown): boolean {
  return Array.isArray(member) ? member.some(isKeyed) : isObject(member) && 'key' in member && !('id' in member);
}

function objectOfPairs(pairs: readonly unknown[]): unknown {
  // Pairs have a name and a value, in this order, below whatever names.
  return Object.fromEntries(pairs.map((pair) => Object.values(unaliased(pair) as object) as [string, unknown]));
}

/** Members of tagged objects under their own names. */
function unaliased(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(unaliased);
  if (!isObject(answer)) return answer;
  const { __typename: name, ...members } = answer;
  return Object.fromEntries(
    Object.entries(members).map(([alias, value]) => [alias.replace(`${String(name)}_`, ''), unaliased(value)]),
  );
}

function difference(path: string, answer: unknown, rest: unknown): string {
  return `${path} is ${JSON.stringify(answer)} in GraphQL and ${JSON.stringify(rest)} in REST`;
}
