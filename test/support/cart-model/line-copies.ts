/** What a line has of its product when it is added (4.2), and what of it a cart of a store has. */
import type { LocalizedString, Price, Product, ProductVariant, Store } from '@commercetools/platform-sdk';
import type { ModelCart, ModelLine, ModelWorld } from './cart-shapes.ts';

type Copy = Pick<ModelLine, 'productId' | 'productKey' | 'name' | 'productSlug' | 'productType' | 'variant'>;

export function copyOfProduct(
  world: ModelWorld,
  cart: ModelCart,
  { product, variant }: { readonly product: Product; readonly variant: ProductVariant },
): Copy {
  const { name, slug } = product.masterData.current;
  const store = world.stores.find(({ key }) => key === cart.store?.key);
  return {
    productId: product.id,
    ...(product.key === undefined ? {} : { productKey: product.key }),
    productType: product.productType,
    name: shownText(world, store, name),
    productSlug: shownText(world, store, slug),
    variant: store === undefined ? variant : { ...variant, prices: shownPrices(store, variant) },
  };
}

// The vendor's page "Carts and Orders overview", on line items of carts that are bound to a store. Attributes stay whole: ours.
function shownPrices({ countries, distributionChannels }: Store, { prices = [] }: ProductVariant): Price[] {
  const hasCountry = (code: string): boolean => countries.length === 0 || countries.some((own) => own.code === code);
  const hasChannel = (channel: string): boolean =>
    distributionChannels.length === 0 || distributionChannels.some(({ id }) => id === channel);
  return prices.filter(
    ({ country, channel }) =>
      (country === undefined || hasCountry(country)) && (channel === undefined || hasChannel(channel.id)),
  );
}

function shownText({ project }: ModelWorld, store: Store | undefined, text: LocalizedString): LocalizedString {
  const languages = store?.languages ?? [];
  if (languages.length === 0) return text;
  const kept = Object.entries(text).filter(([language]) => languages.includes(language));
  if (kept.length > 0) return Object.fromEntries(kept);
  const fallback = (project.languages ?? []).find((language) => language in text);
  return fallback === undefined ? text : { [fallback]: text[fallback]! };
}
