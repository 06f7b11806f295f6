import type { Answer } from './platform.ts';

/** How many answers there are of each kind: `200`, or status and code of an error. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const [error] = (body['errors'] ?? []) as readonly { code: string }[];
    const name = error === undefined ? String(status) : `${status} ${error.code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}
