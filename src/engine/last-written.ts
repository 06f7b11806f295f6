import { LRUCache } from 'lru-cache';
import type { Fence } from './coherence.ts';
import type { Insertion, Replacement, Stored } from './store.ts';

/** What takes more than this share of the room would drive out too many others for one. */
const shareMax = 1 / 8;
/** What an entry takes beside its text: an object, map slots, a name. */
const entryBytes = 500;

/** A resource as it was written, with the part of it that is indexed. */
export interface Written extends Stored {
  readonly indexed?: string;
}

/**
 * What this process has written last, for requests that have passed the fence and change it again, as shoppers change a cart
 * many times in a row: they need not read it. What others have written since goes, but for what they delete, and what they
 * write just before it is noted here. So a version found here may have passed: a commit refuses it, and whoever does not
 * commit has to look.
 */
export class LastWritten {
  readonly #written: LRUCache<string, Written>;

  /** With 0 bytes nothing is kept. */
  constructor(fence: Pick<Fence, 'listen'>, bytesMax: number) {
    this.#written = new LRUCache<string, Written>({
      maxSize: Math.max(1, Math.floor(bytesMax)),
      maxEntrySize: Math.max(1, Math.floor(bytesMax * shareMax)),
      // A character of a string takes two bytes at most.
      sizeCalculation: ({ json, internals = '', indexed = '' }) =>
        (typeof json === 'string' ? 2 : 1) * json.length + 2 * (internals.length + indexed.length) + entryBytes,
    });
    fence.listen({
      changed: (changes) => {
        for (const { project, kind, id, version } of changes) {
          const name = nameOf(project, kind, id);
          if ((this.#written.peek(name)?.version ?? version) < version) this.#written.delete(name);
        }
      },
      reset: () => this.#written.clear(),
    });
  }

  /** A write that was committed; where it leaves what is kept beside the resource, that is as before. */
  note(project: string, write: Insertion | Replacement, before?: Pick<Stored, 'internals'>): void {
    const { kind, id, key, version, json, indexed, internals = before?.internals } = write;
    this.#written.set(nameOf(project, kind, id), {
      id,
      key,
      version,
      json,
      ...(indexed !== undefined && { indexed }),
      ...(internals !== undefined && { internals }),
    });
  }

  /** The resource in this version; undefined where this process has not written that, or not lately. */
  find(project: string, kind: string, { id, version }: Pick<Stored, 'id' | 'version'>): Written | undefined {
    const written = this.#written.get(nameOf(project, kind, id.toLowerCase()));
    return written?.version === version ? written : undefined;
  }
}

function nameOf(project: string, kind: string, id: string): string {
  return `${project}/${kind}/${id}`;
}
