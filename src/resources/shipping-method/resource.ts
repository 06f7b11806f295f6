import { addReference, removeReference } from '../../engine/set-actions.ts';
import { customActions } from '../../engine/custom-actions.ts';
import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { addShippingRate, addZone, removeShippingRate, removeZone } from './actions.ts';
import { matchingCart, matchingCartLocation, matchingLocation, matchingOrderEdit } from './endpoints.ts';
import { keyReference } from '../../fields/reference.ts';
import { fields } from './fields.ts';
import { oneRatePerCurrency, requireTiersOfProject } from './rules.ts';

export const shippingMethod = defineResource({
  kind: 'shipping-method',
  typeName: 'ShippingMethod',
  path: 'shipping-methods',
  scopes: {
    view: ['view_orders', 'view_shipping_methods', 'manage_my_orders'],
    manage: ['manage_orders', 'manage_shipping_methods'],
  },
  maxPerProject: 100,
  fields,
  create: (draft, context) => {
    requireTiersOfProject(
      draft.zoneRates.flatMap(({ shippingRates }) => shippingRates),
      context,
    );
    return { ...draft };
  },
  actions: {
    setKey: set('key'),
    changeName: change('name'),
    setLocalizedName: set('localizedName'),
    setDescription: set('description'),
    setLocalizedDescription: set('localizedDescription'),
    changeTaxCategory: change('taxCategory'),
    changeIsDefault: change('isDefault'),
    changeActive: change('active'),
    setPredicate: set('predicate'),
    setCarrier: set('carrier'),
    addZone,
    removeZone,
    addShippingRate,
    removeShippingRate,
    setStores: change('stores'),
    addStore: addReference('stores', 'store', keyReference('store', 'Store')),
    removeStore: removeReference('stores', 'store', keyReference('store', 'Store')),
    ...customActions,
  },
  rules: [oneRatePerCurrency],
  exclusiveFlags: ['isDefault'],
  // decisions.md #37
  uniqueValues: ({ name }) => [{ field: 'name', value: name }],
  examples: {
    named: {
      german: {
        zoneRates: [
          {
            zone: { typeId: 'zone', key: 'example-zone-german' },
            shippingRates: [{ price: { currencyCode: 'EUR', centAmount: 490 } }],
          },
        ],
      },
    },
  },
  endpoints: [matchingCart, matchingCartLocation, matchingLocation, matchingOrderEdit],
  graphql: {
    queryInterfaces: { ShippingMethodsByCartInterface: ['shippingMethodsByCart'] },
    members: {
      // The deprecated text is REST's alone (decisions.md #39).
      'ShippingMethod.description': null,
      'ShippingMethod.taxCategoryRef': 'Reference',
      'ZoneRate.zoneRef': 'Reference',
      'ShippingMethodDraft.zoneRates': '[ZoneRateDraft!] = []',
      'ZoneRateDraft.shippingRates': '[ShippingRateDraft!] = []',
      'ShippingRateDraft.tiers': '[ShippingRatePriceTierDraft!] = []',
    },
  },
});
