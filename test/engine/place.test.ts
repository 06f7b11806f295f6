import fc from 'fast-check';
import t from 'tap';
import type { Resource } from '../../src/engine/resource.ts';
import { draftInPlace, isEverywhere, isInPlace, ownerAs, placePredicates } from '../../src/engine/place.ts';
import { existing } from '../../src/engine/operations/get.ts';
import type { Owner, Place } from '../../src/engine/context.ts';
import { compilePredicate } from '../../src/predicate/compile.ts';
import { cart } from '../../src/resources/cart/resource.ts';
import { customer } from '../../src/resources/customer/resource.ts';
import { shoppingList } from '../../src/resources/shopping-list/resource.ts';
import { zone } from '../../src/resources/zone/resource.ts';

/** In one store or in a list of them; of owners that are named by their ids or by references. */
const mounted: readonly Resource[] = [cart, customer, shoppingList];

function ownerOf(resource: Resource, kind: 'customer' | 'anonymous', id: string): Owner {
  return ownerAs(resource.mine!, { kind, id });
}

const storeKey = fc.constantFrom('one', 'two', 'three');
const id = fc.constantFrom('a', 'b');
const link = storeKey.map((key) => ({ typeId: 'store', key }));

/** Carts and customers, as far as they say where they belong. */
const documents = new Map<Resource, fc.Arbitrary<Readonly<Record<string, unknown>>>>([
  [cart, fc.record({ id, store: link, customerId: id, anonymousId: id }, { requiredKeys: ['id'] })],
  [customer, fc.record({ id, stores: fc.array(link, { maxLength: 3 }) }, { requiredKeys: ['id'] })],
  [
    shoppingList,
    fc.record({ id, store: link, customer: fc.record({ id }), anonymousId: id }, { requiredKeys: ['id'] }),
  ],
]);

const places = new Map<Resource, fc.Arbitrary<Place>>(
  mounted.map((resource) => {
    const kinds = Object.keys(resource.mine!.owners) as ('customer' | 'anonymous')[];
    const owner = fc.tuple(fc.constantFrom(...kinds), id).map(([kind, of]) => ownerOf(resource, kind, of));
    return [resource, fc.record({ storeKey, owner }, { requiredKeys: [] })];
  }),
);

t.test('the conditions of a place hold for the documents that are in it, and for no others', async (t) => {
  for (const resource of mounted) {
    const seen = new Set<string>();
    fc.assert(
      fc.property(documents.get(resource)!, places.get(resource)!, (document, place) => {
        const isIn = isInPlace(resource, document, place);
        seen.add(`${place.storeKey !== undefined} ${place.owner !== undefined} ${isIn}`);
        return placePredicates(resource, place).every((predicate) => compilePredicate(predicate)(document)) === isIn;
      }),
      { numRuns: 1000 },
    );
    // In each sort of place there were some and others, except where there is all.
    t.equal(seen.size, 7, resource.kind);
  }
});

t.test('the condition of a store says whether the kind has one store or a list', async (t) => {
  for (const [resource, holds] of [
    [cart, 'one'],
    [customer, 'list'],
  ] as const)
    t.match(placePredicates(resource, { storeKey: 'one' }), [{ kind: 'field', holds }]);
});

t.test('a draft is in the place that it is created in', async (t) => {
  for (const resource of mounted) {
    fc.assert(
      fc.property(documents.get(resource)!, places.get(resource)!, (draft, place) => {
        const placed = draftInPlace(resource, { draft, ...place }) as Readonly<Record<string, unknown>>;
        return isInPlace(resource, placed, place);
      }),
    );
  }
  t.pass();
});

