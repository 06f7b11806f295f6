import { isUuid } from '../engine/load.ts';
import type { Comparison, FieldStatement, Literal, Predicate, Test } from '../predicate/ast.ts';
import { apiError } from '../errors/api-error.ts';

/**
 * A checked predicate as a condition on a row of documents. Values and names of clients become parameters, which are
 * appended to `parameters`; the text holds their numbers only. The condition is never null.
 */
export function predicateSql(predicate: Predicate, parameters: unknown[]): string {
  return new Writer(parameters).predicate(predicate, { value: 'data', isRow: true });
}

/** The object that a predicate speaks of: a jsonb expression, and whether it is the row's own document. */
interface Scope {
  readonly value: string;
  readonly isRow: boolean;
}

class Writer {
  readonly #parameters: unknown[];
  #elements = 0;

  constructor(parameters: unknown[]) {
    this.#parameters = parameters;
  }

  predicate(predicate: Predicate, scope: Scope): string {
    // One containment test serves a whole conjunction of equalities, through lists too, and the GIN index serves it.
    const contained = scope.isRow && !isColumnStatement(predicate) ? containedDocument(predicate) : undefined;
    if (contained !== undefined) return `data @> ${this.#json(contained)}`;
    switch (predicate.kind) {
      case 'all':
      case 'any':
        return `(${predicate.operands.map((operand) => this.predicate(operand, scope)).join(predicate.kind === 'all' ? ' and ' : ' or ')})`;
      case 'not':
        return `not ${this.predicate(predicate.operand, scope)}`;
      case 'constant':
        return String(predicate.value);
      case 'field':
        return (
          this.#column(predicate.name, predicate.test, scope) ??
          this.#test(predicate.test, `(${scope.value} -> ${this.#text(predicate.name)})`)
        );
    }
  }

