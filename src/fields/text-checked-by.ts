import { ApiError } from '../errors/api-error.ts';
import { type FieldKind, refined, sameSchema } from './field.ts';
import { text } from './scalar.ts';

/**
 * Text in a language that `check` knows; the ApiError that it throws for others is reported with the other faults.
 * `format` names the language in the API's description.
 */
export function textCheckedBy(
  check: (value: string) => unknown,
  { format, examples }: { readonly format: string; readonly examples: readonly string[] },
): FieldKind<string> {
  const kind = { ...text(examples), schema: sameSchema({ type: 'string', format }) };
  return refined(kind, (value, parsing) => {
    try {
      check(value);
      return value;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      for (const { code, message } of error.errors)
        parsing.fault(code, (field) => `The value of field '${field}' is not valid. ${message}`);
      return undefined;
    }
  });
}
