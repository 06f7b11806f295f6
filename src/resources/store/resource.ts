import { customActions } from '../../engine/custom-actions.ts';
import { defineResource } from '../../engine/define.ts';
import { set } from '../../engine/actions.ts';
import { addReference, removeReference } from '../../engine/set-actions.ts';
import {
  addCountry,
  addProductSelection,
  changeProductSelectionActive,
  removeCountry,
  removeProductSelection,
  setProductSelections,
  storefrontActions,
} from './actions.ts';
import { reference } from '../../fields/reference.ts';
import { distributionChannel, fields, supplyChannel } from './fields.ts';
import { messages } from './messages.ts';
import { differentSelections, projectLanguages } from './rules.ts';

const channel = reference('channel', 'Channel');

/** Its key never changes, for other resources refer to it by that. */
export const store = defineResource({
  kind: 'store',
  typeName: 'Store',
  path: 'stores',
  scopes: { view: ['view_stores'], manage: ['manage_stores'] },
  maxPerProject: 10_000,
  fields,
  actions: {
    setName: set('name'),
    setLanguages: set('languages'),
    setCountries: set('countries'),
    addCountry,
    removeCountry,
    setDistributionChannels: set('distributionChannels'),
    addDistributionChannel: addReference('distributionChannels', 'distributionChannel', distributionChannel),
    // A channel can be taken out whatever roles it has by then.
    removeDistributionChannel: removeReference('distributionChannels', 'distributionChannel', channel),
    setSupplyChannels: set('supplyChannels'),
    addSupplyChannel: addReference('supplyChannels', 'supplyChannel', supplyChannel),
    removeSupplyChannel: removeReference('supplyChannels', 'supplyChannel', channel),
    setProductSelections,
    addProductSelection,
    removeProductSelection,
    changeProductSelectionActive,
    ...storefrontActions,
    ...customActions,
  },
  messages,
  rules: [projectLanguages, differentSelections],
  graphql: {
    draft: 'CreateStore',
    members: {
      'Store.languages': '[Locale!]',
      'StoreCreated.languages': '[Locale!]!',
      'Store.countries': '[StoreCountry!]',
      'ProductSelectionSettingDraft.active': 'Boolean!',
      'ChangeStoreProductSelectionActive.active': 'Boolean!',
    },
  },
});
