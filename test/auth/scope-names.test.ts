import t from 'tap';
import { isKnownScope } from '../../src/auth/scope-names.ts';
import { allResources } from '../../src/resources/all.ts';

t.test('every scope that a resource asks for can be given to a client', async (t) => {
  for (const { kind, scopes, endpoints } of allResources) {
    const asked = [...scopes.view, ...scopes.manage, ...endpoints.flatMap((endpoint) => endpoint.scopes)];
    for (const scope of asked) {
      const [name, store] = scope.split(':');
      t.ok(isKnownScope(`${name}:project${store === undefined ? '' : ':berlin'}`), `${kind}: ${scope}`);
    }
  }
});

t.test('scopes that are no scope of a client are unknown', async (t) => {
  const unknown = [
    'view_orders',
    'view_wings:project',
    'view_zones:project:berlin',
    'customer_id:x',
    'view_orders:P',
    '',
  ];
  for (const scope of unknown) t.notOk(isKnownScope(scope), scope);
  t.ok(isKnownScope('view_discount_codes:project:berlin'));
});
