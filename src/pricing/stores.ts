/** What may be limited to some stores: shipping methods, cart discounts and the codes that bring them; and stores to channels. */

export interface StoreLink {
  readonly key: string;
}

/** Whether what is limited to these stores, or without any to none, counts for a cart in this one, or in none. */
export function isForStore(stores: readonly StoreLink[], store: StoreLink | undefined): boolean {
  return stores.length === 0 || stores.some(({ key }) => key === store?.key);
}

interface ChannelLink {
  readonly id: string;
}

/** Whether a store with these channels of a sort, or without any with all, has this one. */
export function hasChannel(channels: readonly ChannelLink[], channel: ChannelLink | undefined): boolean {
  return channel === undefined || channels.length === 0 || channels.some(({ id }) => id === channel.id);
}
