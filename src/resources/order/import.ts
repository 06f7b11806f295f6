/** Orders that were made elsewhere. Whatever they cost is stored as it is given (orders 19). */
import { randomUUID } from 'node:crypto';
import { invalidOperation } from '../../engine/actions.ts';
import { endpoint } from '../../engine/endpoint.ts';
import { readHolders } from '../../engine/computation.ts';
import type { RequestContext } from '../../engine/context.ts';
import { checkDescribed } from '../../engine/describe.ts';
import type { Document, Fixed } from '../../engine/document.ts';
import { largeTurn } from '../../engine/heavy-turns.ts';
import { copyOf, documentOf, type Json } from '../../engine/json.ts';
import { anewWhileOutdated, commit, goingWith } from '../../engine/operations/commit.ts';
import { planExtendedInsertion } from '../../engine/operations/extend.ts';
import { representAs } from '../../engine/operations/represent.ts';
import { Readings } from '../../engine/readings.ts';
import type { Engine, Planned, Resource } from '../../engine/resource.ts';
import { apiError, type ErrorElement, throwAll } from '../../errors/api-error.ts';
import { centPrecision } from '../../money/money.ts';
import { multiplyMoney } from '../../pricing/totals.ts';
import { addAddress } from '../cart/actions/item-addresses.ts';
import { snapshotOf } from '../cart/actions/line-items.ts';
import { newDetails } from '../cart/actions/shipping-details.ts';
import { unitPrice } from '../cart/computation/prices.ts';
import { customLineItemsMax, lineItemsMax } from '../cart/limits.ts';
import type { CustomLineItem, LineItem } from '../cart/item-fields.ts';
import type { TaxedPrice } from '../cart/tax-fields.ts';
import type { Product, ProductData, Variant } from '../product/fields.ts';
import { allVariants, namesFault, sidesIn } from '../product/offers.ts';
import { initialIdIn } from '../state/offers.ts';
import type { Store } from '../store/fields.ts';
import type { Order } from './fields.ts';
import { type Imported, requireImportable } from './import-checks.ts';
import {
  copiedFields,
  type CustomLineItemImport,
  type ImportDraft,
  importDraft,
  type LineItemImport,
  type TaxedPriceImport,
} from './import-fields.ts';
import { type ItemStates, mergedStates } from './item-states.ts';
import { takenFaults } from './rules.ts';
import { planStock } from './sold.ts';

export const importOrder = endpoint({
  path: 'import',
  method: 'POST',
  scopes: ['manage_orders'],
  body: importDraft,
  answer: 'one',
  status: 201,
  summary: 'Makes an order of what is known of one that was made elsewhere.',
  failures: [
    'ReferencedResourceNotFound',
    'DuplicateField',
    'InvalidItemShippingDetails',
    'CountryNotConfiguredInStore',
    'OutOfStock',
  ],
  mutation: { name: 'importOrder', draft: 'ImportOrderDraft' },
  run: async (engine, { context, resource, body, expand }) => {
    if (body.lineItems.length + body.customLineItems.length === 0)
      throw apiError('InvalidInput', 'An order has at least one line item or custom line item.');
    if (body.lineItems.length > lineItemsMax || body.customLineItems.length > customLineItemsMax)
      throw invalidOperation(
        `An order has at most ${lineItemsMax} line items and ${customLineItemsMax} custom line items.`,
      );
    // Custom fields are completed where they stand, in a copy for each try.
    const json = await anewWhileOutdated(() => imported(engine, context, { resource, draft: copyOf(body) }));
    return (await representAs(engine, { context, resource, paths: expand }, [json]))[0]!;
  },
});

interface Importing {
  readonly resource: Resource;
  readonly draft: ImportDraft;
}

