import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRegistry } from '../engine/registry.ts';
import { type Catalog, compareWithCatalog, type Difference } from '../graphql/compare.ts';
import { createSchema } from '../graphql/schema.ts';
import { allResources } from '../resources/all.ts';
import { project } from '../resources/project/resource.ts';

const usage = 'Usage: npm run graphql:compare -- FOLDER, where FOLDER holds a catalog named graphql.json.';

/** `graphql:compare FOLDER` prints how the schema differs from a catalog. Differences that are meant fail nothing, but reasons of none do. */
export function runGraphqlCompareCommand(args: readonly string[]): void {
  const [folder, ...others] = args;
  if (folder === undefined || others.length > 0) throw new Error(usage);
  // The command is for catalogs of this form; another one fails at the first type.
  const catalog = JSON.parse(readFileSync(join(folder, 'graphql.json'), 'utf8')) as Catalog;
  const differences = compareWithCatalog(createSchema(createRegistry(allResources, project)), catalog);
  const unmeant = differences.filter(({ place }) => reasonOf(place) === undefined);
  for (const difference of differences) process.stdout.write(`${lineOf(difference)}\n`);
  process.stdout.write(`${differences.length - unmeant.length} differences are meant, ${unmeant.length} are not.\n`);
  const named = new Set(differences.map(({ place }) => reasonName(place)));
  const idle = [...reasons.keys()].filter((name) => !named.has(name));
  for (const name of idle) process.stdout.write(`${name}: no such difference (meant: ${reasons.get(name)})\n`);
  if (unmeant.length + idle.length > 0) process.exitCode = 1;
}

function lineOf({ place, catalog, schema }: Difference): string {
  const reason = reasonOf(place);
  return `${place}: ${catalog ?? 'not in the catalog'} | ${schema ?? 'missing'}${reason === undefined ? '' : ` (meant: ${reason})`}`;
}

const recurring = 'there are no recurring orders';
const associates = 'associates come with business units';

