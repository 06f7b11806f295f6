/** Products, and what of other kinds shows in them: stocks and standalone prices, found by their SKUs. */
import type { Content } from './checker.ts';
import { baseKey, type Kind, plainKind } from './requests.ts';

/** In a price, what a number of a text counts; so a discounted price tells both the price and the discount. */
export const centsOfText = 10_000;
export const currency = 'EUR';
/** Some prices are for this country alone. */
export const country = 'DE';
/** Others are for this one, for which nobody asks. */
const otherCountry = 'FR';

export const productType = plainKind('product-type', 'product-types', ['productType', 'productTypes'], (name, key) => ({
  name,
  key,
  description: key,
}));

export const stock: Kind = {
  ...plainKind('inventory-entry', 'inventory', ['inventoryEntry', 'inventoryEntries'], (text, sku) => ({
    sku,
    key: sku,
    quantityOnStock: numberOf(text),
  })),
  rename: (text) => ({ action: 'changeQuantity', quantity: numberOf(text) }),
  selection: '{ id version key availableQuantity }',
  hasFixedKey: true,
  contentOf: (found) => stockContent(found as unknown as Stock, String(found['key'])),
};

/** As it stands alone, and in variants. */
export interface Stock {
  readonly id: string;
  readonly version: number;
  readonly availableQuantity: number;
}

export function stockContent({ availableQuantity }: Stock, sku: string): Content {
  return { text: `text-${availableQuantity}`, key: sku };
}

export const standalonePrice: Kind = {
  ...plainKind('standalone-price', 'standalone-prices', ['standalonePrice', 'standalonePrices'], (text, sku) => ({
    sku,
    key: sku,
    value: moneyOf(text),
  })),
  rename: (text) => ({ action: 'changeValue', value: moneyOf(text) }),
  selection: '{ id version key value { centAmount } }',
  hasFixedKey: true,
  contentOf: (found) => priceContent(found as unknown as Price, String(found['key'])),
};

/** As it stands alone, and in variants. */
export interface Price {
  readonly id: string;
  readonly value: { readonly centAmount: number };
  /** GraphQL says null. */
  readonly country?: string | null;
  readonly discounted?: { readonly value: { readonly centAmount: number } } | null;
}

export function priceContent(price: Price, sku: string): Content {
  return { text: priceText(price), key: sku };
}

/** A half of a product: what is current or what is staged of it, or a projection. */
export interface Data {
  /** Localized, or in one locale. */
  readonly name: string | Readonly<Record<string, string>>;
  readonly masterVariant: Variant;
  readonly variants: readonly Variant[];
}

export interface Variant {
  readonly sku?: string | null;
  readonly prices: readonly Price[];
  /** The selected one. */
  readonly price?: Price | null;
  readonly availability?: (Partial<Stock> & { readonly noChannel?: Stock | null }) | null;
}

/** A product, in the members that representations and answers to the selection have alike. */
export interface Product {
  readonly id: string;
  readonly version: number;
  readonly key?: string | null;
  readonly priceMode: 'Embedded' | 'Standalone';
  readonly masterData: { readonly published: boolean; readonly current: Data; readonly staged: Data };
}

const pricesSelection = 'prices { id country value { centAmount } discounted { value { centAmount } } }';

/** What GraphQL asks of a product, and of its master variants beside their prices. */
export function productSelection(ofMaster = ''): string {
  const data = `{ name(locale: "en") masterVariant { sku ${pricesSelection} ${ofMaster} } variants { ${pricesSelection} } }`;
  return `{ id version key priceMode masterData { published current ${data} staged ${data} } }`;
}

export const product: Kind = {
  ...plainKind('product', 'products', ['product', 'products'], (text, key) => ({
    key,
    productType: { typeId: 'product-type', key: baseKey },
    name: { en: text },
    slug: { en: text },
    publish: isPublished(text),
    priceMode: numberOf(text) % 2 === 0 ? 'Embedded' : 'Standalone',
    // Its SKU stays when it gives up the key.
    masterVariant: { sku: key, prices: draftsOf(pricesOf(text)) },
    variants: [{ prices: draftsOf([{ text }]) }],
  })),
  selection: productSelection(),
  contentOf: (found) => {
    const product = found as unknown as Product;
    return contentOf(stateOf(product), product.key ?? undefined);
  },
  created: (text, key) => {
    const side = { name: text, prices: [pricesOf(text), [{ text }]] };
    return contentOf({ published: isPublished(text), current: side, staged: side }, key);
  },
  change: (found, { text, key, random }) => {
    const state = stateOf(found as unknown as Product);
    const actions = random.pick(changes)(state, text);
    return { actions, content: contentOf(state, key) };
  },
};

function isPublished(text: string): boolean {
  return numberOf(text) % 4 > 0;
}

