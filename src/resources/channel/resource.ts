import { customActions, setCustomField, setCustomType } from '../../engine/custom-actions.ts';
import { change, invalidOperation, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import type { Fixed } from '../../engine/document.ts';
import { addTo, removeFrom } from '../../engine/set-actions.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { type Channel, fields, role } from './fields.ts';

function addressOf({ address }: Channel): NonNullable<Channel['address']> {
  if (address === undefined) throw invalidOperation('The channel has no address to hold custom fields.');
  return address;
}

/** A channel that does nothing is not meant. */
function atLeastOneRole({ roles }: Fixed<Channel>): ErrorElement | undefined {
  return roles.length > 0 ? undefined : { code: 'InvalidOperation', message: 'A channel has at least one role.' };
}

export const channel = defineResource({
  kind: 'channel',
  typeName: 'Channel',
  path: 'channels',
  scopes: { view: ['view_products', 'view_channels'], manage: ['manage_products', 'manage_channels'] },
  maxPerProject: 10_000,
  isKeptParsed: true,
  fields,
  actions: {
    changeKey: change('key'),
    changeName: change('name'),
    changeDescription: change('description'),
    setAddress: set('address'),
    setGeoLocation: set('geoLocation'),
    setRoles: change('roles'),
    addRoles: addTo('roles', role),
    removeRoles: removeFrom('roles', role),
    setAddressCustomType: setCustomType(addressOf),
    setAddressCustomField: setCustomField(addressOf),
    ...customActions,
  },
  rules: [atLeastOneRole],
  graphql: {
    members: {
      'ChannelDraft.roles': '[ChannelRole!]!',
      'ChangeChannelName.name': '[LocalizedStringItemInputType!]',
      'ChangeChannelDescription.description': '[LocalizedStringItemInputType!]',
    },
  },
  // Stores ask it for both.
  examples: {
    draft: { roles: ['InventorySupply', 'ProductDistribution'] },
    named: { 'order-export': { roles: ['OrderExport'] } },
  },
});
