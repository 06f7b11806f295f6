/** What carts are computed from besides themselves: read once, mostly from what is kept parsed. */
import { keptGroup } from '../../../engine/kept-groups.ts';
import type { Document, Fixed } from '../../../engine/document.ts';
import { documentOf } from '../../../engine/json.ts';
import { type KeptLink, keptIfThere } from '../../../engine/descriptions.ts';
import { wholeOf } from '../../../engine/lens.ts';
import type { ComputeGathering, Found } from '../../../engine/resource.ts';
import type { Reference } from '../../../fields/parsing.ts';
import type { CartDiscount } from '../../cart-discount/fields.ts';
import type { Category } from '../../category/fields.ts';
import { assignmentsOfProducts } from '../../product-selection-assignment/offers.ts';
import type { ProductSelection } from '../../product-selection/fields.ts';
import { availabilityIn } from '../../product-selection/offers.ts';
import { allVariants } from '../../product/offers.ts';
import type { Product } from '../../product/fields.ts';
import type { StandalonePrice } from '../../standalone-price/fields.ts';
import type { Store } from '../../store/fields.ts';
import { usesBy } from '../../code-use/offers.ts';
import type { Customer } from '../../customer/fields.ts';
import type { DiscountCode } from '../../discount-code/fields.ts';
import { addedName, isStale } from '../actions/line-items.ts';
import type { Cart } from '../fields.ts';
import type { Gathered } from './gathered.ts';
import { type Gift, giftOf } from './gift-value.ts';
import { limitsOf } from './quantity-limits.ts';
import { stocksOf } from './reservations.ts';

/** Everything, for a cart as its actions have left it. */
export async function gatherForCart(gathering: ComputeGathering, cart: Fixed<Cart>): Promise<Gathered> {
  const { engine, project, found, said } = gathering;
  const whole = seeingAll(engine);
  const stale = productIdsIn({ lineItems: cart.lineItems.filter((line) => isStale(line, said)) });
  const given = giftsFor(cart, found);
  const giftProducts = new Set(given.map(({ product }) => product.id));
  const [store, gifts, updated, named, limits, stocks, codeUses] = await Promise.all([
    cart.store === undefined ? undefined : keptIfThere(whole, project, cart.store),
    productsBy(giftProducts, (link) => keptIfThere(whole, project, link, 'whole')),
    productsNow(whole, project, [...stale]),
    gatherNamed({ engine, project, found }, cart, giftProducts),
    limitsOf({ engine, project, found }, { cart, said }),
    stocksOf(gathering, cart),
    usesOf(gathering, cart),
  ]);
  // Stored resources were parsed by their kinds.
  const soldBy = store as unknown as Fixed<Store> | undefined;
  const added = cart.lineItems.filter(({ id }) => said.has(addedName(id))).map(({ productId }) => productId);
  const [standalonePrices, isShown] = await Promise.all([
    standalonePricesOf(whole, project, {
      products: named.products,
      sold: [
        ...cart.lineItems.map(({ productId, variant }) => ({ productId, variantId: variant.id })),
        ...given.map(({ product, variantId }) => ({ productId: product.id, variantId })),
      ],
    }),
    shownIn(whole, project, { store: soldBy, products: [...new Set(added)] }),
  ]);
  const wholeProducts = new Map([...(gifts as unknown as Gathered['wholeProducts']), ...updated]);
  return { ...named, store: soldBy, wholeProducts, standalonePrices, limits, stocks, codeUses, isShown };
}

/** Carts without a customer, and codes that each customer may use at will, cost no read. */
async function usesOf(
  { engine, project, found }: ComputeGathering,
  { customerId, discountCodes }: Fixed<Cart>,
): Promise<Gathered['codeUses']> {
  if (customerId === undefined) return new Map();
  const limited = discountCodes.filter(({ discountCode: { id } }) => {
    // Stored codes were parsed by their kind.
    const code = found.one('discount-code', id) as Fixed<DiscountCode> | undefined;
    return code?.maxApplicationsPerCustomer !== undefined;
  });
  return usesBy(
    engine.store,
    project,
    limited.map(({ discountCode }) => ({ codeId: discountCode.id, customerId })),
  );
}

/** Who shops, or sells, need not see all of what carts are made from. */
function seeingAll(engine: ComputeGathering['engine']): ComputeGathering['engine'] {
  return { ...engine, store: wholeOf(engine.store) };
}

function productIdsIn({ lineItems }: Fixed<Pick<Cart, 'lineItems'>>): ReadonlySet<string> {
  return new Set(lineItems.map(({ productId }) => productId));
}

const none: ReadonlySet<string> = new Set();

