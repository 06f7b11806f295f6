import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLNamedType,
  type GraphQLSchema,
  astFromValue,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  print,
} from 'graphql';

/** The facts of a published schema: types by name, with their members. */
export interface Catalog {
  readonly scalars: readonly string[];
  readonly queries: Readonly<Record<string, CatalogMember>>;
  /** Interfaces of the queries. */
  readonly queryImplements?: readonly string[];
  readonly mutations: Readonly<Record<string, CatalogMember>>;
  readonly objects: Readonly<Record<string, CatalogType>>;
  readonly interfaces: Readonly<Record<string, CatalogType>>;
  readonly inputs: Readonly<Record<string, CatalogType>>;
  readonly enums: Readonly<Record<string, { readonly values: readonly string[] }>>;
}

interface CatalogMember {
  readonly type: string;
  readonly default?: string;
  readonly args?: Readonly<Record<string, CatalogMember>>;
}

interface CatalogType {
  readonly implements?: readonly string[];
  readonly fields: Readonly<Record<string, CatalogMember>>;
}

/** What two types with one name have to agree on: signatures by member, and interfaces. */
interface Comparable {
  readonly members: ReadonlyMap<string, string>;
  readonly interfaces: readonly string[];
}

export interface Difference {
  /** `Type.member`, or a type's name. */
  readonly place: string;
  readonly catalog: string | undefined;
  readonly schema: string | undefined;
}

/**
 * How a schema differs from a catalog, type by type, for the types that the schema has. Interfaces that the schema does
 * not have are not missed, nor are queries and mutations of kinds that it does not have.
 */
export function compareWithCatalog(schema: GraphQLSchema, catalog: Catalog): readonly Difference[] {
  const published = new Map<string, Comparable>([
    ['Query', comparableOf({ fields: catalog.queries, implements: catalog.queryImplements ?? [] })],
    ['Mutation', comparableOf({ fields: catalog.mutations })],
    ...[catalog.objects, catalog.interfaces, catalog.inputs].flatMap((types) =>
      Object.entries(types).map(([name, type]) => [name, comparableOf(type)] as const),
    ),
    ...Object.entries(catalog.enums).map(
      ([name, { values }]) => [name, { members: new Map(values.map((value) => [value, ''])), interfaces: [] }] as const,
    ),
    ...catalog.scalars.map((name) => [name, { members: new Map<string, string>(), interfaces: [] }] as const),
  ]);
  const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
  const known = new Set(types.map(({ name }) => name));
  const isOfUnbuilt = unbuiltFinder(catalog, known);
  return types.flatMap((type) => {
    const built = comparableType(type);
    const wanted = published.get(type.name);
    if (built === undefined || builtIn.has(type.name)) return [];
    if (wanted === undefined) return [{ place: type.name, catalog: undefined, schema: 'a type' }];
    return [
      ...memberDifferences(type.name, { wanted, built }).filter((difference) => !isOfUnbuilt(difference)),
      ...wanted.interfaces
        .filter((name) => known.has(name) && !built.interfaces.includes(name))
        .map((name) => ({ place: `${type.name} implements ${name}`, catalog: 'yes', schema: undefined })),
    ];
  });
}

const builtIn = new Set(['String', 'Int', 'Float', 'Boolean', 'ID']);

function memberDifferences(
  typeName: string,
  { wanted, built }: { readonly wanted: Comparable; readonly built: Comparable },
): readonly Difference[] {
  const names = new Set([...wanted.members.keys(), ...built.members.keys()]);
  return [...names]
    .map((name) => ({
      place: `${typeName}.${name}`,
      catalog: wanted.members.get(name),
      schema: built.members.get(name),
    }))
    .filter(({ catalog, schema }) => catalog !== schema);
}

const pageSuffix = 'QueryResult';

/**
 * Tells the missing queries and mutations of kinds that the schema does not have. A kind is what the catalog has pages of;
 * a query belongs to the kind with the longest name that begins the name of what it gives.
 */
function unbuiltFinder({ objects }: Catalog, known: ReadonlySet<string>): (difference: Difference) => boolean {
  const names = Object.keys(objects);
  const kinds = names.filter((name) => names.includes(`${name}${pageSuffix}`));
  const kindOf = (typeName: string): string | undefined =>
    kinds.filter((kind) => typeName.startsWith(kind)).toSorted((one, other) => other.length - one.length)[0];
  // Besides the roots, what is no kind and has pages of kinds leads on to them.
  const holders = names.filter((name) => {
    const members = Object.values(objects[name]!.fields ?? {});
    return kindOf(name) === undefined && members.some(({ type }) => type.endsWith(`${pageSuffix}!`));
  });
  const leading = new Set(['Query', 'Mutation', ...holders]);
  return ({ place, catalog, schema }) => {
    if (catalog === undefined || schema !== undefined || !leading.has(place.split('.')[0]!)) return false;
    const [given = ''] = /\w+(?=[\]!]*$)/.exec(catalog) ?? [];
    const kind = kindOf(given);
    return kind !== undefined && !known.has(kind);
  };
}

function comparableOf({ fields, implements: interfaces = [] }: CatalogType): Comparable {
  return {
    members: new Map(Object.entries(fields ?? {}).map(([name, member]) => [name, catalogSignature(member)])),
    interfaces,
  };
}

function catalogSignature({ type, default: fallback, args = {} }: CatalogMember): string {
  const texts = Object.entries(args).map(([name, arg]) => `${name}: ${catalogSignature(arg)}`);
  return signature(texts, fallback === undefined ? type : `${type} = ${fallback}`);
}

function signature(args: readonly string[], type: string): string {
  return args.length === 0 ? type : `(${[...args].sort().join(', ')}): ${type}`;
}

function comparableType(type: GraphQLNamedType): Comparable | undefined {
  if (isObjectType(type) || isInterfaceType(type)) {
    const members = Object.values(type.getFields()).map((field): [string, string] => [
      field.name,
      signature(
        field.args.map((arg) => `${arg.name}: ${inputSignature(arg)}`),
        String(field.type),
      ),
    ]);
    return { members: new Map(members), interfaces: type.getInterfaces().map(({ name }) => name) };
  }
  if (isInputObjectType(type)) {
    const members = Object.values(type.getFields()).map((field): [string, string] => [
      field.name,
      inputSignature(field),
    ]);
    return { members: new Map(members), interfaces: [] };
  }
  if (isEnumType(type)) return { members: new Map(type.getValues().map(({ name }) => [name, ''])), interfaces: [] };
  return { members: new Map(), interfaces: [] };
}

function inputSignature({ type, defaultValue }: GraphQLArgument | GraphQLInputField): string {
  const fallback = defaultValue === undefined ? undefined : astFromValue(defaultValue, type);
  return fallback === undefined || fallback === null ? String(type) : `${String(type)} = ${print(fallback)}`;
}
