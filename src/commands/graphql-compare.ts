import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRegistry } from '../engine/registry.ts';
import { type Catalog, compareWithCatalog, type Difference } from '../graphql/compare.ts';
import { createSchema } from '../graphql/schema.ts';
import { allResources } from '../resources/all.ts';
import { project } from '../resources/project/resource.ts';

const usage = 'Usage: npm run graphql:compare -- FOLDER, where FOLDER holds a catalog named graphql.json.';

/** `graphql:compare FOLDER` prints how the schema differs from a catalog. Differences that are meant fail nothing. */
export function runGraphqlCompareCommand(args: readonly string[]): void {
  const [folder, ...others] = args;
  if (folder === undefined || others.length > 0) throw new Error(usage);
  // The command is for catalogs of this form; another one fails at the first type.
  const catalog = JSON.parse(readFileSync(join(folder, 'graphql.json'), 'utf8')) as Catalog;
  const differences = compareWithCatalog(createSchema(createRegistry(allResources, project)), catalog);
  const unmeant = differences.filter(({ place }) => reasonOf(place) === undefined);
  for (const difference of differences) process.stdout.write(`${lineOf(difference)}\n`);
  process.stdout.write(`${differences.length - unmeant.length} differences are meant, ${unmeant.length} are not.\n`);
  if (unmeant.length > 0) process.exitCode = 1;
}

function lineOf({ place, catalog, schema }: Difference): string {
  const reason = reasonOf(place);
  return `${place}: ${catalog ?? 'not in the catalog'} | ${schema ?? 'missing'}${reason === undefined ? '' : ` (meant: ${reason})`}`;
}

const partly = 'the resource is built in part';

/** Why a member or a type differs, by `Type.member` or `Type`. */
const reasons: ReadonlyMap<string, string> = new Map([
  ...[
    'Cart',
    'CartDraft',
    'CartUpdateAction',
    'MyCartDraft',
    'MyCartUpdateAction',
    'LineItem',
    'LineItemDraft',
    'MyLineItemDraft',
    'AddCartLineItem',
    'AddMyCartLineItem',
    'AddCartCustomLineItem',
    'CustomLineItem',
    'CustomLineItemDraft',
    'DiscountTypeCombination',
    'DiscountTypeCombinationType',
    'InStore.cart',
    'InStore.carts',
    'InStore.customerActiveCart',
    'InStoreMe.activeCart',
    'InStoreMe.cart',
    'InStoreMe.carts',
    'InventoryMode',
    'Me.activeCart',
    'Me.cart',
    'Me.carts',
    'Mutation.createCart',
    'Mutation.createMyCart',
    'Mutation.deleteCart',
    'Mutation.deleteMyCart',
    'Mutation.mergeCart',
    'Mutation.replicateCart',
    'Mutation.replicateMyCart',
    'Mutation.updateCart',
    'Mutation.updateMyCart',
    'Query.cart',
    'Query.customerActiveCart',
  ].map((place): [string, string] => [place, partly]),
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
  ...[
    'CustomerSignInResult.cart',
    'CustomerSignInDraft.anonymousCart',
    'CustomerSignInDraft.anonymousCartId',
    'CustomerSignInDraft.anonymousId',
    'CustomerSignUpDraft.anonymousCart',
    'CustomerSignUpDraft.anonymousCartId',
    'CustomerSignUpDraft.anonymousId',
  ].map((place): [string, string] => [place, 'carts belong to no customer yet']),
  ['Mutation.bulkUpdateVariants', 'variants come with the modular catalog'],
  ...['InStore.discountCode', 'InStore.discountCodes'].map((place): [string, string] => [
    place,
    'the stores of a discount code come with the pricing of carts',
  ]),
  ...['Mutation.signUpInMyBusinessUnit', 'Query.asAssociate'].map((place): [string, string] => [
    place,
    'associates come with business units',
  ]),
  ...['ProductData.defaultVariant', 'ProductData.defaultVariantRef', 'ProductUpdateAction.setDefaultVariant'].map(
    (place): [string, string] => [place, 'variants come with the modular catalog'],
  ),
  ...[
    'ProductPrice.recurrencePolicy',
    'ProductPrice.recurrencePolicyRef',
    'ProductPriceDataInput.recurrencePolicy',
    'ProductVariant.allRecurrencePrices',
  ].map((place): [string, string] => [place, 'there are no recurring orders']),
  ...['ProductVariant.price', 'ProductSearchVariant.price', 'ProductSearchVariant.allRecurrencePrices'].map(
    (place): [string, string] => [place, 'there are no recurring orders'],
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
  ].map((place): [string, string] => [place, 'associates come with business units']),
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
  ...[
    'RemoveCartDiscountCode',
    'CustomShippingDraft',
    'SetCartCustomShippingMethod',
    'AddCartCustomShippingMethod',
  ].map((place): [string, string] => [place, 'decisions.md #60']),
  ...['HttpSubscriptionDestination', 'HttpSubscriptionDestinationInput', 'DestinationInput.HTTP'].map(
    (place): [string, string] => [place, 'the destination that needs no cloud'],
  ),
  ['ImportOrderDraft.shippingDetails', 'in REST items alone have them'],
  ...['Mutation.updateOrder', 'OrderUpdateAction.setBusinessUnit'].map((place): [string, string] => [
    place,
    'associates come with business units',
  ]),
  ...[
    'AddStagedOrderCustomLineItem.recurrenceInfo',
    'AddStagedOrderLineItem.recurrenceInfo',
    'CustomLineItemDraftOutput.recurrenceInfo',
    'LineItemDraftOutput.recurrenceInfo',
  ].map((place): [string, string] => [place, 'there are no recurring orders']),
  ['StagedOrderUpdateAction.setBusinessUnit', 'associates come with business units'],
  ['ExternalTaxRateDraft.amount', 'with sub-rates it follows from them'],
  ...['DeliveryDraft', 'ParcelDraft'].map((place): [string, string] => [
    place,
    'ids and times are given by the platform',
  ]),
]);

function reasonOf(place: string): string | undefined {
  const [type = ''] = place.split(/[. ]/);
  return reasons.get(place) ?? reasons.get(type);
}
