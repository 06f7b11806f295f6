/** Random cart discounts, discount groups and discount codes. */
import type {
  CartDiscount,
  CartDiscountTarget,
  CartDiscountValue,
  CentPrecisionMoney,
  DiscountGroup,
  PatternComponent,
} from '@commercetools/platform-sdk';
import type { StoreCode } from './cart-shapes.ts';
import { cartPredicates, customLineItemPredicates, lineItemPredicates } from './predicates.ts';
import type { Choices } from './random-choices.ts';
import { centsIn, created, currencies, giftProduct, now, standaloneProduct } from './random-amounts.ts';
import { idOf } from './world-ids.ts';

const past = '2026-05-01T00:00:00.000Z';
const future = '2026-07-01T00:00:00.000Z';
const store = { typeId: 'store', key: 'store-1' } as const;
const otherStore = { typeId: 'store', key: 'store-2' } as const;
/** Of all discounts and groups of a world, in the order of numbers, which is not that of texts. */
const sortOrders = ['0.05', '0.1', '0.15', '0.2', '0.35', '0.4', '0.45', '0.5', '0.75', '0.9', '0.95'];

export function randomGroups(random: Choices): readonly DiscountGroup[] {
  return random.some([1, 2], 0, 2).map((index) => ({
    ...created,
    id: idOf('discount-group', index),
    key: `group-${index}`,
    sortOrder: `${random.pick(sortOrders)}${index}1`,
    isActive: random.chance(0.9),
  }));
}

export function randomDiscounts(random: Choices, groups: readonly DiscountGroup[]): readonly CartDiscount[] {
  const orders = random.some(sortOrders, 0, 7);
  return orders.map((sortOrder, position) => {
    const index = position + 1;
    const { value, target } = randomEffect(random, true);
    const isOfItems = target !== undefined && target.type !== 'shipping' && target.type !== 'totalPrice';
    const group = isOfItems && groups.length > 0 && random.chance(0.4) ? random.pick(groups) : undefined;
    return {
      ...created,
      createdAt: `2026-01-0${index}T00:00:00.000Z`,
      id: idOf('cart-discount', index),
      name: { en: `Discount ${index}` },
      value,
      ...(target === undefined ? {} : { target }),
      cartPredicate: random.chance(0.6) ? '1 = 1' : random.pick(Object.keys(cartPredicates)),
      sortOrder,
      stores: random.chance(0.1) ? [random.pick([store, otherStore])] : [],
      isActive: random.chance(0.93),
      ...random.maybe(0.1, () => ({ validFrom: random.pick([past, now, future]) })),
      ...random.maybe(0.1, () => ({ validUntil: random.pick([future, future, now]) })),
      requiresDiscountCode: random.chance(0.35),
      references: [],
      stackingMode: random.chance(0.15) ? 'StopAfterThisDiscount' : 'Stacking',
      recurringOrderScope: { type: 'AnyOrder' },
      ...(group === undefined ? {} : { discountGroup: { typeId: 'discount-group', id: group.id } as const }),
    };
  });
}

export interface Effect {
  readonly value: CartDiscountValue;
  readonly target?: CartDiscountTarget;
}

export function randomEffect(random: Choices, areGiftsMeant: boolean): Effect {
  const kinds = [
    'lineItems',
    'lineItems',
    'customLineItems',
    'multiBuy',
    'pattern',
    'pattern',
    'shipping',
    'totalPrice',
  ];
  // Direct discounts have no patterns.
  const kind = random.pick(areGiftsMeant ? [...kinds, 'gift'] : kinds.filter((each) => each !== 'pattern'));
  switch (kind) {
    case 'gift':
      return { value: randomGift(random) };
    case 'multiBuy':
      return { value: random.chance(0.7) ? relative(random) : fixed(random), target: randomMultiBuy(random) };
    case 'pattern':
      return randomPattern(random);
    case 'shipping':
    case 'totalPrice':
      return { value: random.chance(0.5) ? relative(random) : absolute(random, false), target: { type: kind } };
    default: {
      const isCustom = kind === 'customLineItems';
      const predicate = randomPredicate(random, isCustom);
      const value = random.pick([relative, relative, fixed, () => absolute(random, true)])(random);
      return { value, target: { type: isCustom ? 'customLineItems' : 'lineItems', predicate } };
    }
  }
}

function randomPredicate(random: Choices, isCustom: boolean): string {
  if (random.chance(0.5)) return '1 = 1';
  return random.pick(Object.keys(isCustom ? customLineItemPredicates : lineItemPredicates));
}

function relative(random: Choices): CartDiscountValue {
  return { type: 'relative', permyriad: random.pick([1000, 1000, 2500, 3333, 5000, 5000, 1, 10_000]) };
}

