/** What GraphQL calls otherwise of edits of orders than their fields and actions say. */
import type { GraphqlNames } from '../../engine/resource.ts';

export const graphql: Partial<GraphqlNames> = {
  many: 'orderEdits',
  members: {
    'OrderEditDraft.stagedActions': '[StagedOrderUpdateAction!]!',
    'OrderExcerpt.version': 'Long',
    'OrderCustomLineItemRemoved.customLineItem': 'CustomLineItem',
    'OrderCustomLineItemQuantityChanged.oldQuantity': 'Long',
    'AddStagedOrderDelivery.items': '[DeliveryItemDraftType!] = []',
    'AddStagedOrderDelivery.parcels': '[ParcelDataDraftType!] = []',
    'AddStagedOrderParcelToDelivery.items': '[DeliveryItemDraftType!] = []',
    'SetStagedOrderReturnInfo.items': '[ReturnInfoDraftType!] = []',
    'TransitionStagedOrderState.force': 'Boolean = false',
    'AddStagedOrderCustomLineItem.shippingDetails': 'ItemShippingDetailsDraftType',
    'AddStagedOrderLineItem.shippingDetails': 'ItemShippingDetailsDraftType',
    'AddStagedOrderLineItem.perMethodExternalTaxRate': '[MethodExternalTaxRateDraft!] = []',
    'RemoveStagedOrderDiscountCode.discountCode': 'ReferenceInput!',
    'RemoveStagedOrderLineItem.shippingDetailsToRemove': 'ItemShippingDetailsDraftType',
    'SetStagedOrderOrderTotalTax.externalTaxPortions': '[TaxPortionDraft!] = []',
    'SetStagedOrderOrderTotalTax.externalTotalGross': 'MoneyInput',
    'SetStagedOrderOrderTotalTaxOutput.externalTotalGross': 'Money',
    'LineItemDraftOutput.distributionChannelResId': 'ResourceIdentifier',
    'LineItemDraftOutput.supplyChannelResId': 'ResourceIdentifier',
  },
};
