/** What products tell of their prices. */
import type { Fixed } from '../../engine/document.ts';
import { isSameJson } from '../../engine/json.ts';
import { messageType, told, type Told } from '../../engine/messages.ts';
import {
  completed,
  customMessages,
  type Teller,
  type Tellers,
  tellsLast,
  tellsSet,
  whenChanged,
} from '../../engine/tellers.ts';
import { optional, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { object } from '../../fields/object.ts';
import { boolean, integer, text } from '../../fields/scalar.ts';
import { discountedPrice } from '../product-discount/fields.ts';
import { allVariants } from './all-variants.ts';
import { fields, type Product } from './fields.ts';
import { price, type Price } from './price.ts';
import type { Variant } from './variant.ts';

const ofVariant = { variantId: required(integer({ type: 'Int' })), staged: required(boolean()) };
const ofPrice = { ...ofVariant, priceId: required(text()) };

const added = messageType('ProductPriceAdded', { ...ofVariant, price: required(price) });
const removed = messageType('ProductPriceRemoved', { ...ofVariant, price: required(price) });
const changed = messageType('ProductPriceChanged', {
  ...ofVariant,
  oldPrice: required(price),
  newPrice: required(price),
  oldStagedPrice: optional(price),
});
const pricesSet = messageType('ProductPricesSet', { ...ofVariant, prices: required(list(price)) });
const keySet = messageType('ProductPriceKeySet', {
  ...ofVariant,
  priceId: optional(text()),
  key: optional(text()),
  oldKey: optional(text()),
});
const modeSet = messageType('ProductPriceModeSet', { to: required(fields.priceMode.kind) });
const discounted = {
  variantId: required(integer({ type: 'Int' })),
  variantKey: optional(text()),
  sku: optional(text()),
  priceId: required(text()),
  discounted: optional(discountedPrice),
  staged: required(boolean()),
};
const externalDiscountSet = messageType('ProductPriceExternalDiscountSet', discounted);
const discountsSet = messageType('ProductPriceDiscountsSet', {
  updatedPrices: required(list(object('ProductPriceDiscountUpdateMessagePayload', discounted))),
});

type Side = 'staged' | 'current';

/** A price with the variant that it stands in. */
interface Placed {
  readonly variantId: number;
  readonly variantKey: string | undefined;
  readonly sku: string | undefined;
  readonly price: Fixed<Price>;
}

function pricesOn({ masterData }: Fixed<Product>, side: Side): readonly [string, Placed][] {
  return allVariants(masterData[side]).flatMap((one) =>
    one.prices.map((each): [string, Placed] => [each.id, placed(one, each)]),
  );
}

function placed({ id, key, sku }: Fixed<Variant>, one: Fixed<Price>): Placed {
  return { variantId: id, variantKey: key, sku, price: one };
}

/** Actions look for one price among all that there are, twice each. */
function priceOn({ masterData }: Fixed<Product>, side: Side, id: unknown): Placed | undefined {
  for (const one of allVariants(masterData[side]))
    for (const each of one.prices) if (each.id === id) return placed(one, each);
  return undefined;
}

function variantOf({ masterData }: Fixed<Product>, { variantId, sku }: Input): Fixed<Variant> | undefined {
  return allVariants(masterData.staged).find((one) =>
    variantId === undefined ? one.sku === sku : one.id === variantId,
  );
}

/** A price as an action has left it, with what is made of it after the actions: its custom fields and its discount. */
function shown(one: Fixed<Price>, product: Fixed<Product>): Fixed<Price> {
  const stored = (priceOn(product, 'staged', one.id) ?? priceOn(product, 'current', one.id))?.price;
  if (stored === undefined) return one;
  const { discounted: _, ...others } = completed(one, stored);
  return { ...others, ...(stored.discounted !== undefined && { discounted: stored.discounted }) };
}

type Input = Readonly<Record<string, unknown>>;

/** Actions on prices have the member, which is given where the client leaves it out. */
function isStaged(input: Input): boolean {
  return input['staged'] !== false;
}

type Sides = Readonly<Partial<Record<Side, Placed>>>;

function sidesOfPrice(product: Fixed<Product>, input: Input): Sides {
  const [staged, current] = (['staged', 'current'] as const).map((side) => priceOn(product, side, input['priceId']));
  return { ...(staged !== undefined && { staged }), ...(current !== undefined && { current }) };
}

function tellsPrice(
  tell: (change: { readonly before: Sides; readonly after: Sides; readonly input: Input }) => Told,
): Teller {
  return whenChanged<Product, Sides>(sidesOfPrice, (change) => [tell(change)]);
}

const custom = customMessages<Product>(
  'ProductPrice',
  {
    resourceTypeId: 'product-price',
    typeId: 'oldTypeId',
    value: undefined,
    part: ofPrice,
    whole: { set: 'CustomFieldsSet', unset: 'CustomFieldsRemoved', member: 'customField' },
  },
  {
    holder: (product, input) => priceOn(product, 'staged', input['priceId'])?.price,
    part: (product, input) => ({
      priceId: input['priceId'],
      variantId: priceOn(product, 'staged', input['priceId'])?.variantId,
      staged: isStaged(input),
    }),
  },
);

export const priceTypes = [
  added,
  removed,
  changed,
  pricesSet,
  keySet,
  modeSet,
  externalDiscountSet,
  discountsSet,
  ...custom.types,
];

export const priceTellers: Tellers = {
  addPrice: tellsLast<Product, Fixed<Price>>(
    (product, input) => variantOf(product, input)?.prices ?? [],
    (one, { document, input }) => {
      const { id } = variantOf(document, input)!;
      return told(added, (product: Fixed<Product>) => ({
        variantId: id,
        price: shown(one, product),
        staged: isStaged(input),
      }));
    },
  ),
  // By its id, or by its variant and what it is.
  removePrice: whenChanged<Product, readonly Placed[]>(
    (product, input) => {
      const { priceId } = input;
      if (priceId !== undefined) return [priceOn(product, 'staged', priceId) ?? []].flat();
      const variant = variantOf(product, input);
      return variant?.prices.map((one) => placed(variant, one)) ?? [];
    },
    ({ before, after, input }) => {
      const left = new Set(after.map((one) => one.price.id));
      return before
        .filter((one) => !left.has(one.price.id))
        .map(({ variantId, price: one }) => told(removed, { variantId, price: one, staged: isStaged(input) }));
    },
  ),
  changePrice: tellsPrice(({ before, after, input }) => {
    const { variantId, price: is } = after.staged!;
    // What was for sale; a price that was staged alone was that.
    const [was, wasStaged] = [before.current ?? before.staged!, before.staged!];
    return told(changed, (product: Fixed<Product>) => ({
      variantId,
      oldPrice: was.price,
      newPrice: shown(is, product),
      staged: isStaged(input),
      oldStagedPrice: isSameJson(was.price, wasStaged.price) ? undefined : wasStaged.price,
    }));
  }),
  setPrices: whenChanged<Product, { readonly variantId: number; readonly prices: readonly Fixed<Price>[] } | undefined>(
    (product, input) => {
      const variant = variantOf(product, input);
      return variant && { variantId: variant.id, prices: variant.prices };
    },
    ({ after, input }) => [
      told(pricesSet, (product: Fixed<Product>) => ({
        variantId: after!.variantId,
        prices: after!.prices.map((one) => shown(one, product)),
        staged: isStaged(input),
      })),
    ],
  ),
  setPriceKey: tellsPrice(({ before, after, input }) => {
    const { variantId, price: is } = after.staged!;
    const oldKey = before.staged!.price.key;
    return told(keySet, { variantId, priceId: is.id, key: is.key, oldKey, staged: isStaged(input) });
  }),
  setPriceMode: tellsSet(modeSet, 'priceMode', 'to'),
  setDiscountedPrice: tellsPrice(({ after, input }) => {
    const { variantId, variantKey, sku, price: is } = after.staged!;
    return told(externalDiscountSet, {
      variantId,
      variantKey,
      sku,
      priceId: is.id,
      discounted: is.discounted,
      staged: isStaged(input),
    });
  }),
  setProductPriceCustomType: custom.setCustomType,
  setProductPriceCustomField: custom.setCustomField,
};

/** What product discounts have made of prices that are otherwise the same, beside what a client has said of them. */
export function discountsTold(
  before: Fixed<Product>,
  after: Fixed<Product>,
  byActions: readonly Told[],
): readonly Told[] {
  if (byActions.some(({ type }) => type === externalDiscountSet.type)) return [];
  const updatedPrices = (['current', 'staged'] as const).flatMap((side) => {
    const was = new Map(pricesOn(before, side));
    return pricesOn(after, side).flatMap(([priceId, { price: is, ...variant }]) => {
      const earlier = was.get(priceId)?.price;
      if (earlier === undefined || isSameJson(earlier.discounted, is.discounted)) return [];
      const { discounted: _, ...content } = earlier;
      const { discounted: made, ...same } = is;
      if (!isSameJson(content, same)) return [];
      return [
        {
          variantId: variant.variantId,
          ...(variant.variantKey !== undefined && { variantKey: variant.variantKey }),
          ...(variant.sku !== undefined && { sku: variant.sku }),
          priceId,
          ...(made !== undefined && { discounted: made }),
          staged: side === 'staged',
        },
      ];
    });
  });
  return updatedPrices.length === 0 ? [] : [told(discountsSet, { updatedPrices })];
}
