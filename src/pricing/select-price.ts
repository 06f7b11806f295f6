/** Which of several prices a buyer has. No I/O here, and no clock. */
import type { TypedMoney } from '../money/money.ts';
import { compareAmounts } from '../money/compare.ts';

interface Link {
  readonly id: string;
}

/** A price as far as it matters for whom it is, and when. Moments are ISO 8601 in UTC, of one form. */
export interface SelectablePrice {
  readonly id: string;
  readonly value: TypedMoney;
  readonly country?: string | undefined;
  readonly customerGroup?: Link | undefined;
  readonly channel?: Link | undefined;
  /** The price holds from its first moment up to its last, which is not part of it. */
  readonly validFrom?: string | undefined;
  readonly validUntil?: string | undefined;
}

/** Who asks for a price. Unknown groups and channels have no prices of their own. */
export interface PriceSelection {
  readonly currency: string;
  readonly country?: string | undefined;
  /** Knows their ids. */
  readonly customerGroups?: { has(id: string): boolean } | undefined;
  /** Id. */
  readonly channel?: string | undefined;
}

/**
 * The price for this selection at the moment `now`. A candidate is in the currency, holds now, and names nothing that the
 * selection does not: of those the one that names the most that counts is taken, first a group, then a channel, then a
 * country. Among equals one with a validity goes before one without; of several groups, whose prices alone may still be
 * equal, the lowest value goes first, undiscounted, and then the smallest id. Undefined where there is no candidate.
 */
export function selectPrice<Price extends SelectablePrice>(
  prices: readonly Price[],
  selection: PriceSelection,
  now: string,
): Price | undefined {
  let best: Price | undefined;
  let bestRank = -1;
  for (const price of prices) {
    if (!isCandidate(price, selection, now)) continue;
    const rank = rankOf(price);
    if (best !== undefined && (rank < bestRank || (rank === bestRank && !isBefore(price, best)))) continue;
    best = price;
    bestRank = rank;
  }
  return best;
}

function isCandidate(
  { value, country, customerGroup, channel, validFrom, validUntil }: SelectablePrice,
  selection: PriceSelection,
  now: string,
): boolean {
  return (
    value.currencyCode === selection.currency &&
    (country === undefined || country === selection.country) &&
    (channel === undefined || channel.id === selection.channel) &&
    (customerGroup === undefined || selection.customerGroups?.has(customerGroup.id) === true) &&
    (validFrom === undefined || validFrom <= now) &&
    (validUntil === undefined || now < validUntil)
  );
}

const groupRank = 8;
const channelRank = 4;
const countryRank = 2;
const validityRank = 1;

/** Each part of a scope counts for more than all after it together. */
function rankOf({ country, customerGroup, channel, validFrom, validUntil }: SelectablePrice): number {
  return (
    (customerGroup === undefined ? 0 : groupRank) +
    (channel === undefined ? 0 : channelRank) +
    (country === undefined ? 0 : countryRank) +
    (validFrom === undefined && validUntil === undefined ? 0 : validityRank)
  );
}

function isBefore(one: SelectablePrice, other: SelectablePrice): boolean {
  const order = compareAmounts(one.value, other.value);
  return order === 0 ? one.id < other.id : order < 0;
}
