import type { FieldDefinition, TypeDraft } from '@commercetools/platform-sdk';
import t, { type Test } from 'tap';
import { type Platform, startPlatform } from '../support/platform.ts';

function definition(name: string, type: object, required = false): FieldDefinition {
  return { name, label: { en: name }, required, type: type as FieldDefinition['type'] };
}

const values = [
  { key: 'small', label: 'Small' },
  { key: 'large', label: 'Large' },
];

const draft: TypeDraft = {
  key: 'all-fields',
  name: { en: 'All fields' },
  resourceTypeIds: ['channel', 'address', 'category', 'customer-group', 'shipping-method', 'store'],
  fieldDefinitions: [
    definition('flag', { name: 'Boolean' }),
    definition('note', { name: 'String' }),
    definition('title', { name: 'LocalizedString' }),
    definition('count', { name: 'Number' }),
    definition('price', { name: 'Money' }),
    definition('day', { name: 'Date' }),
    definition('at', { name: 'Time' }),
    definition('moment', { name: 'DateTime' }),
    definition('size', { name: 'Enum', values }),
    definition('fit', {
      name: 'LocalizedEnum',
      values: values.map(({ key, label }) => ({ key, label: { en: label } })),
    }),
    definition('zone', { name: 'Reference', referenceTypeId: 'zone' }),
    definition('sizes', { name: 'Set', elementType: { name: 'Enum', values } }),
    definition('zones', { name: 'Set', elementType: { name: 'Reference', referenceTypeId: 'zone' } }),
  ],
};

async function start(t: Test): Promise<Platform & { zoneId: string; typeId: string }> {
  const platform = await startPlatform(t);
  const { api } = platform;
  const zone = await api
    .zones()
    .post({ body: { key: 'europe', name: 'Europe' } })
    .execute();
  const type = await api.types().post({ body: draft }).execute();
  return { ...platform, zoneId: zone.body.id, typeId: type.body.id };
}

t.test('values of every field type are stored, completed and found', async (t) => {
  const { api, request, zoneId, typeId } = await start(t);
  const fields = {
    flag: true,
    note: 'hello',
    title: { en: 'Title', 'de-AT': 'Titel' },
    count: 1.5,
    price: { currencyCode: 'EUR', centAmount: 490 },
    day: '2030-01-31',
    at: '14:30:00',
    moment: '2030-01-31T12:00:00+01:00',
    size: 'small',
    fit: 'large',
    zone: { typeId: 'zone', key: 'europe' },
    sizes: ['large', 'small', 'large'],
    zones: [{ typeId: 'zone', id: zoneId }],
  };
  const created = await api
    .channels()
    .post({ body: { key: 'one', custom: { type: { typeId: 'type', key: 'all-fields' }, fields } } })
    .execute();
  t.strictSame(created.body.custom, {
    type: { typeId: 'type', id: typeId },
    fields: {
      ...fields,
      price: { type: 'centPrecision', currencyCode: 'EUR', centAmount: 490, fractionDigits: 2 },
      at: '14:30:00.000',
      moment: '2030-01-31T11:00:00.000Z',
      zone: { typeId: 'zone', id: zoneId },
      sizes: ['large', 'small'],
    },
  });
  const predicates = [
    'custom(fields(flag = true))',
    'custom(fields(note = "hello" and count > 1))',
    'custom(fields(title(en = "Title")))',
    'custom(fields(price(centAmount = 490)))',
    'custom(fields(day >= "2030-01-01"))',
    'custom(fields(sizes contains any ("small")))',
    `custom(fields(zone(id = "${zoneId}")))`,
    `custom(type(id = "${typeId}"))`,
    'custom(fields(missing is not defined))',
  ];
  for (const where of predicates) {
    const { body } = await request('GET', `/channels?where=${encodeURIComponent(where)}`);
    t.match(body, { count: 1 }, where);
  }
  const expanded = await api
    .channels()
    .withId({ ID: created.body.id })
    .get({ queryArgs: { expand: ['custom.type', 'custom.fields.zone', 'custom.fields.zones[*]'] } })
    .execute();
  t.match(expanded.body.custom, {
    type: { obj: { key: 'all-fields' } },
    fields: { zone: { obj: { key: 'europe' } }, zones: [{ obj: { key: 'europe' } }] },
  });
});

