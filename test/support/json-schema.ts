import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Fields, JsonSchema } from '../../src/fields/field.ts';
import { objectSchema } from '../../src/fields/object.ts';

/** Knows the keywords of JSON Schema and refuses others. */
const ajv = new Ajv2020({ allErrors: true });
ajv.addFormat('date', /^\d{4}-\d{2}-\d{2}$/);
// The one form in which moments are stored and read.
ajv.addFormat('date-time', /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
// Languages with parsers of their own.
for (const language of [
  'cart-predicate',
  'expansion-path',
  'line-item-predicate',
  'custom-line-item-predicate',
  'product-predicate',
  'score-function',
])
  ajv.addFormat(language, true);

/** What keeps `value` from matching the schema, each with its path. */
export function mismatches(schema: JsonSchema, value: unknown): readonly string[] {
  const validate = ajv.compile(schema);
  return validate(value) ? [] : validate.errors!.map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** By fields, for a schema is compiled once as long as it is the same object. */
const schemas = new WeakMap<Fields, JsonSchema>();

/** What keeps a document from matching the schema of its fields. */
export function documentMismatches(fields: Fields, document: unknown): readonly string[] {
  const schema = schemas.get(fields) ?? objectSchema(fields).value;
  schemas.set(fields, schema);
  return mismatches(schema, document);
}

/** The JSON types that a schema lets a value have; undefined when it says nothing of them. */
export function typesOf({ type, oneOf, anyOf }: JsonSchema): ReadonlySet<string> | undefined {
  if (typeof type === 'string') return new Set(type === 'integer' ? ['number'] : [type]);
  const forms = (oneOf ?? anyOf) as readonly JsonSchema[] | undefined;
  const types = forms?.map(typesOf);
  if (types === undefined || types.includes(undefined)) return undefined;
  return new Set(types.flatMap((form) => [...form!]));
}

export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