/** Why a member or a type differs, by `Type.member` or `Type`. Each is of a difference that there is. */
const reasons: ReadonlyMap<string, string> = new Map([
  ...[
    'AddCartCustomLineItem.recurrenceInfo',
    'AddCartLineItem.recurrenceInfo',
    'AddMyCartLineItem.recurrenceInfo',
    'Cart.recurringPaymentConfiguration',
    'CartUpdateAction.addRecurringPaymentAllocation',
    'CartUpdateAction.removeRecurringPaymentAllocation',
    'CartUpdateAction.setCustomLineItemRecurrenceInfo',
    'CartUpdateAction.setLineItemRecurrenceInfo',
    'CartUpdateAction.setRecurringPaymentConfiguration',
    'CartUpdateAction.setRecurringPaymentStrategy',
    'CustomLineItem.recurrenceInfo',
    'CustomLineItemDraft.recurrenceInfo',
    'LineItem.recurrenceInfo',
    'LineItemDraft.recurrenceInfo',
    'MyCartUpdateAction.setCustomLineItemRecurrenceInfo',
    'MyCartUpdateAction.setLineItemRecurrenceInfo',
    'MyLineItemDraft.recurrenceInfo',
  ].map((place): [string, string] => [place, recurring]),
  ...[
    'Cart.businessUnit',
    'Cart.businessUnitRef',
    'CartDraft.businessUnit',
    'CartUpdateAction.setBusinessUnit',
    'MyCartDraft.businessUnit',
    'MyCartUpdateAction.setBusinessUnit',
    'Mutation.createCart',
    'Mutation.deleteCart',
    'Mutation.replicateCart',
    'Mutation.updateCart',
  ].map((place): [string, string] => [place, associates]),
  ...['CartDraft.priceRoundingMode', 'CartDraft.taxRoundingMode'].map((place): [string, string] => [
    place,
    'the project may say otherwise',
  ]),
  ['CustomLineItemDraft.taxCategory', 'decisions.md #60'],
  ...[
    'Mutation.createMyOrderFromQuote',
    'Mutation.createOrderFromCart',
    'Mutation.createOrderFromQuote',
    'Order.businessUnit',
    'Order.businessUnitRef',
    'Order.quote',
    'Order.quoteRef',
    'Order.recurringOrder',
    'Order.recurringOrderRef',
  ].map((place): [string, string] => [place, 'there are no quotes, business units and recurring orders']),
  ...['RecurringOrderScopeInput', 'CartDiscountUpdateAction.setRecurringOrderScope'].map((place): [string, string] => [
    place,
    'decisions.md #50',
  ]),
  ...['customShipping', 'purchaseOrderNumber', 'shipping'].map((name): [string, string] => [
    `MyCartDraft.${name}`,
    'in REST that is for shops to say',
  ]),
  [
    'MyCartUpdateAction.applyDeltaToCustomLineItemShippingDetailsTargets',
    'in REST custom line items are for shops to change',
  ],
  ...['MultiBuyLineItemsTarget', 'MultiBuyCustomLineItemsTarget'].map((place): [string, string] => [
    place,
    'decisions.md #51',
  ]),
  // Each reservation of this platform ends.
  ['Reservation.expiresAt', 'it is always there'],
  ...['StoreCreated.storefront', 'StoreCreated.productSelectionsRef'].map((place): [string, string] => [
    place,
    'REST has no such member',
  ]),
  ...['Deleted', 'IsActiveSet', 'KeySet', 'SortOrderSet'].map((name): [string, string] => [
    `DiscountGroup${name}.discountGroupId`,
    'the message names the group',
  ]),
  ['OrderStateChanged.orderId', 'the message names the order'],
  ...['OrderStoreSet.oldStore', 'OrderStoreSet.oldStoreRef'].map((place): [string, string] => [
    place,
    'REST has no such member',
  ]),
  ...['CartDiscountStoreAdded.store', 'CartDiscountStoreRemoved.store'].map((place): [string, string] => [
    place,
    'messages outlive stores',
  ]),
  ['LocalizedStringInput', 'decisions.md #59'],
  ['LocalizedText', 'decisions.md #59'],
  ...[
    'CartsConfiguration.allowAddingUnpublishedProducts',
    'CartsConfiguration.totalPriceDiscountDoesNotReduceExternalTax',
    'DiscountsConfiguration.productVsCartDiscountCombination',
    'ProductCatalogModel.InMigration',
    'ProjectSettingsUpdateAction.changeCartDiscountVisualizationSearchStatus',
    'ProjectSettingsUpdateAction.changeTotalPriceDiscountDoesNotReduceExternalTax',
    'ProjectSettingsUpdateAction.setProductVsCartDiscountCombination',
  ].map((place): [string, string] => [place, 'the REST contract has no such setting']),
  ['Mutation.bulkUpdateVariants', 'variants come with the modular catalog'],
  ...['Mutation.signUpInMyBusinessUnit', 'Query.asAssociate'].map((place): [string, string] => [place, associates]),
  ...['ProductData.defaultVariant', 'ProductData.defaultVariantRef', 'ProductUpdateAction.setDefaultVariant'].map(
    (place): [string, string] => [place, 'variants come with the modular catalog'],
  ),
  ...[
    'ProductPrice.recurrencePolicy',
    'ProductPrice.recurrencePolicyRef',
    'ProductPriceDataInput.recurrencePolicy',
    'ProductVariant.allRecurrencePrices',
  ].map((place): [string, string] => [place, recurring]),
  ...['ProductVariant.price', 'ProductSearchVariant.price', 'ProductSearchVariant.allRecurrencePrices'].map(
    (place): [string, string] => [place, recurring],
  ),
  ['ProductSearchResult.product', 'a product in GraphQL is no projection'],
  ...[
    'ShoppingList.businessUnit',
    'ShoppingList.businessUnitRef',
    'ShoppingListDraft.businessUnit',
    'ShoppingListUpdateAction.setBusinessUnit',
    'Mutation.createShoppingList',
    'Mutation.deleteShoppingList',
    'Mutation.updateShoppingList',
  ].map((place): [string, string] => [place, associates]),
  ['ShoppingListLineItem.productType', 'lists outlive products and their types'],
  ['Query.inStores', 'stores are looked into one at a time'],
  ['Query.limits', 'REST has no such resource'],
  ...['setAddressCustomField', 'setAddressCustomType'].map((name): [string, string] => [
    `MyCustomerUpdateAction.${name}`,
    'customers have no such action in REST',
  ]),
  ['AssetDraftInput.type', 'the type of custom fields is given with them'],
  ...[
    'CreateStandalonePrice.recurrencePolicy',
    'StandalonePrice.recurrencePolicy',
    'StandalonePrice.recurrencePolicyRef',
  ].map((place): [string, string] => [place, 'policies come with recurring orders']),
  ['CustomObject.referencedResources', 'a beta feature'],
  ['Initiator.attributedTo', 'decisions.md #30'],
  ['ShippingMethodDraft.isDefault', 'decisions.md #36'],
  ...['RemoveCartDiscountCode', 'CustomShippingDraft', 'AddCartCustomShippingMethod'].map((place): [string, string] => [
    place,
    'decisions.md #60',
  ]),
  ...['HttpSubscriptionDestination', 'HttpSubscriptionDestinationInput', 'DestinationInput.HTTP'].map(
    (place): [string, string] => [place, 'the destination that needs no cloud'],
  ),
  ['ImportOrderDraft.shippingDetails', 'in REST items alone have them'],
  ...['Mutation.updateOrder', 'OrderUpdateAction.setBusinessUnit'].map((place): [string, string] => [
    place,
    associates,
  ]),
  ...[
    'AddStagedOrderCustomLineItem.recurrenceInfo',
    'AddStagedOrderLineItem.recurrenceInfo',
    'CustomLineItemDraftOutput.recurrenceInfo',
    'LineItemDraftOutput.recurrenceInfo',
  ].map((place): [string, string] => [place, recurring]),
  ['StagedOrderUpdateAction.setBusinessUnit', associates],
  ['ExternalTaxRateDraft.amount', 'with sub-rates it follows from them'],
  ...['DeliveryDraft', 'ParcelDraft'].map((place): [string, string] => [
    place,
    'ids and times are given by the platform',
  ]),
]);

function reasonOf(place: string): string | undefined {
  return reasons.get(reasonName(place));
}

/** What the reason is given for: the member, or all of its type. */
function reasonName(place: string): string {
  const [type = ''] = place.split(/[. ]/);
  return reasons.has(place) ? place : type;
}