async function imported(engine: Engine, context: RequestContext, { resource, draft }: Importing): Promise<Json> {
  const project = context.project.key;
  const [found, store, initialId] = await Promise.all([
    readProducts(engine, project, draft),
    readStore(engine, project, draft),
    initialIdIn(engine, project),
  ]);
  await largeTurn(context, JSON.stringify(draft).length);
  const body = orderOf(draft, { sold: soldOf(draft, found), initialId, now: context.now });
  requireImportable(body, store);
  await checkDescribed(engine, context, {
    resource: { fields: copiedFields },
    before: undefined,
    after: draft as unknown as Document,
  });
  const order = await planExtendedInsertion(engine, { context, resource, body });
  await commit(engine, context, [goingWith(order, () => stockOf(engine, context, body))]);
  return order.write.json;
}

async function stockOf(engine: Engine, context: RequestContext, cart: Imported): Promise<readonly Planned[]> {
  const errors: ErrorElement[] = [];
  const planned = await planStock(engine, context, { cart, errors });
  if (errors.length > 0) errors.push(...(await takenFaults(engine, context.project.key, cart)));
  throwAll(errors);
  return planned;
}

/** A variant is known by its SKU, or else by its product. */
async function readProducts(engine: Engine, project: string, { lineItems }: ImportDraft): Promise<Readings> {
  const kind = 'product';
  const found = new Readings();
  const holders = lineItems.flatMap(({ variant: { sku } }) =>
    sku === undefined ? [] : [{ kind, unique: { field: 'sku', value: sku } }],
  );
  const ids = new Set(
    lineItems.flatMap(({ productId, variant: { sku } }) => (sku === undefined ? (productId ?? []) : [])),
  );
  const [stored] = await Promise.all([
    ids.size === 0
      ? []
      : engine.store.find(
          project,
          [...ids].map((id) => ({ kind, id })),
        ),
    readHolders(engine, project, { holders, into: found }),
  ]);
  for (const each of stored) if (each !== undefined) found.add(kind, each);
  return found;
}

async function readStore(engine: Engine, project: string, { store }: ImportDraft): Promise<Fixed<Store> | undefined> {
  if (store === undefined) return undefined;
  const [found] = await engine.store.find(project, [{ kind: 'store', key: store.key }]);
  return found && documentOf<Store>(found.json);
}

interface Sold {
  readonly product: Fixed<Product>;
  /** The projection that has the variant. */
  readonly data: Fixed<ProductData>;
  readonly variant: Fixed<Variant>;
}

/** What each line is of, be it for sale or not. Throws for all that is unknown. */
function soldOf({ lineItems }: ImportDraft, found: Readings): readonly Sold[] {
  const errors: ErrorElement[] = [];
  const sold = lineItems.flatMap((line) => {
    const known = soldAs(line, found);
    const fault = known === undefined ? unknownVariant(line) : variantFault(line, known);
    if (fault !== undefined) errors.push(fault);
    return known ?? [];
  });
  throwAll(errors);
  return sold;
}

function soldAs({ productId, variant: { sku, id } }: LineItemImport, found: Readings): Sold | undefined {
  // Products were parsed by their kind.
  const product = (sku === undefined ? found.one('product', productId ?? '') : found.holder('product', 'sku', sku)) as
    Fixed<Product> | undefined;
  if (product === undefined) return undefined;
  for (const data of sidesIn(product.masterData)) {
    const variant = allVariants(data).find((each) => (sku === undefined ? each.id === id : each.sku === sku));
    if (variant !== undefined) return { product, data, variant };
  }
  return undefined;
}

function variantFault(
  { productId, variant: { sku, id } }: LineItemImport,
  { product, variant }: Sold,
): ErrorElement | undefined {
  return namesFault({ sku, productId, variantId: id }, { productId: product.id, variantId: variant.id });
}

function unknownVariant({ productId, variant: { sku, id } }: LineItemImport): ErrorElement {
  const isNamed = sku !== undefined || (productId !== undefined && id !== undefined);
  const named = sku === undefined ? `variant '${id}' of the product '${productId}'` : `variant with the SKU '${sku}'`;
  const message = isNamed
    ? `There is no ${named}.`
    : 'A line names its variant by a SKU, or by the id of its product and that of the variant.';
  return apiError('ReferencedResourceNotFound', message, {
    typeId: 'product',
    ...(productId !== undefined && { id: productId }),
  }).errors[0];
}

