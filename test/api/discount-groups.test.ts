import { randomUUID } from 'node:crypto';
import t from 'tap';
import { type Answer, type Platform, startPlatform, startProject } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

type Body = Readonly<Record<string, unknown>>;
type Made = Body & { readonly id: string; readonly version: number };

const refused = (error: object) => ({ status: 400, body: { errors: [error] } });
const group = (key: string) => ({ typeId: 'discount-group', key });
const items = { type: 'lineItems', predicate: '1 = 1' };

const discount = {
  name: { en: 'Off' },
  value: { type: 'relative', permyriad: 1000 },
  cartPredicate: '1 = 1',
  target: items,
};

async function made(platform: Platform, path: string, draft: object): Promise<Made> {
  const { status, body, text } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body as Made;
}

/** Updates a resource at the version that it has. */
async function update(platform: Platform, path: string, ...actions: object[]): Promise<Answer> {
  const { body } = await platform.request('GET', path);
  return platform.request('POST', path, { version: body['version'], actions });
}

const taken = (sortOrder: string) => refused({ code: 'DuplicateField', field: 'sortOrder', duplicateValue: sortOrder });

t.test("a place is one group's or one cart discount's, whoever comes first", async (t) => {
  const platform = await startProject();
  const create = (path: string, draft: object) => platform.request('POST', path, draft);
  const grouped = (key: string, sortOrder: string) => create('/discount-groups', { key, sortOrder });
  const alone = (sortOrder: string) => create('/cart-discounts', { ...discount, sortOrder });
  t.equal((await grouped('spring', '0.5')).status, 201);
  t.match(await grouped('summer', '0.5'), taken('0.5'));
  t.match(await alone('0.5'), taken('0.5'));
  const other = await alone('0.6');
  t.equal(other.status, 201);
  t.match(await alone('0.6'), taken('0.6'));
  t.match(await grouped('summer', '0.6'), taken('0.6'));
  const path = `/cart-discounts/${String(other.body['id'])}`;
  t.match(await update(platform, path, { action: 'changeSortOrder', sortOrder: '0.5' }), taken('0.5'));
  const move = (sortOrder: string) =>
    update(platform, '/discount-groups/key=spring', { action: 'setSortOrder', sortOrder });
  t.match(await move('0.6'), taken('0.6'));
  t.equal((await move('0.7')).status, 200);
  t.equal((await alone('0.5')).status, 201, 'what was given up is free');
  t.equal(
    (
      await create('/product-discounts', {
        name: { en: 'Off' },
        value: discount.value,
        predicate: '1 = 1',
        sortOrder: '0.7',
        isActive: false,
      })
    ).status,
    201,
    'product discounts have an order of their own',
  );
  for (let round = 1; round <= 5; round += 1) {
    const sortOrder = `0.8${round}`;
    const rivals = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? alone(sortOrder) : grouped(`rival-${randomUUID()}`, sortOrder),
      ),
    );
    t.equal(rivals.filter(({ status }) => status === 201).length, 1);
    for (const lost of rivals.filter(({ status }) => status !== 201)) t.match(lost, taken(sortOrder));
  }
});

