import { ApiError } from '../errors/api-error.ts';
import { type FieldKind, noTypes, plainInput, plainOutput, sameSchema } from '../fields/field.ts';
import type { Parsing } from '../fields/parsing.ts';
import { text } from '../fields/scalar.ts';

/**
 * Text in a language that `parse` knows, given on as what it means. What `parse` throws is reported with the other faults
 * of the request. `format` names the language in the API's description.
 */
export function parsedText<Value>(
  parse: (source: string) => Value,
  { format, examples }: { readonly format: string; readonly examples: readonly string[] },
): FieldKind<Value> {
  const source = text();
  return {
    parse: (input, parsing) => {
      const given = source.parse(input, parsing);
      return given === undefined ? undefined : reported(() => parse(given), parsing);
    },
    shape: { class: 'text' },
    output: plainOutput('String', 1, noTypes),
    input: plainInput('String'),
    schema: sameSchema({ type: 'string', format }),
    examples,
  };
}

/** What `make` gives; undefined after the faults that it threw were recorded. */
export function reported<Value>(make: () => Value, parsing: Parsing): Value | undefined {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // The codes of the languages have no further fields.
    for (const { code, message } of error.errors)
      parsing.fault(code, (field) => `The value of '${field}' is not valid. ${message}`);
    return undefined;
  }
}
