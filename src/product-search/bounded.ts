import { type FieldKind, refined, sameSchema } from '../fields/field.ts';
import { integer } from '../fields/scalar.ts';

/** A whole number from `min` to `max`; another is InvalidInput, as of all parameters (catalog 58). */
export function bounded({ min, max, ...others }: { min: number; max: number; default?: number }): FieldKind<number> {
  const kind = refined(integer({ type: 'Long' }), (value, parsing) => {
    if (value >= min && value <= max) return value;
    const message = (field: string): string => `The value of '${field}' is ${value}, but ${min} to ${max} is expected.`;
    return parsing.fault('InvalidInput', message);
  });
  return { ...kind, schema: sameSchema({ type: 'integer', minimum: min, maximum: max, ...others }), examples: [max] };
}

/** A list that has few enough elements for one request. */
export function atMost<Value>(countMax: number, kind: FieldKind<Value[]>): FieldKind<Value[]> {
  return {
    ...kind,
    parse: (input, parsing) => {
      if (!Array.isArray(input) || input.length <= countMax) return kind.parse(input, parsing);
      const message = (field: string): string =>
        `'${field}' has ${input.length} elements, but at most ${countMax} are allowed.`;
      return parsing.fault('InvalidInput', message);
    },
  };
}
