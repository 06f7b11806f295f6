/** What one commit may write: one statement, which holds its locks until all of it is written. */
import { apiError } from '../errors/api-error.ts';
import type { Notice } from './store.ts';

const countMax = 2500;
const bytesMax = 32 * 1024 * 1024;

/** Throws InvalidInput where there are more resources, or longer ones, than go into one commit. */
export function requireCommittable({ count, bytes }: { readonly count: number; readonly bytes: number }): void {
  if (count <= countMax && bytes <= bytesMax) return;
  const limits = `${countMax} resources or ${bytesMax / 1024 / 1024} MB`;
  throw apiError('InvalidInput', `The request writes more than ${limits}. Change fewer at a time.`);
}

const toldBytesMax = 96 * 1024 * 1024;

/** Throws InvalidInput where those who hear of a commit would be told more than is written in time. Each has its own copy. */
export function requireTellable(notices: readonly Pick<Notice, 'json' | 'listeners'>[]): void {
  const bytes = notices.reduce((sum, { json, listeners }) => sum + listeners.length * Buffer.byteLength(json), 0);
  if (bytes <= toldBytesMax) return;
  const limit = `${toldBytesMax / 1024 / 1024} MB`;
  throw apiError(
    'InvalidInput',
    `The subscriptions of the project would be told more than ${limit} of the request. Change less at a time.`,
  );
}
