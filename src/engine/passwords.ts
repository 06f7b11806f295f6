import { randomBytes, timingSafeEqual } from 'node:crypto';
import { apiError } from '../errors/api-error.ts';
import { type Derivation, deriving } from '../tasks/passwords.ts';
import type { Compute } from '../tasks/task.ts';
import { type Claim, FairQueue } from './fair-queue.ts';

/** Characters; normalizing and hashing one of megabytes would take the time of thousands. */
export const passwordLengthMax = 1024;

/**
 * Work factor N of scrypt: 32 MB for a fifth of a second. A hash holds the factors that it was made with, so those of new
 * ones can rise.
 */
export const passwordCost = 2 ** 15;
const saltBytes = 16;
const hashBytes = 32;
/** Hashes that are made at a time, each by a thread of its own, and requests that may wait for one. */
export const passwordThreads = 2;
const waitingMax = 100;
type Claims = readonly [Claim, ...Claim[]];

/** Passwords are hashed here alone, a bounded number at a time. More than may wait are refused with OverCapacity. */
export class Passwords {
  readonly #queue = new FairQueue({
    runningMax: passwordThreads,
    waitingMax,
    refusal: 'Too many passwords are being checked.',
  });

  readonly #compute: Compute;

  /** Work factors of scrypt for new hashes. */
  readonly #factors: Pick<Derivation, 'N' | 'r' | 'p'>;

  constructor(compute: Compute, cost = passwordCost) {
    this.#compute = compute;
    this.#factors = { N: cost, r: 8, p: 1 };
  }

  /** `scrypt$N$r$p$salt$hash`, the last two in base64. */
  async hash(password: string, claims: Claims): Promise<string> {
    const salt = randomBytes(saltBytes);
    const hash = await this.#derive({ password, salt, bytes: hashBytes, ...this.#factors }, halved(claims));
    const { N, r, p } = this.#factors;
    return ['scrypt', N, r, p, salt.toString('base64'), Buffer.from(hash).toString('base64')].join('$');
  }

  /** Whether the hash is of this password. Without a hash it takes as long, and is false. */
  async verify(password: string, stored: string | undefined, claims: Claims): Promise<boolean> {
    const { N: cost, r: size, p: width } = this.#factors;
    const [, N = cost, r = size, p = width, salt = '', expected = ''] = (stored ?? '').split('$');
    const given = { salt: Buffer.from(salt, 'base64'), bytes: hashBytes, N: Number(N), r: Number(r), p: Number(p) };
    const hash = await this.#derive({ password, ...given }, claims);
    const bytes = Buffer.from(expected, 'base64');
    return bytes.length === hash.length && timingSafeEqual(bytes, hash);
  }

  async #derive(given: Derivation, claims: Claims): Promise<Uint8Array> {
    if (given.password.length > passwordLengthMax)
      throw apiError('InvalidInput', `A password has at most ${passwordLengthMax} characters.`);
    const password = given.password.normalize('NFKC');
    return this.#queue.run(claims, () => this.#compute.run(deriving, { ...given, password }));
  }
}

/** Those who set passwords leave half of the places to those who sign in. */
function halved([first, ...others]: Claims): Claims {
  const half = ({ name, entriesMax }: Claim): Claim => ({ name, entriesMax: Math.ceil(entriesMax / 2) });
  return [half(first), ...others.map(half)];
}
