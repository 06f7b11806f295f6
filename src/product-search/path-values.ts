import { describe } from '../fields/parsing.ts';
import type { Bounds, Expression, Test } from './condition.ts';
import type { Path } from './path.ts';
import { attributeNames, categoriesSubTree, type ProjectionPath, wholeAttribute } from './projection-paths.ts';
import type { Token, Tokens } from './tokens.ts';
import { expectations, hasRanges, meantValues, type Scalar } from './values.ts';

/** What stands after the colon of a filter or a facet, of which one has to be met. */
export interface PathValues {
  readonly ranges: readonly Range[];
  /** All that is no range. */
  readonly tests: readonly Test[];
}

/** Its ends, as documents hold the values of the path; whether they belong to it, filters and facets say differently. */
export interface Range {
  readonly from: Scalar | undefined;
  readonly to: Scalar | undefined;
}

/** Values of one filter or facet, with each range and each id of a subtree. */
export const valuesMax = 1000;

interface Gathered {
  readonly literals: Scalar[];
  /** Ids of categories, which take in those below. */
  readonly subtrees: Scalar[];
  readonly ranges: Range[];
  readonly presences: Set<'exists' | 'missing'>;
}

export function noValues(): Gathered {
  return { literals: [], subtrees: [], ranges: [], presences: new Set() };
}

/** values = value { "," value } */
export function parsePathValues(tokens: Tokens, path: ProjectionPath): PathValues {
  const gathered = noValues();
  do parseValue(tokens, path, gathered);
  while (tokens.takeSymbol(','));
  return pathValues(path, gathered);
}

export function pathValues(path: ProjectionPath, { literals, subtrees, ranges, presences }: Gathered): PathValues {
  const tests: Test[] = [...presences].map((presence) => presenceTest(path.path, presence));
  if (literals.length > 0) tests.push({ kind: 'in', path: path.path, values: literals, foldsCase: false });
  if (subtrees.length > 0) tests.push({ kind: 'in', path: categoriesSubTree, values: subtrees, foldsCase: false });
  return { ranges, tests };
}

/** What a filter says: any of the values, with both ends of ranges (catalog 59, 61). */
export function anyOf({ path }: ProjectionPath, { ranges, tests }: PathValues): Expression {
  const inRanges = ranges.map((range): Test => ({ kind: 'range', path, bounds: inclusive(range) }));
  const [first, ...others] = [...tests, ...inRanges];
  return first !== undefined && others.length === 0 ? first : { kind: 'any', operands: [...tests, ...inRanges] };
}

function inclusive({ from, to }: Range): Bounds {
  return { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lte: to }) };
}

/** Of an attribute as a whole its name tells whether it is there, whatever it holds. */
function presenceTest(path: Path, presence: 'exists' | 'missing'): Test {
  const name = wholeAttribute(path);
  const exists: Test =
    name === undefined
      ? { kind: 'exists', path }
      : { kind: 'in', path: attributeNames, values: [name], foldsCase: false };
  return presence === 'exists' ? exists : { kind: 'not', test: exists };
}

/** value = "missing" | "exists" | "range" range { "," range } | "subtree" "(" text { "," text } ")" | literal */
function parseValue(tokens: Tokens, path: ProjectionPath, gathered: Gathered): void {
  const token = tokens.current;
  if (tokens.takeKeyword('missing')) gathered.presences.add('missing');
  else if (tokens.takeKeyword('exists')) gathered.presences.add('exists');
  else if (path.hasPresenceAlone) throw tokens.unexpected(`'missing' or 'exists'`);
  else if (tokens.takeKeyword('range')) parseRanges(tokens, path, gathered.ranges);
  else if (tokens.takeKeyword('subtree')) parseSubtree(tokens, { token, path }, gathered.subtrees);
  else gathered.literals.push(...parseLiteral(tokens, path));
  const { literals, subtrees, ranges } = gathered;
  if (literals.length + subtrees.length + ranges.length > valuesMax)
    throw tokens.fault(`more than ${valuesMax} values stand`, token.position);
}

/** range = "(" end "to" end ")"; the comma after one is followed by another range, or by another value. */
function parseRanges(tokens: Tokens, path: ProjectionPath, ranges: Range[]): void {
  if (!hasRanges(path.path))
    throw tokens.fault(`the values of the path ${path.text} lie in no ranges, but one stands`, tokens.current.position);
  do {
    if (ranges.length > valuesMax) return;
    tokens.expectSymbol('(');
    const { position } = tokens.current;
    const from = parseEnd(tokens, path);
    tokens.expectKeyword('to');
    const to = parseEnd(tokens, path);
    tokens.expectSymbol(')');
    if (from !== undefined && to !== undefined && typeof from !== typeof to)
      throw tokens.fault('a range between values of two types stands', position);
    ranges.push({ from, to });
  } while (tokens.takeCommaBefore('('));
}

/** end = "*" | literal */
function parseEnd(tokens: Tokens, path: ProjectionPath): Scalar | undefined {
  if (tokens.takeSymbol('*')) return undefined;
  const { position } = tokens.current;
  // The last is the value as documents hold it, also where it could be a text as it was written.
  const end = parseLiteral(tokens, path).at(-1);
  if (typeof end === 'boolean')
    throw tokens.fault('true and false have no order, but a range of them stands', position);
  return end;
}

function parseSubtree(
  tokens: Tokens,
  { token, path }: { readonly token: Token; readonly path: ProjectionPath },
  subtrees: Scalar[],
): void {
  if (!path.isTree)
    throw tokens.fault(`the path ${path.text} leads to no categories, but 'subtree' stands`, token.position);
  tokens.expectSymbol('(');
  do subtrees.push(...parseLiteral(tokens, path));
  while (subtrees.length <= valuesMax && tokens.takeSymbol(','));
  tokens.expectSymbol(')');
}

/** literal = text | number | "true" | "false"; all values that it can mean. */
function parseLiteral(tokens: Tokens, { path, text }: ProjectionPath): readonly Scalar[] {
  const token = tokens.current;
  const value = literalOf(token);
  if (value === undefined) throw tokens.unexpected('a value');
  tokens.take();
  const meant = meantValues(path, value);
  if (meant.length > 0) return meant;
  const fault = `the value ${describe(value)} stands for the path ${text}, whose values are not of its type`;
  throw tokens.fault(`${fault} (${expectations[path.class]} is expected)`, token.position);
}

function literalOf({ type, text }: Token): Scalar | undefined {
  switch (type) {
    case 'text':
      return text;
    case 'number':
      return Number(text);
    case 'name': {
      const word = text.toLowerCase();
      return word === 'true' ? true : word === 'false' ? false : undefined;
    }
    default:
      return undefined;
  }
}
