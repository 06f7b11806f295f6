import type { Task } from './task.ts';

/** What a hash is derived from, with the work factors of scrypt. */
export interface Derivation {
  readonly password: string;
  readonly salt: Uint8Array;
  /** Of the hash. */
  readonly bytes: number;
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

export const deriving: Task<Derivation, Uint8Array> = { name: 'passwords', threads: 'passwords' };