t.test('a cart discount in a group has its place, and needs one of its own when it leaves', async (t) => {
  const platform = await startPlatform(t, { feeder: true });
  const spring = await made(platform, '/discount-groups', { key: 'spring', sortOrder: '0.5' });
  const one = await made(platform, '/cart-discounts', {
    ...discount,
    discountGroup: group('spring'),
    sortOrder: '0.9',
  });
  t.match(one, { sortOrder: '0.5', discountGroup: { typeId: 'discount-group', id: spring.id } });
  const two = await made(platform, '/cart-discounts', { ...discount, sortOrder: '0.9' });
  const path = `/cart-discounts/${two.id}`;
  const set = (members: object) => update(platform, path, { action: 'setDiscountGroup', ...members });
  t.match(await set({ discountGroup: group('spring') }), { status: 200, body: { sortOrder: '0.5' } });
  t.equal(
    (await made(platform, '/cart-discounts', { ...discount, sortOrder: '0.9' }))['sortOrder'],
    '0.9',
    'the place is free',
  );
  t.match(
    await update(platform, path, { action: 'changeSortOrder', sortOrder: '0.3' }),
    refused({ code: 'InvalidOperation' }),
  );
  t.match(await set({}), refused({ code: 'RequiredField', field: 'sortOrder' }));
  t.match(await set({ sortOrder: '0.5' }), taken('0.5'));
  t.match(await set({ sortOrder: '0.9' }), taken('0.9'));
  const expanded = await platform.request('GET', `${path}?expand=discountGroup`);
  t.match(expanded, { body: { discountGroup: { obj: { key: 'spring', sortOrder: '0.5' } } } });

  t.equal(
    (await update(platform, '/discount-groups/key=spring', { action: 'setSortOrder', sortOrder: '0.4' })).status,
    200,
  );
  await eventually(async () => {
    const places = await Promise.all([one.id, two.id].map((id) => platform.request('GET', `/cart-discounts/${id}`)));
    return places.every(({ body }) => body['sortOrder'] === '0.4') || undefined;
  });
  const left = await set({ sortOrder: '0.2' });
  t.match(left, { status: 200, body: { sortOrder: '0.2' } });
  t.notOk('discountGroup' in left.body);
  const remove = async () => {
    const { body } = await platform.request('GET', '/discount-groups/key=spring');
    return platform.request('DELETE', `/discount-groups/key=spring?version=${Number(body['version'])}`);
  };
  t.match(await remove(), refused({ code: 'ReferenceExists', referencedBy: 'cart-discount' }));
  t.equal(
    (await update(platform, `/cart-discounts/${one.id}`, { action: 'setDiscountGroup', sortOrder: '0.1' })).status,
    200,
  );
  t.equal((await remove()).status, 200);
});

t.test('what is in a group takes something off items', async (t) => {
  const platform = await startProject();
  await made(platform, '/discount-groups', { key: 'spring', sortOrder: '0.5' });
  const create = (draft: object) =>
    platform.request('POST', '/cart-discounts', { ...discount, discountGroup: group('spring'), ...draft });
  const multiBuy = { predicate: '1 = 1', triggerQuantity: 2, discountedQuantity: 1, selectionMode: 'Cheapest' };
  for (const target of [
    items,
    { type: 'customLineItems', predicate: '1 = 1' },
    { type: 'multiBuyLineItems', ...multiBuy },
    { type: 'multiBuyCustomLineItems', ...multiBuy },
  ])
    t.equal((await create({ target })).status, 201, target.type);
  const invalid = refused({ code: 'InvalidInput' });
  for (const target of [{ type: 'shipping' }, { type: 'totalPrice' }, undefined])
    t.match(await create({ target }), invalid, JSON.stringify(target));
  const { id } = await made(platform, '/cart-discounts', { ...discount, target: { type: 'shipping' } });
  t.match(
    await update(platform, `/cart-discounts/${id}`, { action: 'setDiscountGroup', discountGroup: group('spring') }),
    invalid,
  );
  const both = [
    { action: 'changeTarget', target: items },
    { action: 'setDiscountGroup', discountGroup: group('spring') },
  ];
  t.equal((await update(platform, `/cart-discounts/${id}`, ...both)).status, 200);
  t.match(
    await update(platform, `/cart-discounts/${id}`, { action: 'changeTarget', target: { type: 'shipping' } }),
    invalid,
  );
  t.match(
    await create({ discountGroup: group('none') }),
    refused({ code: 'ReferencedResourceNotFound', typeId: 'discount-group' }),
  );
});

