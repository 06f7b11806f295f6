/** What stays for a time, and in a number, and is deleted then. The storage layer implements it. */
import type { StoredVersion } from '../engine/store.ts';

/** Resources of a kind beyond the number that a project keeps. */
export interface Excess {
  readonly project: string;
  readonly kind: string;
  readonly count: number;
}

/** A resource at a version, and when its time was over, as the storage writes it. */
export interface Due {
  readonly id: string;
  readonly version: number;
  readonly until: string;
}

/** A resource at a version, and when it was modified. */
export interface Old {
  readonly id: string;
  readonly version: number;
  readonly modifiedAt: string;
}

export interface Retained {
  /** Keys of the projects that have resources of these kinds whose time is over, in their order, behind one that is known. */
  projects(
    kinds: readonly string[],
    asked: { readonly now: string; readonly after: string | undefined },
  ): Promise<readonly string[]>;
  /** The same of a kind whose resources have an end of their own. */
  expiring(
    kind: string,
    asked: { readonly now: string; readonly after: string | undefined },
  ): Promise<readonly string[]>;
  /** The same of resources of a kind that were created before a moment. */
  projectsBefore(
    kind: string,
    asked: { readonly before: string; readonly after: string | undefined },
  ): Promise<readonly string[]>;
  /** Resources that were created before a moment, the oldest first. */
  createdBefore(
    project: string,
    asked: { readonly kind: string; readonly before: string },
  ): Promise<readonly StoredVersion[]>;
  /** Those whose end has come, behind one that is known. */
  expired(
    project: string,
    asked: { readonly kind: string; readonly now: string; readonly after: Due | undefined },
  ): Promise<readonly Due[]>;
  /** Resources whose time is over, those first of which it was over first, behind one that is known. */
  due(
    project: string,
    asked: { readonly kind: string; readonly now: string; readonly after: Due | undefined },
  ): Promise<readonly Due[]>;
  /** Looks at all resources of the kind, of one project or of those behind one, in the order of their keys. */
  excess(
    kind: string,
    asked: { readonly countMax: number } & ({ readonly project: string } | { readonly after: string | undefined }),
  ): Promise<readonly Excess[]>;
  /** Those that were modified least recently, behind one that is known. */
  oldest(
    project: string,
    asked: { readonly kind: string; readonly count: number; readonly after: Old | undefined },
  ): Promise<readonly Old[]>;
}

/** Resources that are read, and deleted, in a step. */
export const dueMax = 100;
/** Those that are deleted together. */
export const agedMax = 500;
/** Projects that are found at a time. */
export const projectsMax = 1000;
