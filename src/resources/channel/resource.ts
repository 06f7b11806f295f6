import { change, defineResource, set } from '../../engine/define.ts';
import { addTo, removeFrom } from '../../engine/set-actions.ts';
import { draft, fields, role } from './fields.ts';

export const channel = defineResource({
  kind: 'channel',
  typeName: 'Channel',
  path: 'channels',
  scopes: { view: ['view_products', 'view_channels'], manage: ['manage_products', 'manage_channels'] },
  maxPerProject: 10_000,
  fields,
  draft,
  actions: {
    changeKey: change('key'),
    changeName: change('name'),
    changeDescription: change('description'),
    setAddress: set('address'),
    setGeoLocation: set('geoLocation'),
    setRoles: change('roles'),
    addRoles: addTo('roles', role),
    removeRoles: removeFrom('roles', role),
  },
});
