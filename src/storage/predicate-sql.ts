import { isWithin, type Members, partOf } from '../engine/indexed.ts';
import type { CompareTest, Comparison, FieldStatement, Literal, Predicate, Test } from '../predicate/ast.ts';
import { bothForms } from '../predicate/literal.ts';
import { apiError } from '../errors/api-error.ts';
import type { CountQuery } from '../engine/store.ts';
import { circleToleranceMeters, earthRadiusMeters } from '../predicate/sphere.ts';

/** One of the conditions that must all be true of a row. */
export interface Condition {
  readonly text: string;
  /** Which index finds the rows: that of the id or key, whose matches Postgres can estimate, or that of documents. */
  readonly index: 'column' | 'documents' | undefined;
  /** What that index finds may be half of all rows: it is about booleans alone, such as what is published. */
  readonly isCommon: boolean;
  /** When it is that a row contains any of several documents that the index finds: their number, and them as Postgres writes an array. */
  readonly anyOf: { readonly count: number; readonly text: string } | undefined;
  /** When it is a range of what has an index in order: the name of that. */
  readonly bounds: string | undefined;
}

/**
 * Checked predicates as the conditions that a row of documents must meet for all of them to hold. Values and names of
 * clients become parameters, which are appended to `parameters`; the texts hold their numbers only. A condition may be
 * null where it is not true, which `where` takes for false, and so do `and` and `or`; only `not` has to be kept from it.
 */
export function conditionsOf(
  where: readonly Predicate[],
  parameters: unknown[],
  { hasPlainKey, indexed }: Pick<CountQuery, 'hasPlainKey' | 'indexed'>,
): readonly Condition[] {
  const findable: Findable = { columns: hasPlainKey ? idAndKey : idOnly, members: indexed };
  const writer = new Writer(parameters, findable);
  return where.flatMap(conjuncts).map((predicate) => {
    const contained = isColumnStatement(predicate, findable.columns) ? undefined : containedDocuments(predicate);
    const found = contained && foundBy(contained, indexed);
    return {
      text: writer.predicate(predicate, { value: 'data', isRow: true }),
      index: indexOf(predicate, findable),
      isCommon: found !== undefined && found.every(hasBooleansAlone),
      anyOf: found !== undefined && found.length > 1 ? { count: found.length, text: arrayText(found) } : undefined,
      bounds: boundsOf(predicate),
    };
  });
}

/** What the index on documents has of a row (migration 0018). */
export const indexedData = '(case when indexed_version = version then indexed else data end)';

/**
 * Documents of which the index finds each row that contains one of the given: those themselves where it has their
 * members, of a single one the part that it has, otherwise undefined.
 */
function foundBy(contained: readonly Contained[], members: Members | undefined): readonly Contained[] | undefined {
  if (members === undefined || contained.every((document) => isWithin(document, members))) return contained;
  const part = contained.length === 1 ? partOf(contained[0]!, members) : undefined;
  return part && [part];
}

function hasBooleansAlone(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(hasBooleansAlone);
  return typeof value === 'boolean';
}

/** Members that are columns of the row too. A key of several members is no member of the document. */
type Columns = ReadonlySet<string>;

/** What there are indexes for: columns, and the members that the one on documents has; undefined where it has all. */
interface Findable {
  readonly columns: Columns;
  readonly members: Members | undefined;
}

const idAndKey: Columns = new Set(['id', 'key']);
const idOnly: Columns = new Set(['id']);

/** `and` at the top taken apart, also where it stands in a group on a single object. */
function conjuncts(predicate: Predicate): readonly Predicate[] {
  const spread = distributed(predicate);
  return spread.kind === 'all' ? spread.operands.flatMap(conjuncts) : [spread];
}

function boundsOf(predicate: Predicate): string | undefined {
  if (predicate.kind !== 'field' || predicate.test.kind !== 'compare' || !isOrder(predicate.test.comparison))
    return undefined;
  const isOfId = predicate.name === 'id' && isCanonicalUuid(String(predicate.test.literal));
  return isOfId || momentSql(predicate.name) !== undefined ? predicate.name : undefined;
}

