import { statfs } from 'node:fs/promises';
import { apiError } from './errors/api-error.ts';

/** What is known of the free space is not older than this when something is written. */
const checkMs = 1000;

export interface DiskSpace {
  /** Refuses with OverCapacity while there is too little for writes. */
  requireRoom(): Promise<void>;
}

/**
 * The free space of the disk that holds the database, which an embedded Postgres does not survive without: it ends, and does
 * not come back before there is space again. It is looked at when somebody asks, so an idle process does nothing.
 */
export function watchDisk(directory: string | undefined, freeBytesMin: number): DiskSpace {
  let hasRoom = true;
  let checkedAtMs = -Infinity;
  let checking: Promise<void> | undefined;
  const check = async (path: string): Promise<void> => {
    try {
      const { bavail, bsize } = await statfs(path);
      hasRoom = bavail * bsize >= freeBytesMin;
    } catch {
      // A directory that cannot be looked at says nothing about its disk.
      hasRoom = true;
    }
    checkedAtMs = performance.now();
    checking = undefined;
  };
  return {
    requireRoom: async () => {
      if (directory === undefined || freeBytesMin === 0) return;
      if (performance.now() - checkedAtMs > checkMs) await (checking ??= check(directory));
      if (!hasRoom) throw apiError('OverCapacity', 'The disk of the database is almost full. Try again later.');
    },
  };
}
