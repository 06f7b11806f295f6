import { apiError } from '../errors/api-error.ts';

export interface Token {
  readonly type: 'name' | 'text' | 'number' | 'variable' | 'symbol' | 'end';
  /** Names, texts and variables without their quotes; symbols as written. */
  readonly text: string;
  /** Characters before the token. */
  readonly position: number;
  /** A name in backticks is never a keyword. */
  readonly isQuoted: boolean;
}

/** Characters of one predicate; more does not fit a URL, and GraphQL gets the same limit. */
const lengthMax = 15_000;

const SPACE = /\s+/y;
const NAME = /[A-Za-z_][A-Za-z0-9_-]*/y;
const NUMBER = /-?\d+(\.\d+)?([eE][+-]?\d+)?/y;
const TEXT = /"((?:[^"\\]|\\.)*)"/sy;
const QUOTED_NAME = /`([^`]+)`/y;
const VARIABLE = /:([A-Za-z0-9_-]+)/y;
const SYMBOL = /<>|!=|<=|>=|[=<>(),.]/y;

/** Splits a predicate into tokens. The last one is `end`. */
export function tokensOf(source: string): readonly Token[] {
  if (source.length > lengthMax) throw apiError('InvalidInput', `The predicate has more than ${lengthMax} characters.`);
  const unstorable = unstorableIndex(source);
  if (unstorable >= 0) throw syntaxError('A character that no text can hold stands', unstorable);
  const tokens: Token[] = [];
  let position = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    return pattern.exec(source);
  };
  const push = (type: Token['type'], text: string, length: number, isQuoted = false): void => {
    tokens.push({ type, text, position, isQuoted });
    position += length;
  };
  while (position < source.length) {
    const space = match(SPACE);
    if (space !== null) {
      position += space[0].length;
      continue;
    }
    const text = match(TEXT);
    const found = text ?? match(QUOTED_NAME) ?? match(VARIABLE) ?? match(NUMBER) ?? match(NAME) ?? match(SYMBOL);
    if (found === null) throw syntaxError(`The character '${source[position]}' is not expected`, position);
    const first = source[position]!;
    if (text !== null) push('text', unescaped(text[1]!), text[0].length);
    else if (first === '`') push('name', found[1]!, found[0].length, true);
    else if (first === ':') push('variable', found[1]!, found[0].length);
    else if (/[-\d]/.test(first)) push('number', found[0], found[0].length);
    else if (/[A-Za-z_]/.test(first)) push('name', found[0], found[0].length);
    else push('symbol', found[0], found[0].length);
  }
  tokens.push({ type: 'end', text: '', position, isQuoted: false });
  return tokens;
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) =>
    character === 'n' ? '\n' : character === 't' ? '\t' : character,
  );
}

const UNSTORABLE = /[\0\ud800-\udfff]/u;

/** Where a text holds U+0000 or half of a surrogate pair, which neither Postgres nor UTF-8 can carry; else -1. */
export function unstorableIndex(text: string): number {
  return text.search(UNSTORABLE);
}

export function syntaxError(message: string, position: number): Error {
  return apiError('SyntaxError', `Malformed parameter: ${message} at position ${position}.`);
}