/** The index that finds all rows for which a predicate holds. */
function indexOf(predicate: Predicate, findable: Findable): Condition['index'] {
  const spread = distributed(predicate);
  if (spread.kind === 'any') {
    const indexes = spread.operands.map((operand) => indexOf(operand, findable));
    return indexes.includes(undefined) ? undefined : indexes.includes('documents') ? 'documents' : 'column';
  }
  if (spread.kind === 'all')
    return spread.operands.map((operand) => indexOf(operand, findable)).find((index) => index !== undefined);
  if (spread.kind !== 'field') return undefined;
  if (!isColumnStatement(spread, findable.columns)) {
    const contained = containedDocuments(spread);
    return contained && foundBy(contained, findable.members) && 'documents';
  }
  const { test } = spread;
  const isEquality = test.kind === 'compare' ? test.comparison === '=' : test.kind === 'in' && !test.isNegated;
  return isEquality ? 'column' : undefined;
}

/** The object that a predicate speaks of: a jsonb expression, and whether it is the row's own document. */
interface Scope {
  readonly value: string;
  readonly isRow: boolean;
}

class Writer {
  readonly #parameters: unknown[];
  readonly #columns: Columns;
  readonly #members: Members | undefined;
  #elements = 0;

  constructor(parameters: unknown[], { columns, members }: Findable) {
    this.#parameters = parameters;
    this.#columns = columns;
    this.#members = members;
  }

  predicate(predicate: Predicate, scope: Scope): string {
    // One containment test serves a whole conjunction of equalities, through lists too, and the GIN index serves it.
    const contained =
      scope.isRow && !isColumnStatement(predicate, this.#columns) ? containedDocuments(predicate) : undefined;
    if (contained !== undefined) return this.#rowContains(contained);
    const spread = scope.isRow ? distributed(predicate) : predicate;
    switch (spread.kind) {
      case 'all':
      case 'any':
        return `(${spread.operands.map((operand) => this.predicate(operand, scope)).join(spread.kind === 'all' ? ' and ' : ' or ')})`;
      case 'not':
        return `not coalesce(${this.predicate(spread.operand, scope)}, false)`;
      case 'constant':
        return String(spread.value);
      case 'aggregate':
        throw new Error('Shapes of stored documents have no aggregates');
      case 'field':
        return (
          this.#column(spread.name, spread.test, scope) ??
          this.#test(spread, `(${scope.value} -> ${this.#text(spread.name)})`)
        );
    }
  }

  /** Whether the row's document contains any of the documents. What the index has a part of is looked at in what it found. */
  #rowContains(documents: readonly Contained[]): string {
    const found = foundBy(documents, this.#members);
    if (found === undefined) return this.#contains('data', documents);
    const isFound = this.#contains(indexedData, found);
    return found === documents ? isFound : `(${isFound} and ${this.#contains('data', documents)})`;
  }

  /** Whether the value contains any of the documents. */
  #contains(value: string, documents: readonly unknown[]): string {
    if (documents.length === 0) return 'false';
    if (documents.length === 1) return `${value} @> ${this.#json(documents[0])}`;
    // As one array the planner sees their number, which of a subselect it guesses too high to use the index.
    return `${value} @> any(${this.#text(arrayText(documents))}::jsonb[])`;
  }

  /** What the row has a column or an index for: `id`, `key`, `version` and its two moments. */
  #column(name: string, test: Test, { isRow }: Scope): string | undefined {
    if (!isRow) return undefined;
    if (test.kind === 'compare' && isOrder(test.comparison)) {
      const moment = momentSql(name);
      if (moment !== undefined) return `${moment} ${test.comparison} ${this.#text(String(test.literal))}`;
      if (name === 'version') return this.#versionCompare(test.comparison, Number(test.literal));
    }
    if ((name !== 'id' && name !== 'key') || !this.#columns.has(name)) return undefined;
    if (test.kind === 'compare') return this.#columnCompare(name, test.comparison, test.literal);
    if (test.kind === 'defined') return `${name} is ${test.isNegated ? '' : 'not '}null`;
    if (test.kind !== 'in') return undefined;
    const literals = test.literals.map(String).filter((literal) => name === 'key' || isCanonicalUuid(literal));
    const list = `${this.#parameter(literals)}::${name === 'id' ? 'uuid' : 'text'}[]`;
    return `${name} ${test.isNegated ? '<> all' : '= any'}(${list})`;
  }