t.test('sets of every element type keep their members in order, each once', async (t) => {
  const { request, zoneId } = await start(t);
  const other = (await request('POST', '/zones', { key: 'asia', name: 'Asia' })).body['id'];
  const money = (centAmount: number): object => ({
    type: 'centPrecision',
    currencyCode: 'EUR',
    centAmount,
    fractionDigits: 2,
  });
  const link = (id: unknown): object => ({ typeId: 'zone', id });
  const sets: Readonly<Record<string, { element: object; given: readonly unknown[]; kept: readonly unknown[] }>> = {
    booleans: { element: { name: 'Boolean' }, given: [true, false, true], kept: [true, false] },
    texts: { element: { name: 'String' }, given: ['b', 'a', 'b'], kept: ['b', 'a'] },
    titles: {
      element: { name: 'LocalizedString' },
      given: [{ en: 'One', de: 'Eins' }, { en: 'Two' }, { de: 'Eins', en: 'One' }],
      kept: [{ en: 'One', de: 'Eins' }, { en: 'Two' }],
    },
    counts: { element: { name: 'Number' }, given: [2, 1.5, 2], kept: [2, 1.5] },
    prices: {
      element: { name: 'Money' },
      given: [money(2), { currencyCode: 'EUR', centAmount: 1 }, money(2)],
      kept: [money(2), money(1)],
    },
    days: {
      element: { name: 'Date' },
      given: ['2030-01-31', '2030-01-01', '2030-01-31'],
      kept: ['2030-01-31', '2030-01-01'],
    },
    times: {
      element: { name: 'Time' },
      given: ['14:30:00', '01:00:00.000', '14:30:00.000'],
      kept: ['14:30:00.000', '01:00:00.000'],
    },
    moments: {
      element: { name: 'DateTime' },
      given: ['2030-01-31T12:00:00+01:00', '2030-01-31T11:00:00.000Z', '2029-01-31T11:00:00.000Z'],
      kept: ['2030-01-31T11:00:00.000Z', '2029-01-31T11:00:00.000Z'],
    },
    enums: { element: { name: 'Enum', values }, given: ['large', 'small', 'large'], kept: ['large', 'small'] },
    links: {
      element: { name: 'Reference', referenceTypeId: 'zone' },
      given: [link(other), { typeId: 'zone', key: 'europe' }, { typeId: 'zone', key: 'asia' }, link(zoneId)],
      kept: [link(other), link(zoneId)],
    },
    ids: {
      element: { name: 'Reference', referenceTypeId: 'zone' },
      given: [link(zoneId), link(other)],
      kept: [link(zoneId), link(other)],
    },
  };
  const entries = Object.entries(sets);
  const fieldDefinitions = entries.map(([name, { element }]) =>
    definition(name, { name: 'Set', elementType: element }),
  );
  const type = { key: 'sets', name: { en: 'Sets' }, resourceTypeIds: ['channel'], fieldDefinitions };
  t.equal((await request('POST', '/types', type)).status, 201);
  const fields = Object.fromEntries(entries.map(([name, { given }]) => [name, given]));
  const kept = Object.fromEntries(entries.map(([name, set]) => [name, set.kept]));
  const created = await request('POST', '/channels', { key: 'one', custom: { type: { key: 'sets' }, fields } });
  t.strictSame((created.body['custom'] as { fields: unknown }).fields, kept, 'by a create');
  await request('POST', '/channels', { key: 'two', custom: { type: { key: 'sets' } } });
  for (const [index, [name, set]] of entries.entries()) {
    const actions = [{ action: 'setCustomField', name, value: set.given }];
    const updated = await request('POST', '/channels/key=two', { version: index + 1, actions });
    t.strictSame(
      (updated.body['custom'] as { fields: Record<string, unknown> }).fields[name],
      set.kept,
      `by an action: ${name}`,
    );
  }
});

t.test('a custom field that no type can define is refused, and nothing else is changed', async (t) => {
  const { request } = await start(t);
  await request('POST', '/channels', { key: 'one', custom: { type: { key: 'all-fields' } } });
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const actions = [{ action: 'setCustomField', name, value: { polluted: true } }];
    const { status, body } = await request('POST', '/channels/key=one', { version: 1, actions });
    t.match(
      { status, body },
      { status: 400, body: { errors: [{ code: 'InvalidField', field: `custom.fields.${name}` }] } },
    );
  }
});

