import type { Task } from '../tasks/task.ts';
import type { CartInput, Location, MethodInput, MethodMatch, ZoneInput } from './shipping-rate.ts';

/** A shipping method as it is stored. */
export type StoredMethod = Omit<MethodInput, 'predicate'> & { readonly predicate?: string };

/** The shipping methods and zones of a project. */
export interface ShippingCatalog {
  readonly methods: readonly StoredMethod[];
  readonly zones: readonly ZoneInput[];
}

export interface MatchRequest {
  /** A cart, or a location, or both. */
  readonly cart?: CartInput;
  readonly location?: Location;
  readonly currencyCode?: string;
  readonly tierType?: string;
}

export const shippingRates: Task<MatchRequest, readonly MethodMatch[] | 'address-missing', ShippingCatalog> = {
  name: 'shipping-rates',
  threads: 'pricing',
};
