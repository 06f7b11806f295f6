import type { Fixed } from '../../engine/document.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { parseList } from '../../fields/list.ts';
import { money } from '../../fields/money.ts';
import { isObject } from '../../fields/object.ts';
import type { FieldKind } from '../../fields/field.ts';
import type { Parsing } from '../../fields/parsing.ts';
import { reference } from '../../fields/reference.ts';
import { anyNumber, boolean, date, dateTime, text, time } from '../../fields/scalar.ts';
import { keptDistinct } from '../../fields/set.ts';
import { type Attribute, type AttributeType, unwrapped } from './attribute-type.ts';
import { type ChangedValues, ConstraintHistory } from './constraint-history.ts';
import type { AttributeDefinition, ProductType } from './fields.ts';

/** The documents of nested types by id; all of them have been read. */
type TypeOf = (id: string) => Fixed<ProductType> | undefined;

type Level = AttributeDefinition['level'];

/** The attributes that a product type defines. */
export interface ProductAttributes {
  readonly definitions: ReadonlyMap<string, AttributeDefinition>;
  /**
   * Parses one value that a client sent at this level into the form in which it is stored and read, or records what is
   * wrong with it. References in it are identifiers of `parsing` that are still to be looked up.
   */
  parse(given: Attribute, level: Level, parsing: Parsing): Attribute | undefined;
  /** Records RequiredField for each required attribute of the level that is not there. */
  requirePresent(attributes: readonly Attribute[], level: Level, parsing: Parsing): void;
  /** Holds the variants of one projection to SameForAll, Unique and CombinationUnique, action by action. */
  constraints(changed?: ChangedValues): ConstraintHistory;
}

/** The attributes that a product type defines; what follows from the type alone is kept for as long as its document. */
export function attributesOf(type: Fixed<ProductType>, typeOf: TypeOf): ProductAttributes {
  const { definitions, parsers } = compiledOf(type);
  return {
    definitions,
    parse: (given, level, parsing) => {
      const definition = definitions.get(given.name);
      const since = parsing.faultCount;
      if (definition === undefined) parsing.wrongValue(given.value, `an attribute that '${type.name}' defines`);
      else if (definition.level !== level) return refuseLevel(definition, parsing);
      const value = definition && parsers.get(given.name)!(given.value, { parsing, typeOf });
      if (parsing.faultCount > since) parsing.describedAs(given.name, since, given.value);
      return value === undefined ? undefined : { name: given.name, value };
    },
    requirePresent: (attributes, level, parsing) => {
      const present = new Set(attributes.map(({ name }) => name));
      for (const definition of definitions.values()) {
        if (!definition.isRequired || definition.level !== level || present.has(definition.name)) continue;
        const since = parsing.faultCount;
        parsing.missing();
        parsing.within(definition.name, since);
      }
    },
    constraints: (changed) => new ConstraintHistory(definitions, changed),
  };
}

/** By their names. */
export function definitionsOf(type: Fixed<ProductType>): ReadonlyMap<string, AttributeDefinition> {
  return compiledOf(type).definitions;
}

/** The keys of the values of required attributes that are enumerations, by the names of the attributes. */
export function requiredEnumerations({ attributes }: Fixed<ProductType>): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map(
    attributes.flatMap(({ name, isRequired, type: { values } }) =>
      isRequired && values !== undefined ? [[name, new Set(values.map(({ key }) => key))]] : [],
    ),
  );
}

/** The id of the product type that describes what is nested in the values of an attribute. */
export function nestedTypeOf({ type }: Fixed<Pick<AttributeDefinition, 'type'>>): string | undefined {
  return unwrapped(type).innermost.typeReference?.id;
}

/** Ids of the product types that the definitions nest. */
export function nestedTypes({ attributes }: Fixed<ProductType>): readonly string[] {
  return [...new Set(attributes.flatMap((definition) => nestedTypeOf(definition) ?? []))];
}

function refuseLevel({ name, level }: AttributeDefinition, parsing: Parsing): undefined {
  const place = level === 'Product' ? 'the product, and no variant' : 'each variant, and not the product';
  return parsing.fault('InvalidOperation', () => `The attribute '${name}' has the level ${level}: ${place}, has it.`);
}