t.test('values that do not fit their type are refused, all at once and by name', async (t) => {
  const { request } = await start(t);
  const wrong = {
    flag: 'yes',
    note: 1,
    title: { english: 'Title' },
    count: 'one',
    price: { currencyCode: 'EUR' },
    day: '2030-02-30',
    at: '25:00:00',
    moment: 'soon',
    size: 'tiny',
    zone: { typeId: 'channel', id: 'x' },
    sizes: ['small', 'tiny'],
    surprise: 1,
  };
  const custom = { type: { key: 'all-fields' }, fields: wrong };
  const { body } = await request('POST', '/channels', { key: 'one', custom });
  // The message of a fault names its field; the member exists where its code has it.
  const messages = (body['errors'] as { message: string }[]).map(({ message }) => message).join('\n');
  for (const name of Object.keys(wrong)) t.ok(messages.includes(`custom.fields.${name}`), name);
  t.match(await request('POST', '/channels', { key: 'one', custom: { type: { key: 'none' } } }), {
    body: { errors: [{ code: 'ReferencedResourceNotFound', typeId: 'type', key: 'none' }] },
  });
  t.match(
    await request('POST', '/channels', {
      key: 'one',
      custom: { type: { key: 'all-fields' }, fields: { count: 2 ** 53 } },
    }),
    {
      status: 400,
      body: { errors: [{ code: 'InvalidField', field: 'custom.fields' }] },
    },
  );
  const missing = { type: { key: 'all-fields' }, fields: { zone: { typeId: 'zone', key: 'none' } } };
  t.match((await request('POST', '/channels', { key: 'one', custom: missing })).body, {
    errors: [{ code: 'ReferencedResourceNotFound', typeId: 'zone', key: 'none' }],
  });
  t.equal((await request('GET', '/channels')).body['count'], 0);
});

t.test('a type has to name what it is used for', async (t) => {
  const { api, request } = await start(t);
  const key = 'for-stores';
  await api
    .types()
    .post({ body: { key, name: { en: 'x' }, resourceTypeIds: ['store'] } })
    .execute();
  t.match((await request('POST', '/channels', { key: 'one', custom: { type: { key } } })).body, {
    errors: [{ code: 'InvalidField', field: 'custom.type' }],
  });
});

t.test('required fields are asked for, and actions set and remove fields one by one', async (t) => {
  const { api, request } = await start(t);
  await api
    .types()
    .post({
      body: {
        key: 'strict',
        name: { en: 'x' },
        resourceTypeIds: ['channel'],
        fieldDefinitions: [definition('note', { name: 'String' }, true), definition('size', { name: 'Enum', values })],
      },
    })
    .execute();
  t.match((await request('POST', '/channels', { key: 'a1', custom: { type: { key: 'strict' } } })).body, {
    errors: [{ code: 'RequiredField', field: 'custom.fields.note' }],
  });
  const custom = { type: { typeId: 'type', key: 'strict' }, fields: { note: 'x' } } as const;
  await api
    .channels()
    .post({ body: { key: 'a1', custom } })
    .execute();
  const update = (version: number, ...actions: object[]) => request('POST', '/channels/key=a1', { version, actions });
  t.match((await update(1, { action: 'setCustomField', name: 'size', value: 'small' })).body, {
    version: 2,
    custom: { fields: { note: 'x', size: 'small' } },
  });
  t.match((await update(2, { action: 'setCustomField', name: 'size', value: 'tiny' })).body, {
    errors: [{ code: 'InvalidField', field: 'custom.fields.size', allowedValues: ['small', 'large'] }],
  });
  t.match((await update(2, { action: 'setCustomField', name: 'note', value: null })).body, {
    errors: [{ code: 'RequiredField', field: 'custom.fields.note' }],
  });
  t.match((await update(2, { action: 'setCustomField', name: 'size' })).body, { version: 3 });
  t.match((await update(3, { action: 'setCustomField', name: 'size' })).body, {
    errors: [{ code: 'InvalidOperation' }],
  });
  t.match((await update(3, { action: 'setCustomField', name: 'note', value: 'x' })).body, { version: 3 });
  const removed = (await update(3, { action: 'setCustomType' })).body;
  t.equal(removed['version'], 4);
  t.equal(removed['custom'], undefined);
  t.match((await update(4, { action: 'setCustomField', name: 'note', value: 'x' })).body, {
    errors: [{ code: 'InvalidOperation' }],
  });
  const both = [
    { action: 'setCustomType', type: { key: 'strict' }, fields: { size: 'small' } },
    { action: 'setCustomField', name: 'note', value: 'y' },
  ];
  t.match((await update(4, ...both)).body, { version: 5, custom: { fields: { note: 'y', size: 'small' } } });
});