t.test('a project has 100 active groups, and a group 100 cart discounts', async (t) => {
  const platform = await startProject();
  const place = (index: number) => `0.${String(index).padStart(4, '0')}1`;
  for (let index = 0; index < 100; index += 1)
    await made(platform, '/discount-groups', { key: `group-${index}`, sortOrder: place(index) });
  const limit = refused({ code: 'MaxDiscountGroupsReached' });
  const next = { key: 'next', sortOrder: place(100) };
  t.match(await platform.request('POST', '/discount-groups', next), limit);
  t.equal((await platform.request('POST', '/discount-groups', { ...next, isActive: false })).status, 201);
  const activate = () => update(platform, '/discount-groups/key=next', { action: 'setIsActive', isActive: true });
  t.match(await activate(), limit);
  t.equal(
    (await update(platform, '/discount-groups/key=group-0', { action: 'setIsActive', isActive: false })).status,
    200,
  );
  t.equal((await activate()).status, 200);
  const create = () => platform.request('POST', '/cart-discounts', { ...discount, discountGroup: group('next') });
  for (let index = 0; index < 100; index += 1) t.equal((await create()).status, 201);
  t.match(await create(), refused({ code: 'InvalidOperation' }));
});

t.test('of rivals as many become active, or enter a group, as there is room for', async (t) => {
  const platform = await startProject();
  const rivals = async (send: (index: number) => Promise<Answer>): Promise<readonly unknown[]> => {
    const answers = await Promise.all(Array.from({ length: 64 }, (_, index) => send(index)));
    t.strictSame(
      answers.filter(({ status }) => status > 201 && status !== 400).map(({ text }) => text),
      [],
    );
    return answers
      .filter(({ status }) => status === 400)
      .map(({ body }) => (body['errors'] as { code: string }[])[0]!.code);
  };
  const codes = (count: number, code: string): readonly string[] => Array.from({ length: count }, () => code);
  const groups = (row: number, more: object) =>
    rivals((index) =>
      platform.request('POST', '/discount-groups', {
        key: `g-${row}-${index}`,
        sortOrder: `0.${row}${index}1`,
        ...more,
      }),
    );
  t.strictSame(await groups(1, {}), []);
  t.strictSame(await groups(2, { isActive: false }), []);
  const activated = await rivals((index) =>
    platform.request('POST', `/discount-groups/key=g-2-${index}`, {
      version: 1,
      actions: [{ action: 'setIsActive', isActive: true }],
    }),
  );
  t.strictSame(activated, codes(28, 'MaxDiscountGroupsReached'));

  const inGroup = { ...discount, discountGroup: group('g-1-0') };
  t.strictSame(await rivals(() => platform.request('POST', '/cart-discounts', { ...inGroup, isActive: false })), []);
  for (let index = 0; index < 64; index += 1)
    await made(platform, '/cart-discounts', { ...discount, key: `d-${index}` });
  const entered = await rivals((index) =>
    platform.request('POST', `/cart-discounts/key=d-${index}`, {
      version: 1,
      actions: [{ action: 'setDiscountGroup', discountGroup: group('g-1-0') }],
    }),
  );
  t.strictSame(entered, codes(28, 'InvalidOperation'));
});

t.test('the public client and GraphQL have groups', async (t) => {
  const platform = await startProject();
  const { api, request } = platform;
  const { body: created } = await api
    .discountGroups()
    .post({ body: { key: 'spring', sortOrder: '0.5', name: { en: 'Spring' } } })
    .execute();
  t.match(created, { key: 'spring', isActive: true, version: 1 });
  const { body: updated } = await api
    .discountGroups()
    .withKey({ key: 'spring' })
    .post({
      body: {
        version: 1,
        actions: [
          { action: 'setIsActive', isActive: false },
          { action: 'setKey', key: 'fall' },
        ],
      },
    })
    .execute();
  t.match(updated, { key: 'fall', isActive: false, version: 2 });
  await made(platform, '/cart-discounts', { ...discount, key: 'off', discountGroup: group('fall') });
  const query = `{ cartDiscount(key: "off") { sortOrder discountGroupRef { typeId id } discountGroup { key name(locale: "en") } }
    discountGroups(where: "isActive = false") { total results { key sortOrder isActive } } }`;
  t.strictSame((await request('POST', '/graphql', { query })).body, {
    data: {
      cartDiscount: {
        sortOrder: '0.5',
        discountGroupRef: { typeId: 'discount-group', id: created.id },
        discountGroup: { key: 'fall', name: 'Spring' },
      },
      discountGroups: { total: 1, results: [{ key: 'fall', sortOrder: '0.5', isActive: false }] },
    },
  });
});
