/**
 * Random carts: a draft, and actions that are drawn by what the model's cart holds then. They name lines by the model's ids
 * or by their keys: `withIdsOf` translates ids to those of another cart with the same lines.
 */
import type { CartDraft, CartUpdateAction } from '@commercetools/platform-sdk';
import type { ModelCart, ModelResult, ModelWorld } from './cart-shapes.ts';
import { createModelCart, updateModelCart } from './model.ts';
import { randomActions } from './random-actions.ts';
import { choicesOf } from './random-choices.ts';
import { randomDraft } from './random-drafts.ts';
import { laterWorld, randomWorld } from './random-world.ts';

export interface RandomRequest {
  readonly world: ModelWorld;
  readonly actions: readonly CartUpdateAction[];
  /** What the model makes of it. */
  readonly result: ModelResult;
}

export interface RandomCart {
  readonly world: ModelWorld;
  readonly draft: CartDraft;
  readonly result: ModelResult;
  /** Each is for the cart that the former ones left; those that are refused leave it as it was. */
  readonly requests: readonly RandomRequest[];
}

export function randomCart(seed: number): RandomCart {
  const random = choicesOf(seed);
  const world = randomWorld(random.below(2 ** 31));
  const draft = randomDraft(random, world);
  const result = createModelCart(world, draft);
  const requests: RandomRequest[] = [];
  let cart = 'cart' in result ? result.cart : undefined;
  let current = world;
  const count = random.below(5);
  while (cart !== undefined && requests.length < count) {
    if (random.chance(0.15)) current = laterWorld(current, random.below(2 ** 31));
    const actions = randomActions(random, current, cart);
    const next = updateModelCart(current, cart, actions);
    requests.push({ world: current, actions, result: next });
    if ('cart' in next) cart = next.cart;
  }
  return { world, draft, result, requests };
}

/** The actions with the ids of lines that the other cart has at the same positions. */
export function withIdsOf(
  actions: readonly CartUpdateAction[],
  cart: ModelCart,
  other: {
    readonly lineItems: readonly { readonly id: string }[];
    readonly customLineItems: readonly { readonly id: string }[];
  },
): readonly CartUpdateAction[] {
  const ids = new Map<string, string>();
  for (const [index, { id }] of cart.lineItems.entries()) ids.set(id, other.lineItems[index]!.id);
  for (const [index, { id }] of cart.customLineItems.entries()) ids.set(id, other.customLineItems[index]!.id);
  // Ids of the model are no other texts of actions.
  const translated: unknown = JSON.parse(JSON.stringify(actions), (_, value: unknown) =>
    typeof value === 'string' ? (ids.get(value) ?? value) : value,
  );
  return translated as readonly CartUpdateAction[];
}
