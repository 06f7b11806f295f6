import { scryptSync } from 'node:crypto';
import { batched } from '../src/threads/protocol.ts';

interface Request {
  readonly password: string;
  readonly salt: Uint8Array;
  /** Of the hash. */
  readonly bytes: number;
  /** The work factors of scrypt. */
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

const task = ({ password, salt, bytes, N, r, p }: Request): Uint8Array =>
  scryptSync(password, salt, bytes, { N, r, p, maxmem: 256 * N * r });

/** The pool calls it with each batch. */
export const run = batched(task);
