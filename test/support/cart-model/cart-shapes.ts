/** What the model reads and gives: the read types of the public API, and carts that are being worked on. */
import type {
  Address,
  BaseAddress,
  Cart,
  CartDiscount,
  CartUpdateAction,
  Category,
  Channel,
  Customer,
  CustomLineItem,
  DiscountCode,
  DiscountGroup,
  LineItem,
  Product,
  RoundingMode,
  Shipping,
  ShippingInfo,
  ShippingMethod,
  ShippingRateInputType,
  StandalonePrice,
  Store,
  StoreKeyReference,
  TaxCategory,
  Zone,
} from '@commercetools/platform-sdk';

/** The public client's types of these two lack `stores`. */
export type StoreMethod = ShippingMethod & { readonly stores: readonly StoreKeyReference[] };
export type StoreCode = DiscountCode & { readonly stores: readonly StoreKeyReference[] };

export interface ModelWorld {
  /** ISO 8601, UTC, milliseconds. */
  readonly now: string;
  readonly project: {
    readonly carts?: {
      readonly countryTaxRateFallbackEnabled?: boolean;
      readonly priceRoundingMode?: RoundingMode;
      readonly taxRoundingMode?: RoundingMode;
    };
    readonly shippingRateInputType?: ShippingRateInputType;
    readonly discountCombinationMode?: 'Stacking' | 'BestDeal';
    readonly languages?: readonly string[];
  };
  /** Prices carry their `discounted` already. */
  readonly products: readonly Product[];
  readonly standalonePrices: readonly StandalonePrice[];
  readonly categories: readonly Category[];
  readonly taxCategories: readonly TaxCategory[];
  readonly zones: readonly Zone[];
  readonly shippingMethods: readonly StoreMethod[];
  readonly cartDiscounts: readonly CartDiscount[];
  readonly discountCodes: readonly StoreCode[];
  readonly discountGroups: readonly DiscountGroup[];
  readonly customers: readonly Customer[];
  readonly channels: readonly Channel[];
  readonly stores: readonly Store[];
  /** One for each order that was created with a code (6.4). Ids. */
  readonly codeUses: readonly { readonly discountCode: string; readonly customer?: string }[];
  /** The ids of products that product selections hold, by the id of the selection (2.13). */
  readonly selectedProducts: Readonly<Record<string, readonly string[]>>;
}

type Writable<Type> = { -readonly [Member in keyof Type]: Type[Member] };

export type ModelLine = Writable<Omit<LineItem, 'addedAt' | 'lastModifiedAt' | 'recurrenceInfo' | 'reservation'>>;

export type ModelCustomLine = Writable<Omit<CustomLineItem, 'recurrenceInfo'>>;

export type ModelShippingInfo = Writable<ShippingInfo>;

export type ModelShipping = Writable<Omit<Shipping, 'shippingInfo'>> & { shippingInfo: ModelShippingInfo };

type OwnMembers = 'lineItems' | 'customLineItems' | 'shippingInfo' | 'shipping';
type UncoveredMembers = 'id' | 'version' | 'createdAt' | 'lastModifiedAt' | 'paymentInfo' | 'lock' | 'warnings';

/** What a GET of the cart would show, as far as it is computed. Ids of lines are the model's own. */
export type ModelCart = Writable<Omit<Cart, OwnMembers | UncoveredMembers>> & {
  lineItems: ModelLine[];
  customLineItems: ModelCustomLine[];
  shippingInfo?: ModelShippingInfo;
  shipping: ModelShipping[];
  /** The number of the next id; no member of the contract. */
  nextId: number;
};

export type ModelItem = ModelLine | ModelCustomLine;

export type ModelResult = { readonly cart: ModelCart } | { readonly error: string };

/** What the actions of one request leave to be done after the last of them. */
export interface Request {
  /** The cart was frozen before this request and not reactivated by it (9.2). */
  isFrozen: boolean;
  /** Distribution channels of the lines before the request. Ids by ids. */
  readonly channels: ReadonlyMap<string, string | undefined>;
  /** A method that was set or added: by '' in mode Single, by its shippingKey in Multiple. */
  readonly newMethods: Set<string>;
  /** Codes that were added, as they were written, with whether the cart was frozen then. */
  readonly newCodes: { readonly code: string; readonly isFrozen: boolean }[];
  /** Names of items, and of items with a method, whose tax amount was given; '' for the shipping method. */
  readonly newTaxAmounts: Set<string>;
  hasNewTotalTax: boolean;
}

/** What a client gives for an address is what it reads of it. */
export function addressOf(given: BaseAddress): Address {
  return given;
}

/** An action that is being applied. */
export interface Applied {
  readonly action: CartUpdateAction;
  readonly request: Request;
}

export function isLine(item: ModelItem): item is ModelLine {
  return 'productId' in item;
}

export function isGift(item: ModelItem): boolean {
  return isLine(item) && item.lineItemMode === 'GiftLineItem';
}

export function currencyOf(cart: ModelCart): string {
  return cart.totalPrice.currencyCode;
}

export function itemsOf(cart: ModelCart): ModelItem[] {
  return [...cart.lineItems, ...cart.customLineItems];
}

export function shippingInfosOf(cart: ModelCart): ModelShippingInfo[] {
  if (cart.shippingMode === 'Multiple') return cart.shipping.map(({ shippingInfo }) => shippingInfo);
  return cart.shippingInfo === undefined ? [] : [cart.shippingInfo];
}
