import type { Writes } from './engine/store.ts';

export interface WriteHooks {
  /** Refuses a write by throwing; reads are not asked for. */
  readonly before: () => Promise<void>;
  /** Hears that a resource of this kind was written, or may have been. */
  readonly after: (kind: string) => void;
}

/** The same writes with something done around each commit. */
export function aroundWrites({ commit }: Writes, { before, after }: WriteHooks): Writes {
  return {
    commit: async (project, writes) => {
      await before();
      try {
        return await commit(project, writes);
      } finally {
        for (const { kind } of writes) after(kind);
      }
    },
  };
}
