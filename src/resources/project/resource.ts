import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import type { ProjectDeclaration } from '../../engine/resource.ts';
import {
  changeBusinessUnitSearchStatus,
  changeCountryTaxRateFallbackEnabled,
  changeCustomerSearchStatus,
  changeMessagesEnabled,
  changeMyBusinessUnitStatusOnCreation,
  changeOrderSearchStatus,
  changePasswordPolicy,
  changePriceRoundingMode,
  changeProductSearchIndexingEnabled,
  changeTaxRoundingMode,
  setMyBusinessUnitAssociateRoleOnCreation,
  setReleaseExpiredReservations,
  setReservationExpirationInMinutes,
} from './actions.ts';
import { languageInUse } from './checks.ts';
import { base, fields, type Settings } from './fields.ts';

const resource = defineResource({
  kind: 'project',
  typeName: 'ProjectProjection',
  schemaName: 'Project',
  path: '',
  scopes: { view: ['view_project_settings'], manage: ['manage_project_settings'] },
  base,
  fields,
  actions: {
    changeName: change('name'),
    changeCountries: change('countries'),
    changeCurrencies: change('currencies'),
    changeLanguages: change('languages'),
    changeMessagesEnabled,
    changeMessagesConfiguration: change('messages', 'messagesConfiguration'),
    changeCartsConfiguration: change('carts', 'cartsConfiguration'),
    changeCountryTaxRateFallbackEnabled,
    changePriceRoundingMode,
    changeTaxRoundingMode,
    changeShoppingListsConfiguration: change('shoppingLists', 'shoppingListsConfiguration'),
    changeProductSearchIndexingEnabled,
    changeOrderSearchStatus,
    changeCustomerSearchStatus,
    changeBusinessUnitSearchStatus,
    changeMyBusinessUnitStatusOnCreation,
    setMyBusinessUnitAssociateRoleOnCreation,
    setShippingRateInputType: set('shippingRateInputType'),
    setExternalOAuth: set('externalOAuth'),
    setDiscountsConfiguration: change('discounts', 'discountsConfiguration'),
    setReservationExpirationInMinutes,
    setReleaseExpiredReservations,
    setProductCatalogModel: change('productCatalogModel'),
    changePasswordPolicy,
  },
  checks: [languageInUse],
  graphql: {
    one: 'project',
    mutation: 'Project',
    updateAction: 'ProjectSettingsUpdateAction',
    actionNoun: 'ProjectSettings',
    actions: { changePasswordPolicy: null },
    members: {
      'ProjectProjection.trialUntil': 'YearMonth',
      'OrderSearchConfiguration.lastModifiedAt': 'DateTime!',
      'CustomerSearchConfiguration.lastModifiedAt': 'DateTime!',
      'BusinessUnitSearchConfiguration.lastModifiedAt': 'DateTime!',
      'MessagesConfiguration.deleteDaysAfterCreation': 'Int',
      'MessagesConfigurationDraft.deleteDaysAfterCreation': 'Int!',
      'DiscountsConfigurationInput.discountCombinationMode': 'DiscountCombinationMode',
    },
  },
});

const hidden = '****';

/** The settings of a project. The header for the introspection endpoint is a secret, so it is never shown. */
export const project: ProjectDeclaration = {
  resource,
  shown: (document) => {
    // The document was made by the declared fields.
    const { externalOAuth } = document as unknown as Settings;
    if (externalOAuth === undefined) return document;
    return { ...document, externalOAuth: { ...externalOAuth, authorizationHeader: hidden } };
  },
};
