/**
 * What facets count, over documents: slow and obvious, to compare others with. How results tell values, measures, types and
 * ends is not judged here but in facet.test.ts, value by value.
 */
import { judgedAt } from '../../src/product-search/condition.ts';
import type { SearchDocument } from '../../src/product-search/document.ts';
import type { ProjectionFacet } from '../../src/product-search/facet.ts';
import {
  dataTypeOf,
  endsOf,
  type FacetRange,
  type FacetResult,
  measureOf,
  termOf,
  termsMax,
} from '../../src/product-search/facet-results.ts';
import type { Range } from '../../src/product-search/path-values.ts';
import type { ProductFacet, ProductFacetResult } from '../../src/product-search/query-facets.ts';
import type { Scalar } from '../../src/product-search/values.ts';
import { isMet, isWithin, type Place, placesIn, valuesAt } from './model.ts';

/** The result of a facet over the products that it counts. */
export function facetResult(facet: ProjectionFacet, documents: readonly SearchDocument[]): FacetResult {
  const places = documents.flatMap((document) => placesIn(document, facet.path.scope));
  switch (facet.kind) {
    case 'terms':
      return terms(facet, places);
    case 'ranges':
      return { type: 'range', ranges: facet.ranges.map((range) => rangeResult(facet, range, places)) };
    case 'filter': {
      const { expression, path } = facet;
      const condition = judgedAt(expression, path.scope);
      return {
        type: 'filter',
        ...counts(
          facet,
          places.filter((place) => isMet(condition, place)),
        ),
      };
    }
  }
}

function counts(
  { countsProducts }: ProjectionFacet,
  places: readonly Place[],
): { count: number; productCount?: number } {
  const products = new Set(places.map(({ product }) => product));
  return { count: places.length, ...(countsProducts && { productCount: products.size }) };
}

function terms(facet: ProjectionFacet, places: readonly Place[]): FacetResult {
  const byValue = grouped(
    places.flatMap((place) => valuesAt(facet.path, place).map((value) => ({ value, place }))),
    ({ value }) => value,
  );
  const all = [...byValue].map(([value, found]) => ({
    term: termOf(value),
    ...counts(
      facet,
      found.map(({ place }) => place),
    ),
  }));
  const total = all.reduce((sum, { count }) => sum + count, 0);
  const weight = ({ count, productCount }: (typeof all)[number]): number => productCount ?? count;
  all.sort((one, other) => weight(other) - weight(one) || (one.term < other.term ? -1 : 1));
  const shown = all.slice(0, termsMax);
  return {
    type: 'terms',
    dataType: dataTypeOf(facet.path, [...byValue.keys()]),
    missing: places.filter((place) => valuesAt(facet.path, place).length === 0).length,
    total,
    other: total - shown.reduce((sum, { count }) => sum + count, 0),
    terms: shown,
  };
}

function isIn({ from, to }: Range, value: Scalar): boolean {
  return isWithin(value, { ...(from !== undefined && { gte: from }), ...(to !== undefined && { lt: to }) });
}

function rangeResult(facet: ProjectionFacet, range: Range, places: readonly Place[]): FacetRange {
  const within = (place: Place): readonly Scalar[] => valuesAt(facet.path, place).filter((value) => isIn(range, value));
  const measures = places.flatMap(within).map(measureOf);
  const total = measures.reduce((sum, measure) => sum + measure, 0);
  return {
    ...endsOf(range),
    ...counts(
      facet,
      places.filter((place) => within(place).length > 0),
    ),
    total,
    min: measures.length === 0 ? 0 : Math.min(...measures),
    max: measures.length === 0 ? 0 : Math.max(...measures),
    mean: measures.length === 0 ? 0 : total / measures.length,
  };
}

/** The result of a facet of product search, over the products that its scope names. */
export function productFacetResult(facet: ProductFacet, documents: readonly SearchDocument[]): ProductFacetResult {
  const { name, holder, where } = facet;
  const places = documents
    .flatMap((document) => placesIn(document, holder))
    .filter((place) => where === undefined || isMet(where, place));
  switch (facet.kind) {
    case 'count':
      return { name, value: unitsOf(facet, places).size };
    case 'stats':
      return stats(
        name,
        places.flatMap((place) => valuesAt(facet.path, place)),
      );
    case 'ranges':
      return {
        name,
        buckets: facet.ranges.map((range) => {
          const inside = places.filter((place) => valuesAt(facet.path, place).some((value) => isIn(range, value)));
          return { key: range.key, count: unitsOf(facet, inside).size };
        }),
      };
    case 'distinct':
      return { name, buckets: buckets(facet, places, documents) };
  }
}

/** What is counted: the products of these places, or their variants. */
function unitsOf({ level }: ProductFacet, places: readonly Place[]): ReadonlySet<unknown> {
  return new Set(places.map(({ product, variant }) => (level === 'products' ? product : variant)));
}

function stats(name: string, values: readonly Scalar[]): ProductFacetResult {
  const [first] = values;
  if (first === undefined) return { name, count: 0 };
  const ordered = values.toSorted((one, other) => (one < other ? -1 : one > other ? 1 : 0)) as (number | string)[];
  const ends = { min: ordered[0]!, max: ordered.at(-1)! };
  if (typeof first !== 'number') return { name, ...ends, count: values.length };
  const sum = values.reduce<number>((total, value) => total + Number(value), 0);
  return { name, ...ends, mean: sum / values.length, sum, count: values.length };
}

function buckets(
  facet: Extract<ProductFacet, { kind: 'distinct' }>,
  places: readonly Place[],
  documents: readonly SearchDocument[],
): readonly { readonly key: string; readonly count: number }[] {
  const { path, missing, includes, sort, limit, where, level } = facet;
  const byKey = grouped(
    places.flatMap((place) => valuesAt(path, place).map((value) => ({ key: String(value), place }))),
    ({ key }) => key,
  );
  const found = [...byKey].map(([key, held]) => {
    const units = unitsOf(
      facet,
      held.map(({ place }) => place),
    );
    return { key, count: units.size };
  });
  if (missing !== undefined) {
    const every = documents.flatMap((product) => placesIn(product, level === 'products' ? 'product' : 'variant'));
    const asked = unitsOf(facet, where === undefined ? every : places);
    const having = unitsOf(
      facet,
      places.filter((place) => valuesAt(path, place).length > 0),
    );
    const count = [...asked].filter((unit) => !having.has(unit)).length;
    if (count > 0) found.push({ key: missing, count });
  }
  const sign = sort.isDescending ? -1 : 1;
  return found
    .filter(({ key }) => includes?.includes(key) !== false)
    .sort((one, other) => {
      const byCount = sort.by === 'count' ? one.count - other.count : 0;
      if (byCount !== 0) return byCount * sign;
      const byText = one.key < other.key ? -1 : 1;
      return sort.by === 'key' ? byText * sign : byText;
    })
    .slice(0, limit);
}

/** In the order in which keys come. */
function grouped<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}
