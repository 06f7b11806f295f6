import { createHash } from 'node:crypto';
import type { Settings } from 'meilisearch';
import { firstPoints } from './encoding.ts';
import type { KeywordState } from './keyword-source.ts';

/** Raised with every change of settings or documents: indexes of another version are filled anew. */
export const settingsVersion = 1;

export function keywordIndexName(project: string): string {
  return `sg-kw-${project}`;
}

export function lexiconIndexName(project: string): string {
  return `sg-lx-${project}`;
}

export interface IndexNames {
  readonly keywords: string;
  readonly lexicon: string;
}

/** Those that answer. */
export function liveIndexNames(project: string): IndexNames {
  return { keywords: keywordIndexName(project), lexicon: lexiconIndexName(project) };
}

/** Those that are filled to take their place; no key of a project makes one of the others. */
export function nextIndexNames(project: string): IndexNames {
  return { keywords: `sg-next-kw-${project}`, lexicon: `sg-next-lx-${project}` };
}

/**
 * Exact matching: one document for each text of a locale, found by prefixes of its candidates. Comparison has to be on:
 * without its levels STARTS WITH scans the field from its first value.
 */
export const keywordSettings: Settings = {
  searchableAttributes: [],
  displayedAttributes: ['*'],
  rankingRules: ['sort'],
  sortableAttributes: ['t'],
  filterableAttributes: [
    {
      attributePatterns: ['c_*', 's_*'],
      features: { facetSearch: false, filter: { equality: true, comparison: true } },
    },
  ],
  typoTolerance: { enabled: false },
  facetSearch: false,
  prefixSearch: 'disabled',
  proximityPrecision: 'byAttribute',
  pagination: { maxTotalHits: 1000 },
};

/** Values that one facet search gives. */
export const lexiconValuesMax = 200;
/** Slices into which a facet search is split when it gives that many. */
export const lexiconSlices = 16;
/** Code points of a candidate that the lexicon keeps. */
export const lexiconPoints = 16;

/**
 * Fuzzy matching: the distinct beginnings of all candidates, whose facet search tolerates typos. It is an index of its
 * own, for one with facet search rewrites all its values with every batch.
 */
export const lexiconSettings: Settings = {
  searchableAttributes: [],
  displayedAttributes: ['id'],
  rankingRules: ['sort'],
  filterableAttributes: [
    { attributePatterns: ['f_*'], features: { facetSearch: true, filter: { equality: false, comparison: false } } },
    { attributePatterns: ['b'], features: { facetSearch: false, filter: { equality: true, comparison: false } } },
  ],
  // Bytes: three and six encoded code points.
  typoTolerance: { enabled: true, minWordSizeForTypos: { oneTypo: 12, twoTypos: 24 } },
  faceting: { maxValuesPerFacet: lexiconValuesMax, sortFacetValuesBy: { '*': 'alpha' } },
  prefixSearch: 'disabled',
  proximityPrecision: 'byAttribute',
};

/** Names a text among all of its locale, in characters that a document id may have. */
export function textHash(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

export function attributeLocale(locale: string): string {
  return locale.replace('-', '_');
}

function documentId(locale: string, hash: string): string {
  return `${attributeLocale(locale)}_${hash}`;
}

/** The document of a text, or undefined when no product offers it any more. */
export function keywordDocument({
  locale,
  hash,
  text,
  current,
  staged,
}: KeywordState): Record<string, unknown> | undefined {
  if (current.length + staged.length === 0) return undefined;
  const name = attributeLocale(locale);
  return {
    id: documentId(locale, hash),
    t: text,
    ...(current.length > 0 && { [`c_${name}`]: current }),
    ...(staged.length > 0 && { [`s_${name}`]: staged }),
  };
}

/** Stands in every index from the start; without candidates no filter finds it. */
export const firstDocument = { id: 'first', t: '' };

export function keywordDocumentId({ locale, hash }: Pick<KeywordState, 'locale' | 'hash'>): string {
  return documentId(locale, hash);
}

/** The lexicon's documents for a text: values are only ever added, for a stale one finds nothing in the other index. */
export function lexiconDocuments({ locale, current, staged }: KeywordState): readonly { id: string }[] {
  const values = new Set([...current, ...staged].map((candidate) => firstPoints(candidate, lexiconPoints)));
  return [...values].map((value) => {
    const hash = textHash(value);
    const slice = createHash('sha256').update(value).digest()[0]! % lexiconSlices;
    return { id: documentId(locale, hash), b: slice, [`f_${attributeLocale(locale)}`]: value };
  });
}
