/** What one commit may write: one statement, which holds its locks until all of it is written. */
import { apiError } from '../errors/api-error.ts';

const countMax = 2500;
const bytesMax = 32 * 1024 * 1024;

/** Throws InvalidInput where there are more resources, or longer ones, than go into one commit. */
export function requireCommittable({ count, bytes }: { readonly count: number; readonly bytes: number }): void {
  if (count <= countMax && bytes <= bytesMax) return;
  const limits = `${countMax} resources or ${bytesMax / 1024 / 1024} MB`;
  throw apiError('InvalidInput', `The request writes more than ${limits}. Change fewer at a time.`);
}