t.test('a type in use cannot be deleted, and what it gives up leaves with the next change', async (t) => {
  const { api, request } = await start(t);
  const custom = { type: { typeId: 'type', key: 'all-fields' }, fields: { note: 'x', count: 1 } } as const;
  const { body: channel } = await api
    .channels()
    .post({ body: { key: 'a1', custom } })
    .execute();
  t.match((await request('DELETE', '/types/key=all-fields?version=1')).body, { errors: [{ code: 'ReferenceExists' }] });
  t.match(
    (
      await request('POST', '/types/key=all-fields', {
        version: 1,
        actions: [{ action: 'removeFieldDefinition', fieldName: 'note' }],
      })
    ).body,
    { version: 2 },
  );
  const changed = await request('POST', `/channels/${channel.id}`, {
    version: 1,
    actions: [{ action: 'setCustomField', name: 'count', value: 2 }],
  });
  t.strictSame((changed.body['custom'] as { fields: unknown }).fields, { count: 2 });
});

t.test('the address of a channel has custom fields of its own', async (t) => {
  const { request } = await start(t);
  const custom = { type: { key: 'all-fields' }, fields: { note: 'door' } };
  t.match((await request('POST', '/channels', { key: 'a1', address: { country: 'DE', custom } })).body, {
    address: { custom: { fields: { note: 'door' } } },
  });
  const action = { action: 'setAddressCustomField', name: 'note', value: 'gate' };
  t.match((await request('POST', '/channels/key=a1', { version: 1, actions: [action] })).body, {
    address: { custom: { fields: { note: 'gate' } } },
  });
  await request('POST', '/channels', { key: 'a2' });
  t.match((await request('POST', '/channels/key=a2', { version: 1, actions: [action] })).body, {
    errors: [{ code: 'InvalidOperation' }],
  });
});

t.test('types are changed by actions and keep their names unique', async (t) => {
  const { api, request } = await start(t);
  const twice = [definition('note', { name: 'String' }), definition('note', { name: 'Number' })];
  t.match(
    (
      await request('POST', '/types', {
        key: 'twice',
        name: { en: 'x' },
        resourceTypeIds: ['store'],
        fieldDefinitions: twice,
      })
    ).body,
    { errors: [{ code: 'DuplicateField', field: 'fieldDefinitions.name', duplicateValue: 'note' }] },
  );
  const order = draft.fieldDefinitions!.map(({ name }) => name).reverse();
  const changed = await api
    .types()
    .withKey({ key: 'all-fields' })
    .post({
      body: {
        version: 1,
        actions: [
          { action: 'addFieldDefinition', fieldDefinition: definition('extra', { name: 'Boolean' }) },
          { action: 'changeFieldDefinitionOrder', fieldNames: ['extra', ...order] },
          { action: 'addEnumValue', fieldName: 'sizes', value: { key: 'huge', label: 'Huge' } },
          { action: 'changeEnumValueOrder', fieldName: 'size', keys: ['large', 'small'] },
          { action: 'changeEnumValueLabel', fieldName: 'size', value: { key: 'small', label: 'S' } },
          { action: 'changeLocalizedEnumValueLabel', fieldName: 'fit', value: { key: 'small', label: { en: 'S' } } },
          { action: 'changeLabel', fieldName: 'note', label: { en: 'Remark' } },
          { action: 'changeInputHint', fieldName: 'note', inputHint: 'MultiLine' },
          { action: 'changeName', name: { en: 'Renamed' } },
        ],
      },
    })
    .execute();
  t.strictSame(
    changed.body.fieldDefinitions.map(({ name }) => name),
    ['extra', ...order],
  );
  const byName = new Map(changed.body.fieldDefinitions.map((field) => [field.name, field]));
  t.match(byName.get('size')?.type, { values: [{ key: 'large' }, { key: 'small', label: 'S' }] });
  t.match(byName.get('sizes')?.type, { elementType: { values: [{}, {}, { key: 'huge' }] } });
  t.match(byName.get('note'), { label: { en: 'Remark' }, inputHint: 'MultiLine' });
  const refused = [
    { action: 'addEnumValue', fieldName: 'size', value: { key: 'small', label: 'S' } },
    { action: 'addEnumValue', fieldName: 'note', value: { key: 'small', label: 'S' } },
    { action: 'changeEnumValueOrder', fieldName: 'size', keys: ['large'] },
    { action: 'removeFieldDefinition', fieldName: 'none' },
  ];
  for (const action of refused) {
    const answer = await request('POST', '/types/key=all-fields', { version: 2, actions: [action] });
    t.equal(answer.status, 400, JSON.stringify(action));
  }
});
