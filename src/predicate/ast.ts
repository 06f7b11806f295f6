/**
 * The query predicate language: one grammar and one tree, with several back ends. This layer knows shapes of values,
 * and nothing of resources, SQL or requests.
 */

export type Literal = string | number | boolean;

export type Comparison = '=' | '!=' | '<' | '<=' | '>' | '>=';

/**
 * A statement about an object. It is true or false, never unknown: a comparison with an absent field is false, its
 * negation by `not` is true.
 */
export type Predicate =
  | { readonly kind: 'all' | 'any'; readonly operands: readonly Predicate[] }
  | { readonly kind: 'not'; readonly operand: Predicate }
  | { readonly kind: 'constant'; readonly value: boolean }
  | AggregateStatement
  | FieldStatement;

/** The sum of a member over the elements of a list that a predicate holds for; of carts, never in SQL. */
export interface AggregateStatement {
  readonly kind: 'aggregate';
  readonly list: string;
  /** It holds numbers, or amounts. */
  readonly member: string;
  readonly where: Predicate;
  readonly comparison: Comparison;
  /** A number or an amount, as the member has. */
  readonly compared: number | MoneyLiteral;
}

export interface FieldStatement {
  readonly kind: 'field';
  readonly name: string;
  /** Whether documents hold one value or a list there; unknown below free values. */
  readonly holds: 'one' | 'list' | 'unknown';
  readonly test: Test;
}

/** A statement about the value of a field. Of a list, it holds when it holds for any element. */
export type Test =
  | CompareTest
  /** Negated it holds for values of any type, of which `!=` holds for those of the literal's alone. */
  | { readonly kind: 'in'; readonly isNegated: boolean; readonly literals: readonly Literal[] }
  /** About a list as a whole. */
  | { readonly kind: 'contains'; readonly mode: 'all' | 'any'; readonly literals: readonly Literal[] }
  | { readonly kind: 'empty'; readonly isNegated: boolean }
  | { readonly kind: 'defined'; readonly isNegated: boolean }
  | { readonly kind: 'within'; readonly longitude: number; readonly latitude: number; readonly radiusMeters: number }
  | { readonly kind: 'money'; readonly comparison: Comparison; readonly amount: MoneyLiteral }
  | { readonly kind: 'group'; readonly predicate: Predicate };

export interface CompareTest {
  readonly kind: 'compare';
  readonly comparison: Comparison;
  readonly literal: Literal;
  /** Where values may be of any type: what numbers or booleans, or moments and times of day, are compared with beside the literal. */
  readonly other?: Literal | NormalForm;
}

/** A moment or a time of day as documents hold it, and the regular expression that texts of that form match. */
export interface NormalForm {
  readonly text: string;
  readonly pattern: string;
}

/** `"10.50 EUR"`: an amount in the currency's main unit, as an integer of 1/(10^fractionDigits). */
export interface MoneyLiteral {
  readonly currencyCode: string;
  readonly digits: string;
  readonly fractionDigits: number;
}
