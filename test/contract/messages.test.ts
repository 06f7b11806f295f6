/**
 * The types of messages that the public API's description has for kinds of this platform, with the members of their payloads.
 * Facts of that description.
 */
import t from 'tap';
import { allResources } from '../../src/resources/all.ts';

const publicTypes: Readonly<Record<string, string>> = {
  cart: `
    CartEstimatedDeliverySet estimatedDelivery? shippingKey?
    CartFrozen
    CartLocked
    CartPurchaseOrderNumberSet purchaseOrderNumber? oldPurchaseOrderNumber?
    CartUnfrozen
    CartUnlocked
  `,
  'cart-discount': `
    CartDiscountCreated cartDiscount
    CartDiscountDeleted
    CartDiscountStoreAdded store
    CartDiscountStoreRemoved store
    CartDiscountStoresSet stores
  `,
  category: `
    CategoryCreated category
    CategorySlugChanged slug oldSlug?
  `,
  customer: `
    CustomerAddressAdded address
    CustomerAddressChanged address addressRoles
    CustomerAddressCustomFieldAdded name value addressId?
    CustomerAddressCustomFieldChanged name value previousValue? addressId?
    CustomerAddressCustomFieldRemoved name addressId?
    CustomerAddressCustomTypeRemoved previousTypeId? addressId?
    CustomerAddressCustomTypeSet customFields previousTypeId? addressId?
    CustomerAddressRemoved address addressRoles
    CustomerBillingAddressAdded address
    CustomerBillingAddressRemoved address
    CustomerCompanyNameSet companyName?
    CustomerCreated customer
    CustomerCustomFieldAdded name value
    CustomerCustomFieldChanged name value previousValue?
    CustomerCustomFieldRemoved name
    CustomerCustomTypeRemoved previousTypeId?
    CustomerCustomTypeSet customFields previousTypeId?
    CustomerDateOfBirthSet dateOfBirth?
    CustomerDefaultBillingAddressSet address?
    CustomerDefaultShippingAddressSet address?
    CustomerDeleted email?
    CustomerEmailChanged email oldEmail
    CustomerEmailTokenCreated customerId expiresAt value? invalidateOlderTokens
    CustomerEmailVerified
    CustomerExternalIdSet externalId?
    CustomerFirstNameSet firstName?
    CustomerLastNameSet lastName?
    CustomerPasswordTokenCreated customerId expiresAt value? invalidateOlderTokens
    CustomerPasswordUpdated reset
    CustomerShippingAddressAdded address
    CustomerShippingAddressRemoved address
    CustomerStoresSet stores oldStores
    CustomerTitleSet title?
  `,
  'customer-group': `
    CustomerGroupAssignmentAdded customerGroupAssignment
    CustomerGroupAssignmentRemoved customerGroupAssignment
    CustomerGroupAssignmentsSet customerGroupAssignments oldCustomerGroupAssignments
    CustomerGroupCustomFieldAdded name value
    CustomerGroupCustomFieldChanged name value oldValue?
    CustomerGroupCustomFieldRemoved name
    CustomerGroupCustomTypeRemoved oldTypeId?
    CustomerGroupCustomTypeSet customFields oldTypeId?
    CustomerGroupSet customerGroup?
  `,
  'discount-code': `
    DiscountCodeCreated discountCode
    DiscountCodeDeleted
    DiscountCodeKeySet key? oldKey?
  `,
  'discount-group': `
    DiscountGroupCreated discountGroup
    DiscountGroupDeleted
    DiscountGroupIsActiveSet isActive? oldIsActive?
    DiscountGroupKeySet key? oldKey?
    DiscountGroupSortOrderSet sortOrder? oldSortOrder?
  `,
  'inventory-entry': `
    InventoryEntryCreated inventoryEntry
    InventoryEntryDeleted sku supplyChannel?
    InventoryEntryOutOfStock sku supplyChannel?
    InventoryEntryQuantitySet oldQuantityOnStock newQuantityOnStock oldAvailableQuantity newAvailableQuantity sku? supplyChannel?
    InventoryEntryReorderPoint sku quantityOnStock supplyChannel?
    InventoryEntryReservationExpirationInMinutesSet newReservationExpirationInMinutes? oldReservationExpirationInMinutes?
    InventoryEntrySafetyStock sku quantityOnStock supplyChannel?
  `,
  order: `
    CustomLineItemStateTransition customLineItemId customLineItemKey? transitionDate quantity fromState toState
    DeliveryAdded delivery shippingKey?
    DeliveryAddressSet deliveryId address? oldAddress? shippingKey?
    DeliveryCustomFieldAdded name value deliveryId
    DeliveryCustomFieldChanged name value previousValue? deliveryId
    DeliveryCustomFieldRemoved name deliveryId
    DeliveryCustomTypeRemoved previousTypeId? deliveryId
    DeliveryCustomTypeSet customFields previousTypeId? deliveryId
    DeliveryItemsUpdated deliveryId items oldItems shippingKey?
    DeliveryRemoved delivery shippingKey?
    LineItemStateTransition lineItemId lineItemKey? transitionDate quantity fromState toState
    OrderBillingAddressSet address? oldAddress?
    OrderBusinessUnitSet businessUnit? oldbusinessUnit?
    OrderCreated order
    OrderCreatedFromRecurringOrder order recurringOrderRef
    OrderCustomFieldAdded name value
    OrderCustomFieldChanged name value previousValue?
    OrderCustomFieldRemoved name
    OrderCustomLineItemAdded customLineItem
    OrderCustomLineItemDiscountSet customLineItemId customLineItemKey? discountedPricePerQuantity taxedPrice?
    OrderCustomLineItemQuantityChanged customLineItemId customLineItemKey? quantity oldQuantity
    OrderCustomLineItemRemoved customLineItemId customLineItemKey? customLineItem
    OrderCustomTypeRemoved previousTypeId?
    OrderCustomTypeSet customFields previousTypeId?
    OrderCustomerEmailSet email? oldEmail?
    OrderCustomerGroupSet customerGroup? oldCustomerGroup?
    OrderCustomerSet customer? customerGroup? oldCustomer? oldCustomerGroup?
    OrderDeleted order
    OrderDiscountCodeAdded discountCode
    OrderDiscountCodeRemoved discountCode
    OrderDiscountCodeStateSet discountCode state oldState?
    OrderEditApplied edit result
    OrderEstimatedDeliverySet estimatedDelivery? shippingKey?
    OrderImported order
    OrderLineItemAdded lineItem addedQuantity
    OrderLineItemDiscountSet lineItemId lineItemKey? discountedPricePerQuantity totalPrice taxedPrice? taxedPricePortions
    OrderLineItemDistributionChannelSet lineItemId lineItemKey? distributionChannel?
    OrderLineItemRemoved lineItemId lineItemKey? removedQuantity newQuantity newState newTotalPrice newTaxedPrice? newPrice? newShippingDetail?
    OrderPaymentAdded paymentRef
    OrderPaymentRemoved paymentRef removedPaymentInfo
    OrderPaymentStateChanged paymentState oldPaymentState?
    OrderPurchaseOrderNumberSet purchaseOrderNumber? oldPurchaseOrderNumber?
    OrderReturnShipmentStateChanged returnItemId returnShipmentState
    OrderShipmentStateChanged shipmentState oldShipmentState?
    OrderShippingAddressSet address? oldAddress?
    OrderShippingInfoSet shippingInfo? oldShippingInfo?
    OrderShippingRateInputSet shippingRateInput? oldShippingRateInput?
    OrderStateChanged orderState oldOrderState?
    OrderStateTransition state oldState? force
    OrderStoreSet store?
    ParcelAddedToDelivery delivery parcel shippingKey?
    ParcelItemsUpdated parcelId deliveryId items oldItems shippingKey?
    ParcelMeasurementsUpdated deliveryId parcelId measurements? shippingKey?
    ParcelRemovedFromDelivery deliveryId parcel shippingKey?
    ParcelTrackingDataUpdated deliveryId parcelId trackingData? shippingKey?
    ReturnInfoAdded returnInfo
    ReturnInfoSet returnInfo?
  `,
  payment: `
    PaymentCreated payment
    PaymentInteractionAdded interaction
    PaymentInterfaceIdSet interfaceId? oldInterfaceId?
    PaymentMethodInfoCustomFieldAdded name value
    PaymentMethodInfoCustomFieldChanged name value
    PaymentMethodInfoCustomFieldRemoved name
    PaymentMethodInfoCustomTypeRemoved oldTypeId?
    PaymentMethodInfoCustomTypeSet customFields oldTypeId?
    PaymentMethodInfoInterfaceAccountSet interfaceAccount? oldInterfaceAccount?
    PaymentMethodInfoInterfaceSet interface? oldInterface?
    PaymentMethodInfoMethodSet method? oldMethod?
    PaymentMethodInfoNameSet name? oldName?
    PaymentMethodInfoTokenSet token? oldToken?
    PaymentStatusInterfaceCodeSet paymentId interfaceCode?
    PaymentStatusStateTransition state force
    PaymentTransactionAdded transaction
    PaymentTransactionInterfaceIdSet transactionId newInterfaceId? oldInterfaceId?
    PaymentTransactionStateChanged transactionId state
  `,
  product: `
    ProductAddedToCategory category staged
    ProductCreated productProjection
    ProductDeleted removedImageUrls currentProjection?
    ProductImageAdded variantId image staged
    ProductPriceAdded variantId price staged
    ProductPriceChanged variantId oldPrice newPrice staged oldStagedPrice?
    ProductPriceCustomFieldAdded priceId variantId staged name value
    ProductPriceCustomFieldChanged priceId variantId staged name value
    ProductPriceCustomFieldRemoved priceId variantId staged name
    ProductPriceCustomFieldsRemoved priceId variantId staged
    ProductPriceCustomFieldsSet priceId variantId staged customField oldTypeId?
    ProductPriceDiscountsSet updatedPrices
    ProductPriceExternalDiscountSet variantId variantKey? sku? priceId discounted? staged
    ProductPriceKeySet variantId priceId? oldKey? key? staged
    ProductPriceModeSet to
    ProductPriceRemoved variantId price staged
    ProductPricesSet variantId prices staged
    ProductPublished removedImageUrls productProjection scope
    ProductRemovedFromCategory category staged
    ProductRevertedStagedChanges removedImageUrls
    ProductSlugChanged slug oldSlug?
    ProductStateTransition state force
    ProductUnpublished
    ProductVariantAdded variant staged
    ProductVariantDeleted variant? removedImageUrls staged
    ProductVariantTailoringAdded store productKey? product variantId variant
    ProductVariantTailoringRemoved store productKey? product variantId variant
  `,
  'product-selection': `
    ProductSelectionCreated productSelection
    ProductSelectionDeleted
    ProductSelectionProductAdded product variantSelection?
    ProductSelectionProductExcluded product variantExclusion?
    ProductSelectionProductRemoved product
    ProductSelectionVariantExclusionChanged product oldVariantExclusion? newVariantExclusion?
    ProductSelectionVariantSelectionChanged product oldVariantSelection? newVariantSelection?
  `,
  review: `
    ReviewCreated review
    ReviewRatingSet oldRating? newRating? includedInStatistics target?
    ReviewStateTransition oldState? newState oldIncludedInStatistics newIncludedInStatistics target? force
  `,
  'shopping-list': `
    ShoppingListLineItemAdded lineItem
    ShoppingListLineItemRemoved lineItem
  `,
  'standalone-price': `
    StandalonePriceActiveChanged active oldActive
    StandalonePriceCreated standalonePrice
    StandalonePriceDeleted sku
    StandalonePriceDiscountSet discounted?
    StandalonePriceExternalDiscountSet discounted?
    StandalonePriceKeySet key? oldKey?
    StandalonePriceStagedChangesApplied stagedChanges
    StandalonePriceStagedChangesRemoved stagedChanges
    StandalonePriceTierAdded tier
    StandalonePriceTierRemoved removedTier
    StandalonePriceTiersSet tiers previousTiers
    StandalonePriceValidFromAndUntilSet validFrom? previousValidFrom? validUntil? previousValidUntil?
    StandalonePriceValidFromSet validFrom? previousValidFrom?
    StandalonePriceValidUntilSet validUntil? previousValidUntil?
    StandalonePriceValueChanged value staged oldValue?
  `,
  store: `
    StoreCheckoutUrlTemplateSet checkoutUrlTemplate?
    StoreContactUrlSet contactUrl?
    StoreCookiePolicyUrlSet cookiePolicyUrl?
    StoreCountriesChanged addedCountries? removedCountries?
    StoreCreated name? languages? countries? distributionChannels supplyChannels productSelections custom?
    StoreDeleted
    StoreDistributionChannelsChanged addedDistributionChannels? removedDistributionChannels?
    StoreFaqUrlSet faqUrl?
    StoreImprintUrlSet imprintUrl?
    StoreLanguagesChanged addedLanguages? removedLanguages?
    StoreNameSet name? nameAllLocales?
    StoreOrderUrlTemplateSet orderUrlTemplate?
    StorePrivacyPolicyUrlSet privacyPolicyUrl?
    StoreProductSelectionsChanged addedProductSelections? removedProductSelections? updatedProductSelections?
    StoreRefundPolicyUrlSet refundPolicyUrl?
    StoreShippingPolicyUrlSet shippingPolicyUrl?
    StoreSupplyChannelsChanged addedSupplyChannels? removedSupplyChannels?
    StoreTermsOfServiceUrlSet termsOfServiceUrl?
  `,
};

