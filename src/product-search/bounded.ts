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

/** Characters of the texts of one list: what is said in them is parsed at once. */
const lengthMax = 100_000;

/** A list that is small enough for one request. */
export function atMost<Value>(countMax: number, kind: FieldKind<Value[]>): FieldKind<Value[]> {
  return {
    ...kind,
    schema: { ...kind.schema, draft: { ...kind.schema.draft, maxItems: countMax } },
    parse: (input, parsing) => {
      if (!Array.isArray(input) || (input.length <= countMax && lengthOf(input) <= lengthMax))
        return kind.parse(input, parsing);
      const most = `${countMax} elements or ${lengthMax} characters`;
      return parsing.fault('InvalidInput', (field) => `'${field}' has more than ${most}.`);
    },
  };
}

function lengthOf(elements: readonly unknown[]): number {
  return elements.reduce<number>((sum, each) => sum + (typeof each === 'string' ? each.length : 0), 0);
}