/** What predicates on the cart read of others: products, and what they may name by keys. */
export async function gatherNamed(
  { engine, project, found }: Pick<ComputeGathering, 'engine' | 'project' | 'found'>,
  cart: Fixed<Cart>,
  others: ReadonlySet<string> = none,
): Promise<Pick<Gathered, 'products' | 'named'>> {
  const whole = seeingAll(engine);
  const kept: Kept = (link) => keptIfThere(whole, project, link);
  const products = await productsBy(new Set([...productIdsIn(cart), ...others]), kept);
  // Stored resources were parsed by their kinds.
  const sold = products as unknown as Gathered['products'];
  const customer =
    cart.customerId === undefined ? undefined : (found.one('customer', cart.customerId) as Fixed<Customer> | undefined);
  const links = [
    ...[...sold.values()].flatMap(({ productType, masterData }) => [productType, ...masterData.current.categories]),
    ...cart.lineItems.flatMap(({ supplyChannel, distributionChannel }) => [supplyChannel, distributionChannel]),
    cart.customerGroup,
    customer?.customerGroup,
    ...(customer?.customerGroupAssignments ?? []).map(({ customerGroup }) => customerGroup),
    ...customTypesOf(cart),
    customer?.custom?.type,
  ].filter((link) => link !== undefined);
  const named = await namedBy(links, kept);
  const ancestors = [...named.values()].flatMap((each) => (each as Partial<Fixed<Category>>).ancestors ?? []);
  return { products: sold, named: new Map([...named, ...(await namedBy(ancestors, kept))]) };
}

/** The types of what has custom fields, as far as predicates read these. */
function customTypesOf({
  custom,
  lineItems,
  customLineItems,
  shippingAddress,
  billingAddress,
  itemShippingAddresses,
}: Fixed<Cart>): readonly Reference[] {
  const addresses = [shippingAddress, billingAddress, ...itemShippingAddresses];
  const holders = [{ custom }, ...lineItems, ...customLineItems, ...addresses];
  return holders.flatMap((holder) => holder?.custom?.type ?? []);
}

/** What discounts might give. */
function giftsFor({ directDiscounts }: Fixed<Cart>, found: Found): readonly Gift[] {
  const discounts = found.all('cart-discount') as unknown as readonly Fixed<CartDiscount>[];
  const values = directDiscounts.length > 0 ? directDiscounts : discounts.filter(({ isActive }) => isActive);
  return values.flatMap(({ value }) => giftOf(value) ?? []);
}

async function productsBy(
  ids: ReadonlySet<string>,
  kept: (link: KeptLink) => Promise<Fixed<Document> | undefined>,
): Promise<Map<string, Fixed<Document>>> {
  const found = await Promise.all([...ids].map((id) => kept({ typeId: 'product', id })));
  return byId(found);
}

async function productsNow(
  { store }: ComputeGathering['engine'],
  project: string,
  ids: readonly string[],
): Promise<readonly (readonly [string, Fixed<Product>])[]> {
  if (ids.length === 0) return [];
  const found = await store.find(
    project,
    ids.map((id) => ({ kind: 'product', id })),
  );
  return found.flatMap((stored) => (stored === undefined ? [] : [[stored.id, documentOf<Product>(stored.json)]]));
}

function byId(found: readonly (Fixed<Document> | undefined)[]): Map<string, Fixed<Document>> {
  return new Map(found.flatMap((document) => (document === undefined ? [] : [[document.id, document]])));
}

type Kept = (link: KeptLink) => Promise<Fixed<Document> | undefined>;

/** Of the variants that are sold or given, as the products have them now. */
async function standalonePricesOf(
  engine: ComputeGathering['engine'],
  project: string,
  {
    products,
    sold,
  }: {
    readonly products: Gathered['products'];
    readonly sold: readonly { readonly productId: string; readonly variantId: number }[];
  },
): Promise<Gathered['standalonePrices']> {
  const skus = sold.flatMap(({ productId, variantId }) => {
    const product = products.get(productId);
    if (product?.priceMode !== 'Standalone') return [];
    return allVariants(product.masterData.current).find(({ id }) => id === variantId)?.sku ?? [];
  });
  const prices = await Promise.all(
    [...new Set(skus)].map(async (sku) => {
      const found = await keptGroup(engine, project, { kind: 'standalone-price', member: 'sku', value: sku });
      // Stored prices were parsed by their kind.
      const ofSku = found as unknown as readonly Fixed<StandalonePrice>[];
      return [sku, ofSku.filter(({ active }) => active)] as const;
    }),
  );
  return new Map(prices);
}

async function namedBy(links: readonly Reference[], kept: Kept): Promise<Map<string, Fixed<Document>>> {
  const byLink = new Map(links.map((link) => [link.id, link]));
  return byId(await Promise.all([...byLink.values()].map(kept)));
}

/** Without active selections a store shows all. */
async function shownIn(
  engine: ComputeGathering['engine'],
  project: string,
  { store, products }: { readonly store: Fixed<Store> | undefined; readonly products: readonly string[] },
): Promise<Gathered['isShown']> {
  const active = store?.productSelections.filter((each) => each.active) ?? [];
  if (active.length === 0 || products.length === 0) return new Map();
  const [selections, assignments] = await Promise.all([
    namedBy(
      active.map(({ productSelection }) => productSelection),
      (link) => keptIfThere(engine, project, link),
    ),
    assignmentsOfProducts(engine.store, project, products),
  ]);
  // Stored selections were parsed by their kind.
  const modes = new Map(
    [...selections].map(([id, selection]) => [id, (selection as unknown as Fixed<ProductSelection>).mode]),
  );
  const byProduct = grouped(assignments, ({ product }) => product.id);
  return new Map(products.map((id) => [id, availabilityIn(modes, byProduct.get(id) ?? [])]));
}

function grouped<T>(values: readonly T[], nameOf: (value: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const name = nameOf(value);
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return groups;
}
