import { expansionComplexity, type FieldKind, type Input, type Output, refined } from './field.ts';
import { isObject } from './object.ts';
import type { Parsing } from './parsing.ts';

/** Elements that one list of a draft may hold; more cannot be meant within 16 MB of a resource. */
const elementsMax = 10_000;

/** A list of values of one kind. */
export function list<Value>(kind: FieldKind<Value>): FieldKind<Value[]> {
  return {
    parse: (input, parsing) => parseList(kind, input, parsing),
    shape: { class: 'list', item: kind.shape },
    output: listOutput(kind.output),
    input: kind.input && listInput(kind.input),
    schema: {
      draft: { type: 'array', items: kind.schema.draft, maxItems: elementsMax },
      value: { type: 'array', items: kind.schema.value },
    },
    check: (values, parsing) => {
      if (values.length > elementsMax) parsing.wrongValue(values.length, `an array of at most ${elementsMax} elements`);
      else if (kind.check !== undefined) checkElements(kind, values, parsing);
    },
    ...(kind.references !== undefined && {
      references: (values, visit) => {
        for (const value of values) kind.references!(value, visit);
      },
    }),
    ...(kind.described !== undefined && {
      described: (values, { path, name }, visit) => {
        for (const [index, value] of values.entries()) {
          const place = { path: `${path}[${index}]`, name: ownName(value) ?? `${name}[${nameIn(value) ?? index}]` };
          kind.described!(value, place, visit);
        }
      },
    }),
    examples: kind.examples.map((example) => [example]),
  };
}

/** A list of references whose unexpanded form GraphQL calls otherwise than `<name>Ref`. */
export function linksCalled<Value>(links: FieldKind<Value[]>, called: string): FieldKind<Value[]> {
  return {
    ...links,
    output: {
      ...links.output,
      fields: (name, isRequired) =>
        links.output
          .fields(name, isRequired)
          .map((field) => (field.name === `${name}Ref` ? { ...field, name: called } : field)),
    },
  };
}

interface Keyed {
  readonly key?: string;
}

/** A list whose elements have different keys, where they have one. */
export function keyedList<Value extends Keyed>(kind: FieldKind<Value>): FieldKind<Value[]> {
  return differingList(kind, ({ key }) => key, 'a list with different keys');
}

/** A list whose elements differ in what `nameOf` says of them, where it says something. */
export function differingList<Value>(
  kind: FieldKind<Value>,
  nameOf: (value: Value) => string | undefined,
  expected: string,
): FieldKind<Value[]> {
  return refined(list(kind), (values, parsing) => {
    const names = values.flatMap((value) => nameOf(value) ?? []);
    return new Set(names).size === names.length ? values : parsing.wrongValue(names, expected);
  });
}

/** Parses an array whose elements `kind` parses. */
export function parseList<Value>(
  kind: Pick<FieldKind<Value>, 'parse'>,
  input: unknown,
  parsing: Parsing,
): Value[] | undefined {
  if (!Array.isArray(input)) return parsing.wrongType('an array', input);
  if (input.length > elementsMax)
    return parsing.wrongValue(input.length, `an array of at most ${elementsMax} elements`);
  const start = parsing.faultCount;
  const values: Value[] = [];
  for (let index = 0; index < input.length; index += 1) {
    const since = parsing.faultCount;
    const value = kind.parse(input[index], parsing);
    if (parsing.faultCount > since) parsing.within(`[${index}]`, since);
    else if (value !== undefined) values.push(value);
  }
  return parsing.faultCount === start ? values : undefined;
}

function checkElements<Value>(kind: FieldKind<Value>, values: readonly Value[], parsing: Parsing): void {
  for (const [index, value] of values.entries()) {
    const since = parsing.faultCount;
    kind.check!(value, parsing);
    if (parsing.faultCount > since) parsing.within(`[${index}]`, since);
  }
}

function listInput({ type, types, read }: Input): Input {
  return {
    type: `[${type}!]`,
    types,
    ...(read !== undefined && { read: (values) => (Array.isArray(values) ? values.map(read) : values) }),
  };
}

function listOutput(item: Output): Output {
  const type = `[${item.item}!]`;
  const { readItem } = item;
  return {
    item: type,
    types: item.types,
    fields: (name, isRequired) => {
      if (item.reference !== undefined) return referenceListFields(name, isRequired, item);
      return [
        {
          name,
          type: isRequired ? `${type}!` : type,
          complexity: 1,
          read: (parent) => {
            const values = parent[name];
            return readItem === undefined || !Array.isArray(values) ? values : values.map(readItem);
          },
        },
      ];
    },
  };
}

/** That of an element whose id no other of its kind in the resource has, wherever it stands: prices go from variant to variant. */
function ownName(element: unknown): string | undefined {
  return isObject(element) && typeof element['id'] === 'string' ? `#${element['id']}` : undefined;
}

/** What names an element in its list: variants have numbers, addresses of a cart and what ships it keys. */
function nameIn(element: unknown): string | undefined {
  if (!isObject(element)) return undefined;
  const { id, key, shippingKey } = element;
  if (typeof id === 'number') return `#${id}`;
  const name = key ?? shippingKey;
  return typeof name === 'string' ? `'${name}'` : undefined;
}

/** References are read in two ways: `<name>Ref` as they are, and `<name>` expanded, which costs more. */
function referenceListFields(name: string, isRequired: boolean, item: Output): ReturnType<Output['fields']> {
  const bang = isRequired ? '!' : '';
  return [
    { name: `${name}Ref`, type: `[${item.reference!}!]${bang}`, complexity: 1, read: (parent) => parent[name] },
    {
      name,
      type: `[${item.item}!]${bang}`,
      complexity: expansionComplexity,
      expands: true,
      read: (parent) => parent[name],
    },
  ];
}
