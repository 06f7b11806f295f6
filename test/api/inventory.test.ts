import t from 'tap';
import { startProject } from '../support/platform.ts';

t.test('stock grows and shrinks, and levels and limits come and go', async (t) => {
  const { request } = await startProject();
  const { body: entry } = await request('POST', '/inventory', { sku: 'tent', quantityOnStock: 5 });
  t.match(entry, { quantityOnStock: 5, availableQuantity: 5, version: 1 });
  let version = 1;
  const update = async (...actions: object[]) => {
    const answer = await request('POST', `/inventory/${String(entry['id'])}`, { version, actions });
    if (answer.status === 200) version = Number(answer.body['version']);
    return answer;
  };
  t.match(await update({ action: 'addQuantity', quantity: 3 }, { action: 'removeQuantity', quantity: 1 }), {
    body: { quantityOnStock: 7, availableQuantity: 7 },
  });
  t.match(await update({ action: 'changeQuantity', quantity: -2 }), { body: { availableQuantity: -2 } });
  const levels = [
    { action: 'setReorderPoint', quantity: 10 },
    { action: 'setSafetyStock', quantity: 2 },
  ];
  t.strictSame((await update(...levels)).body['stockLevels'], { reorderPoint: 10, safetyStock: 2 });
  t.strictSame((await update({ action: 'setReorderPoint' })).body['stockLevels'], { safetyStock: 2 });
  t.equal((await update({ action: 'setSafetyStock' })).body['stockLevels'], undefined);
  const limits = { action: 'setInventoryLimits', minCartQuantity: 2, maxCartQuantity: 4 };
  t.match(await update(limits), { body: { minCartQuantity: 2, maxCartQuantity: 4 } });
  t.match(await update({ ...limits, maxCartQuantity: 1 }), {
    status: 400,
    body: { errors: [{ code: 'InvalidInput' }] },
  });
  t.match(await update({ action: 'setInventoryLimits', maxCartQuantity: 9 }), {
    body: { minCartQuantity: undefined, maxCartQuantity: 9 },
  });
});

t.test('what cannot be kept exactly, or shown in GraphQL, is refused where it is sent', async (t) => {
  const { request } = await startProject();
  const { body } = await request('POST', '/inventory', { key: 'tents', sku: 'tent', quantityOnStock: 5 });
  const update = (...actions: object[]) =>
    request('POST', '/inventory/key=tents', { version: body['version'], actions });
  const much = { quantity: 2 ** 53 - 2 };
  const refused = await update({ action: 'addQuantity', ...much }, { action: 'removeQuantity', ...much });
  t.equal(refused.status, 400);
  t.match(refused.body['errors'], [{ code: 'InvalidField', field: 'quantity', invalidValue: much.quantity }]);
  const added = await update({ action: 'addQuantity', quantity: 2 ** 53 - 1 });
  t.equal((added.body['errors'] as object[]).length, 1, 'and is told once');
  for (const action of ['setSafetyStock', 'setReorderPoint'])
    t.equal((await update({ action, quantity: 2 ** 31 })).status, 400, action);
  t.equal((await update({ action: 'setRestockableInDays', restockableInDays: 2 ** 31 })).status, 400);
  const largest = { action: 'setSafetyStock', quantity: 2 ** 31 - 1 };
  t.equal((await update(largest)).status, 200);
  const query = '{ inventoryEntry(key: "tents") { stockLevels { safetyStock } } }';
  t.strictSame((await request('POST', '/graphql', { query })).body, {
    data: { inventoryEntry: { stockLevels: { safetyStock: 2 ** 31 - 1 } } },
  });
});

t.test('a SKU has one entry for each channel, and one for none', async (t) => {
  const { request } = await startProject();
  for (const key of ['north', 'south']) await request('POST', '/channels', { key, roles: ['InventorySupply'] });
  const draft = { sku: 'tent', quantityOnStock: 1 };
  const at = (key: string): object => ({ ...draft, supplyChannel: { typeId: 'channel', key } });
  const made = await Promise.all([draft, at('north'), at('south')].map((each) => request('POST', '/inventory', each)));
  t.strictSame(
    made.map(({ status }) => status),
    [201, 201, 201],
  );
  const taken = { status: 400, body: { errors: [{ code: 'DuplicateField', field: 'sku', duplicateValue: 'tent' }] } };
  for (const again of [draft, at('north')]) t.match(await request('POST', '/inventory', again), taken);
  const actions = [{ action: 'setSupplyChannel', supplyChannel: { typeId: 'channel', key: 'south' } }];
  t.match(await request('POST', `/inventory/${String(made[1]!.body['id'])}`, { version: 1, actions }), taken);
  t.match(await request('GET', '/inventory?where=sku = "tent" and supplyChannel(id is defined)'), {
    body: { total: 2 },
  });
});
