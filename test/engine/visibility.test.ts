import t from 'tap';
import { principalOf } from '../../src/auth/principal.ts';
import { set } from '../../src/engine/actions.ts';
import { defineResource } from '../../src/engine/define.ts';
import type { Document } from '../../src/engine/document.ts';
import type { RequestContext } from '../../src/engine/context.ts';
import { freelyNameable, type Sees, sightOf } from '../../src/engine/visibility.ts';
import { optional } from '../../src/fields/field.ts';
import { keyReference } from '../../src/fields/reference.ts';
import { text } from '../../src/fields/scalar.ts';

/** Customers see a part of theirs; there are stores, and another form for whoever sees what is published. */
const chest = defineResource({
  kind: 'trial-chest',
  typeName: 'TrialChest',
  path: 'trial-chests',
  scopes: { view: ['view_orders'], manage: ['manage_orders'] },
  followedBy: 'viewers',
  inStore: { member: 'store', isReadOnly: false },
  fields: { owner: optional(text()), store: optional(keyReference('store', 'Store')), content: optional(text()) },
  actions: { setContent: set('content') },
  mine: {
    path: 'trial-chests',
    scopes: ['manage_my_orders'],
    owners: { customer: 'owner' },
    shows: { typeName: 'MyTrialChest', members: ['owner'] },
  },
  projections: [
    {
      path: 'trial-chest-projections',
      scopes: ['view_published_products'],
      parameters: {},
      typeName: 'TrialChestProjection',
      fields: {},
      isOfAll: () => false,
      where: () => undefined,
      storedAt: (member) => [member],
      shown: (document) => document,
    },
  ],
});

/** A code: whoever knows it uses it. */
const charm = defineResource({
  kind: 'trial-charm',
  typeName: 'TrialCharm',
  path: 'trial-charms',
  scopes: { view: ['view_discount_codes'], manage: ['manage_discount_codes'] },
  followedBy: 'holders',
  fields: { content: optional(text()) },
  actions: { setContent: set('content') },
});

function sightWith(...scopes: readonly string[]): Sees | undefined {
  const asking = { principal: principalOf('client', scopes), project: { key: 'shop' } };
  return sightOf(asking as unknown as RequestContext, chest);
}

t.test('who sees the whole in one place sees it, though a place before shows a part', async (t) => {
  const sees = sightWith('manage_my_orders:shop', 'view_orders:shop:north', 'customer_id:jane');
  const owned = { owner: 'jane', content: 'gold' };
  const inNorth = { ...owned, store: { typeId: 'store', key: 'north' } } as unknown as Document;
  t.strictSame(sees?.(inNorth), inNorth);
  t.strictSame(sees?.(owned as unknown as Document), { owner: 'jane' });
  t.strictSame(sees?.({ ...owned, owner: 'joe' } as unknown as Document), undefined);
});

t.test('a projection shows nothing of the resource that it is one of', async (t) => {
  t.equal(sightWith('view_published_products:shop'), undefined);
});

t.test('what is followed by holders is named by nobody who may not view it', async (t) => {
  const asking = (...scopes: readonly string[]): RequestContext =>
    ({ principal: principalOf('client', scopes), project: { key: 'shop' } }) as unknown as RequestContext;
  const [shopper, viewer] = [asking('manage_my_orders:shop', 'anonymous_id:x'), asking('view_discount_codes:shop')];
  t.equal(freelyNameable(shopper, charm), false);
  t.equal(freelyNameable(viewer, charm), true);
  const document = { content: 'abracadabra' } as unknown as Document;
  t.strictSame(sightOf(shopper, charm)?.(document), document, 'who holds a link follows it');
  const isNameable = freelyNameable(asking('manage_my_orders:shop', 'customer_id:jane'), chest);
  t.ok(typeof isNameable === 'function' && isNameable({ owner: 'jane' } as unknown as Document));
  t.notOk(typeof isNameable === 'function' && isNameable({ owner: 'joe' } as unknown as Document));
});
