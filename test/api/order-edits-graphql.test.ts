/** Staged actions in GraphQL: each of them, with each member that it can have. */
import t from 'tap';
import { examplesOf, isObject } from '../../src/fields/object.ts';
import { stagedActions } from '../../src/resources/order-edit/staged-actions.ts';
import { createTargets, type Draft } from '../support/example-drafts.ts';
import { selectionOf } from '../support/graphql-values.ts';
import { startOrderShop } from '../support/order-shop.ts';

const shop = await startOrderShop();
const { order, request } = shop;
const own = await order();
const linked = { state: 'ItemState', discounts: 'DirectDiscountDraftOutput', discountCodeRef: 'Reference' };
const shown = Object.entries(linked).reduce(
  (text, [name, type]) => text.replaceAll(`: ${name} { __typename }`, `: ${name} ${selectionOf(type)}`),
  selectionOf('StagedOrderUpdateActionOutput'),
);

/** The examples of an action, until each of its members has been in one; of what excludes another, none has both. */
function examplesFor(name: string): readonly Draft[] {
  const { fields } = stagedActions.get(name)!;
  return examplesOf(fields).map((example) => ({ action: name, ...example }));
}

/** Keys of links that show with the id of what has the key. */
const resolved: ReadonlySet<string> = new Set(['discountCode', 'state', 'product', 'distributionChannel']);

/** Texts and numbers that were given, wherever they stand. */
function leavesOf(value: unknown, name = ''): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => leavesOf(item, name));
  if (!isObject(value)) return value === undefined || value === null ? [] : [JSON.stringify(value)];
  return Object.entries(value).flatMap(([member, inner]) =>
    member === 'key' && 'typeId' in value && resolved.has(name) ? [] : leavesOf(inner, member),
  );
}

for (const name of stagedActions.keys()) {
  t.test(name, async (t) => {
    for (const action of examplesFor(name)) {
      await createTargets(shop, action);
      const draft = { resource: { typeId: 'order', id: own.id }, stagedActions: [action] };
      const made = await request('POST', '/orders/edits', draft);
      t.equal(made.status, 201, JSON.stringify(made.body['errors']));
      const query = `query Shown($id: String) { orderEdit(id: $id) { stagedActions ${shown} } }`;
      const { body } = await request('POST', '/graphql', { query, variables: { id: made.body['id'] } });
      t.notOk('errors' in body, JSON.stringify(body['errors']));
      const [answer] = (body['data'] as { orderEdit: { stagedActions: readonly Draft[] } }).orderEdit.stagedActions;
      const left = leavesOf(answer);
      t.strictSame(
        leavesOf((made.body['stagedActions'] as readonly Draft[])[0]).filter((leaf) => !left.includes(leaf)),
        [],
        `${JSON.stringify(action)} shows in ${JSON.stringify(answer)}`,
      );
    }
  });
}

/** The action without what may be left out. */
function bareOf(name: string): Draft {
  // Of what is tracked all may be.
  if (name === 'addDelivery') return { action: name, parcels: [{ trackingData: {} }] };
  const { fields } = stagedActions.get(name)!;
  const [example] = examplesFor(name) as readonly [Draft];
  return Object.fromEntries(
    Object.entries(example).filter(([member]) => member === 'action' || fields[member]?.presence === 'required'),
  );
}

t.test('actions show without what may be left out', async (t) => {
  let shownCount = 0;
  for (const name of stagedActions.keys()) {
    const action = bareOf(name);
    await createTargets(shop, action);
    const draft = { resource: { typeId: 'order', id: own.id }, stagedActions: [action] };
    const made = await request('POST', '/orders/edits', draft);
    // Some need one of several members.
    if (made.status !== 201) continue;
    const query = `query Shown($id: String) { orderEdit(id: $id) { stagedActions ${shown} } }`;
    const { body } = await request('POST', '/graphql', { query, variables: { id: made.body['id'] } });
    t.notOk('errors' in body, `${name}: ${JSON.stringify(body['errors'])}`);
    shownCount += 1;
  }
  t.ok(shownCount > 80, `${shownCount} actions`);
});

t.test(
  'beside other resources, which are put together from what is known of them, they show all that they are',
  async (t) => {
    const draft = { key: 'beside', comment: 'A comment', resource: { typeId: 'order', id: own.id }, stagedActions: [] };
    const made = await request('POST', '/orders/edits', draft);
    t.equal(made.status, 201);
    const edit = { key: 'beside', comment: 'A comment' };
    const query = `query ($order: String, $id: String) {
    order(id: $order) { id }
    orderEdit(id: $id) { key comment }
    again: orderEdit(key: "beside") { key comment }
    orderEdits(where: "key = \\"beside\\"") { results { key comment } }
  }`;
    for (let use = 1; use <= 3; use += 1) {
      const variables = { order: own.id, id: made.body['id'] };
      const { body } = await request('POST', '/graphql', { query, variables });
      const data = { order: { id: own.id }, orderEdit: edit, again: edit, orderEdits: { results: [edit] } };
      t.strictSame(body, { data });
    }
  },
);
