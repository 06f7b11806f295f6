import { type FieldKind, plainInput, plainOutput, sameSchema } from './field.ts';
import { unstorableIndex } from '../predicate/lexer.ts';
import type { Parsing } from './parsing.ts';
import { storableText } from './scalar.ts';

/** Levels of arrays and objects that a free value may have. */
const depthMax = 32;

/** Any JSON value, such as a product attribute's. */
export function json(): FieldKind<unknown> {
  return {
    parse: (input, parsing) => (isStorable(input, depthMax, parsing) ? input : undefined),
    shape: { class: 'dynamic' },
    output: plainOutput('Json'),
    input: plainInput('Json'),
    schema: sameSchema({}),
    examples: ['red'],
  };
}

function isStorable(input: unknown, levels: number, parsing: Parsing): boolean {
  if (typeof input === 'string' && unstorableIndex(input) >= 0) return refuse(parsing, input, storableText);
  if (typeof input === 'number' && Number.isInteger(input) && !Number.isSafeInteger(input)) {
    return refuse(parsing, input, 'an integer that JSON carries exactly');
  }
  if (typeof input !== 'object' || input === null) return true;
  if (levels === 0) return refuse(parsing, null, `a value of at most ${depthMax} levels`);
  return Object.entries(input).every(
    ([name, member]) => isStorable(name, 1, parsing) && isStorable(member, levels - 1, parsing),
  );
}

function refuse(parsing: Parsing, input: unknown, expected: string): false {
  parsing.wrongValue(input, expected);
  return false;
}
