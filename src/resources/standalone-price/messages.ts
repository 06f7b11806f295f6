import type { MessagesDeclaration } from '../../engine/define.ts';
import { type Fixed, versioned } from '../../engine/document.ts';
import { isSameJson } from '../../engine/json.ts';
import { messageType, told } from '../../engine/messages.ts';
import { tellsChange, tellsSet, whenChanged } from '../../engine/tellers.ts';
import { embedded } from '../../fields/embedded.ts';
import { optional, required, shownAs } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { money } from '../../fields/money.ts';
import { priceTier } from '../../fields/price-tier.ts';
import { boolean, dateTime, text } from '../../fields/scalar.ts';
import { discountedPrice } from '../product-discount/fields.ts';
import { fields, stagedPrice, type StandalonePrice } from './fields.ts';

const created = messageType('StandalonePriceCreated', {
  standalonePrice: required(embedded<StandalonePrice>('StandalonePrice', { ...versioned, ...fields })),
});
const deleted = messageType('StandalonePriceDeleted', { sku: required(text()) });
const activeChanged = messageType('StandalonePriceActiveChanged', {
  active: required(boolean()),
  oldActive: required(boolean()),
});
const discountSet = messageType('StandalonePriceDiscountSet', { discounted: optional(discountedPrice) });
const externalDiscountSet = messageType('StandalonePriceExternalDiscountSet', {
  discounted: optional(discountedPrice),
});
const keySet = messageType('StandalonePriceKeySet', { key: optional(text()), oldKey: optional(text()) });
const ofStaged = { stagedChanges: required(stagedPrice) };
const stagedApplied = messageType('StandalonePriceStagedChangesApplied', ofStaged);
const stagedRemoved = messageType('StandalonePriceStagedChangesRemoved', ofStaged);
const tierAdded = messageType('StandalonePriceTierAdded', { tier: required(priceTier) });
const tierRemoved = messageType('StandalonePriceTierRemoved', {
  removedTier: required(shownAs('tier', priceTier)),
});
const tiersSet = messageType('StandalonePriceTiersSet', {
  tiers: required(list(priceTier)),
  previousTiers: required(list(priceTier)),
});
const ofValidFrom = { validFrom: optional(dateTime()), previousValidFrom: optional(dateTime()) };
const ofValidUntil = { validUntil: optional(dateTime()), previousValidUntil: optional(dateTime()) };
const validFromSet = messageType('StandalonePriceValidFromSet', ofValidFrom);
const validUntilSet = messageType('StandalonePriceValidUntilSet', ofValidUntil);
const validFromAndUntilSet = messageType('StandalonePriceValidFromAndUntilSet', { ...ofValidFrom, ...ofValidUntil });
const valueChanged = messageType('StandalonePriceValueChanged', {
  value: required(money()),
  staged: required(boolean()),
  oldValue: optional(money()),
});

type Price = Fixed<StandalonePrice>;

export const messages: MessagesDeclaration<StandalonePrice> = {
  types: [
    created,
    deleted,
    activeChanged,
    discountSet,
    externalDiscountSet,
    keySet,
    stagedApplied,
    stagedRemoved,
    tierAdded,
    tierRemoved,
    tiersSet,
    validFromSet,
    validUntilSet,
    validFromAndUntilSet,
    valueChanged,
  ],
  created: (standalonePrice) => [told(created, { standalonePrice })],
  deleted: ({ sku }) => [told(deleted, { sku })],
  // What product discounts make of it; what a client says of that is told by its action.
  replaced: (before, after, byActions) => {
    const isSame = before.discounted === after.discounted || isSameJson(before.discounted, after.discounted);
    const isSaid = byActions.some(({ type }) => type === externalDiscountSet.type);
    return isSame || isSaid ? [] : [told(discountSet, { discounted: after.discounted })];
  },
  actions: {
    changeActive: tellsChange(activeChanged, 'active'),
    setDiscountedPrice: tellsSet(externalDiscountSet, 'discounted'),
    setKey: tellsChange(keySet, 'key'),
    changeValue: whenChanged<StandalonePrice, Price['value'] | undefined>(
      ({ value, staged }, input) => (input['staged'] === true ? staged?.value : value),
      ({ before, after, input }) => [
        told(valueChanged, { value: after!, staged: input['staged'] === true, oldValue: before }),
      ],
    ),
    applyStagedChanges: whenChanged<StandalonePrice, Price['staged']>(
      ({ staged }) => staged,
      ({ before }) => [told(stagedApplied, { stagedChanges: before! })],
    ),
    removeStagedChanges: whenChanged<StandalonePrice, Price['staged']>(
      ({ staged }) => staged,
      ({ before }) => [told(stagedRemoved, { stagedChanges: before! })],
    ),
    addPriceTier: whenChanged<StandalonePrice, NonNullable<Price['tiers']>>(
      ({ tiers = [] }) => tiers,
      ({ after }) => [told(tierAdded, { tier: after.at(-1)! })],
    ),
    removePriceTier: whenChanged<StandalonePrice, NonNullable<Price['tiers']>>(
      ({ tiers = [] }) => tiers,
      ({ before, input }) =>
        before
          .filter(({ minimumQuantity }) => minimumQuantity === input['minimumQuantity'])
          .map((removedTier) => told(tierRemoved, { removedTier })),
    ),
    setPriceTiers: whenChanged<StandalonePrice, NonNullable<Price['tiers']>>(
      ({ tiers = [] }) => tiers,
      ({ before, after }) => [told(tiersSet, { tiers: after, previousTiers: before })],
    ),
    setValidFrom: whenChanged<StandalonePrice, string | undefined>(
      ({ validFrom }) => validFrom,
      ({ before, after }) => [told(validFromSet, { validFrom: after, previousValidFrom: before })],
    ),
    setValidUntil: whenChanged<StandalonePrice, string | undefined>(
      ({ validUntil }) => validUntil,
      ({ before, after }) => [told(validUntilSet, { validUntil: after, previousValidUntil: before })],
    ),
    setValidFromAndUntil: whenChanged<StandalonePrice, Pick<Price, 'validFrom' | 'validUntil'>>(
      ({ validFrom, validUntil }) => ({ ...(validFrom && { validFrom }), ...(validUntil && { validUntil }) }),
      ({ before, after }) => [
        told(validFromAndUntilSet, {
          ...after,
          previousValidFrom: before.validFrom,
          previousValidUntil: before.validUntil,
        }),
      ],
    ),
  },
};
