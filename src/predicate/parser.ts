import { type ErrorElement, throwAll } from '../errors/api-error.ts';
import type { Comparison, Literal, Predicate, Test } from './ast.ts';
import { syntaxError, type Token, tokensOf } from './lexer.ts';
import { bothForms, formsOf, isTrue, moneyLiteral, otherMeaning, typedLiteral, typedVariable } from './literal.ts';
import { type Aggregate, memberOf, type Shape } from './shape.ts';

/** Values of `:name` variables by name; they take the type of the field that they are compared with. */
export type Variables = ReadonlyMap<string, readonly string[]>;

/** Groups, path steps and negations inside one another. */
const depthMax = 64;

const noVariables: Variables = new Map();

/**
 * Parses a predicate over objects of this shape. Throws SyntaxError for a fault of grammar, else InvalidInput with
 * every field that is unknown and every value of a wrong type.
 */
export function parsePredicate(source: string, shape: Shape, variables: Variables = noVariables): Predicate {
  const parser = new Parser(source, variables);
  const predicate = parser.disjunction(shape, 0);
  parser.expectEnd();
  throwAll(parser.errors);
  return predicate;
}

const comparisons: ReadonlyMap<string, Comparison> = new Map([
  ['=', '='],
  ['!=', '!='],
  ['<>', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
]);

/** A literal or variable with the place where it stands. */
interface Value {
  readonly token: Token;
  /** Several for a variable that was sent more than once. */
  readonly raw: readonly Literal[];
  readonly isVariable: boolean;
}

class Parser {
  readonly errors: ErrorElement[] = [];
  readonly #tokens: readonly Token[];
  readonly #variables: Variables;
  #index = 0;

  constructor(source: string, variables: Variables) {
    this.#tokens = tokensOf(source);
    this.#variables = variables;
  }

  /** disjunction = conjunction { "or" conjunction } */
  disjunction(shape: Shape, depth: number): Predicate {
    return this.#joined('or', 'any', () => this.#conjunction(shape, depth));
  }

  expectEnd(): void {
    if (this.#current.type !== 'end') throw this.#unexpected('the end');
  }

  /** conjunction = negation { "and" negation } */
  #conjunction(shape: Shape, depth: number): Predicate {
    return this.#joined('and', 'all', () => this.#negation(shape, depth));
  }

  #joined(keyword: string, kind: 'all' | 'any', operand: () => Predicate): Predicate {
    const operands = [operand()];
    while (this.#takeKeyword(keyword)) operands.push(operand());
    return operands.length === 1 ? operands[0]! : { kind, operands };
  }

  /** negation = "not" negation | "(" disjunction ")" | "true" | "false" | statement */
  #negation(shape: Shape, depth: number): Predicate {
    this.#expectDepth(depth);
    if (this.#takeKeyword('not')) return { kind: 'not', operand: this.#negation(shape, depth + 1) };
    if (this.#takeSymbol('(')) {
      const predicate = this.disjunction(shape, depth + 1);
      this.#expectSymbol(')');
      return predicate;
    }
    if (this.#isBoolean()) return this.#booleanConstant();
    if (this.#current.type === 'number') return this.#numericConstant();
    return this.#statement(shape, depth);
  }

  #expectDepth(depth: number): void {
    if (depth > depthMax) throw syntaxError(`The predicate has more than ${depthMax} levels`, this.#current.position);
  }

  #isBoolean(): boolean {
    const { type, isQuoted, text } = this.#current;
    return type === 'name' && !isQuoted && (text === 'true' || text === 'false');
  }

  /** boolean constant = boolean [ ( "=" | "!=" | "<>" ) boolean ], such as the `true = true` that matches every cart */
  #booleanConstant(): Predicate {
    const left = this.#take().text;
    const comparison = this.#current.type === 'symbol' ? comparisons.get(this.#current.text) : undefined;
    if (comparison !== '=' && comparison !== '!=') return { kind: 'constant', value: left === 'true' };
    this.#take();
    if (!this.#isBoolean()) throw this.#unexpected('true or false');
    return { kind: 'constant', value: isTrue(comparison, left === this.#take().text ? 0 : 1) };
  }

  /** numeric constant = number comparison number, such as the `1 = 1` that matches every cart */
  #numericConstant(): Predicate {
    const left = Number(this.#take().text);
    const comparison = this.#current.type === 'symbol' ? comparisons.get(this.#current.text) : undefined;
    if (comparison === undefined) throw this.#unexpected('a comparison');
    this.#take();
    if (this.#current.type !== 'number') throw this.#unexpected('a number');
    const right = Number(this.#take().text);
    return { kind: 'constant', value: isTrue(comparison, left === right ? 0 : left < right ? -1 : 1) };
  }

  /**
   * statement = name ( "." statement | "(" disjunction ")" | [ test ] | same set | having all ), where booleans alone stand
   * without a test
   */
  #statement(shape: Shape, depth: number): Predicate {
    this.#expectDepth(depth);
    const token = this.#current;
    if (token.type !== 'name') throw this.#unexpected('a field');
    this.#take();
    const name = token.text;
    const aggregate = token.isQuoted || shape.class !== 'object' ? undefined : shape.aggregates?.get(name);
    if (aggregate !== undefined) return this.#aggregate(name, aggregate, depth);
    const member = memberOf(shape, name);
    if (member === undefined) this.#invalid(`The field '${name}' does not exist`, token);
    // After an unknown field the parser goes on without types, to find further faults.
    const known = member ?? { class: 'dynamic' };
    if (this.#takeSymbol('.'))
      return field(name, known, { kind: 'group', predicate: this.#statement(known, depth + 1) });
    if (this.#takeSymbol('(')) {
      const predicate = this.disjunction(known, depth + 1);
      this.#expectSymbol(')');
      return field(name, known, { kind: 'group', predicate });
    }
    if ((known.class === 'boolean' || known.class === 'dynamic') && this.#endsStatement())
      return field(name, known, { kind: 'compare', comparison: '=', literal: true });
    if (isListed(known) && this.#areNext('=', '(')) return this.#sameSet(name, known);
    if (this.#areNext('contains', 'all')) return this.#havingAll(name, known);
    return field(name, known, this.#test(name, known));
  }

  /** Whether these symbols or keywords follow. */
  #areNext(...texts: readonly string[]): boolean {
    const next = this.#tokens.slice(this.#index, this.#index + texts.length);
    return texts.every((text, index) => {
      const { type, isQuoted, text: given } = next[index] ?? this.#tokens.at(-1)!;
      return type === 'symbol' ? given === text : type === 'name' && !isQuoted && given.toLowerCase() === text;
    });
  }

  /** same set = "=" values: the list has all of them, and nothing else */
  #sameSet(name: string, shape: Shape): Predicate {
    this.#take();
    const values = this.#values(name, elementOf(shape));
    const other = field(name, shape, { kind: 'in', isNegated: true, literals: values.flat() });
    return { kind: 'all', operands: [...containsAll(name, shape, values), { kind: 'not', operand: other }] };
  }

  /** having all = "contains" "all" values */
  #havingAll(name: string, shape: Shape): Predicate {
    this.#requireListed(name, shape, this.#take());
    this.#expectKeyword('all');
    const operands = containsAll(name, shape, this.#values(name, elementOf(shape)));
    return operands.length === 1 ? operands[0]! : { kind: 'all', operands };
  }

  #requireListed(name: string, shape: Shape, token: Token): void {
    if (!isListed(shape)) this.#invalid(`The field '${name}' is no list`, token);
  }

  /** A field that is a boolean, or may be one, may stand alone. */
  #endsStatement(): boolean {
    const { type, isQuoted, text } = this.#current;
    if (type === 'end' || (type === 'symbol' && text === ')')) return true;
    return type === 'name' && !isQuoted && (text.toLowerCase() === 'and' || text.toLowerCase() === 'or');
  }

  /**
   * aggregate = name "(" disjunction ")" [ comparison value ], where the disjunction speaks of each element; one that is
   * true or false itself needs no comparison
   */
  #aggregate(name: string, { gives, list, item, member = 'quantity' }: Aggregate, depth: number): Predicate {
    this.#expectSymbol('(');
    const where = this.disjunction(item, depth + 1);
    this.#expectSymbol(')');
    const token = this.#current;
    const comparison = token.type === 'symbol' ? comparisons.get(token.text) : undefined;
    if (gives === 'exists' || gives === 'forAll') {
      const test: Test = { kind: 'group', predicate: gives === 'exists' ? where : { kind: 'not', operand: where } };
      const some: Predicate = { kind: 'field', name: list, holds: 'list', test };
      const answer: Predicate = gives === 'exists' ? some : { kind: 'not', operand: some };
      if (comparison !== '=' && comparison !== '!=') return answer;
      this.#take();
      if (!this.#isBoolean()) throw this.#unexpected('true or false');
      return (this.#take().text === 'true') === (comparison === '=') ? answer : { kind: 'not', operand: answer };
    }
    if (comparison === undefined) throw this.#unexpected('a comparison');
    this.#take();
    const value = this.#value();
    const [literal] = value.raw;
    const compared = gives === 'total' ? moneyLiteral(literal) : finiteNumber(literal);
    if (compared === undefined) {
      const wanted = gives === 'total' ? "an amount such as '10.50 EUR'" : 'a number';
      this.#invalid(`${name} is compared with ${wanted}`, value.token);
    }
    return { kind: 'aggregate', list, member, where, comparison, compared: compared ?? 0 };
  }

  /**
   * test = comparison value | [ "not" ] "in" values | "contains" ( "any" values | value )
   *      | "is" [ "not" ] ( "empty" | "defined" ) | "within" "circle" "(" number "," number "," number ")"
   */
  #test(name: string, shape: Shape): Test {
    const token = this.#take();
    const comparison = token.type === 'symbol' ? comparisons.get(token.text) : undefined;
    if (comparison !== undefined) return this.#comparison(name, shape, comparison);
    switch (token.type === 'name' && !token.isQuoted ? token.text.toLowerCase() : '') {
      case 'in':
        return { kind: 'in', isNegated: false, literals: this.#values(name, elementOf(shape)).flat() };
      case 'not':
        this.#expectKeyword('in');
        return { kind: 'in', isNegated: true, literals: this.#values(name, elementOf(shape)).flat() };
      case 'contains': {
        const isOfSeveral = this.#takeKeyword('any');
        this.#requireListed(name, shape, token);
        const item = elementOf(shape);
        const values = isOfSeveral ? this.#values(name, item) : this.#forms(name, item);
        return { kind: 'contains', mode: 'any', literals: values.flat() };
      }
      case 'is': {
        const isNegated = this.#takeKeyword('not');
        if (this.#takeKeyword('empty')) return { kind: 'empty', isNegated };
        this.#expectKeyword('defined');
        return { kind: 'defined', isNegated };
      }
      case 'within':
        if (shape.class !== 'dynamic' && memberOf(shape, 'coordinates') === undefined)
          this.#invalid(`The field '${name}' holds no point`, token);
        return this.#circle();
      default:
        this.#index -= 1;
        throw this.#unexpected('a comparison');
    }
  }

  #comparison(name: string, shape: Shape, comparison: Comparison): Test {
    const value = this.#value();
    const compared = elementOf(shape);
    if (compared.class === 'money') {
      const amount = moneyLiteral(value.raw[0]);
      if (amount !== undefined) return { kind: 'money', comparison, amount };
    }
    if (compared.class === 'dynamic' && value.raw.length === 1) {
      const [given] = value.raw as [Literal];
      const other = otherMeaning(given, value.isVariable);
      if (other !== undefined && comparison === '=')
        return { kind: 'in', isNegated: false, literals: bothForms({ literal: given, other }) };
      // Booleans have no order.
      if (other !== undefined && (comparison === '!=' || typeof other !== 'boolean'))
        return { kind: 'compare', comparison, literal: given, other };
    }
    const [literal, ...others] = this.#typed(name, compared, value);
    if (others.length > 0) this.#invalid(`The variable ':${value.token.text}' has more than one value`, value.token);
    if (typeof literal === 'boolean' && comparison !== '=' && comparison !== '!=') {
      this.#invalid(`The values of the field '${name}' have no order`, value.token);
    }
    return { kind: 'compare', comparison, literal: literal ?? '' };
  }

  /** values = "(" value { "," value } ")" | variable; of each the literals that may be meant */
  #values(name: string, item: Shape): readonly (readonly Literal[])[] {
    if (this.#current.type === 'variable') return this.#forms(name, item);
    this.#expectSymbol('(');
    const values = [...this.#forms(name, item)];
    while (this.#takeSymbol(',')) values.push(...this.#forms(name, item));
    this.#expectSymbol(')');
    return values;
  }

  /** Of what comes next, which has several values where it is a variable, the literals that may be meant by each. */
  #forms(name: string, item: Shape): readonly (readonly Literal[])[] {
    const value = this.#value();
    const typed = this.#typed(name, item, value);
    return typed.map((literal) => (item.class === 'dynamic' ? formsOf(literal, value.isVariable) : [literal]));
  }

  /** value = text | number | "true" | "false" | variable */
  #value(): Value {
    const token = this.#take();
    switch (token.type) {
      case 'text':
        return { token, raw: [token.text], isVariable: false };
      case 'number':
        return { token, raw: [Number(token.text)], isVariable: false };
      case 'variable': {
        const values = this.#variables.get(token.text);
        if (values === undefined)
          this.#invalid(
            `The variable ':${token.text}' has no value; send it as the parameter 'var.${token.text}'`,
            token,
          );
        return { token, raw: values ?? [], isVariable: true };
      }
      case 'name':
        if (token.text === 'true' || token.text === 'false')
          return { token, raw: [token.text === 'true'], isVariable: false };
        break;
      default:
    }
    this.#index -= 1;
    throw this.#unexpected('a value');
  }

  /** circle = "circle" "(" longitude "," latitude "," radius ")", the radius in meters */
  #circle(): Test {
    this.#expectKeyword('circle');
    this.#expectSymbol('(');
    const longitude = this.#number(-180, 180);
    this.#expectSymbol(',');
    const latitude = this.#number(-90, 90);
    this.#expectSymbol(',');
    const radiusMeters = this.#number(0, Number.MAX_VALUE);
    this.#expectSymbol(')');
    return { kind: 'within', longitude, latitude, radiusMeters };
  }

  #number(min: number, max: number): number {
    const token = this.#current;
    if (token.type !== 'number') throw this.#unexpected('a number');
    this.#take();
    const number = Number(token.text);
    if (number < min || number > max) this.#invalid(`The number ${token.text} is not from ${min} to ${max}`, token);
    return number;
  }

  /** The literals of a value in the type of the field; a value of another type is recorded. */
  #typed(name: string, shape: Shape, { raw, isVariable, token }: Value): readonly Literal[] {
    return raw.flatMap((literal) => {
      const typed = isVariable ? typedVariable(shape, String(literal)) : typedLiteral(shape, literal);
      if (typed !== undefined) return [typed];
      this.#invalid(`The value '${String(literal)}' does not fit the field '${name}' of type ${shape.class}`, token);
      return [];
    });
  }

  get #current(): Token {
    return this.#tokens[this.#index]!;
  }

  /** The current token; the parser moves on, but never past the end. */
  #take(): Token {
    const token = this.#current;
    if (token.type !== 'end') this.#index += 1;
    else throw this.#unexpected('more');
    return token;
  }

  #takeSymbol(symbol: string): boolean {
    const isNext = this.#current.type === 'symbol' && this.#current.text === symbol;
    if (isNext) this.#index += 1;
    return isNext;
  }

  #takeKeyword(word: string): boolean {
    const { type, isQuoted, text } = this.#current;
    const isNext = type === 'name' && !isQuoted && text.toLowerCase() === word;
    if (isNext) this.#index += 1;
    return isNext;
  }

  #expectSymbol(symbol: string): void {
    if (!this.#takeSymbol(symbol)) throw this.#unexpected(`'${symbol}'`);
  }

  #expectKeyword(word: string): void {
    if (!this.#takeKeyword(word)) throw this.#unexpected(`'${word}'`);
  }

  #unexpected(expected: string): Error {
    const { type, text, position } = this.#current;
    return syntaxError(
      `${type === 'end' ? 'The predicate ends' : `'${text}' stands`} where ${expected} is expected`,
      position,
    );
  }

  #invalid(message: string, { position }: Token): void {
    this.errors.push({ code: 'InvalidInput', message: `Malformed parameter: ${message} (position ${position}).` });
  }
}

function field(name: string, shape: Shape, test: Test): Predicate {
  const holds = shape.class === 'list' ? 'list' : shape.class === 'dynamic' ? 'unknown' : 'one';
  return { kind: 'field', name, holds, test };
}

/** Of each value any of its forms, where it may be meant in several. */
function containsAll(name: string, shape: Shape, values: readonly (readonly Literal[])[]): readonly Predicate[] {
  const plain = values.filter((forms) => forms.length === 1).flat();
  const others = values.filter((forms) => forms.length > 1);
  const contains = (mode: 'all' | 'any', literals: readonly Literal[]): Predicate =>
    field(name, shape, { kind: 'contains', mode, literals });
  return [...(plain.length > 0 ? [contains('all', plain)] : []), ...others.map((forms) => contains('any', forms))];
}

function isListed({ class: of }: Shape): boolean {
  return of === 'list' || of === 'dynamic';
}

function elementOf(shape: Shape): Shape {
  return shape.class === 'list' ? elementOf(shape.item) : shape;
}

function finiteNumber(literal: Literal | undefined): number | undefined {
  return typeof literal === 'number' && Number.isFinite(literal) ? literal : undefined;
}
