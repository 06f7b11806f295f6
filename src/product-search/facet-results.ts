import type { Path } from './path.ts';
import type { Range } from './path-values.ts';
import type { Scalar } from './values.ts';

/** Terms of a result; those that are left out are counted in `other`. */
export const termsMax = 200;

/** Results go by the keys of their facets. */
export type FacetResult = TermFacetResult | RangeFacetResult | FilteredFacetResult;

/** Values are counted of products, or of variants where the path leads to them. */
export interface TermFacetResult {
  readonly type: 'terms';
  readonly dataType: 'text' | 'date' | 'time' | 'datetime' | 'boolean' | 'number';
  /** Of what is counted, that which has no value. */
  readonly missing: number;
  /** All values that were found, each as often as it was. */
  readonly total: number;
  /** Those of `total` whose terms are left out. */
  readonly other: number;
  /** By count, of products where they are counted, from the largest; then by term. */
  readonly terms: readonly FacetTerm[];
}

interface FacetTerm {
  readonly term: string;
  readonly count: number;
  readonly productCount?: number;
}

export interface RangeFacetResult {
  readonly type: 'range';
  readonly ranges: readonly FacetRange[];
}

/** Moments are counted in milliseconds since 1970. An open end is 0 and an empty text. Without values all numbers are 0. */
export interface FacetRange {
  readonly from: number;
  readonly fromStr: string;
  readonly to: number;
  readonly toStr: string;
  readonly count: number;
  readonly productCount?: number;
  readonly total: number;
  readonly min: number;
  readonly max: number;
  readonly mean: number;
}

export interface FilteredFacetResult {
  readonly type: 'filter';
  readonly count: number;
  readonly productCount?: number;
}

/** A value as the term of a facet: whole numbers have a digit after the point. */
export function termOf(value: Scalar): string {
  return Number.isInteger(value) ? `${String(value)}.0` : String(value);
}

/** The type that a result of terms names; where the path does not tell it, the form of the values does. */
export function dataTypeOf(
  { class: valueClass }: Pick<Path, 'class'>,
  values: readonly Scalar[],
): TermFacetResult['dataType'] {
  switch (valueClass) {
    case 'keyword':
    case 'text':
    case 'decimal':
      return 'text';
    case 'dateTime':
      return 'datetime';
    case 'any':
      break;
    default:
      return valueClass;
  }
  const types = new Set(values.map((value) => (typeof value === 'string' ? textForm(value) : typeof value)));
  const [type, ...others] = types;
  // Values of an attribute have one type; documents hold none of other types than these.
  return type === undefined || others.length > 0 ? 'text' : (type as TermFacetResult['dataType']);
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const TIME = /^\d{2}:\d{2}:\d{2}\.\d{3}$/;

function textForm(value: string): TermFacetResult['dataType'] {
  return DATE_TIME.test(value) ? 'datetime' : DATE.test(value) ? 'date' : TIME.test(value) ? 'time' : 'text';
}

/** What a value adds to the numbers of a range: a number, or the milliseconds of a moment, a day or a time of day; else 0. */
export function measureOf(value: Scalar): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return 0;
  const moment = Date.parse(TIME.test(value) ? `1970-01-01T${value}Z` : value);
  return DATE_TIME.test(value) || DATE.test(value) || TIME.test(value) ? moment : Number(value) || 0;
}

/** How a result tells the ends of a range. */
export function endsOf({ from, to }: Range): Pick<FacetRange, 'from' | 'fromStr' | 'to' | 'toStr'> {
  return {
    from: from === undefined ? 0 : measureOf(from),
    fromStr: from === undefined ? '' : termOf(from),
    to: to === undefined ? 0 : measureOf(to),
    toStr: to === undefined ? '' : termOf(to),
  };
}
