/** Requests on carts as the platform itself does them, but for what stores them: parsed, applied, computed and checked. */
import type { CartDraft, CartUpdateAction } from '@commercetools/platform-sdk';
import type { Document } from '../../../src/engine/document.ts';
import type { ApplyContext } from '../../../src/engine/resource.ts';
import type { RequestContext } from '../../../src/engine/context.ts';
import { parseUpdate } from '../../../src/engine/operations/steps.ts';
import { checkRules } from '../../../src/engine/operations/write.ts';
import { ApiError, apiError } from '../../../src/errors/api-error.ts';
import { parseObject } from '../../../src/fields/object.ts';
import { Parsing } from '../../../src/fields/parsing.ts';
import type { Cart } from '../../../src/resources/cart/fields.ts';
import { cart as resource } from '../../../src/resources/cart/resource.ts';
import { cartPredicates } from '../../../src/pricing/cart/predicates-task.ts';
import type { Compute, Parts } from '../../../src/tasks/task.ts';
import { pack, type Result, unpack } from '../../../src/threads/protocol.ts';
import { run as costsInThread } from '../../../workers/cart-costs.ts';
import { run as predicatesInThread } from '../../../workers/cart-predicates.ts';
import type { StoredWorld } from './stored-world.ts';

export type PlatformResult = { readonly cart: Cart } | { readonly error: string; readonly message: string };

export function createPlatformCart(
  world: StoredWorld,
  draft: CartDraft,
  more: Partial<Pick<ApplyContext, 'turn'>> = {},
): Promise<PlatformResult> {
  return resultOf(async () => {
    const parsing = new Parsing();
    const parsed = parseObject(resource.draft, draft, parsing)!;
    parsing.settle();
    resolve(world, parsing);
    const context = { ...contextIn(world), ...more };
    const stamps = { id: 'cart', version: 1, createdAt: world.now, lastModifiedAt: world.now };
    const document = { ...stamps, ...(await resource.create(parsed, context)) };
    return computed(world, document, context);
  });
}

/** The cart itself is left as it is. */
export function updatePlatformCart(
  world: StoredWorld,
  cart: Cart,
  actions: readonly CartUpdateAction[],
): Promise<PlatformResult> {
  return resultOf(async () => {
    const parsing = new Parsing();
    const { steps } = parseUpdate(resource, { version: cart.version, actions }, parsing);
    parsing.settle();
    resolve(world, parsing);
    const context = contextIn(world);
    const document = structuredClone(cart) as unknown as Document;
    for (const { action, input } of steps) action.apply(document, input, context);
    return computed(world, document, { ...context, before: cart });
  });
}

async function computed(
  world: StoredWorld,
  document: Document,
  context: ApplyContext & { readonly before?: Cart },
): Promise<Cart> {
  context.parsing.settle();
  resolve(world, context.parsing);
  const { engine, found, project, now } = world;
  const { said } = context;
  const before = context.before as unknown as Document | undefined;
  const { computation } = resource;
  if (computation === undefined) throw new Error('Carts are computed.');
  const gathered = await computation.gather?.({ engine, project: project.key, found, said, before }, document);
  await computation.compute(document, found, {
    project,
    now,
    before,
    gathered,
    said,
    turn: async () => {},
    compute: next(),
    warn: () => {},
    leave: () => {},
  });
  // Rules of carts look at nothing else of the request.
  checkRules(resource, document, { project, now } as RequestContext);
  return JSON.parse(JSON.stringify(document)) as Cart;
}

const noParts: Parts<unknown> = { names: [], part: () => undefined };

/** A thread but for being one: what goes there and comes back is packed and unpacked. */
const inThread: Compute = {
  stepsMin: 0,
  run: async ({ name: task }, request, ...[on]) => {
    const { names, part } = (on ?? noParts) as Parts<unknown>;
    const parts = Object.fromEntries(names.map((name) => [name, part(name)]));
    const run = task === cartPredicates.name ? predicatesInThread : costsInThread;
    const [result] = unpack(run(pack([{ request, names, parts }]))) as readonly [Result];
    if ('errors' in result) throw new ApiError(result.errors);
    if (!('value' in result)) throw new Error(JSON.stringify(result));
    return result.value as never;
  },
};
const here: Compute = { ...inThread, stepsMin: Infinity };

let computations = 0;

/** By turns. */
function next(): Compute {
  computations += 1;
  return computations % 2 === 0 ? inThread : here;
}

async function resultOf(make: () => Promise<Cart>): Promise<PlatformResult> {
  try {
    return { cart: await make() };
  } catch (error) {
    if (error instanceof ApiError) return { error: error.code, message: error.message };
    throw error;
  }
}

let ids = 0;

function contextIn({ project, now, found }: StoredWorld): ApplyContext {
  return {
    project,
    now,
    found,
    initiator: { clientId: 'client' },
    newId: () => `platform-${(ids += 1)}`,
    holds: () => true,
    internals: {},
    noted: [],
    told: [],
    said: new Set(),
    parsing: new Parsing(),
    work: { bytes: 0 },
    turn: async () => {},
    keepSecrets: () => {},
  };
}

/** Worlds do not have what custom fields are described by. */
const undescribed: ReadonlySet<string> = new Set(['type']);

function resolve({ found }: StoredWorld, parsing: Parsing): void {
  for (const { target, wants, typeId, id, key, mayBeGone } of parsing.identifiers) {
    const document = id === undefined ? found.all(typeId).find((each) => each.key === key) : found.one(typeId, id);
    if (document === undefined && mayBeGone !== true && !undescribed.has(typeId))
      throw apiError('ReferencedResourceNotFound', `There is no ${typeId} '${id ?? key}'.`, { typeId });
    if (wants === 'id') target.id = document?.id ?? id!;
    else target.key = document!.key!;
  }
  for (const completion of parsing.completions()) completion();
}
