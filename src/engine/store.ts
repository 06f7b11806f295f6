import type { Predicate } from '../predicate/ast.ts';
import type { Sort } from '../predicate/sort.ts';
import type { StrongReference } from '../fields/parsing.ts';
import type { RequestSignal } from './context.ts';
import type { UniqueValue } from './document.ts';
import type { Members } from './indexed.ts';
import type { Json } from './json.ts';

/** A resource as the store gives it, to be passed on to the client where nothing in it changes. */
export interface Stored {
  readonly id: string;
  readonly key: string | undefined;
  readonly version: number;
  /** The whole representation. */
  readonly json: Json;
  /** What the platform keeps of it beside that, as JSON. Read with single resources alone, and absent without any. */
  readonly internals?: string;
}

/** A state of a resource. */
export type StoredVersion = Pick<Stored, 'id' | 'version'>;

/** A resource with what is kept beside it, for the operations that check or change secrets. */
export interface StoredSecrets extends Stored {
  readonly secrets: Readonly<Record<string, string>>;
}

/** A resource named by id, or by a value that only one of its kind may hold. */
export type SecretLookup = { readonly kind: string; readonly id: string } | UniqueLookup;

/** A resource named by a value that only one of its kind may hold. */
export interface UniqueLookup {
  readonly kind: string;
  readonly unique: UniqueValue;
}

/** Resources of a kind that have one of these values at a member by which the kind is grouped. */
export interface GroupLookup {
  readonly kind: string;
  readonly member: string;
  readonly values: readonly string[];
}

/** What a stored resource names: all of some kinds that its document has the ids of at these paths, `lineItems[*].productId`. */
export interface NamedLookup {
  readonly source: Lookup;
  readonly targets: readonly { readonly kind: string; readonly paths: readonly string[] }[];
  /** The index on documents has all that is at the paths. */
  readonly isIndexed: boolean;
}

export interface NamedStored {
  readonly kind: string;
  readonly stored: Stored;
}

/** A resource named by id or by key. */
export interface Lookup {
  readonly kind: string;
  readonly id?: string;
  readonly key?: string;
}

export interface Query {
  readonly kind: string;
  /** Keys of the kind are the member `key` alone, so that statements about it are served by the keys' index. */
  readonly hasPlainKey: boolean;
  /** A project has few of the kind, so that to look at all of them takes little. */
  readonly isOfFew: boolean;
  /** The members by which an index finds those of the kind; undefined where it finds them by all. */
  readonly indexed: Members | undefined;
  readonly where: readonly Predicate[];
  readonly sort: readonly Sort[];
  readonly limit: number;
  readonly offset: number;
}

export type CountQuery = Pick<Query, 'kind' | 'hasPlainKey' | 'isOfFew' | 'indexed' | 'where'>;

/** What all writes of a kind leave word of. */
interface Grouped {
  /** The members by which the kind is grouped. */
  readonly groupedBy?: readonly string[];
}

/** A resource that is to be there. */
export interface Insertion extends Grouped {
  readonly type: 'insertion';
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  /** The whole document. */
  readonly json: Json;
  readonly key: string | undefined;
  /** What is kept beside the document and never read with it, such as the hash of a secret. */
  readonly secrets: Readonly<Record<string, string>> | undefined;
  /** What no client sees and no part of the resource shows, as JSON. */
  readonly internals?: string;
  /** What queries find it by, as JSON, where that is not all of the document. */
  readonly indexed?: string;
  readonly references: readonly StrongReference[];
  readonly uniqueValues: readonly UniqueValue[];
  readonly maxPerProject: number | undefined;
}

/** A set that a write changes, as what it takes away and what it adds. */
export interface Delta<T> {
  readonly removed: readonly T[];
  readonly added: readonly T[];
}

/** A resource that is to be another than it was at a version. */
export interface Replacement extends Pick<
  Insertion,
  'kind' | 'id' | 'version' | 'json' | 'key' | 'groupedBy' | 'indexed'
> {
  readonly type: 'replacement';
  readonly expectedVersion: number;
  /** In place of those that are there; undefined leaves them. */
  readonly secrets: Readonly<Record<string, string>> | undefined;
  /** The same. */
  readonly internals?: string;
  readonly references: Delta<StrongReference>;
  readonly uniqueValues: Delta<UniqueValue>;
}

