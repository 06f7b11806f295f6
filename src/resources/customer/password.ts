import type { ProjectSettings } from '../../engine/context.ts';
import { apiError } from '../../errors/api-error.ts';

const lengthMin = 8;
const shownLength = 4;

/** Throws WeakPassword; a project may ask for no more than a password that is not empty (decisions.md #131). */
export function requireStrong(password: string, { customers }: ProjectSettings): void {
  const isRelaxed = customers?.passwordPolicy === 'Relaxed';
  const isStrong = [...password].length >= lengthMin && /\p{L}/u.test(password) && /\p{Nd}/u.test(password);
  if (isRelaxed ? password !== '' : isStrong) return;
  throw apiError(
    'WeakPassword',
    isRelaxed
      ? 'A password cannot be empty.'
      : `A password needs at least ${lengthMin} characters, among them a letter and a digit.`,
  );
}

/** What is shown of a password: it differs from one to the next, and says nothing of it. */
export function maskOf(hash: string): string {
  return `****${hash.replace(/=+$/, '').slice(-shownLength)}`;
}
