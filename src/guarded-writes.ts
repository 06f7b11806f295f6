import type { Store } from './engine/store.ts';

export interface WriteHooks {
  /** Refuses a write by throwing; reads are not asked for. */
  readonly before: () => Promise<void>;
  /** Hears that a resource of this kind was written, or may have been. */
  readonly after: (kind: string) => void;
}

/** The store with something done around every write. */
export function aroundWrites(store: Store, { before, after }: WriteHooks): Store {
  const around = async <T>(kind: string, write: () => Promise<T>): Promise<T> => {
    await before();
    try {
      return await write();
    } finally {
      after(kind);
    }
  };
  return {
    ...store,
    insert: (project, insertion) => around(insertion.kind, () => store.insert(project, insertion)),
    replace: (project, replacement) => around(replacement.kind, () => store.replace(project, replacement)),
    remove: (project, removal) => around(removal.kind, () => store.remove(project, removal)),
  };
}
