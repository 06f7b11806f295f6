import { type FieldKind, plainInput, plainOutput, sameSchema } from './field.ts';
import { unstorableIndex } from '../predicate/lexer.ts';
import type { Parsing } from './parsing.ts';
import { storableText } from './scalar.ts';

/** Levels of arrays and objects that a free value may have. */
const depthMax = 32;
/** Members of one object; what copies or compares those of one with more takes the event loop for long. */
export const membersMax = 50_000;

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
  if (typeof input === 'number' && !isExact(input)) return refuse(parsing, input, 'a number that JSON carries exactly');
  if (typeof input !== 'object' || input === null) return true;
  if (levels === 0) return refuse(parsing, null, `a value of at most ${depthMax} levels`);
  return Array.isArray(input)
    ? areStorable(input, levels - 1, parsing)
    : hasStorableMembers(input, levels - 1, parsing);
}

function areStorable(values: readonly unknown[], levels: number, parsing: Parsing): boolean {
  for (const value of values) if (!isStorable(value, levels, parsing)) return false;
  return true;
}

/** A value may have many members: a list of them took ten times as long as looking at each. */
function hasStorableMembers(value: object, levels: number, parsing: Parsing): boolean {
  let count = 0;
  // Parsed JSON has members of its own alone.
  for (const name in value) {
    if ((count += 1) > membersMax) return refuse(parsing, value, `an object of at most ${membersMax} members`);
    if (unstorableIndex(name) >= 0) return refuse(parsing, name, storableText);
    if (!isStorable((value as Readonly<Record<string, unknown>>)[name], levels, parsing)) return false;
  }
  return true;
}

/** Texts of numbers beyond all are read as infinite. */
function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

function refuse(parsing: Parsing, input: unknown, expected: string): false {
  parsing.wrongValue(input, expected);
  return false;
}
