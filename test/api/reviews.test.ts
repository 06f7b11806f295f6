import t from 'tap';
import { startProject } from '../support/platform.ts';

const refused = (error: object) => ({ status: 400, body: { errors: [error] } });

t.test('a review begins with an initial state, and follows transitions', async (t) => {
  const { request } = await startProject();
  const state = async (key: string, members: object = {}) => {
    const { body } = await request('POST', '/states', { key, type: 'ReviewState', initial: false, ...members });
    return body;
  };
  const named = (key: string): object => ({ typeId: 'state', key });
  await state('published', { roles: ['ReviewIncludedInStatistics'], transitions: [] });
  await state('hidden');
  await state('new', { initial: true, transitions: [named('published')] });
  await state('paid', { type: 'PaymentState', initial: true });
  const { body: review } = await request('POST', '/reviews', { rating: 5 });
  t.match(review, { includedInStatistics: true }, 'without a state it counts');
  let version = 1;
  const go = async (...steps: readonly (readonly [key: string, force?: boolean])[]) => {
    const actions = steps.map(([key, force]) => ({ action: 'transitionState', state: named(key), force }));
    const answer = await request('POST', `/reviews/${String(review['id'])}`, { version, actions });
    if (answer.status === 200) version = Number(answer.body['version']);
    return answer;
  };
  t.match(await go(['published']), refused({ code: 'InvalidOperation', message: /not initial/ }));
  t.match(await go(['paid']), refused({ code: 'InvalidOperation', message: /PaymentState/ }));
  t.match(await go(['new']), { status: 200, body: { includedInStatistics: false } });
  t.match(await go(['hidden']), refused({ code: 'InvalidOperation', message: /no transition/ }));
  t.match(await go(['published']), { status: 200, body: { includedInStatistics: true } });
  t.match(await go(['new']), refused({ code: 'InvalidOperation' }), 'no transitions at all');
  t.match(await go(['published']), refused({ code: 'InvalidOperation' }), 'nor one to itself');
  t.match(await go(['hidden', true]), { status: 200, body: { includedInStatistics: false } });
  t.match(
    await go(['new'], ['published']),
    { status: 200, body: { includedInStatistics: true } },
    'one after the other',
  );
  t.match(await request('POST', '/reviews', { state: named('paid') }), refused({ code: 'InvalidOperation' }));
  t.match(await request('POST', '/reviews', { state: named('published') }), { body: { includedInStatistics: true } });
});

t.test('the uniqueness value is held by one review, and ratings have bounds', async (t) => {
  const { request } = await startProject();
  const draft = { uniquenessValue: 'jane about lamps', rating: 100 };
  t.equal((await request('POST', '/reviews', draft)).status, 201);
  const taken = { code: 'DuplicateField', field: 'uniquenessValue', duplicateValue: draft.uniquenessValue };
  t.match(await request('POST', '/reviews', draft), refused(taken));
  for (const rating of [101, -101, 1.5])
    t.match(await request('POST', '/reviews', { rating }), refused({ code: 'InvalidField', field: 'rating' }));
});

t.test('the target is a product or a channel, shows in GraphQL as what it is, and may go', async (t) => {
  const { request } = await startProject();
  const { body: channel } = await request('POST', '/channels', { key: 'shop' });
  await request('POST', '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
  const { body: product } = await request('POST', '/products', {
    productType: { typeId: 'product-type', key: 'lamp' },
    name: { en: 'Lamp' },
    slug: { en: 'lamp' },
    key: 'lamp',
    masterVariant: {},
  });
  const target = { typeId: 'channel', key: 'shop' };
  t.match(await request('POST', '/reviews', { key: 'good', target }), {
    body: { target: { typeId: 'channel', id: channel['id'] } },
  });
  const selection = `{ targetRef { typeId id } target { id ... on Channel { key roles } ... on Product { version } } }`;
  const read = (): ReturnType<typeof request> =>
    request('POST', '/graphql', { query: `{ review(key: "good") ${selection} }` });
  t.strictSame((await read()).body, {
    data: {
      review: {
        targetRef: { typeId: 'channel', id: channel['id'] },
        target: { id: channel['id'], key: 'shop', roles: ['InventorySupply'] },
      },
    },
  });
  const query = `mutation { updateReview(key: "good", version: 1, actions: [
    { setTarget: { target: { typeId: "product", key: "lamp" } } }
  ]) ${selection} }`;
  t.match((await request('POST', '/graphql', { query })).body, {
    data: { updateReview: { target: { id: product['id'], version: 1 } } },
  });
  const field = { code: 'InvalidField', field: 'target.typeId', invalidValue: 'zone' };
  t.match(await request('POST', '/reviews', { target: { typeId: 'zone', key: 'shop' } }), refused(field));
  t.match(
    await request('POST', '/reviews', { target: { key: 'shop' } }),
    refused({ code: 'RequiredField', field: 'target.typeId' }),
  );
  t.match(
    await request('POST', '/reviews', { target: { typeId: 'product', key: 'none' } }),
    refused({ code: 'ReferencedResourceNotFound', typeId: 'product', key: 'none' }),
  );
  t.equal((await request('DELETE', `/products/${String(product['id'])}?version=1`)).status, 200);
  t.match((await read()).body, { data: { review: { targetRef: { id: product['id'] }, target: null } } });
});
