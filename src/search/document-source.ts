/** What the feeder of product search needs of the database. Each call is one statement; the storage layer implements it. */
import type { FactKey, Reach } from '../engine/searched.ts';
import type { Lease } from '../outbox/outbox.ts';

/** How far a project is. */
export interface DocumentsState {
  /** The number of its steps. What writes names it, and does nothing where another step came before. */
  readonly step: number;
  /** One of the searches is on, or is to be. */
  readonly isOn: boolean;
  /** All products were marked since it is on. */
  readonly isStarted: boolean;
  /** And all of them have been worked on since. */
  readonly isFilled: boolean;
  /** Of the documents that are there, or that are being made in their place; 0 before any, and where all are to be made anew. */
  readonly documentVersion: number;
  /** The step at which its facts changed last. */
  readonly factsStep: number;
  /** There are documents, or marks. */
  readonly hasAny: boolean;
  /** A search waits for nothing but to be told that it is activated. */
  readonly isReady: boolean;
}

/** What documents rest on of a resource, such as the ancestors of a category. JSON. */
export interface Fact extends FactKey {
  readonly fact: unknown;
}

export interface FactSource extends FactKey {
  /** The members that facts of the kind are made from. */
  readonly document: unknown;
}

export interface Marks extends Reach {
  readonly products: readonly string[];
  /** Those that belong to one of these groups. */
  readonly groups: readonly string[];
  readonly facts: { readonly set: readonly Fact[]; readonly gone: readonly FactKey[] };
}

export interface MarkedProduct {
  readonly id: string;
  /** Undefined for one that is not there. */
  readonly json: string | undefined;
}

/** What became of a product that was marked. */
export type Indexed =
  | { readonly id: string; readonly outcome: 'made'; readonly sources: readonly string[]; readonly document: string }
  | { readonly id: string; readonly outcome: 'gone' }
  | { readonly id: string; readonly outcome: 'aside'; readonly sources: readonly string[]; readonly error: string };

/** Whatever writes throws where the lease is another's, or another step came before. */
export interface DocumentSource {
  /** Keys of the projects that have something to do, beside what is on the queue, for who makes documents of this version. */
  due(documentVersion: number): Promise<readonly string[]>;
  state(project: string): Promise<DocumentsState | undefined>;
  facts(project: string): Promise<readonly Fact[]>;
  /** What the facts of a kind are made from: of these resources, as far as they are there, or of the next behind one. */
  factSources(
    project: string,
    kind: string,
    which: {
      readonly members: readonly string[];
      readonly ids?: readonly string[];
      readonly after?: string | undefined;
    },
  ): Promise<readonly FactSource[]>;
  /** Marks all products, with these facts in place of all that are there. Documents that are there answer until then. */
  start(
    lease: Lease,
    step: number,
    given: { readonly documentVersion: number; readonly facts: readonly Fact[] },
  ): Promise<void>;
  mark(lease: Lease, step: number, marks: Marks): Promise<void>;
  /** Some of the products that are marked: as many as can be worked on at once, and one at least. */
  marked(project: string): Promise<readonly MarkedProduct[]>;
  /** Writes what differs from what is there, and takes away the marks. */
  write(lease: Lease, step: number, indexed: readonly Indexed[]): Promise<void>;
  /** Where nothing is marked there are documents of all products. */
  finish(lease: Lease, step: number): Promise<void>;
  /** Tells the project which searches have all that they need. */
  activate(project: string): Promise<void>;
  /** Takes away some of what is there of a project without a search. */
  clear(lease: Lease, step: number): Promise<void>;
}
