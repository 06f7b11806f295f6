/** What a shipping rate costs for a cart (carts 8.3). */
import { parseScoreFunction, type ScoreFunction } from '../score-function.ts';

interface Amount {
  readonly centAmount: number;
}

/** A rate as far as prices depend on it. */
export interface Rate {
  readonly price: Amount;
  readonly freeAbove?: Amount | undefined;
  readonly tiers: readonly Tier[];
}

export interface Tier {
  readonly type: string;
  readonly price?: Amount;
  readonly minimumCentAmount?: number;
  readonly value?: string;
  readonly score?: number;
  readonly priceFunction?: PriceFunction;
}

interface PriceFunction {
  readonly function: string;
}

/** What rates look at of a cart. */
export interface RateSubject {
  /** Of all items after discounts, in cents, without shipping. */
  readonly value: number;
  readonly rateInput?: { readonly type: string; readonly score?: number; readonly key?: string } | undefined;
  /** The type of the tiers that the project uses; tiers of other types count for no cart. */
  readonly tierType: string | undefined;
}

/** In cents. */
export function shippingPrice(rate: Rate, subject: RateSubject): number {
  if (rate.freeAbove !== undefined && subject.value >= rate.freeAbove.centAmount) return 0;
  const tier = tierFor(rate.tiers, subject);
  return tier === undefined ? rate.price.centAmount : priceOf(tier, subject);
}

/** The tier with the highest threshold that is reached; undefined where the base price counts. */
export function tierFor<T extends Tier>(tiers: readonly T[], subject: RateSubject): T | undefined {
  let best: T | undefined;
  let bestThreshold = -Infinity;
  for (const tier of tiers) {
    if (tier.type !== subject.tierType) continue;
    const threshold = reachedThreshold(tier, subject);
    if (threshold === undefined || threshold <= bestThreshold) continue;
    best = tier;
    bestThreshold = threshold;
  }
  return best;
}

/** The threshold of a tier when the cart reaches it. */
function reachedThreshold(tier: Tier, subject: RateSubject): number | undefined {
  const { value, rateInput } = subject;
  switch (tier.type) {
    case 'CartValue':
      return tier.minimumCentAmount !== undefined && value >= tier.minimumCentAmount
        ? tier.minimumCentAmount
        : undefined;
    case 'CartClassification':
      return rateInput?.type === 'Classification' && rateInput.key === tier.value ? 0 : undefined;
    case 'CartScore': {
      const score = rateInput?.type === 'Score' ? rateInput.score : undefined;
      return score === undefined || tier.score === undefined || score < tier.score ? undefined : tier.score;
    }
    default:
      return undefined;
  }
}

/** A tier has a price, or a function of the score. */
function priceOf({ price, priceFunction }: Tier, { rateInput }: RateSubject): number {
  return priceFunction === undefined ? price!.centAmount : parsed(priceFunction)(rateInput?.score ?? 0);
}

const functions = new WeakMap<PriceFunction, ScoreFunction>();

/** Rates are shared by many carts, and parsing takes longer than all the rest. */
function parsed(priceFunction: PriceFunction): ScoreFunction {
  let known = functions.get(priceFunction);
  if (known === undefined) functions.set(priceFunction, (known = parseScoreFunction(priceFunction.function)));
  return known;
}
