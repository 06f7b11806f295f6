import t from 'tap';
import { startProject } from '../support/platform.ts';

const refused = (error: object) => ({ status: 400, body: { errors: [error] } });

function euros(centAmount: number): object {
  return { currencyCode: 'EUR', centAmount };
}

function day(number: number): string {
  return `2030-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;
}

t.test('prices of one SKU and scope do not hold at the same time', async (t) => {
  const { request } = await startProject();
  const create = (members: object) =>
    request('POST', '/standalone-prices', { sku: 'lamp', value: euros(500), ...members });
  const { body: plain } = await create({});
  t.match(plain, { active: true, tiers: undefined });
  const link = { typeId: 'standalone-price', id: plain['id'] };
  t.match(
    await create({ value: euros(400) }),
    refused({ code: 'DuplicateStandalonePriceScope', conflictingStandalonePrice: link, sku: 'lamp', currency: 'EUR' }),
  );
  for (const members of [
    { sku: 'chair' },
    { country: 'DE' },
    { value: { currencyCode: 'USD', centAmount: 500 } },
    { validFrom: day(10), validUntil: day(20) },
    { validFrom: day(20), validUntil: day(21) },
    { country: 'DE', validFrom: day(1), validUntil: day(30) },
  ])
    t.equal((await create(members)).status, 201, JSON.stringify(members));
  t.match(
    await create({ validFrom: day(19), validUntil: day(20) }),
    refused({
      code: 'OverlappingStandalonePriceValidity',
      validFrom: day(19),
      validUntil: day(20),
      conflictingValidFrom: day(10),
      conflictingValidUntil: day(20),
    }),
  );
  t.match(await create({ validUntil: day(11) }), refused({ code: 'OverlappingStandalonePriceValidity' }));
  const { body: early } = await create({ validUntil: day(10) });
  const update = (...actions: readonly object[]) =>
    request('POST', `/standalone-prices/${String(early['id'])}`, { version: 1, actions });
  t.match(
    await update({ action: 'setValidUntil', validUntil: day(11) }),
    refused({ code: 'OverlappingStandalonePriceValidity', conflictingValidFrom: day(10) }),
  );
  t.match(await update({ action: 'setValidFromAndUntil' }), refused({ code: 'DuplicateStandalonePriceScope' }));
  t.match(
    await update({ action: 'setValidFrom', validFrom: day(10) }),
    refused({ code: 'InvalidField', field: 'validUntil' }),
  );
  t.equal((await update({ action: 'setValidFromAndUntil', validFrom: day(2), validUntil: day(9) })).status, 200);
});

t.test('of rivals over one scope one is served, and the others are told', async (t) => {
  const { request } = await startProject();
  const refusals = /^(Duplicate|Overlapping)StandalonePrice(Scope|Validity)$|^(Exact|Validity)LockConflict$/;
  const isWon = async (drafts: readonly object[], what: string): Promise<void> => {
    const answers = await Promise.all(drafts.map((draft) => request('POST', '/standalone-prices', draft)));
    t.equal(answers.filter(({ status }) => status === 201).length, 1, what);
    for (const { status, body } of answers) {
      if (status === 201) continue;
      t.match(body, { errors: [{ code: refusals, currency: 'EUR' }] }, `${what}: ${status}`);
    }
  };
  for (let round = 0; round < 10; round += 1) {
    const price = { sku: `lamp-${round}`, value: euros(500) };
    const rivals = Array.from({ length: 8 }, (_, index) => index);
    await isWon(
      rivals.map(() => price),
      'the same scope',
    );
    await isWon(
      rivals.map((index) => ({ ...price, validFrom: day(1 + index), validUntil: day(15) })),
      'overlapping validities',
    );
    const { body } = await request('GET', `/standalone-prices?where=sku="lamp-${round}"`);
    t.equal(body['total'], 2);
  }
});

t.test('a staged value waits until it is applied, or is dropped', async (t) => {
  const { request } = await startProject();
  const { body } = await request('POST', '/standalone-prices', {
    key: 'lamp',
    sku: 'lamp',
    value: euros(500),
    staged: { value: euros(450) },
  });
  t.match(body, { value: { centAmount: 500 }, staged: { value: { centAmount: 450 } } });
  let version = 1;
  const update = async (...actions: readonly object[]) => {
    const answer = await request('POST', '/standalone-prices/key=lamp', { version, actions });
    if (answer.status === 200) version = Number(answer.body['version']);
    return answer;
  };
  t.match(await update({ action: 'changeValue', value: euros(400), staged: true }), {
    body: { value: { centAmount: 500 }, staged: { value: { centAmount: 400 } } },
  });
  t.match(await update({ action: 'changeValue', value: euros(510) }), {
    body: { value: { centAmount: 510 }, staged: { value: { centAmount: 400 } } },
  });
  const applied = await update({ action: 'applyStagedChanges' });
  t.match(applied, { body: { value: { centAmount: 400 } } });
  t.notOk('staged' in applied.body);
  t.match(await update({ action: 'applyStagedChanges' }), refused({ code: 'InvalidOperation' }));
  await update({ action: 'changeValue', value: euros(1), staged: true });
  const dropped = await update({ action: 'removeStagedChanges' });
  t.notOk('staged' in dropped.body);
  t.match(
    await update({ action: 'changeValue', value: { currencyCode: 'USD', centAmount: 1 }, staged: true }),
    refused({ code: 'InvalidField', field: 'staged.value.currencyCode' }),
  );
});

t.test('tiers begin at different quantities, in the currency of the price', async (t) => {
  const { request } = await startProject();
  await request('POST', '/standalone-prices', { key: 'lamp', sku: 'lamp', value: euros(500), tiers: [] });
  let version = 1;
  const update = async (action: string, members: object) => {
    const answer = await request('POST', '/standalone-prices/key=lamp', { version, actions: [{ action, ...members }] });
    if (answer.status === 200) version = Number(answer.body['version']);
    return answer;
  };
  const tier = (minimumQuantity: number, value = euros(400)) => ({ minimumQuantity, value });
  t.match(await update('addPriceTier', { tier: tier(10) }), { body: { tiers: [{ minimumQuantity: 10 }] } });
  const fault = (field: string): object => refused({ code: 'InvalidField', field });
  t.match(await update('addPriceTier', { tier: tier(10) }), fault('tiers[1].minimumQuantity'));
  t.match(await update('addPriceTier', { tier: tier(1) }), { status: 400 });
  t.match(await update('setPriceTiers', { tiers: [tier(2), tier(2)] }), fault('tiers[1].minimumQuantity'));
  const dollars = { currencyCode: 'USD', centAmount: 1 };
  t.match(await update('addPriceTier', { tier: tier(20, dollars) }), fault('tiers[1].value.currencyCode'));
  t.match(await update('removePriceTier', { minimumQuantity: 20 }), fault('minimumQuantity'));
  t.notOk('tiers' in (await update('removePriceTier', { minimumQuantity: 10 })).body);
});

t.test('a price that stands alone tells all that does not go together, as prices of products do', async (t) => {
  const { request } = await startProject();
  const price = {
    value: euros(500),
    validFrom: '2030-01-02T00:00:00.000Z',
    validUntil: '2030-01-01T00:00:00.000Z',
    tiers: [2, 2].map((minimumQuantity) => ({ minimumQuantity, value: euros(400) })),
  };
  const alone = await request('POST', '/standalone-prices', { sku: 'lamp', ...price });
  const { errors } = alone.body as { readonly errors: readonly { readonly field: string; readonly message: string }[] };
  t.strictSame([alone.status, errors.map(({ field }) => field)], [400, ['validUntil', 'tiers[1].minimumQuantity']]);
  const product = await request('POST', '/products', {
    productType: { typeId: 'product-type', key: 'none' },
    name: { en: 'Lamp' },
    slug: { en: 'lamp' },
    masterVariant: { prices: [price] },
  });
  const within = (text: string): string => text.replaceAll('masterVariant.prices[0].', '');
  t.strictSame(JSON.parse(within(JSON.stringify(product.body['errors']))), errors);
});

t.test('the channel is one for distribution, and policies are not available', async (t) => {
  const { request } = await startProject();
  await request('POST', '/channels', { key: 'stock', roles: ['InventorySupply'] });
  const create = (members: object) =>
    request('POST', '/standalone-prices', { sku: 'lamp', value: euros(1), ...members });
  t.match(
    await create({ channel: { typeId: 'channel', key: 'stock' } }),
    refused({ code: 'MissingRoleOnChannel', missingRole: 'ProductDistribution' }),
  );
  t.match(
    await create({ recurrencePolicy: { typeId: 'recurrence-policy', key: 'weekly' } }),
    refused({ code: 'InvalidInput', message: /'recurrencePolicy' is not available/ }),
  );
});

t.test('clients say what an external discount makes of the price of a variant that is for sale', async (t) => {
  const { request } = await startProject();
  const discount = async (key: string, sortOrder: string, members: object): Promise<void> => {
    const draft = { key, name: { en: key }, predicate: 'sku = "lamp"', sortOrder, ...members };
    t.equal((await request('POST', '/product-discounts', draft)).status, 201);
  };
  await discount('out', '0.1', { value: { type: 'external' } });
  await discount('off', '0.2', { value: { type: 'external' }, isActive: false });
  await discount('other', '0.3', { value: { type: 'external' }, predicate: 'sku = "chair"' });
  await discount('half', '0.4', { value: { type: 'relative', permyriad: 5000 } });
  await request('POST', '/standalone-prices', { key: 'lamp', sku: 'lamp', value: euros(500) });
  const say = (key: string, value = euros(300)) =>
    request('POST', '/standalone-prices/key=lamp', {
      version: 1,
      actions: [{ action: 'setDiscountedPrice', discounted: { value, discount: { typeId: 'product-discount', key } } }],
    });
  const fault = (message: RegExp): object => refused({ code: 'InvalidOperation', message });
  t.match(await say('half'), fault(/not an external one/));
  t.match(await say('out'), fault(/No published product/));
  await request('POST', '/product-types', { key: 'lamps', name: 'Lamps', description: 'Lamps' });
  const product = await request('POST', '/products', {
    productType: { typeId: 'product-type', key: 'lamps' },
    name: { en: 'Lamp' },
    slug: { en: 'lamp' },
    masterVariant: { sku: 'lamp' },
    publish: true,
  });
  t.equal(product.status, 201);
  t.match(await say('off'), fault(/not active/));
  t.match(await say('other'), fault(/does not match/));
  t.match(await say('out', { currencyCode: 'USD', centAmount: 1 }), refused({ code: 'InvalidField' }));
  t.match(await say('out'), { status: 200, body: { discounted: { value: { centAmount: 300 } } } });
});