interface Context {
  readonly parsing: Parsing;
  readonly typeOf: TypeOf;
}

/** Gives the value as it is stored; undefined after it has recorded a fault. */
type ParseValue = (value: unknown, context: Context) => unknown;

interface Compiled {
  readonly definitions: ReadonlyMap<string, AttributeDefinition>;
  readonly parsers: ReadonlyMap<string, ParseValue>;
}

/** By the documents of product types, which nobody changes. */
const known = new WeakMap<Fixed<ProductType>, Compiled>();

function compiledOf(type: Fixed<ProductType>): Compiled {
  let compiled = known.get(type);
  if (compiled === undefined) {
    compiled = {
      definitions: new Map(type.attributes.map((definition) => [definition.name, definition])),
      parsers: new Map(type.attributes.map((definition) => [definition.name, parserOf(definition.type)])),
    };
    known.set(type, compiled);
  }
  return compiled;
}

/** Types whose values need nothing but their name to be parsed. */
const simpleKinds: ReadonlyMap<string, FieldKind<unknown>> = new Map<string, FieldKind<unknown>>([
  ['boolean', boolean()],
  ['text', text()],
  ['ltext', localizedString()],
  ['number', anyNumber()],
  ['money', money()],
  ['date', date()],
  ['time', time()],
  ['datetime', dateTime()],
]);

function parserOf(type: AttributeType): ParseValue {
  const kind = simpleKinds.get(type.name);
  if (kind !== undefined) return (value, { parsing }) => kind.parse(value, parsing);
  switch (type.name) {
    case 'enum':
    case 'lenum':
      return enumParser(type);
    case 'reference': {
      // A value is no reason to keep its target; it reads as before when the target goes.
      const link = reference(type.referenceTypeId!, '', { strength: 'loose' });
      return (value, { parsing }) => link.parse(value, parsing);
    }
    case 'set':
      return setParser(parserOf(type.elementType!));
    case 'nested':
      return nestedParser(type.typeReference!.id);
    default:
      throw new Error(`A stored product type has the attribute type '${type.name}'`);
  }
}

/** Values of enumerations are given by their keys, or as they read, and stored with their labels. */
function enumParser({ values = [] }: AttributeType): ParseValue {
  const byKey = new Map(values.map((value) => [value.key, value]));
  const keys = [...byKey.keys()];
  return (value, { parsing }) => {
    const key = isObject(value) ? value['key'] : value;
    const found = typeof key === 'string' ? byKey.get(key) : undefined;
    // Nobody may change what the product type holds, so its label is not given away.
    return found === undefined ? parsing.notAllowed(value, keys) : structuredClone(found);
  };
}

function setParser(parseElement: ParseValue): ParseValue {
  return (value, context) => {
    const { parsing } = context;
    const values = parseList({ parse: (element) => parseElement(element, context) }, value, parsing);
    return values && keptDistinct(values, parsing);
  };
}

/**
 * Nested attributes may have any level, and need not have those that are required: nobody says that a part of a value is as
 * complete as a variant.
 */
function nestedParser(typeId: string): ParseValue {
  return (value, context) => {
    const { parsing, typeOf } = context;
    const type = typeOf(typeId);
    if (type === undefined) throw new Error(`The nested product type ${typeId} was not read`);
    const { parsers } = compiledOf(type);
    const names = new Set<string>();
    const parseAttribute = (given: unknown): Attribute | undefined => {
      const { name, value: inner } = isObject(given) ? given : {};
      const parse = typeof name === 'string' ? parsers.get(name) : undefined;
      if (typeof name !== 'string' || parse === undefined)
        return parsing.wrongValue(given, `an object with the name of an attribute that '${type.name}' defines`);
      if (names.size === names.add(name).size)
        return parsing.wrongValue(given, 'a name that no other attribute of the value has');
      if (inner === undefined || inner === null) return undefined;
      const since = parsing.faultCount;
      const parsed = parse(inner, context);
      parsing.within(name, since);
      return parsed === undefined ? undefined : { name, value: parsed };
    };
    return parseList({ parse: parseAttribute }, value, parsing);
  };
}
