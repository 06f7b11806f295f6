import { type FieldKind, plainOutput } from './field.ts';
import type { Parsing } from './parsing.ts';

/** Levels of arrays and objects that a free value may have. */
const depthMax = 32;

/** Any JSON value, such as a product attribute's. */
export function json(): FieldKind<unknown> {
  return {
    parse: (input, parsing) => (isStorable(input, depthMax, parsing) ? input : undefined),
    shape: { class: 'dynamic' },
    output: plainOutput('Json'),
    examples: ['red'],
  };
}

function isStorable(input: unknown, levels: number, parsing: Parsing): boolean {
  if (typeof input === 'string' && input.includes('\0'))
    return refuse(parsing, input, 'text without the NUL character');
  if (typeof input === 'number' && Number.isInteger(input) && !Number.isSafeInteger(input)) {
    return refuse(parsing, input, 'an integer that JSON carries exactly');
  }
  if (typeof input !== 'object' || input === null) return true;
  if (levels === 0) return refuse(parsing, null, `a value of at most ${depthMax} levels`);
  return Object.values(input).every((member) => isStorable(member, levels - 1, parsing));
}

function refuse(parsing: Parsing, input: unknown, expected: string): false {
  parsing.wrongValue(input, expected);
  return false;
}
