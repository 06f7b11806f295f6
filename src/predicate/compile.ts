import type { AggregateStatement, CompareTest, Comparison, Literal, MoneyLiteral, Predicate, Test } from './ast.ts';
import { bothForms, isTrue } from './literal.ts';
import { circleToleranceMeters, earthRadiusMeters } from './sphere.ts';

type Matcher = (value: unknown) => boolean;

/** A checked predicate as a function of a document's JSON. It agrees with the SQL of the same tree. */
export function compilePredicate(predicate: Predicate): Matcher {
  switch (predicate.kind) {
    case 'all': {
      const operands = predicate.operands.map(compilePredicate);
      return (value) => {
        for (const operand of operands) if (!operand(value)) return false;
        return true;
      };
    }
    case 'any': {
      const operands = predicate.operands.map(compilePredicate);
      return (value) => {
        for (const operand of operands) if (operand(value)) return true;
        return false;
      };
    }
    case 'not': {
      const operand = compilePredicate(predicate.operand);
      return (value) => !operand(value);
    }
    case 'constant':
      return () => predicate.value;
    case 'aggregate':
      return compileAggregate(predicate);
    case 'field': {
      const { name } = predicate;
      const test = compileTest(predicate.test);
      return (value) => test(ownMember(value, name));
    }
  }
}

function compileAggregate({ list, member, where, comparison, compared }: AggregateStatement): Matcher {
  const matches = compilePredicate(where);
  const chosen = (value: unknown): readonly unknown[] => {
    const elements = ownMember(value, list);
    return Array.isArray(elements) ? elements.filter(matches) : [];
  };
  if (typeof compared === 'number') {
    return (value) => {
      const sum = sumOf(chosen(value), member);
      return isTrue(comparison, sum < compared ? -1 : sum > compared ? 1 : 0);
    };
  }
  // Amounts of different currencies have no order, nor has a sum of which one is not known; a sum of no amounts is nothing in
  // the currency of the whole.
  return (value) => {
    if (ownMember(value, 'currency') !== compared.currencyCode) return false;
    const totals = chosen(value).map((element) => ownMember(element, member));
    if (!totals.every(isDefined)) return false;
    const fractionDigits = totals.length === 0 ? 0 : Number(ownMember(totals[0], 'fractionDigits'));
    return comparesUnits(comparison, { units: sumOf(totals, 'centAmount'), fractionDigits }, compared);
  };
}

/** Exact: a part of a cart may add up to more than a safe integer when the rest is negative. */
function sumOf(values: readonly unknown[], name: string): bigint {
  let sum = 0n;
  for (const value of values) {
    const number = ownMember(value, name);
    if (typeof number === 'number') sum += BigInt(number);
  }
  return sum;
}

/** A list has elements, and no members: neither `length` nor `0` is a field of one. */
export function ownMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

/** What the order of a value is asked of: the literal, or the other of what that may mean. */
function comparedWith({ literal, other }: CompareTest): (value: unknown) => Literal {
  if (other === undefined) return () => literal;
  if (typeof other !== 'object') return (value) => (typeof value === typeof other ? other : literal);
  const pattern = new RegExp(other.pattern);
  return (value) => (typeof value === 'string' && pattern.test(value) ? other.text : literal);
}

function compileTest(test: Test): Matcher {
  switch (test.kind) {
    case 'compare': {
      const { comparison, literal } = test;
      // Equal texts have the same units, and need not be compared one by one.
      if (comparison === '=') return anyElement((value) => value === literal);
      if (comparison === '!=') return anyElement(unequal(bothForms(test)));
      const literalFor = comparedWith(test);
      return anyElement((value) => compares(comparison, value, literalFor(value)));
    }
    case 'in': {
      const literals = new Set<unknown>(test.literals);
      const { isNegated } = test;
      return anyElement((value) => isScalar(value) && literals.has(value) !== isNegated);
    }
    case 'contains': {
      const { literals, mode } = test;
      const wanted = new Set<unknown>(literals);
      return (value) => {
        if (!Array.isArray(value)) return false;
        // Both may be long.
        if (mode === 'any') return value.some((element) => wanted.has(element));
        const there = new Set<unknown>(value);
        return literals.every((literal) => there.has(literal));
      };
    }
    case 'empty':
      return (value) => isEmpty(value) !== test.isNegated;
    case 'defined':
      return (value) => isDefined(value) !== test.isNegated;
    case 'within':
      return (value) => metersBetween(value, test) <= test.radiusMeters + circleToleranceMeters;
    case 'money':
      return anyElement((value) => comparesMoney(test.comparison, value, test.amount));
    case 'group':
      return anyElement(groupMatcher(test.predicate));
  }
}

