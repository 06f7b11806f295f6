import { apiError } from '../errors/api-error.ts';
import { unstorableIndex } from '../predicate/lexer.ts';

/** A token of filters and facets. */
export interface Token {
  readonly type: 'name' | 'text' | 'number' | 'symbol' | 'end';
  /** Texts without their quotes. */
  readonly text: string;
  /** Characters before the token. */
  readonly position: number;
}

/** Characters of one expression, in which a thousand ids fit, and what they are split into: a range has six tokens. */
const lengthMax = 50_000;
const tokensMax = 8000;

const SPACE = /\s+/y;
const TEXT = /"((?:[^"\\]|\\.)*)"/sy;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.-])/y;
const NAME = /[A-Za-z0-9_][A-Za-z0-9_.-]*/y;
const SYMBOL = /[:,()*]/y;

/** Splits a filter or a facet; `what` names it in errors. A path is one name. */
export class Tokens {
  readonly #what: string;
  readonly #tokens: readonly Token[];
  #index = 0;

  constructor(source: string, what: string) {
    this.#what = what;
    if (source.length > lengthMax) throw apiError('InvalidInput', `The ${what} has more than ${lengthMax} characters.`);
    const unstorable = unstorableIndex(source);
    if (unstorable >= 0) throw this.fault('a character that no text can hold stands', unstorable);
    this.#tokens = this.#split(source);
  }

  get current(): Token {
    return this.#tokens[this.#index]!;
  }

  /** The current token; never moves past the end. */
  take(): Token {
    const token = this.current;
    if (token.type !== 'end') this.#index += 1;
    return token;
  }

  takeSymbol(symbol: string): boolean {
    const { type, text } = this.current;
    const isNext = type === 'symbol' && text === symbol;
    if (isNext) this.#index += 1;
    return isNext;
  }

  /** A comma that this symbol follows. */
  takeCommaBefore(symbol: string): boolean {
    const next = this.#tokens[this.#index + 1];
    return next?.type === 'symbol' && next.text === symbol && this.takeSymbol(',');
  }

  /** Keywords ignore case. */
  takeKeyword(word: string): boolean {
    const { type, text } = this.current;
    const isNext = type === 'name' && text.toLowerCase() === word;
    if (isNext) this.#index += 1;
    return isNext;
  }

  expectSymbol(symbol: string): void {
    if (!this.takeSymbol(symbol)) throw this.unexpected(`'${symbol}'`);
  }

  expectKeyword(word: string): void {
    if (!this.takeKeyword(word)) throw this.unexpected(`'${word}'`);
  }

  expectEnd(): void {
    if (this.current.type !== 'end') throw this.unexpected('the end');
  }

  /** path = name */
  takePath(): Token {
    if (this.current.type !== 'name') throw this.unexpected('a path');
    return this.take();
  }

  unexpected(expected: string): Error {
    const { type, text, position } = this.current;
    const what = type === 'end' ? `the ${this.#what} ends` : `'${text.slice(0, 100)}' stands`;
    return this.fault(`${what} where ${expected} is expected`, position);
  }

  fault(problem: string, position: number): Error {
    return apiError('InvalidInput', `Malformed parameter: ${this.#what}: ${problem} at position ${position}.`);
  }

  #split(source: string): readonly Token[] {
    const tokens: Token[] = [];
    let position = 0;
    const match = (pattern: RegExp): RegExpExecArray | null => {
      pattern.lastIndex = position;
      return pattern.exec(source);
    };
    const found = (): [Token['type'], RegExpExecArray] => {
      const types = [
        ['text', TEXT],
        ['number', NUMBER],
        ['name', NAME],
        ['symbol', SYMBOL],
      ] as const;
      for (const [type, pattern] of types) {
        const result = match(pattern);
        if (result !== null) return [type, result];
      }
      throw this.fault(`the character '${source[position]}' is not expected`, position);
    };
    for (;;) {
      position += match(SPACE)?.[0].length ?? 0;
      if (position >= source.length) break;
      const [type, result] = found();
      tokens.push({ type, text: type === 'text' ? unescaped(result[1]!) : result[0], position });
      if (tokens.length > tokensMax) throw this.fault(`more than ${tokensMax} names, values and signs stand`, position);
      position += result[0].length;
    }
    return [...tokens, { type: 'end', text: '', position }];
  }
}

function unescaped(text: string): string {
  return text.replace(/\\(.)/gs, (_, character: string) =>
    character === 'n' ? '\n' : character === 't' ? '\t' : character,
  );
}
