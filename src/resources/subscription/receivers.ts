/** Subscriptions as those who are told, for the consumer that tells them. */
import type { RequestContext } from '../../engine/context.ts';
import { internalsOf } from '../../engine/descriptions.ts';
import { documentOf } from '../../engine/json.ts';
import { wholeOf } from '../../engine/lens.ts';
import { tryCommit } from '../../engine/operations/commit.ts';
import { planReplacement } from '../../engine/operations/plan.ts';
import type { Engine } from '../../engine/resource.ts';
import type { Stored } from '../../engine/store.ts';
import type { Status, Subscription } from './fields.ts';
import type { Waiting } from './notification.ts';
import { type Destinations, type Outcome, send } from './send.ts';

export interface ReceiversParts {
  readonly engine: Engine;
  readonly destinations: Destinations;
  /** In whose name statuses are written. */
  context(project: string): Promise<RequestContext>;
}

interface Named {
  readonly project: string;
  readonly listener: string;
}

interface Receiver {
  readonly isHealthy: boolean;
  readonly misconfiguredSinceMs: number | undefined;
  send(waiting: Waiting, signal: AbortSignal): Promise<Outcome>;
}

/** Times that a status is written while clients change its subscription. */
const attemptsMax = 5;

export function createReceivers({ engine, destinations, context }: ReceiversParts): {
  of(named: Named): Promise<Receiver | undefined>;
  tell(named: Named, status: Status): Promise<void>;
} {
  const { registry } = engine;
  const read = async ({ project, listener: id }: Named): Promise<Stored | undefined> =>
    (await wholeOf(engine.store).find(project, [{ kind: 'subscription', id }]))[0];
  return {
    of: async (named) => {
      const stored = await read(named);
      if (stored === undefined) return undefined;
      const subscription = documentOf<Subscription>(stored.json);
      if (subscription.status === 'ConfigurationErrorDeliveryStopped') return undefined;
      const subscribed = { subscription, internals: internalsOf(stored) };
      const { project, listener } = named;
      // Connections are its own, so that another one that hangs leaves it some.
      const owner = `${project}/${listener}`;
      return {
        isHealthy: subscription.status === 'Healthy',
        // Whoever changes it meanwhile has seen to it.
        misconfiguredSinceMs:
          subscription.status === 'ConfigurationError' ? Date.parse(subscription.lastModifiedAt) : undefined,
        send: (waiting, signal) => send({ destinations, registry, owner, signal }, subscribed, waiting),
      };
    },
    tell: async (named, status) => {
      for (let attempt = 1; attempt <= attemptsMax; attempt += 1) {
        const stored = await read(named);
        if (stored === undefined || (await tellStatus(engine, await context(named.project), { stored, status })))
          return;
      }
    },
  };
}

/** Whether it is so now. The version rises, and whoever changed the subscription last stays who did. */
async function tellStatus(
  engine: Engine,
  context: RequestContext,
  { stored, status }: { readonly stored: Stored; readonly status: Status },
): Promise<boolean> {
  const resource = engine.registry.byKind.get('subscription')!;
  const before = documentOf(stored.json);
  const after = { ...documentOf(stored.json), status };
  const change = { context, resource, id: stored.id, before, after, isFollowing: true } as const;
  const planned = await planReplacement(engine, change);
  return planned === undefined || (await tryCommit(engine, context, [planned])).isDone;
}
