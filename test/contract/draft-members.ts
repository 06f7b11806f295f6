/**
 * Members of the drafts of the public API, as its description has them; in brackets those of the objects that a member holds,
 * or that its list holds.
 */
export const draftMembers: Readonly<Record<string, string>> = {
  'inventory-entry':
    'sku key supplyChannel quantityOnStock minCartQuantity maxCartQuantity restockableInDays expectedDelivery ' +
    'reservationExpirationInMinutes stockLevels(reorderPoint safetyStock) custom(type fields)',
  'attribute-group': 'name description attributes key',
  cart:
    'currency key customerId customerEmail customerGroup anonymousId businessUnit store lineItems(key ' +
    'productId variantId sku quantity addedAt distributionChannel supplyChannel externalPrice(centAmount ' +
    'currencyCode type fractionDigits preciseAmount) externalTotalPrice(price(centAmount currencyCode ' +
    'type fractionDigits preciseAmount) totalPrice(centAmount currencyCode type fractionDigits ' +
    'preciseAmount)) externalTaxRate(name amount includedInPrice country state subRates(name amount)) ' +
    'perMethodExternalTaxRate(shippingMethodKey taxRate(name amount includedInPrice country state ' +
    'subRates(name amount))) inventoryMode shippingDetails(targets(addressKey quantity ' +
    'shippingMethodKey)) custom(type fields) recurrenceInfo(recurrencePolicy priceSelectionMode)) ' +
    'customLineItems(name key quantity money(centAmount currencyCode type fractionDigits preciseAmount) ' +
    'slug taxCategory externalTaxRate(name amount includedInPrice country state subRates(name amount)) ' +
    'custom(type fields) shippingDetails(targets(addressKey quantity shippingMethodKey)) priceMode ' +
    'recurrenceInfo(recurrencePolicy)) taxMode externalTaxRateForShippingMethod(name amount ' +
    'includedInPrice country state subRates(name amount)) priceRoundingMode taxRoundingMode ' +
    'taxCalculationMode inventoryMode billingAddress(id key country title salutation firstName lastName ' +
    'streetName streetNumber additionalStreetInfo postalCode city region state company department ' +
    'building apartment pOBox phone mobile email fax additionalAddressInfo externalId) shippingAddress(id ' +
    'key country title salutation firstName lastName streetName streetNumber additionalStreetInfo ' +
    'postalCode city region state company department building apartment pOBox phone mobile email fax ' +
    'additionalAddressInfo externalId) shippingMethod shippingRateInput(type key score) shippingMode ' +
    'customShipping(key shippingMethodName shippingAddress(id key country title salutation firstName ' +
    'lastName streetName streetNumber additionalStreetInfo postalCode city region state company ' +
    'department building apartment pOBox phone mobile email fax additionalAddressInfo externalId) ' +
    'shippingRate(price(centAmount currencyCode type fractionDigits preciseAmount) freeAbove(centAmount ' +
    'currencyCode type fractionDigits preciseAmount) tiers(type value price(centAmount currencyCode type ' +
    'fractionDigits preciseAmount) isMatching score priceFunction(currencyCode function) ' +
    'minimumCentAmount)) shippingRateInput(type key score) taxCategory externalTaxRate(name amount ' +
    'includedInPrice country state subRates(name amount)) deliveries(key items(id quantity) parcels(key ' +
    'measurements(heightInMillimeter lengthInMillimeter widthInMillimeter weightInGram) ' +
    'trackingData(trackingId carrier provider providerTransaction isReturn) items(id quantity) ' +
    'custom(type fields)) address(id key country title salutation firstName lastName streetName ' +
    'streetNumber additionalStreetInfo postalCode city region state company department building apartment ' +
    'pOBox phone mobile email fax additionalAddressInfo externalId custom(type fields)) custom(type ' +
    'fields)) custom(type fields)) shipping(key shippingMethod shippingAddress(id key country title ' +
    'salutation firstName lastName streetName streetNumber additionalStreetInfo postalCode city region ' +
    'state company department building apartment pOBox phone mobile email fax additionalAddressInfo ' +
    'externalId) shippingRateInput(type key score) externalTaxRate(name amount includedInPrice country ' +
    'state subRates(name amount)) deliveries(key items(id quantity) parcels(key ' +
    'measurements(heightInMillimeter lengthInMillimeter widthInMillimeter weightInGram) ' +
    'trackingData(trackingId carrier provider providerTransaction isReturn) items(id quantity) ' +
    'custom(type fields)) address(id key country title salutation firstName lastName streetName ' +
    'streetNumber additionalStreetInfo postalCode city region state company department building apartment ' +
    'pOBox phone mobile email fax additionalAddressInfo externalId custom(type fields)) custom(type ' +
    'fields)) custom(type fields)) itemShippingAddresses(id key country title salutation firstName ' +
    'lastName streetName streetNumber additionalStreetInfo postalCode city region state company ' +
    'department building apartment pOBox phone mobile email fax additionalAddressInfo externalId) ' +
    'discountCodes country locale origin deleteDaysAfterLastModification custom(type fields) ' +
    'purchaseOrderNumber',
  order:
    'id cart version orderNumber purchaseOrderNumber paymentState shipmentState orderState state custom(type fields)',
  'order-edit': 'key resource stagedActions comment dryRun custom(type fields)',
  'cart-discount':
    'name key description value(type money(centAmount currencyCode type fractionDigits preciseAmount) ' +
    'applicationMode product variantId supplyChannel distributionChannel permyriad) cartPredicate ' +
    'target(type predicate triggerQuantity discountedQuantity maxOccurrence selectionMode ' +
    'triggerPattern(type predicate minCount maxCount excludeCount) targetPattern(type predicate minCount ' +
    'maxCount excludeCount)) sortOrder stores isActive validFrom validUntil requiresDiscountCode ' +
    'stackingMode custom(type fields) discountGroup recurringOrderScope(type recurrencePolicies)',
  category:
    'name slug description parent orderHint externalId metaTitle metaDescription metaKeywords custom(type ' +
    'fields) assets(sources(uri key dimensions(w h) contentType) name description tags custom(type ' +
    'fields) key) key',
  channel:
    'key roles name description address(id key country title salutation firstName lastName streetName ' +
    'streetNumber additionalStreetInfo postalCode city region state company department building apartment ' +
    'pOBox phone mobile email fax additionalAddressInfo externalId) custom(type fields) geoLocation',
  customer:
    'key customerNumber externalId email password firstName lastName middleName title anonymousCartId ' +
    'anonymousCart anonymousId dateOfBirth companyName vatId addresses(id key country title salutation ' +
    'firstName lastName streetName streetNumber additionalStreetInfo postalCode city region state company ' +
    'department building apartment pOBox phone mobile email fax additionalAddressInfo externalId) ' +
    'defaultShippingAddress shippingAddresses defaultBillingAddress billingAddresses isEmailVerified ' +
    'customerGroup customerGroupAssignments(customerGroup) custom(type fields) locale salutation stores ' +
    'authenticationMode',
  'customer-group': 'key groupName custom(type fields)',
  'discount-code':
    'key name description code cartDiscounts cartPredicate isActive maxApplications ' +
    'maxApplicationsPerCustomer custom(type fields) groups validFrom validUntil',
  'key-value-document': 'container key value version',
  product:
    'productType name slug key description categories categoryOrderHints metaTitle metaDescription ' +
    'metaKeywords masterVariant(sku key prices(key value(centAmount currencyCode type fractionDigits ' +
    'preciseAmount) country customerGroup channel validFrom validUntil discounted(value(centAmount ' +
    'currencyCode type fractionDigits preciseAmount) discount) tiers(minimumQuantity value(centAmount ' +
    'currencyCode type fractionDigits preciseAmount)) custom(type fields) recurrencePolicy) ' +
    'attributes(name value) images(url dimensions(w h) label) assets(sources(uri key dimensions(w h) ' +
    'contentType) name description tags custom(type fields) key)) variants(sku key prices(key ' +
    'value(centAmount currencyCode type fractionDigits preciseAmount) country customerGroup channel ' +
    'validFrom validUntil discounted(value(centAmount currencyCode type fractionDigits preciseAmount) ' +
    'discount) tiers(minimumQuantity value(centAmount currencyCode type fractionDigits preciseAmount)) ' +
    'custom(type fields) recurrencePolicy) attributes(name value) images(url dimensions(w h) label) ' +
    'assets(sources(uri key dimensions(w h) contentType) name description tags custom(type fields) key)) ' +
    'taxCategory searchKeywords state publish priceMode attributes(name value)',
  'product-discount':
    'name key description value(type money(centAmount currencyCode) permyriad) predicate sortOrder isActive validFrom validUntil',
  'product-selection': 'key name custom(type fields) type mode',
  'product-type':
    'key name description attributes(type(name values(key label) typeReference referenceTypeId ' +
    'elementType) name label isRequired level attributeConstraint inputTip inputHint isSearchable)',
  review: 'key uniquenessValue locale authorName title text target state rating customer custom(type fields)',
  'shipping-method':
    'key name localizedName description localizedDescription taxCategory zoneRates(zone ' +
    'shippingRates(price(centAmount currencyCode type fractionDigits preciseAmount) freeAbove(centAmount ' +
    'currencyCode type fractionDigits preciseAmount) tiers(type value price(centAmount currencyCode type ' +
    'fractionDigits preciseAmount) isMatching score priceFunction(currencyCode function) ' +
    'minimumCentAmount))) active isDefault predicate custom(type fields) stores carrier',
  'standalone-price':
    'key sku value(centAmount currencyCode type fractionDigits preciseAmount) country customerGroup channel validFrom validUntil tiers(minimumQuantity ' +
    'value(centAmount currencyCode type fractionDigits preciseAmount)) discounted(value(' +
    'centAmount currencyCode type fractionDigits preciseAmount) discount) custom(type fields) recurrencePolicy ' +
    'staged(value(centAmount currencyCode type fractionDigits preciseAmount)) active',
  state: 'key type name description initial roles transitions',
  store:
    'key name languages countries(code) distributionChannels supplyChannels ' +
    'productSelections(productSelection active) custom(type fields) storefront(checkoutUrlTemplate ' +
    'orderUrlTemplate termsOfServiceUrl privacyPolicyUrl refundPolicyUrl shippingPolicyUrl ' +
    'cookiePolicyUrl imprintUrl faqUrl contactUrl)',
  'tax-category': 'name description rates(name amount includedInPrice country state subRates(name amount) key) key',
  type:
    'key name description resourceTypeIds fieldDefinitions(type(name values(key label) referenceTypeId ' +
    'elementType) name label required inputHint)',
  zone: 'key name description locations(country state)',
  extension:
    'key destination(type url authentication(type headerValue key) arn accessKey accessSecret) ' +
    'triggers(resourceTypeId actions condition) timeoutInMs dependencies expansionPaths ' +
    'additionalContext(includeOldResource)',
  subscription:
    'key destination(type url authentication(type headerValue key) uri accessKey queueUrl accessSecret region ' +
    'authenticationMode topicArn connectionString projectId topic accountId bootstrapServer apiKey apiSecret acks) ' +
    'messages(resourceTypeId types) changes(resourceTypeId) events(resourceTypeId types) format(type cloudEventsVersion)',
  'discount-group': 'name key description sortOrder isActive',
  payment:
    'customer anonymousId externalId interfaceId amountPlanned(centAmount currencyCode type ' +
    'fractionDigits preciseAmount) amountAuthorized(centAmount currencyCode type fractionDigits ' +
    'preciseAmount) authorizedUntil amountPaid(centAmount currencyCode type fractionDigits preciseAmount) ' +
    'amountRefunded(centAmount currencyCode type fractionDigits preciseAmount) ' +
    'paymentMethodInfo(paymentInterface method name token(value) interfaceAccount custom(type fields)) ' +
    'paymentStatus(interfaceCode interfaceText state) transactions(timestamp type amount(centAmount ' +
    'currencyCode type fractionDigits preciseAmount) interactionId state custom(type fields) interfaceId) ' +
    'interfaceInteractions(type fields) custom(type fields) key',
  'shopping-list':
    'name slug customer key description anonymousId deleteDaysAfterLastModification lineItems(key ' +
    'productId variantId sku addedAt custom(type fields) quantity) textLineItems(key addedAt custom(type ' +
    'fields) description name quantity) store businessUnit custom(type fields)',
};
