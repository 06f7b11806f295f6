import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const secretBytes = 32;

/** 256 random bits in the URL-safe alphabet, for tokens and client secrets. */
export function randomSecret(): string {
  return randomBytes(secretBytes).toString('base64url');
}

/** The member of a client's secrets that holds the hash of its secret, in hexadecimal. */
export const secretHashName = 'secretHash';

/** What is stored of a secret: its SHA-256. Secrets have 256 random bits, so no slow hash is needed. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

export function isSecretOf(hash: Uint8Array, secret: string): boolean {
  return timingSafeEqual(hash, hashOf(secret));
}
