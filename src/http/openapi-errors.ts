import { type ErrorCode, errorTable, extensionMembers, fieldsOf, statusOf } from '../errors/codes.ts';
import type { JsonSchema } from '../fields/field.ts';

const text: JsonSchema = { type: 'string' };

/** Schemas of the table's type names; what is none of them is an object of a resource. */
const types: ReadonlyMap<string, JsonSchema> = new Map<string, JsonSchema>([
  ['Any', {}],
  ['Attribute', {}],
  ['Boolean', { type: 'boolean' }],
  ['ChannelRole', text],
  ['CountryCode', text],
  ['CurrencyCode', text],
  ['DateTime', { type: 'string', format: 'date-time' }],
  ['ErrorByExtension', { type: 'object' }],
  ['Int', { type: 'integer' }],
  ['Locale', text],
  ['Number', { type: 'number' }],
  ['Permission', text],
  ['ReferenceTypeId', text],
  ['String', text],
]);

function schemaOf(type: string): JsonSchema {
  if (type.endsWith('[]')) return { type: 'array', items: schemaOf(type.slice(0, -'[]'.length)) };
  return types.get(type) ?? { type: 'object' };
}

function elementOf(code: ErrorCode): JsonSchema {
  const named = statusOf(code) === 400 ? { ...extensionMembers, ...fieldsOf(code) } : fieldsOf(code);
  const extra = Object.entries(named).map(([name, type]) => [name.replace('?', ''), schemaOf(type)] as const);
  const required = Object.keys(fieldsOf(code)).filter((name) => !name.endsWith('?'));
  return {
    title: `${code.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase()).replace(/Error$/, '')}Error`,
    description: errorTable[code].when,
    type: 'object',
    properties: { code: { type: 'string', const: code }, message: text, ...Object.fromEntries(extra) },
    required: ['code', 'message', ...required],
  };
}

// The names are the table's own.
const codes = (Object.keys(errorTable) as ErrorCode[]).toSorted();

/** The body of every answer that failed. */
export const errorSchema: JsonSchema = {
  title: 'ErrorResponse',
  type: 'object',
  properties: {
    statusCode: { type: 'integer' },
    message: text,
    errors: { type: 'array', items: { title: 'ErrorObject', oneOf: codes.map(elementOf) } },
    error: { type: 'string', description: 'The code, for failures of tokens and rights.' },
    error_description: { type: 'string', description: 'The message, for failures of tokens and rights.' },
  },
  required: ['statusCode', 'message', 'errors'],
};
