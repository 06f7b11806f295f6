import { change, set } from '../../engine/actions.ts';
import { customActions } from '../../engine/custom-actions.ts';
import { defineResource } from '../../engine/define.ts';
import { setTogether } from '../../engine/set-actions.ts';
import { dateTime } from '../../fields/scalar.ts';
import {
  addPriceTier,
  applyStagedChanges,
  changeValue,
  removePriceTier,
  removeStagedChanges,
  setDiscountedPrice,
  setPriceTiers,
  setTiers,
} from './actions.ts';
import { sayExternal } from '../product-discount/offers.ts';
import { discountedPrices, follows, priceName } from './discounts.ts';
import { draft, fields } from './fields.ts';
import { messages } from './messages.ts';
import { heldScope, lostScope, membersInOrder, noScopeClash } from './rules.ts';

export const standalonePrice = defineResource({
  kind: 'standalone-price',
  typeName: 'StandalonePrice',
  path: 'standalone-prices',
  scopes: { view: ['view_standalone_prices'], manage: ['manage_standalone_prices'] },
  fields,
  draft,
  create: ({ tiers = [], recurrencePolicy: _, ...given }, context) => {
    sayExternal(given.discounted, priceName, context);
    const price: typeof given & { tiers?: typeof tiers } = { ...given };
    setTiers(price, tiers);
    return price;
  },
  actions: {
    addPriceTier,
    applyStagedChanges,
    changeActive: change('active'),
    changeValue,
    removePriceTier,
    removeStagedChanges,
    setDiscountedPrice,
    setKey: set('key'),
    setPriceTiers,
    setValidFrom: set('validFrom'),
    setValidFromAndUntil: setTogether({ validFrom: dateTime(), validUntil: dateTime() }),
    setValidUntil: set('validUntil'),
    ...customActions,
  },
  messages,
  rules: [membersInOrder],
  checks: [noScopeClash],
  computation: discountedPrices,
  follows,
  groupedBy: ['sku'],
  uniqueValues: heldScope,
  lostRace: lostScope,
  graphql: {
    draft: 'CreateStandalonePrice',
    interfaces: ['Versioned'],
    actions: {
      addPriceTier: 'AddStandalonePriceTier',
      applyStagedChanges: 'ApplyStagedChanges',
      removePriceTier: 'RemoveStandalonePriceTier',
      removeStagedChanges: 'RemoveStagedChanges',
      setCustomField: 'SetStandalonePriceCustomFields',
      setCustomType: 'CustomFieldsDraft',
      setPriceTiers: 'SetStandalonePriceTiers',
    },
    members: {
      'StandalonePriceDeleted.sku': 'String',
      'StandalonePriceStagedChangesRemoved.stagedChanges': 'StagedStandalonePrice',
      'CreateStandalonePrice.active': 'Boolean! = true',
      'CreateStandalonePrice.tiers': '[ProductPriceTierInput!] = []',
    },
  },
  examples: {
    draft: { validUntil: '2030-02-28T12:00:00.000Z' },
    // The variant that an external discount is for has to be for sale.
    beside: [{ typeId: 'product', key: 'example-product' }],
    actions: {
      addPriceTier: { tier: { minimumQuantity: 20, value: { currencyCode: 'EUR', centAmount: 400 } } },
      removePriceTier: { minimumQuantity: 10 },
      setValidFromAndUntil: { validUntil: '2030-03-31T12:00:00.000Z' },
    },
  },
});
