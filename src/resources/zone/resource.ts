import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { addLocation, nameOf, removeLocation } from './actions.ts';
import { fields } from './fields.ts';

export const zone = defineResource({
  kind: 'zone',
  typeName: 'Zone',
  path: 'zones',
  scopes: { view: ['view_orders', 'view_zones'], manage: ['manage_orders', 'manage_zones'] },
  maxPerProject: 100,
  fields,
  actions: {
    setKey: set('key'),
    changeName: change('name'),
    setDescription: set('description'),
    addLocation,
    removeLocation,
  },
  examples: { named: { german: { locations: [{ country: 'DE' }] } } },
  graphql: { draft: 'CreateZone', members: { 'CreateZone.locations': '[ZoneLocation!] = []' } },
  // A location belongs to one zone only (decisions.md #158).
  uniqueValues: ({ locations }) => [...new Set(locations.map(nameOf))].map((value) => ({ field: 'locations', value })),
});