interface PriceState {
  readonly id?: string;
  readonly country?: string;
  readonly text: string;
}

interface SideState {
  name: string;
  /** Of each variant. */
  prices: readonly (readonly PriceState[])[];
}

interface State {
  published: boolean;
  current: SideState;
  staged: SideState;
}

function stateOf({ masterData: { published, current, staged } }: Product): State {
  return { published, current: sideOf(current), staged: sideOf(staged) };
}

function sideOf({ name, masterVariant, variants }: Data): SideState {
  return {
    name: typeof name === 'string' ? name : name['en']!,
    prices: [masterVariant, ...variants].map(({ prices }) =>
      prices.map((price) => ({ id: price.id, ...countryOf(price), text: priceText(price) })),
    ),
  };
}

function contentOf({ published, current, staged }: State, key: string | undefined): Content {
  const [currentText, stagedText] = [textOfSide(current), textOfSide(staged)];
  return {
    text: JSON.stringify([published, currentText, stagedText]),
    ...(key !== undefined && { key }),
    parts: { staged: stagedText, ...(published && { current: currentText }) },
  };
}

/** The name and all prices, which change together and each for itself. */
export function textOf(data: Data): string {
  return textOfSide(sideOf(data));
}

function textOfSide({ name, prices }: SideState): string {
  return [
    name,
    ...prices.map((ofVariant) => ofVariant.map((price) => `${price.country ?? 'any'}=${price.text}`).join(' ')),
  ].join(' / ');
}

/** Each changes the state, and gives the actions that do the same. */
const changes: readonly ((state: State, text: string) => readonly object[])[] = [
  (state, text) => rename(state, text, true),
  (state, text) => rename(state, text, false),
  (state, text) => reprice(state, text, true),
  (state, text) => reprice(state, text, false),
  (state, text) => {
    const { staged } = state;
    const [ofMaster = [], ...others] = staged.prices;
    const former = ofMaster.find((price) => price.country === otherCountry);
    staged.prices = [[...ofMaster.filter((price) => price !== former), { country: otherCountry, text }], ...others];
    const added = { value: moneyOf(text), country: otherCountry };
    return [
      ...(former === undefined ? [] : [{ action: 'removePrice', priceId: former.id }]),
      { action: 'addPrice', variantId: 1, price: added },
    ];
  },
  (state, text) => {
    const actions = rename(state, text, true);
    state.current = structuredClone(state.staged);
    state.published = true;
    return [...actions, { action: 'publish' }];
  },
  (state, text) => {
    const actions = reprice(state, text, true);
    if (!state.published) return actions;
    state.current.prices = state.staged.prices;
    return [...actions, { action: 'publish', scope: 'Prices' }];
  },
  (state, text) => {
    state.published = false;
    return [{ action: 'unpublish' }, ...rename(state, text, true)];
  },
];

function sidesOf({ staged, current }: State, isStaged: boolean): readonly SideState[] {
  return isStaged ? [staged] : [staged, current];
}

/** Another name, and other prices. */
function rename(state: State, text: string, staged: boolean): readonly object[] {
  for (const side of sidesOf(state, staged)) Object.assign(side, { name: text, prices: [pricesOf(text), [{ text }]] });
  return [
    { action: 'changeName', name: { en: text }, staged },
    { action: 'setPrices', variantId: 1, prices: draftsOf(pricesOf(text)), staged },
    { action: 'setPrices', variantId: 2, prices: draftsOf([{ text }]), staged },
  ];
}

/** Another value of the first price that is staged, and of the same price where it is current. */
function reprice(state: State, text: string, staged: boolean): readonly object[] {
  const { id } = state.staged.prices[0]![0]!;
  for (const side of sidesOf(state, staged))
    side.prices = side.prices.map((prices) => prices.map((price) => (price.id === id ? { ...price, text } : price)));
  return [{ action: 'changePrice', priceId: id, price: { value: moneyOf(text) }, staged }];
}

/** Of a master variant: for any country, and for one. */
function pricesOf(text: string): readonly PriceState[] {
  return [{ text }, { country, text }];
}

function draftsOf(prices: readonly PriceState[]): readonly object[] {
  return prices.map((price) => ({ value: moneyOf(price.text), ...countryOf(price) }));
}

function countryOf({ country }: Pick<Price, 'country'>): { readonly country?: string } {
  return typeof country === 'string' ? { country } : {};
}

function priceText({ value }: Price): string {
  return `text-${value.centAmount / centsOfText}`;
}

function moneyOf(text: string): object {
  return { currencyCode: currency, centAmount: numberOf(text) * centsOfText };
}

/** Each text is a number's. */
function numberOf(text: string): number {
  return Number(text.slice('text-'.length));
}