/** Values of types that none of the literals has are never unequal. */
function unequal(literals: readonly Literal[]): Matcher {
  const types = new Set<string>(literals.map((literal) => typeof literal));
  return (value) => types.has(typeof value) && !literals.includes(value as Literal);
}

/** A group speaks of an object; there is none to speak of where the field is absent. */
function groupMatcher(predicate: Predicate): Matcher {
  const matches = compilePredicate(predicate);
  return (value) => typeof value === 'object' && value !== null && matches(value);
}

function anyElement(test: Matcher): Matcher {
  return (value) => (Array.isArray(value) ? value.some((element) => test(element)) : test(value));
}

function isScalar(value: unknown): value is Literal {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isDefined(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function isEmpty(value: unknown): boolean {
  if (!isDefined(value) || value === '') return true;
  return typeof value === 'object' && Object.keys(value as object).length === 0;
}

/** Whether it holds; values of different types have no order. */
function compares(comparison: Comparison, value: unknown, literal: Literal): boolean {
  if (typeof value !== typeof literal) return false;
  if (typeof value === 'string') return isTrue(comparison, compareText(value, literal as string));
  return isTrue(comparison, (value as number) === literal ? 0 : (value as number) < (literal as number) ? -1 : 1);
}

/** By code points, as Postgres orders UTF-8 in the C collation; UTF-16 units would put U+FF00 after an emoji. */
function compareText(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  for (let index = 0; index < length; index += 1) {
    const unit = one.charCodeAt(index);
    const otherUnit = other.charCodeAt(index);
    if (unit !== otherUnit)
      return isSurrogate(unit) === isSurrogate(otherUnit) ? unit - otherUnit : isSurrogate(unit) ? 1 : -1;
  }
  return one.length - other.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}

function comparesMoney(comparison: Comparison, value: unknown, amount: MoneyLiteral): boolean {
  if (ownMember(value, 'currencyCode') !== amount.currencyCode) return false;
  const isPrecise = ownMember(value, 'type') === 'highPrecision';
  const units = ownMember(value, isPrecise ? 'preciseAmount' : 'centAmount');
  const fractionDigits = ownMember(value, 'fractionDigits');
  if (typeof units !== 'number' || typeof fractionDigits !== 'number') return false;
  return comparesUnits(comparison, { units: BigInt(units), fractionDigits }, amount);
}

/** `units` are 1/(10^fractionDigits) of the amount's currency. */
function comparesUnits(
  comparison: Comparison,
  { units, fractionDigits }: { units: bigint; fractionDigits: number },
  amount: MoneyLiteral,
): boolean {
  // Powers of large integers take ten times as long as all the rest.
  if (fractionDigits === amount.fractionDigits) {
    const other = BigInt(amount.digits);
    return isTrue(comparison, units === other ? 0 : units < other ? -1 : 1);
  }
  // Both sides as integers of the finer unit.
  const left = units * 10n ** BigInt(Math.max(0, amount.fractionDigits - fractionDigits));
  const right = BigInt(amount.digits) * 10n ** BigInt(Math.max(0, fractionDigits - amount.fractionDigits));
  return isTrue(comparison, left === right ? 0 : left < right ? -1 : 1);
}

/** Great-circle distance of a GeoJSON point from the center, by the haversine formula; infinite for no place on earth. */
function metersBetween(point: unknown, center: { longitude: number; latitude: number }): number {
  const coordinates = ownMember(point, 'coordinates');
  if (!Array.isArray(coordinates)) return Infinity;
  const [longitude, latitude] = coordinates as readonly unknown[];
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return Infinity;
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) return Infinity;
  const radians = Math.PI / 180;
  const byLatitude = Math.sin(((latitude - center.latitude) * radians) / 2) ** 2;
  const byLongitude = Math.sin(((longitude - center.longitude) * radians) / 2) ** 2;
  const share = byLatitude + byLongitude * Math.cos(latitude * radians) * Math.cos(center.latitude * radians);
  return 2 * earthRadiusMeters * Math.asin(Math.min(1, Math.sqrt(share)));
}
