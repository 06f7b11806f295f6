/** What monitors learn of subscriptions. */
import type { Fence } from '../../engine/coherence.ts';
import { documentOf } from '../../engine/json.ts';
import { wholeOf } from '../../engine/lens.ts';
import { isUuid } from '../../engine/load.ts';
import type { Store } from '../../engine/store.ts';
import type { Status, Subscription } from './fields.ts';

type Named = { readonly id: string } | { readonly key: string };

export interface SubscriptionHealth {
  readonly httpStatus: 200 | 400 | 503;
  readonly status: Status;
}

const passing: ReadonlyMap<Status, 200 | 503> = new Map([
  ['Healthy', 200],
  ['TemporaryError', 503],
]);

export function createSubscriptionHealth(
  store: Store,
  fence: Pick<Fence, 'pass'>,
): (project: string, named: Named) => Promise<SubscriptionHealth | undefined> {
  return async (project, named) => {
    if ('id' in named && !isUuid(named.id)) return undefined;
    await fence.pass();
    const [stored] = await wholeOf(store).find(project, [{ kind: 'subscription', ...named }]);
    if (stored === undefined) return undefined;
    const { status } = documentOf<Subscription>(stored.json);
    return { httpStatus: passing.get(status) ?? 400, status };
  };
}
