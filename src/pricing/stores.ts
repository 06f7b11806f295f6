/** What may be limited to some stores: shipping methods, cart discounts and the codes that bring them. */

export interface StoreLink {
  readonly key: string;
}

/** Whether what is limited to these stores, or without any to none, counts for a cart in this one, or in none. */
export function isForStore(stores: readonly StoreLink[], store: StoreLink | undefined): boolean {
  return stores.length === 0 || stores.some(({ key }) => key === store?.key);
}
