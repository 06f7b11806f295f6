/** What products show beside what is stored: their stock, and the prices that parameters select (catalog 31, 34, 44). */
import type { FormDeclaration } from '../../../engine/define.ts';
import type { Document, Fixed } from '../../../engine/document.ts';
import type { Json } from '../../../engine/json.ts';
import { type ObjectPlace, placesIn, wantedAt, withMembers } from '../../../engine/json-places.ts';
import type { Gathering } from '../../../engine/resource.ts';
import type { InventoryEntry } from '../../inventory-entry/fields.ts';
import type { Product } from '../fields.ts';
import { allVariants, sidesIn, skusIn } from '../all-variants.ts';
import { type PriceParameters, priceParameters } from '../../../product-search/showing.ts';
import { availabilityOf } from './availability.ts';
import { bySku, ofSkus, type Others, type PriceOfSku, readBySku } from './others.ts';
import { candidatesOf, type Clock, clockOf, requireCurrency, selectedPrice } from './selected-price.ts';

interface Gathered extends Pick<Others, 'standalonePrices'> {
  readonly stocks: ReadonlyMap<string, readonly Fixed<InventoryEntry>[]>;
  readonly clock: Clock;
}

export const shownProduct: FormDeclaration<Product, PriceParameters, Gathered> = {
  texts: withStocks,
  parameters: priceParameters,
  check: requireCurrency,
  gather: async (gathering, products, { priceCurrency }) => {
    const skusOf = (some: readonly Product[]): readonly string[] =>
      skusIn(...some.flatMap(({ masterData }) => sidesIn(masterData)));
    const alone = products.filter(({ priceMode }) => priceCurrency !== undefined && priceMode === 'Standalone');
    const [stocks, standalonePrices] = await Promise.all([
      gathering.grouped<InventoryEntry>(ofSkus('inventory-entry', skusOf(products))),
      readBySku<PriceOfSku>(gathering, 'standalone-price', skusOf(alone)),
    ]);
    return { clock: clockOf(gathering), stocks: bySku(stocks), standalonePrices };
  },
  shown: (product, selection, { clock, stocks, standalonePrices }) => {
    for (const variant of sidesIn(product.masterData).flatMap(allVariants)) {
      const candidates = candidatesOf(variant, product.priceMode, standalonePrices);
      const price = selectedPrice(candidates, selection, clock);
      const availability = availabilityOf(stocksOf(variant.sku, stocks), undefined);
      Object.assign(variant, price && { price }, availability && { availability });
    }
    return product as unknown as Document;
  },
};

/** An SKU may be empty, and is another than none. */
function stocksOf(sku: string | undefined, stocks: Gathered['stocks']): readonly Fixed<InventoryEntry>[] {
  return (sku === undefined ? undefined : stocks.get(sku)) ?? [];
}

const variants = wantedAt(
  ['current', 'staged'].flatMap((side) => [`masterData.${side}.masterVariant`, `masterData.${side}.variants[*]`]),
);

/** By the bytes of what is kept, which go with it. */
const known = new WeakMap<Buffer, readonly ObjectPlace[]>();

function variantsIn(text: Buffer): readonly ObjectPlace[] {
  let places = known.get(text);
  if (places === undefined) known.set(text, (places = placesIn(text, variants, 'sku')));
  return places;
}

async function withStocks(gathering: Gathering, stored: readonly Json[]): Promise<readonly Json[]> {
  const texts = stored.map((json) => (typeof json === 'string' ? Buffer.from(json) : json));
  const found = texts.map(variantsIn);
  const skus = found.flatMap((places) => places.flatMap(({ named }) => named ?? []));
  const stocks = bySku(await gathering.grouped<InventoryEntry>(ofSkus('inventory-entry', [...new Set(skus)])));
  const shown: Buffer[] = [];
  for (const [index, text] of texts.entries()) {
    const added = found[index]!.flatMap(({ start, named }) => {
      const availability = availabilityOf(stocksOf(named, stocks), undefined);
      return availability === undefined ? [] : [{ start, members: `"availability":${JSON.stringify(availability)}` }];
    });
    shown.push(withMembers(text, added));
    await gathering.added(shown[index]!.length - text.length);
  }
  return shown;
}
