import { apiError } from '../errors/api-error.ts';

/** The grammar's tree: whole numbers, the score x, and three operators. */
type Term =
  | { readonly kind: 'number'; readonly value: bigint }
  | { readonly kind: 'score' }
  | { readonly kind: '+' | '-' | '*'; readonly left: Term; readonly right: Term };

export interface ScoreFunction {
  /** The cent amount for a score, exact and not below 0 (carts 8.3). Throws MoneyOverflow where it is no safe integer. */
  (score: number): number;
}

const lengthMax = 1000;
const depthMax = 32;
const digitsMax = 15;

/**
 * Parses the function of a score tier (specification 2.5, PriceFunction) and refuses everything else:
 * sum = product { ("+" | "-") product }, product = factor { "*" factor }, factor = ["-"] (number | "x" | "(" sum ")").
 */
export function parseScoreFunction(source: string): ScoreFunction {
  if (source.length > lengthMax) throw malformed(`it has more than ${lengthMax} characters`, 0);
  const parser = new Parser(source);
  const term = parser.sum(0);
  parser.expectEnd();
  return (score) => {
    const amount = Math.max(0, Number(evaluate(term, BigInt(score))));
    if (Number.isSafeInteger(amount)) return amount;
    throw apiError(
      'MoneyOverflow',
      `The price function '${source}' gives an amount for the score ${score} that cannot be kept exactly.`,
    );
  };
}

function evaluate(term: Term, score: bigint): bigint {
  switch (term.kind) {
    case 'number':
      return term.value;
    case 'score':
      return score;
    case '+':
      return evaluate(term.left, score) + evaluate(term.right, score);
    case '-':
      return evaluate(term.left, score) - evaluate(term.right, score);
    case '*':
      return evaluate(term.left, score) * evaluate(term.right, score);
  }
}

class Parser {
  readonly #source: string;
  #position = 0;

  constructor(source: string) {
    this.#source = source;
  }

  sum(depth: number): Term {
    if (depth > depthMax) throw malformed(`it has more than ${depthMax} levels`, this.#position);
    let left = this.#product(depth);
    for (let operator = this.#operator('+-'); operator !== undefined; operator = this.#operator('+-')) {
      left = { kind: operator as '+' | '-', left, right: this.#product(depth) };
    }
    return left;
  }

  expectEnd(): void {
    this.#skipSpace();
    if (this.#position < this.#source.length)
      throw malformed(`'${this.#source[this.#position]}' is not expected`, this.#position);
  }

  #product(depth: number): Term {
    let left = this.#factor(depth);
    while (this.#operator('*') !== undefined) left = { kind: '*', left, right: this.#factor(depth) };
    return left;
  }

  #factor(depth: number): Term {
    if (depth > depthMax) throw malformed(`it has more than ${depthMax} levels`, this.#position);
    if (this.#operator('-') !== undefined)
      return { kind: '-', left: { kind: 'number', value: 0n }, right: this.#factor(depth + 1) };
    if (this.#operator('(') !== undefined) {
      const inner = this.sum(depth + 1);
      if (this.#operator(')') === undefined) throw malformed("a ')' is expected", this.#position);
      return inner;
    }
    if (this.#operator('x') !== undefined) return { kind: 'score' };
    const digits = /^\d+/.exec(this.#source.slice(this.#position, this.#position + digitsMax + 1))?.[0];
    if (digits === undefined) throw malformed('a number, x or ( is expected', this.#position);
    if (digits.length > digitsMax) throw malformed(`a number has more than ${digitsMax} digits`, this.#position);
    this.#position += digits.length;
    return { kind: 'number', value: BigInt(digits) };
  }

  /** The next character, when it is one of these; the parser moves past it. */
  #operator(characters: string): string | undefined {
    this.#skipSpace();
    const character = this.#source[this.#position];
    if (character === undefined || !characters.includes(character)) return undefined;
    this.#position += 1;
    return character;
  }

  #skipSpace(): void {
    while (this.#source[this.#position] === ' ') this.#position += 1;
  }
}

function malformed(message: string, position: number): Error {
  return apiError('InvalidInput', `The price function is not valid: ${message} at position ${position}.`);
}