export interface Removal extends Grouped {
  readonly type: 'removal';
  readonly kind: string;
  readonly id: string;
  /** Undefined takes any. */
  readonly expectedVersion: number | undefined;
  readonly isCounted: boolean;
  /** Notices of it that were not delivered yet go as well. */
  readonly erasesNotices?: true;
}

/**
 * A number in a resource that grows or shrinks whatever the version is, such as a stock: of rivals that each named a
 * version, all but one would have to begin again. It takes place where the number stays within its bounds.
 */
export interface Increment extends Grouped {
  readonly type: 'increment';
  readonly kind: string;
  readonly id: string;
  /** The member of the document; without a value it counts as 0. */
  readonly member: string;
  readonly by: number;
  readonly min?: number;
  readonly max?: number;
  /** Another number that changes with it, without bounds. */
  readonly also?: { readonly member: string; readonly by: number };
  /** The moment, for `lastModifiedAt`. */
  readonly now: string;
}

/** That a resource has a version still, because another write of the commit rests on what it says. Nothing of it changes. */
export interface Assertion {
  readonly type: 'assertion';
  readonly kind: string;
  readonly id: string;
  readonly expectedVersion: number;
}

/** Word of a write, for those who hear of it. It is put behind what their queues have of its resource. */
export interface Notice {
  readonly type: 'notice';
  readonly kind: typeof noticeKind;
  readonly id: string;
  /** The ids of those who hear of it. */
  readonly listeners: readonly string[];
  /** The resource that it is about. Notices of one are delivered one after the other. */
  readonly subject: string;
  /** It tells of an increment of the same commit, which alone knows the version that it makes. */
  readonly isCounted: boolean;
  /** What it says, as JSON. */
  readonly json: string;
}

/** What stands for the kind of notices, which are no resources. */
export const noticeKind = 'notice';

/** What names a resource of any kind. */
export function subjectOf({ kind, id }: { readonly kind: string; readonly id: string }): string {
  return `${kind}/${id}`;
}

export type Write = Insertion | Replacement | Removal | Increment | Assertion | Notice;

/**
 * How a commit ended. The write of a conflict is the first whose resource was not there, had another version, or had a
 * number at its bound; `version` is the current one, absent when the resource is gone.
 */
export type Outcome =
  { readonly isDone: true } | { readonly isDone: false; readonly write: Write; readonly version: number | undefined };

/** Where all writes of resources end. */
export interface Writes {
  /**
   * Writes all or nothing, in one statement, which also leaves a row in the change log for each, and one in the outbox for
   * the kinds that other systems follow. Each is of another resource. Throws DuplicateField, ReferencedResourceNotFound,
   * ReferenceExists and MaxResourceLimitExceeded.
   */
  commit(project: string, writes: readonly Write[]): Promise<Outcome>;
}

/** Versioned resources of one database. Queries are run for a request, which has a share of the database, and end with it. */
export interface Store {
  /** Reads all lookups in one round trip; the answers stand in their order. */
  find(project: string, lookups: readonly Lookup[]): Promise<readonly (Stored | undefined)[]>;
  /** Those that are there of the resources that another one names. What is too much for one statement is left out. */
  findNamed(project: string, lookup: NamedLookup): Promise<readonly NamedStored[]>;
  /** All of them, and maybe some of other values; fails where they are too many for one request. */
  findGrouped(project: string, lookup: GroupLookup): Promise<readonly Stored[]>;
  /** The answers stand in the order of the lookups. */
  findHolders(project: string, lookups: readonly UniqueLookup[]): Promise<readonly (Stored | undefined)[]>;
  /** Their ids alone. */
  findHolderIds(project: string, lookups: readonly UniqueLookup[]): Promise<readonly (string | undefined)[]>;
  findSecrets(project: string, lookup: SecretLookup): Promise<StoredSecrets | undefined>;
  query(project: string, query: Query, request?: RequestSignal): Promise<readonly Stored[]>;
  /** The same page, without what its resources hold, which is most of the work. */
  queryVersions(project: string, query: Query, request?: RequestSignal): Promise<readonly StoredVersion[]>;
  /** The number of matches; counting stops at a cap where a predicate is given (specification 2.8). */
  count(project: string, query: CountQuery, request?: RequestSignal): Promise<number>;
}
