import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { apiError } from '../errors/api-error.ts';

/**
 * Work factor of scrypt: 32 MB for a fifth of a second. A hash holds the factors that it was made with, so those of new
 * ones can rise.
 */
const factors = { N: 2 ** 15, r: 8, p: 1 };
const saltBytes = 16;
const hashBytes = 32;
/** Hashes that are made at a time, by threads of the runtime, and requests that may wait for one. */
const runningMax = 2;
const waitingMax = 100;

/** Passwords are hashed here alone, a bounded number at a time. More than may wait are refused with OverCapacity. */
export class Passwords {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  /** `scrypt$N$r$p$salt$hash`, the last two in base64. */
  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    const hash = await this.#derive(password, salt, factors);
    const { N, r, p } = factors;
    return ['scrypt', N, r, p, salt.toString('base64'), hash.toString('base64')].join('$');
  }

  /** Whether the hash is of this password. Without a hash it takes as long, and is false. */
  async verify(password: string, stored: string | undefined): Promise<boolean> {
    const [, N = factors.N, r = factors.r, p = factors.p, salt = '', expected = ''] = (stored ?? '').split('$');
    const given = { N: Number(N), r: Number(r), p: Number(p) };
    const hash = await this.#derive(password, Buffer.from(salt, 'base64'), given);
    const bytes = Buffer.from(expected, 'base64');
    return bytes.length === hash.length && timingSafeEqual(bytes, hash);
  }

  async #derive(password: string, salt: Buffer, { N, r, p }: typeof factors): Promise<Buffer> {
    await this.#enter();
    try {
      return await new Promise((resolve, reject) => {
        const maxmem = 256 * N * r;
        scrypt(password.normalize('NFKC'), salt, hashBytes, { N, r, p, maxmem }, (error, hash) => {
          if (error === null) resolve(hash);
          else reject(error);
        });
      });
    } finally {
      this.#leave();
    }
  }

  async #enter(): Promise<void> {
    if (this.#running < runningMax) {
      this.#running += 1;
      return;
    }
    if (this.#waiting.length >= waitingMax)
      throw apiError('OverCapacity', 'Too many passwords are being checked. Try again later.');
    // Whoever leaves hands its place on.
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }
}
