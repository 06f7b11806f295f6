import { scryptSync } from 'node:crypto';
import { deriving } from '../src/tasks/passwords.ts';
import { serving } from '../src/threads/protocol.ts';

export const run = serving(deriving, ({ password, salt, bytes, N, r, p }) =>
  scryptSync(password, salt, bytes, { N, r, p, maxmem: 256 * N * r }),
);
