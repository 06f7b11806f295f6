/**
 * How an amount is spread over units: whole cents, that add up to it, and none of which takes a unit below zero. Units of
 * one price stand together, so that the work depends on how many prices there are and not on how many units.
 */

/** Units of one price. */
export interface Share {
  readonly quantity: number;
  /** Of one unit, in the unit that all shares of a spreading have. */
  readonly price: bigint;
}

/** So many units of a share take so many cents each. */
export interface Allotment {
  readonly quantity: number;
  readonly cents: number;
}

export interface Spreading {
  /** What is spread, in cents; at most what all units cost. */
  readonly cents: bigint;
  /** In the order in which what cannot be divided goes to units that are alike. */
  readonly shares: readonly Share[];
  /** How many of the units of prices make a cent. */
  readonly perCent: bigint;
}

/** What all units cost, in the unit of prices. */
export function totalOf(shares: readonly Share[]): bigint {
  return shares.reduce((sum, { price, quantity }) => sum + price * BigInt(quantity), 0n);
}

/**
 * Each unit takes its part by price, rounded down; the cents that are left go one each to the units that lost most by
 * rounding (carts 5.10).
 */
export function spreadByPrice({ cents, shares, perCent }: Spreading): readonly (readonly Allotment[])[] {
  const total = totalOf(shares);
  if (total <= 0n) return shares.map(({ quantity }) => [{ quantity, cents: 0 }]);
  const parts = shares.map(({ price }) => ({ base: (cents * price) / total, lost: (cents * price) % total }));
  const order = [...shares.keys()].toSorted((one, other) => {
    const difference = parts[other]!.lost - parts[one]!.lost;
    return difference < 0n ? -1 : difference > 0n ? 1 : one - other;
  });
  return withRest({ cents, shares, perCent }, { bases: parts.map(({ base }) => base), order });
}

/**
 * Each unit takes the same; one that costs less than that goes to zero, and the others share what is left. The cents that
 * cannot be divided go one each to the first units (carts 5.11).
 */
export function spreadEvenly({ cents, shares, perCent }: Spreading): readonly (readonly Allotment[])[] {
  const bases: bigint[] = shares.map(() => 0n);
  let open = [...shares.keys()];
  let left = cents;
  for (;;) {
    const units = open.reduce((sum, index) => sum + BigInt(shares[index]!.quantity), 0n);
    if (units === 0n) break;
    const isCheap = (index: number): boolean => shares[index]!.price * units < left * perCent;
    const cheap = open.filter(isCheap);
    for (const index of cheap) {
      const { price, quantity } = shares[index]!;
      bases[index] = price / perCent;
      left -= bases[index] * BigInt(quantity);
    }
    if (cheap.length === 0) {
      for (const index of open) bases[index] = left / units;
      break;
    }
    open = open.filter((index) => !cheap.includes(index));
  }
  return withRest({ cents, shares, perCent }, { bases, order: [...shares.keys()] });
}

/** The cents that the bases leave go one each to units in this order, as long as they cost as much. */
function withRest(
  { cents, shares, perCent }: Spreading,
  { bases, order }: { readonly bases: readonly bigint[]; readonly order: readonly number[] },
): readonly (readonly Allotment[])[] {
  let rest = shares.reduce((left, { quantity }, index) => left - bases[index]! * BigInt(quantity), cents);
  const allotments: (readonly Allotment[])[] = shares.map(() => []);
  for (const index of order) {
    const { price, quantity } = shares[index]!;
    const base = bases[index]!;
    const isRoom = (base + 1n) * perCent <= price;
    const more = isRoom && rest > 0n ? (rest < BigInt(quantity) ? Number(rest) : quantity) : 0;
    rest -= BigInt(more);
    allotments[index] = [
      ...(more > 0 ? [{ quantity: more, cents: Number(base) + 1 }] : []),
      ...(more < quantity ? [{ quantity: quantity - more, cents: Number(base) }] : []),
    ];
  }
  return allotments;
}
