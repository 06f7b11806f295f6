/** What GraphQL calls otherwise of orders than their fields and actions say. */
import type { GraphqlNames } from '../../engine/resource.ts';

export const graphql: Partial<GraphqlNames> = {
  queryInterfaces: { OrderQueryInterface: ['order', 'orders'] },
  create: 'createOrderFromCart',
  draft: 'OrderCartCommand',
  actions: {
    changeOrderState: 'ChangeOrderState',
    // REST alone has it.
    setEstimatedDelivery: null,
    setOrderNumber: 'SetOrderNumber',
    transitionState: 'TransitionOrderState',
  },
  members: {
    'AddOrderDelivery.items': '[DeliveryItemDraftType!] = []',
    'AddOrderDelivery.parcels': '[ParcelDataDraftType!] = []',
    'AddOrderParcelToDelivery.items': '[DeliveryItemDraftType!] = []',
    'ItemShippingDetailsDraftType.targets': '[ShippingTargetDraftType!] = []',
    'ImportOrderDraft.lineItems': '[LineItemImportDraft!]! = []',
    'ImportOrderDraft.customLineItems': '[CustomLineItemImportDraft!]! = []',
    'ImportOrderDraft.inventoryMode': 'InventoryMode = None',
    'ImportOrderDraft.taxCalculationMode': 'TaxCalculationMode = LineItemLevel',
    'ImportOrderDraft.priceRoundingMode': 'RoundingMode = HalfEven',
    'ImportOrderDraft.taxRoundingMode': 'RoundingMode = HalfEven',
    'ImportOrderDraft.origin': 'CartOrigin = Customer',
    'ImportOrderDraft.itemShippingAddresses': '[AddressInput!] = []',
    'TaxRateInput.subRates': '[SubRateDraft!] = []',
    'ProductVariantImportDraft.prices': '[ProductPriceDataInput!] = []',
    'ProductVariantImportDraft.images': '[ImageInput!] = []',
    'ProductVariantImportDraft.attributes': '[ProductAttributeInput!] = []',
    'ShippingInfoImportDraft.deliveries': '[DeliveryDraft!]! = []',
    'ShippingInfoImportDraft.shippingMethodState': 'ShippingMethodState! = MatchesCart',
    'DiscountedLineItemPriceDraft.includedDiscounts': '[DiscountedLineItemPortionDraft!] = []',
    'ParcelDataDraftType.items': '[DeliveryItemDraftType!] = []',
    'SetOrderReturnInfo.items': '[ReturnInfoDraftType!] = []',
    'TransitionOrderState.force': 'Boolean = false',
  },
};
