import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../fields/field.ts';

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const oneSchema: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'propertyNames']);
const listedSchemas: ReadonlySet<string> = new Set(['oneOf', 'anyOf', 'allOf']);
const namedSchemas: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/** The components of a document: each type stands there once, by its title, and is linked to from everywhere else. */
export class Schemas {
  readonly #components = new Map<string, JsonSchema>();
  readonly #linked = new Map<JsonSchema, JsonSchema>();

  /** The schema with links in place of all that has a title. Two types with one title are a fault of the program. */
  link(schema: JsonSchema): JsonSchema {
    const known = this.#linked.get(schema);
    if (known !== undefined) return known;
    const { title, ...keywords } = schema;
    const entries = Object.entries(keywords).map(([keyword, value]) => [keyword, this.#linkWithin(keyword, value)]);
    const plain: JsonSchema = withDiscriminator(schema, Object.fromEntries(entries) as JsonSchema);
    const linked = typeof title === 'string' ? this.#component(title, plain) : plain;
    this.#linked.set(schema, linked);
    return linked;
  }

  /** In the order of their names. */
  all(): Readonly<Record<string, JsonSchema>> {
    return Object.fromEntries([...this.#components].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }

  #component(title: string, schema: JsonSchema): JsonSchema {
    const other = this.#components.get(title);
    if (other !== undefined && !isDeepStrictEqual(other, schema)) throw new Error(`Two types are called ${title}`);
    this.#components.set(title, schema);
    return { $ref: `#/components/schemas/${title}` };
  }

  /** The keywords decide what their values are. */
  #linkWithin(keyword: string, value: unknown): unknown {
    if (oneSchema.has(keyword)) return this.link(value as JsonSchema);
    if (listedSchemas.has(keyword)) return (value as readonly JsonSchema[]).map((form) => this.link(form));
    if (!namedSchemas.has(keyword)) return value;
    const entries = Object.entries(value as Readonly<Record<string, JsonSchema>>);
    return Object.fromEntries(entries.map(([name, member]) => [name, this.link(member)]));
  }
}

/** Tells readers which form of `oneOf` a value has, where all forms are types and one member tells them apart. */
function withDiscriminator(schema: JsonSchema, linked: JsonSchema): JsonSchema {
  const forms = schema['oneOf'] as readonly JsonSchema[] | undefined;
  const links = linked['oneOf'] as readonly JsonSchema[] | undefined;
  if (forms === undefined || links === undefined || links.some(({ $ref }) => $ref === undefined)) return linked;
  const propertyName = Object.keys(membersOf(forms[0]!)).find((name) =>
    forms.every((form) => typeof membersOf(form)[name]?.['const'] === 'string'),
  );
  if (propertyName === undefined) return linked;
  const mapping = forms.map((form, index) => [membersOf(form)[propertyName]!['const'], links[index]!['$ref']]);
  return { ...linked, discriminator: { propertyName, mapping: Object.fromEntries(mapping) as object } };
}

function membersOf({ properties = {} }: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return properties as Readonly<Record<string, JsonSchema>>;
}
