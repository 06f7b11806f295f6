import type { Document } from './document.ts';

/** What documents are made from, and how. */
export interface Searched {
  /** Whose resources the documents are of. */
  readonly kind: string;
  /** Of the form of what is made. */
  readonly documentVersion: number;
  /** Groups, as topics name them. */
  readonly groups: readonly string[];
  /** The kind whose resources put others into selections, and the members that name the selection and what is put there. */
  readonly assignments: { readonly kind: string; readonly selection: string; readonly assigned: string };
  /** By kind, the members of its resources that facts are made from. */
  readonly factMembers: Readonly<Record<string, readonly string[]>>;
  factOf(kind: string, members: unknown): unknown;
  reachOf(before: Facts, after: Facts, changed: readonly FactKey[]): Reach;
  /** Ids of all whose changes reach the product. */
  sourcesOf(product: Document): readonly string[];
  /**
   * Reads what else documents of these products are made from, and gives what makes one. Throws InvalidInput where that is
   * too much at once.
   */
  gather(project: string, products: readonly Document[], facts: Facts): Promise<MakeDocument>;
}

/** Throws where nothing of the product can be searched. */
export type MakeDocument = (product: Document) => object;

export interface FactKey {
  readonly kind: string;
  readonly id: string;
}

/** By kind and id. Documents are made of these and not of what is stored, so that a change of them cannot be missed. */
export type Facts = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** Which of the products a change of facts reaches. */
export interface Reach {
  /** Those that have one of these among their sources. */
  readonly sources: readonly string[];
  /** Those that were put into one of these selections. */
  readonly selections: readonly string[];
  readonly isOfAll: boolean;
}
