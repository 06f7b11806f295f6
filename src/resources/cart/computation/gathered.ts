import type { Document, Fixed } from '../../../engine/document.ts';
import type { InventoryEntry } from '../../inventory-entry/fields.ts';
import type { Product } from '../../product/fields.ts';
import type { SoldProduct } from '../../product/offers.ts';
import type { StandalonePrice } from '../../standalone-price/fields.ts';
import type { Store } from '../../store/fields.ts';
import type { Stocks } from './reservations.ts';

/** A resource that predicates name by id or by key. */
export interface Named {
  readonly id: string;
  readonly key?: string | undefined;
}

export interface Gathered {
  readonly store: Fixed<Store> | undefined;
  /** By their ids, those of gifts as well. Products that have gone are not there. */
  readonly products: ReadonlyMap<string, Fixed<SoldProduct>>;
  /** As wholes: those of gifts, and of lines that are to take over what their products have become. */
  readonly wholeProducts: ReadonlyMap<string, Fixed<Product>>;
  /** By SKU, of products that have no prices of their own. */
  readonly standalonePrices: ReadonlyMap<string, readonly Fixed<StandalonePrice>[]>;
  /** Categories with their ancestors, channels, customer groups and product types, by their ids. */
  readonly named: ReadonlyMap<string, Fixed<Document>>;
  /** Of lines that the request gives another quantity or another stock, by their ids; absent where the stock is not known. */
  readonly limits: ReadonlyMap<string, Fixed<InventoryEntry>>;
  readonly stocks: Stocks;
  /** How often the customer has used discount codes of the cart, of those that limit it, by their ids. */
  readonly codeUses: ReadonlyMap<string, number>;
  /** Whether the store of the cart shows a variant of a product, by the product's id; all where there is no store. */
  readonly isShown: ReadonlyMap<string, (sku: string | undefined) => boolean>;
}
