export type Draft = Readonly<Record<string, unknown>>;

/** A group of drafts of one resource; groups are loaded in order, the drafts of a group in any. */
export interface DraftGroup {
  readonly path: string;
  readonly count: number;
  drafts(): Iterable<Draft>;
}

/** Drafts of which there are as many as products, or part of that, made one at a time from numbers that begin with 1. */
export function numbered(path: string, count: number, draft: (number: number) => Draft): DraftGroup {
  return {
    path,
    count,
    *drafts() {
      for (let number = 1; number <= count; number += 1) yield draft(number);
    },
  };
}