const declared = new Map(
  allResources
    .filter(({ kind, telling }) => Object.hasOwn(publicTypes, telling?.about ?? kind))
    .flatMap(({ telling }) => telling?.types ?? [])
    .map(({ type, fields }) => [type, fields]),
);

/** What this version does not tell, for it has no such parts. */
const missing: ReadonlySet<string> = new Set([
  // Business units and recurring orders.
  'OrderBusinessUnitSet',
  'OrderCreatedFromRecurringOrder',
  'ProductVariantTailoringAdded',
  'ProductVariantTailoringRemoved',
]);

/** Members that differ, and why. */
const meant: ReadonlyMap<string, string> = new Map([
  // An address of a customer has an id.
  ...['FieldAdded', 'FieldChanged', 'FieldRemoved', 'TypeRemoved', 'TypeSet'].map((name): [string, string] => [
    `CustomerAddressCustom${name}`,
    'with addressId, without addressId?',
  ]),
  // The name has all locales.
  ['StoreNameSet', 'without nameAllLocales?'],
]);

const listed = Object.values(publicTypes).flatMap((text) =>
  text
    .split('\n')
    .map((line) => line.trim().split(' '))
    .filter(([type]) => type !== ''),
);

t.test('every public type of the kinds that there are is declared, and no other', async (t) => {
  const names = listed.map(([type]) => type!);
  t.strictSame(
    names.filter((name) => !declared.has(name)),
    [...missing],
  );
  t.strictSame(
    [...declared.keys()].filter((name) => !names.includes(name)),
    [],
  );
});

t.test('payloads have the members of the public ones', async (t) => {
  for (const [type = '', ...members] of listed) {
    const fields = declared.get(type);
    if (fields === undefined) continue;
    const own = Object.entries(fields).map(([name, { presence }]) => `${name}${presence === 'required' ? '' : '?'}`);
    const differences = [
      ...members.filter((member) => !own.includes(member)).map((member) => `without ${member}`),
      ...own.filter((member) => !members.includes(member)).map((member) => `with ${member}`),
    ];
    t.equal(differences.toSorted().join(', '), meant.get(type) ?? '', type);
  }
});