/** Most have all currencies. */
function moneys(random: Choices): CentPrecisionMoney[] {
  return random.some(currencies, random.chance(0.85) ? 3 : 1, 3).map((currency) => centsIn(random, currency));
}

const modes = ['ProportionateDistribution', 'EvenDistribution', 'IndividualApplication'] as const;

function absolute(random: Choices, isOfItems: boolean): CartDiscountValue {
  const applicationMode = isOfItems ? random.maybe(0.7, () => ({ applicationMode: random.pick(modes) })) : {};
  return { type: 'absolute', money: moneys(random), ...applicationMode };
}

function fixed(random: Choices): CartDiscountValue {
  return { type: 'fixed', money: moneys(random) };
}

function randomGift(random: Choices): CartDiscountValue {
  const channel = (index: number) => ({ typeId: 'channel', id: idOf('channel', index) }) as const;
  return {
    type: 'giftLineItem',
    product: {
      typeId: 'product',
      id: idOf('product', random.chance(0.8) ? giftProduct : random.pick([1, standaloneProduct])),
    },
    variantId: 1,
    ...random.maybe(0.2, () => ({ supplyChannel: channel(2) })),
    ...random.maybe(0.3, () => ({ distributionChannel: channel(random.pick([1, 1, 2])) })),
  };
}

function randomMultiBuy(random: Choices): CartDiscountTarget {
  const isCustom = random.chance(0.15);
  const triggerQuantity = 2 + random.below(3);
  return {
    type: isCustom ? 'multiBuyCustomLineItems' : 'multiBuyLineItems',
    predicate: randomPredicate(random, isCustom),
    triggerQuantity,
    discountedQuantity: 1 + random.below(triggerQuantity),
    ...random.maybe(0.4, () => ({ maxOccurrence: 1 + random.below(2) })),
    selectionMode: random.pick(['Cheapest', 'MostExpensive']),
  };
}

function randomPattern(random: Choices): Effect {
  const hasTrigger = random.chance(0.6);
  const value = random.pick([relative, fixed, () => absolute(random, true)])(random);
  const components = (count: number, isTarget: boolean): PatternComponent[] =>
    Array.from({ length: count }, () => randomComponent(random, isTarget));
  // Modes other than each unit by itself need a trigger where the value is relative (5.16).
  const mode = random.pick(value.type === 'relative' && !hasTrigger ? (['IndividualApplication'] as const) : modes);
  return {
    value:
      value.type === 'relative' || value.type === 'fixed'
        ? { ...value, ...random.maybe(0.6, () => ({ applicationMode: mode })) }
        : value,
    target: {
      type: 'pattern',
      triggerPattern: components(hasTrigger ? 1 + random.below(2) : 0, false),
      targetPattern: components(1 + random.below(2), true),
      ...random.maybe(0.4, () => ({ maxOccurrence: 1 + random.below(2) })),
      selectionMode: random.pick(['Cheapest', 'MostExpensive']),
    },
  };
}

function randomComponent(random: Choices, isTarget: boolean): PatternComponent {
  const isCustom = random.chance(0.15);
  const minCount = 1 + random.below(2);
  return {
    type: isCustom ? 'CountOnCustomLineItemUnits' : 'CountOnLineItemUnits',
    predicate: randomPredicate(random, isCustom),
    ...random.maybe(0.6, () => ({ minCount: random.chance(0.1) ? 0 : minCount })),
    ...random.maybe(0.7, () => ({ maxCount: minCount + random.below(2) })),
    ...(isTarget ? random.maybe(0.2, () => ({ excludeCount: 1 + random.below(2) })) : {}),
  };
}

export function randomCodes(random: Choices, discounts: readonly CartDiscount[]): readonly StoreCode[] {
  if (discounts.length === 0) return [];
  return [1, 2, 3, 4].map((index) => ({
    ...created,
    id: idOf('discount-code', index),
    code: `CODE${index}`,
    cartDiscounts: random.some(discounts, 1, 2).map(({ id }) => ({ typeId: 'cart-discount', id }) as const),
    stores: random.chance(0.1) ? [random.pick([store, otherStore])] : [],
    ...random.maybe(0.4, () => ({ cartPredicate: random.pick(Object.keys(cartPredicates)) })),
    isActive: random.chance(0.9),
    references: [],
    groups: [],
    ...random.maybe(0.2, () => ({ maxApplications: 1 + random.below(2) })),
    ...random.maybe(0.15, () => ({ validFrom: random.pick([past, now, future]) })),
    ...random.maybe(0.15, () => ({ validUntil: random.pick([future, future, now]) })),
  }));
}
