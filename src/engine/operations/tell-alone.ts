import type { RequestContext } from '../context.ts';
import type { Told } from '../messages.ts';
import type { Engine } from '../resource.ts';
import { commit } from './commit.ts';
import { plannedMessage } from './plan-messages.ts';

/** Leaves the one message of what is no resource here, such as a token of an account. What it tells of has taken place. */
export async function tellAlone(
  engine: Engine,
  context: RequestContext,
  {
    resource,
    told: { type, payload },
  }: { readonly resource: { readonly typeId: string; readonly id: string }; readonly told: Told },
): Promise<void> {
  const made = { type, payload, sequenceNumber: 1, resource, resourceVersion: 1 };
  await commit(engine, context, [], [plannedMessage(engine, context, made)]);
}
