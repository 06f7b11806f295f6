/**
 * What a visitor has beside carts, and who signs up or in goes on having: it is moved right after the commit, by small
 * batches. Not within it, for there may be more than a commit takes, and a change of one list would have the sign-in begin
 * anew. Where that is broken off, the next sign-in with the session moves what is left.
 */
import { documentOf, type Json } from '../../engine/json.ts';
import { tryCommit } from '../../engine/operations/commit.ts';
import { planReplacement } from '../../engine/operations/plan.ts';
import { query } from '../../engine/operations/query.ts';
import { ownerAs } from '../../engine/place.ts';
import type { EndpointRequest, Engine, Resource } from '../../engine/resource.ts';
import { ApiError } from '../../errors/api-error.ts';
import type { Order } from '../order/fields.ts';
import type { Payment } from '../payment/fields.ts';
import type { ShoppingList } from '../shopping-list/fields.ts';

type Belonging = Order | Payment | ShoppingList;

const kinds = ['order', 'payment', 'shopping-list'];

/** Read and moved at a time. */
const batchMax = 20;
/** Times that one is moved again when somebody else has changed it meanwhile. */
const attemptsMax = 5;

export interface Move {
  readonly anonymousId: string;
  readonly customerId: string;
}

export async function moveBelongings(engine: Engine, context: EndpointRequest['context'], move: Move): Promise<void> {
  const resources = kinds.map((kind) => engine.registry.byKind.get(kind)!);
  await Promise.all(resources.map((resource) => moveAll(engine, { context, resource, move })));
}

interface Moving {
  readonly context: EndpointRequest['context'];
  readonly resource: Resource;
  readonly move: Move;
}

/** One after the other by id, whatever becomes of each. */
async function moveAll(engine: Engine, moving: Moving): Promise<void> {
  const { context, resource, move } = moving;
  const owner = ownerAs(resource.mine!, { kind: 'anonymous', id: move.anonymousId });
  let last: string | undefined;
  for (;;) {
    const { results } = await query(engine, {
      context,
      resource,
      owner,
      query: {
        where: last === undefined ? [] : [`id > "${last}"`],
        variables: new Map(),
        sort: ['id asc'],
        expand: [],
        limit: batchMax,
        offset: 0,
        withTotal: false,
      },
    });
    await Promise.all(results.map((json) => moveOne(engine, moving, json)));
    if (results.length < batchMax) return;
    last = documentOf<Belonging>(results.at(-1)!).id;
  }
}

/** Some name the customer by a reference, and some by the id. */
function ownedBy({ kind }: Resource, { customerId }: Move): { readonly [member: string]: unknown } {
  return kind === 'order' ? { customerId } : { customer: { typeId: 'customer', id: customerId } };
}

/** One that others never let go of, or that cannot be written any more, stays where it is. */
async function moveOne(engine: Engine, { context, resource, move }: Moving, read: Json): Promise<void> {
  let json: Json | undefined = read;
  for (let attempt = 1; attempt <= attemptsMax && json !== undefined; attempt += 1) {
    const before = documentOf<Belonging>(json);
    const { anonymousId, ...others } = before;
    if (anonymousId !== move.anonymousId) return;
    const after = { ...others, ...ownedBy(resource, move) };
    const { id } = before;
    try {
      const planned = await planReplacement(engine, { context, resource, id, before, after });
      if (planned === undefined || (await tryCommit(engine, context, [planned])).isDone) return;
    } catch (error) {
      if (error instanceof ApiError && !error.isFault) return;
      throw error;
    }
    const [stored] = await engine.store.find(context.project.key, [{ kind: resource.kind, id }]);
    json = stored?.json;
  }
}