interface Making {
  readonly initialId: string;
  readonly now: string;
}

/** What a client says nothing of is what it is in an order without it. */
function orderOf(
  draft: ImportDraft,
  { sold, ...making }: Making & { readonly sold: readonly Sold[] },
): Imported & Readonly<Record<string, unknown>> {
  const { lineItems, customLineItems, itemShippingAddresses, taxedPrice, ...given } = draft;
  // What the platform keeps of it is added when it is planned.
  const order = {
    ...given,
    ...(taxedPrice !== undefined && { taxedPrice: withTax(taxedPrice) }),
    lineItems: lineItems.map((line, index) => lineOf(line, { ...sold[index]!, ...making })),
    customLineItems: customLineItems.map((item) => customItemOf(item, making)),
    taxMode: 'Platform',
    shippingMode: 'Single',
    shipping: [],
    itemShippingAddresses: [],
    discountCodes: [],
    directDiscounts: [],
    refusedGifts: [],
    syncInfo: [],
    returnInfo: [],
    lastMessageSequenceNumber: 0,
  } as unknown as Order;
  for (const address of itemShippingAddresses) addAddress(order, address);
  return order as Imported & Readonly<Record<string, unknown>>;
}

function withTax({ totalTax, ...given }: TaxedPriceImport): TaxedPrice {
  const { totalNet, totalGross } = given;
  return {
    ...given,
    totalTax: totalTax ?? centPrecision(totalGross.currencyCode, totalGross.centAmount - totalNet.centAmount),
  };
}

/** What both kinds of items have. */
function itemOf(
  { state, shippingDetails, quantity }: Pick<LineItemImport, 'state' | 'shippingDetails' | 'quantity'>,
  { initialId }: Making,
): Pick<LineItem, 'id' | 'state' | 'shippingDetails' | 'quantity'> & Partial<LineItem> {
  const details = shippingDetails && newDetails({ shippingMode: 'Single' }, shippingDetails.targets);
  return {
    id: randomUUID(),
    quantity,
    discountedPricePerQuantity: [],
    perMethodTaxRate: [],
    taxedPricePortions: [],
    state: mergedStates(state ?? initially(quantity, initialId)),
    // Another number of units is refused.
    ...(details !== undefined && { shippingDetails: { ...details, valid: true } }),
  };
}

function initially(quantity: number, initialId: string): ItemStates {
  return [{ quantity, state: { typeId: 'state', id: initialId } }];
}

/** What the draft says of the variant stands above what the product says; an empty list says nothing. */
function lineOf(draft: LineItemImport, { product, data, variant, ...making }: Making & Sold): LineItem {
  const { variant: given, productId: _, state: _s, shippingDetails: _d, ...own } = draft;
  const snapshot = snapshotOf(product, variant, data);
  const said = Object.entries(given).filter(([, value]) => Array.isArray(value) && value.length > 0);
  // Its taxed price is known to those alone who made the order.
  return {
    ...itemOf(draft, making),
    ...snapshot,
    ...own,
    variant: { ...snapshot.variant, ...Object.fromEntries(said) },
    totalPrice: multiplyMoney(unitPrice(draft.price), draft.quantity),
    priceMode: 'Platform',
    lineItemMode: 'Standard',
    addedAt: making.now,
    lastModifiedAt: making.now,
  } as LineItem;
}

function customItemOf(draft: CustomLineItemImport, making: Making): CustomLineItem {
  const { state: _, shippingDetails: _d, ...own } = draft;
  return {
    ...itemOf(draft, making),
    ...own,
    totalPrice: multiplyMoney(draft.money, draft.quantity),
  } as CustomLineItem;
}