  #columnCompare(name: 'id' | 'key', comparison: Comparison, literal: Literal): string | undefined {
    // The column orders by code points, as texts in documents do.
    if (name === 'key') return `key ${sqlComparison(comparison)} ${this.#text(String(literal))}`;
    // A text that is no id as they are written equals none; its order among ids is that of the texts.
    if (!isCanonicalUuid(String(literal))) return comparison === '=' ? 'false' : undefined;
    return `id ${sqlComparison(comparison)} ${this.#parameter(String(literal))}::text::uuid`;
  }

  /** Versions are integers that a double holds exactly, so any bound has an integer that says the same of them. */
  #versionCompare(comparison: Order, literal: number): string {
    const bound = comparison === '<' || comparison === '>=' ? Math.ceil(literal) : Math.floor(literal);
    const clamped = Math.min(Math.max(bound, -versionBoundMax), versionBoundMax);
    return `version ${comparison} ${this.#parameter(String(clamped))}::text::bigint`;
  }

  #test({ holds, test }: FieldStatement, value: string): string {
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
        return this.#listContains(test.literals, test.mode, value);
      case 'within':
        return this.#within(test, value);
      case 'money':
        throw apiError(
          'InvalidInput',
          'Malformed parameter: where: amounts are compared by centAmount and currencyCode.',
        );
      default:
        if (holds === 'one') return this.#elementTest(test, value);
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
        return this.#compare(test, element);
    }
  }

  #compare(test: CompareTest, element: string): string {
    const { comparison, literal, other } = test;
    if (comparison === '=') return `${element} = ${this.#json(literal)}`;
    if (comparison === '!=') {
      const literals = bothForms(test);
      const types = new Set(literals.map((each) => `'${typeof each}'`));
      const unequal = literals.map((each) => `${element} <> ${this.#json(each)}`);
      return `(jsonb_typeof(${element}) in (${[...types].join(', ')}) and ${unequal.join(' and ')})`;
    }
    const order = (compared: Literal): string => this.#order(comparison, compared, element);
    if (other === undefined) return order(literal);
    if (typeof other !== 'object') return `(${order(other)} or ${order(literal)})`;
    return `case when (${element} #>> '{}') ~ ${this.#text(other.pattern)} then ${order(other.text)} else ${order(literal)} end`;
  }

  #order(comparison: Comparison, literal: Literal, element: string): string {
    const operator = sqlComparison(comparison);
    // The case keeps Postgres from casting what is no number.
    if (typeof literal === 'number') {
      return `case jsonb_typeof(${element}) when 'number' then (${element} #>> '{}')::numeric ${operator} ${this.#parameter(String(literal))}::text::numeric else false end`;
    }
    return `(jsonb_typeof(${element}) = 'string' and (${element} #>> '{}') collate "C" ${operator} ${this.#text(String(literal))})`;
  }

  #listContains(literals: readonly Literal[], mode: 'all' | 'any', value: string): string {
    const documents = mode === 'all' ? [literals] : literals.map((literal) => [literal]);
    return `(jsonb_typeof(${value}) = 'array' and ${this.#contains(value, documents)})`;
  }

  #within({ longitude, latitude, radiusMeters }: Extract<Test, { kind: 'within' }>, value: string): string {
    const number = (text: string): string => `round(${text}::numeric, ${degreeDigits})::float8`;
    const [lon, lat] = [longitude, latitude].map((degrees) => number(this.#text(String(degrees))));
    const radius = `${this.#parameter(String(radiusMeters + circleToleranceMeters))}::text::float8`;
    const coordinate = (index: number): string => number(`(${value} #>> '{coordinates,${index}}')`);
    // Places that are none on earth are computed all the same, for Postgres may evaluate a conjunction in any order.
    const share = `power(sind((${coordinate(1)} - ${lat}) / 2), 2) + cosd(${coordinate(1)}) * cosd(${lat}) * power(sind((${coordinate(0)} - ${lon}) / 2), 2)`;
    return `case when jsonb_typeof(${value} #> '{coordinates,0}') = 'number' and jsonb_typeof(${value} #> '{coordinates,1}') = 'number' then abs(${coordinate(0)}) <= 180 and abs(${coordinate(1)}) <= 90 and 2 * ${earthRadiusMeters} * asin(sqrt(least(1, greatest(0, ${share})))) <= ${radius} else false end`;
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

/**
 * Digits after the point that a degree keeps, a ten-thousandth of a millimeter. Postgres fails on products too small
 * for a float, so one stored point of 1e-200 degrees would fail every search.
 */
const degreeDigits = 12;

/** Beyond every version, and within what a bigint of Postgres holds. */
const versionBoundMax = 2 ** 60;

const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Postgres reads capitals in an id as well, but documents hold none, and their texts are what is compared. */
function isCanonicalUuid(text: string): boolean {
  return CANONICAL_UUID.test(text);
}

/** Documents as Postgres writes an array of jsonb. */
function arrayText(documents: readonly unknown[]): string {
  return `{${documents.map((document) => `"${JSON.stringify(document).replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function isColumnStatement(predicate: Predicate, columns: Columns): boolean {
  if (predicate.kind === 'all' || predicate.kind === 'any')
    return predicate.operands.some((operand) => isColumnStatement(operand, columns));
  return predicate.kind === 'field' && columns.has(predicate.name);
}

type Order = Exclude<Comparison, '=' | '!='>;

function isOrder(comparison: Comparison): comparison is Order {
  return comparison !== '=' && comparison !== '!=';
}

/**
 * The moments that every resource has, in the form that their indexes hold (migration 0004). Their texts are never
 * absent and all of one form, so that they order like the moments.
 */
export function momentSql(name: string): string | undefined {
  return name === 'createdAt' || name === 'lastModifiedAt' ? `(data ->> '${name}') collate "C"` : undefined;
}

function sqlComparison(comparison: Comparison): string {
  return comparison === '!=' ? '<>' : comparison;
}

/**
 * The same predicate with groups on single objects pushed down to the statements inside: `a(b = 1 and c > 2)` as
 * `a(b = 1) and a(c > 2)`, so that the index serves the equality. On a list the two would bind different elements.
 */
function distributed(predicate: Predicate): Predicate {
  if (predicate.kind !== 'field' || predicate.holds !== 'one' || predicate.test.kind !== 'group') return predicate;
  const group = (inner: Predicate): Predicate => ({ ...predicate, test: { kind: 'group', predicate: inner } });
  const inner = distributed(predicate.test.predicate);
  if (inner.kind !== 'all' && inner.kind !== 'any') return group(inner);
  return { kind: inner.kind, operands: inner.operands.map(group) };
}

/** Documents of one containment test; past that a predicate is tested statement by statement. */
const documentsMax = 4000;

type Contained = Readonly<Record<string, unknown>>;

/**
 * Documents such that a row matches exactly when it contains one of them: for equalities, `in` and `contains`, and for
 * groups, conjunctions and disjunctions of them. Otherwise undefined.
 */
function containedDocuments(predicate: Predicate): readonly Contained[] | undefined {
  switch (predicate.kind) {
    case 'field':
      return containedFields(predicate);
    case 'any': {
      const parts = predicate.operands.map(containedDocuments);
      return parts.includes(undefined) ? undefined : bounded((parts as (readonly Contained[])[]).flat());
    }
    case 'all':
      return predicate.operands.map(containedDocuments).reduce(combined);
    default:
      return undefined;
  }
}

function containedFields({ name, holds, test }: FieldStatement): readonly Contained[] | undefined {
  return containedValues(test, holds)?.map((value) => ({ [name]: value }));
}

function containedValues(test: Test, holds: FieldStatement['holds']): readonly unknown[] | undefined {
  switch (test.kind) {
    case 'compare':
      return test.comparison === '=' ? held([test.literal], holds) : undefined;
    case 'in':
      return test.isNegated ? undefined : held(test.literals, holds);
    case 'contains':
      if (holds === 'one') return undefined;
      return test.mode === 'all' ? [test.literals] : bounded(test.literals.map((literal) => [literal]));
    case 'group': {
      const inner = containedDocuments(test.predicate);
      return inner && held(inner, holds);
    }
    default:
      return undefined;
  }
}

/** Values as a field holds them: alone, as one element of a list, or either where that is not known. */
function held(values: readonly unknown[], holds: FieldStatement['holds']): readonly unknown[] | undefined {
  return bounded([...(holds === 'list' ? [] : values), ...(holds === 'one' ? [] : values.map((value) => [value]))]);
}

/** The documents that contain one of each side. */
function combined(
  left: readonly Contained[] | undefined,
  right: readonly Contained[] | undefined,
): readonly Contained[] | undefined {
  if (left === undefined || right === undefined || left.length * right.length > documentsMax) return undefined;
  const documents: Contained[] = [];
  for (const one of left) {
    for (const other of right) {
      // Two statements about one field cannot be said by one document.
      if (Object.keys(other).some((name) => Object.hasOwn(one, name))) return undefined;
      documents.push(Object.fromEntries([...Object.entries(one), ...Object.entries(other)]));
    }
  }
  return documents;
}

function bounded<T>(documents: readonly T[]): readonly T[] | undefined {
  return documents.length <= documentsMax ? documents : undefined;
}