t.test('a resource is in a place when its store and its owner are those of the path', async (t) => {
  const owned = { id: 'c', customerId: 'a', anonymousId: 'b', store: { typeId: 'store', key: 'one' } };
  const cases: readonly (readonly [Resource, object, Place, boolean])[] = [
    [zone, {}, {}, true],
    [cart, owned, {}, true],
    [cart, owned, { storeKey: 'one' }, true],
    [cart, owned, { storeKey: 'two' }, false],
    [cart, { id: 'c' }, { storeKey: 'one' }, false],
    [cart, owned, { owner: ownerOf(cart, 'customer', 'a') }, true],
    [cart, owned, { owner: ownerOf(cart, 'customer', 'b') }, false],
    [cart, owned, { owner: ownerOf(cart, 'anonymous', 'b') }, true],
    [cart, owned, { owner: ownerOf(cart, 'anonymous', 'a') }, false],
    [cart, owned, { owner: ownerOf(cart, 'customer', 'a'), storeKey: 'two' }, false],
    [customer, { id: 'c', stores: [{ key: 'one' }, { key: 'two' }] }, { storeKey: 'two' }, true],
    [customer, { id: 'c', stores: [] }, { storeKey: 'two' }, false],
    [customer, { id: 'c' }, { owner: ownerOf(customer, 'customer', 'c') }, true],
    [shoppingList, { id: 'c', customer: { id: 'a' } }, { owner: ownerOf(shoppingList, 'customer', 'a') }, true],
    [shoppingList, { id: 'c', customer: { id: 'a' } }, { owner: ownerOf(shoppingList, 'customer', 'b') }, false],
    [shoppingList, { id: 'c' }, { owner: ownerOf(shoppingList, 'customer', 'a') }, false],
    [shoppingList, { id: 'c', anonymousId: 'a' }, { owner: ownerOf(shoppingList, 'anonymous', 'a') }, true],
  ];
  for (const [resource, document, place, expected] of cases)
    t.equal(
      isInPlace(resource, document as Readonly<Record<string, unknown>>, place),
      expected,
      JSON.stringify([document, place]),
    );
});

t.test('what is elsewhere is not found, by the name that was given, as what is nowhere', async (t) => {
  const stored = (document: object) => ({ id: 'c', key: undefined, version: 1, json: JSON.stringify(document) });
  const place = { storeKey: 'one', owner: ownerOf(cart, 'customer', 'a') };
  const asked = { resource: cart, identity: { key: 'k' } };
  const here = stored({ customerId: 'a', store: { key: 'one' } });
  t.equal(existing(here, { ...asked, ...place }), here);
  const unread = { ...here, json: 'This is not read.' };
  t.equal(existing(unread, asked), unread);
  const elsewhere = stored({ customerId: 'b', store: { key: 'one' } });
  for (const [given, message] of [
    [place, "The Cart with key 'k' was not found in the store 'one'."],
    [{ owner: place.owner }, "The Cart with key 'k' was not found."],
  ] as const)
    for (const found of [elsewhere, undefined])
      t.throws(() => existing(found, { ...asked, ...given }), { code: 'ResourceNotFound', message });
});

t.test('a place without a store and an owner is everywhere', async (t) => {
  t.ok(isEverywhere({}));
  t.notOk(isEverywhere({ storeKey: 'one' }));
  t.notOk(isEverywhere({ owner: ownerOf(cart, 'customer', 'a') }));
});

t.test('a draft gets the store of its path, beside those that it names where there may be several', async (t) => {
  const one = { key: 'one' };
  const cases: readonly (readonly [Resource, unknown, unknown])[] = [
    [cart, { currency: 'EUR' }, { currency: 'EUR', store: one }],
    [cart, { store: { key: 'two' } }, { store: one }],
    [customer, {}, { stores: [one] }],
    [customer, { stores: null }, { stores: [one] }],
    [customer, { stores: [{ key: 'two' }] }, { stores: [{ key: 'two' }, one] }],
    [customer, { stores: 'two' }, { stores: 'two' }],
    [customer, 'no draft', 'no draft'],
    [customer, undefined, undefined],
  ];
  for (const [resource, draft, expected] of cases)
    t.strictSame(draftInPlace(resource, { draft, storeKey: 'one' }), expected, JSON.stringify(draft));
});

t.test('a draft has the owner of its path and no other, and stays as it is on other paths', async (t) => {
  const draft = { customerId: 'a', anonymousId: 'a', currency: 'EUR' };
  t.strictSame(draftInPlace(cart, { draft, owner: ownerOf(cart, 'anonymous', 'b') }), {
    currency: 'EUR',
    customerId: undefined,
    anonymousId: 'b',
  });
  t.strictSame(draftInPlace(cart, { draft, owner: ownerOf(cart, 'customer', 'b'), storeKey: 'one' }), {
    currency: 'EUR',
    customerId: 'b',
    anonymousId: undefined,
    store: { key: 'one' },
  });
  t.strictSame(draftInPlace(cart, { draft }), draft);
  t.strictSame(draft, { customerId: 'a', anonymousId: 'a', currency: 'EUR' }, 'what was given is not changed');
});

t.test('a kind without stores, or without owners of a sort, has no such place', async (t) => {
  t.throws(() => placePredicates(zone, { storeKey: 'one' }), /zone has no paths in stores/);
  t.throws(() => isInPlace(zone, {}, { storeKey: 'one' }), /zone has no paths in stores/);
  t.throws(() => ownerOf(customer, 'anonymous', 'a'), /No member names an owner of the kind anonymous/);
});