  /** `id` and `key` are columns of the row, with indexes of their own. */
  #column(name: string, test: Test, { isRow }: Scope): string | undefined {
    if (!isRow || (name !== 'id' && name !== 'key')) return undefined;
    if (test.kind === 'compare') return this.#columnCompare(name, test.comparison, test.literal);
    if (test.kind !== 'in') return undefined;
    const literals = test.literals.map(String).filter((literal) => name === 'key' || isUuid(literal));
    const list = `${this.#parameter(literals)}::${name === 'id' ? 'uuid' : 'text'}[]`;
    return `coalesce(${name} ${test.isNegated ? '<> all' : '= any'}(${list}), false)`;
  }

  #columnCompare(name: 'id' | 'key', comparison: Comparison, literal: Literal): string | undefined {
    if (name === 'key') return comparison === '=' ? `coalesce(key = ${this.#text(String(literal))}, false)` : undefined;
    // A text that is no id equals none; its order among ids is that of the texts.
    if (!isUuid(String(literal))) return undefined;
    return `id ${sqlComparison(comparison)} ${this.#parameter(String(literal))}::text::uuid`;
  }

  #test(test: Test, value: string): string {
    switch (test.kind) {
      case 'empty': {
        const condition = `coalesce(${value} in ('null'::jsonb, '""'::jsonb, '[]'::jsonb, '{}'::jsonb), true)`;
        return test.isNegated ? `not ${condition}` : condition;
      }
      case 'defined': {
        const condition = `coalesce(${value} <> 'null'::jsonb, false)`;
        return test.isNegated ? `not ${condition}` : condition;
      }
      case 'contains':
        return this.#contains(test.literals, test.mode, value);
      case 'within':
        return this.#within(test, value);
      case 'money':
        throw apiError(
          'InvalidInput',
          'Malformed parameter: where: amounts are compared by centAmount and currencyCode.',
        );
      default:
        return this.#anyElement(value, (element) => this.#elementTest(test, element));
    }
  }

  #anyElement(value: string, test: (element: string) => string): string {
    this.#elements += 1;
    const element = `element${this.#elements}`;
    return `exists (select from jsonb_array_elements(case jsonb_typeof(${value}) when 'array' then ${value} else coalesce(jsonb_build_array(${value}), '[]') end) as ${element} (value) where ${test(`${element}.value`)})`;
  }

  #elementTest(test: Extract<Test, { kind: 'compare' | 'in' | 'group' }>, element: string): string {
    switch (test.kind) {
      case 'group':
        return `(jsonb_typeof(${element}) in ('object', 'array') and ${this.predicate(test.predicate, { value: element, isRow: false })})`;
      case 'in': {
        const list = `array(select jsonb_array_elements(${this.#json(test.literals)}))`;
        return `(jsonb_typeof(${element}) in ('string', 'number', 'boolean') and ${element} ${test.isNegated ? '<> all' : '= any'}(${list}))`;
      }
      case 'compare':
        return this.#compare(test.comparison, test.literal, element);
    }
  }

  #compare(comparison: Comparison, literal: Literal, element: string): string {
    if (comparison === '=') return `${element} = ${this.#json(literal)}`;
    if (comparison === '!=')
      return `(jsonb_typeof(${element}) = '${typeof literal}' and ${element} <> ${this.#json(literal)})`;
    const operator = sqlComparison(comparison);
    // The case keeps Postgres from casting what is no number.
    if (typeof literal === 'number') {
      return `case jsonb_typeof(${element}) when 'number' then (${element} #>> '{}')::numeric ${operator} ${this.#parameter(String(literal))}::text::numeric else false end`;
    }
    return `(jsonb_typeof(${element}) = 'string' and (${element} #>> '{}') collate "C" ${operator} ${this.#text(String(literal))})`;
  }

  #contains(literals: readonly Literal[], mode: 'all' | 'any', value: string): string {
    const parts = literals.map((literal) => `${value} @> ${this.#json([literal])}`);
    const isList = `jsonb_typeof(${value}) = 'array'`;
    if (parts.length === 0) return mode === 'all' ? `coalesce(${isList}, false)` : 'false';
    return `coalesce(${isList} and (${parts.join(mode === 'all' ? ' and ' : ' or ')}), false)`;
  }

  #within({ longitude, latitude, radiusMeters }: Extract<Test, { kind: 'within' }>, value: string): string {
    const [lon, lat, radius] = [longitude, latitude, radiusMeters].map(
      (number) => `${this.#parameter(String(number))}::text::float8`,
    );
    const coordinate = (index: number): string => `((${value} #>> '{coordinates,${index}}')::float8)`;
    const share = `power(sind((${coordinate(1)} - ${lat}) / 2), 2) + cosd(${coordinate(1)}) * cosd(${lat}) * power(sind((${coordinate(0)} - ${lon}) / 2), 2)`;
    return `case when jsonb_typeof(${value} #> '{coordinates,0}') = 'number' and jsonb_typeof(${value} #> '{coordinates,1}') = 'number' then 2 * 6371000 * asin(least(1, sqrt(${share}))) <= ${radius} else false end`;
  }

  #json(value: unknown): string {
    return `${this.#parameter(JSON.stringify(value))}::text::jsonb`;
  }

  #text(value: string): string {
    return `${this.#parameter(value)}::text`;
  }

  #parameter(value: unknown): string {
    this.#parameters.push(value);
    return `$${this.#parameters.length}`;
  }
}

function isColumnStatement(predicate: Predicate): boolean {
  if (predicate.kind === 'all') return predicate.operands.some(isColumnStatement);
  return predicate.kind === 'field' && (predicate.name === 'id' || predicate.name === 'key');
}

function sqlComparison(comparison: Comparison): string {
  return comparison === '!=' ? '<>' : comparison;
}

/**
 * The document that all matches contain and nothing else does, when the predicate is an equality, or a group of
 * them, on fields of known shape; otherwise undefined.
 */
function containedDocument(predicate: Predicate): Record<string, unknown> | undefined {
  switch (predicate.kind) {
    case 'field':
      return containedField(predicate);
    case 'all':
      return mergedDocument(predicate.operands.map(containedDocument));
    default:
      return undefined;
  }
}

function containedField({ name, holds, test }: FieldStatement): Record<string, unknown> | undefined {
  if (holds === 'unknown') return undefined;
  let value: unknown;
  if (test.kind === 'compare' && test.comparison === '=') value = test.literal;
  else if (test.kind === 'group') value = containedDocument(test.predicate);
  return value === undefined ? undefined : { [name]: holds === 'list' ? [value] : value };
}

/** Two statements about one field cannot be said by one document. */
function mergedDocument(parts: readonly (Record<string, unknown> | undefined)[]): Record<string, unknown> | undefined {
  const merged: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const part of parts) {
    if (part === undefined) return undefined;
    for (const [name, value] of Object.entries(part)) {
      if (name in merged) return undefined;
      merged[name] = value;
    }
  }
  return merged;
}
