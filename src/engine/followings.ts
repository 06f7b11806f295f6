import type { Following } from './following.ts';
import type { Resource } from './resource.ts';

/** What each kind follows: what its declaration says, and the kinds that describe parts of it, such as custom fields. */
export function followingsOf(resources: Iterable<Resource>): ReadonlyMap<string, readonly Following[]> {
  const all = [...resources];
  const describing = all.flatMap(({ kind, describesParts }): Following[] =>
    describesParts === undefined ? [] : [{ kind, byReference: true, mark: (source) => describesParts.mark(source) }],
  );
  return new Map(
    all.map(({ kind, follows, fields }) => {
      const hasParts = Object.values(fields).some((field) => field.kind.described !== undefined);
      return [kind, hasParts ? [...follows, ...describing] : follows];
    }),
  );
}
