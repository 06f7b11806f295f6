import { parseJsonText } from '../../fields/custom-fields.ts';
import { type FieldKind, optional, refined, required } from '../../fields/field.ts';
import { json } from '../../fields/json.ts';
import { integer, text } from '../../fields/scalar.ts';

const pattern = /^[A-Za-z0-9_~.-]{1,256}$/;

/** A container or key: it stands in paths, so its alphabet is that of a path segment. */
function segment(example: string): FieldKind<string> {
  return refined(text([example]), (value, parsing) => {
    return pattern.test(value)
      ? value
      : parsing.wrongValue(value, 'a name of 1 to 256 letters, digits, hyphens, underscores, tildes and dots');
  });
}

export const fields = {
  container: required(segment('settings')),
  key: required(segment('example-key-value-document')),
  /** Any JSON value. GraphQL takes it as a JSON text. */
  value: required({ ...json(), input: { type: 'String', types: () => [], read: parsedText } }),
};

/** A create may name the version that it replaces. */
export const draft = { ...fields, version: optional(integer({ min: 0 })) };

function parsedText(value: unknown): unknown {
  return typeof value === 'string' ? parseJsonText('value', value) : value;
}
