/**
 * Which prices exclude each other: those of one scope that hold at the same time. Prices that stand in products and those
 * that stand alone obey the same rules.
 */

/** The time in which a price holds, from its first moment up to its last, which is not part of it. Moments are ISO 8601 in UTC. */
export interface Validity {
  readonly validFrom?: string;
  readonly validUntil?: string;
}

/** A price as far as it is known by whom it is for, and when. */
export interface ScopedPrice extends Validity {
  readonly value: { readonly currencyCode: string };
  readonly country?: string;
  readonly customerGroup?: { readonly id: string };
  readonly channel?: { readonly id: string };
}

/** How two prices of one scope exclude each other: by the very same validity, or by validities that overlap. */
export type ClashReason = 'scope' | 'validity';

export interface Clash<P> {
  readonly reason: ClashReason;
  readonly price: P;
  /** The one that stands before it. */
  readonly conflicting: P;
}

/** A text that prices of one scope share, whenever they hold. */
export function scopeName({ value, country, customerGroup, channel }: ScopedPrice): string {
  return JSON.stringify([value.currencyCode, country, customerGroup?.id, channel?.id]);
}

/**
 * How the validities of two prices of one scope exclude each other. A price without bounds holds beside all others that
 * have one, and gives way to them where one is selected.
 */
export function clashOf(one: Validity, other: Validity): ClashReason | undefined {
  if (one.validFrom === other.validFrom && one.validUntil === other.validUntil) return 'scope';
  if (!isBounded(one) || !isBounded(other)) return undefined;
  return beginsBeforeEndOf(one, other) && beginsBeforeEndOf(other, one) ? 'validity' : undefined;
}

/** The first two of the prices that exclude each other. */
export function firstClash<P extends ScopedPrice>(prices: readonly P[]): Clash<P> | undefined {
  const byScope = new Map<string, P[]>();
  for (const price of prices) {
    const name = scopeName(price);
    const others = byScope.get(name);
    if (others === undefined) {
      byScope.set(name, [price]);
      continue;
    }
    for (const conflicting of others) {
      const reason = clashOf(conflicting, price);
      if (reason !== undefined) return { reason, price, conflicting };
    }
    others.push(price);
  }
  return undefined;
}

function isBounded({ validFrom, validUntil }: Validity): boolean {
  return validFrom !== undefined || validUntil !== undefined;
}

/** ISO 8601 texts of one form compare like the moments that they name. */
function beginsBeforeEndOf({ validFrom }: Validity, { validUntil }: Validity): boolean {
  return validFrom === undefined || validUntil === undefined || validFrom < validUntil;
}

/** Whether the validity has a moment at all. */
export function isInOrder(validity: Validity): boolean {
  return beginsBeforeEndOf(validity, validity);
}
