/** What product types refuse, and what their actions make of attributes. */
import t from 'tap';
import { type Answer, startProject } from '../support/platform.ts';

const platform = await startProject();
const { request } = platform;

const label = { en: 'Label' };
const values = ['small', 'large'].map((key) => ({ key, label: key.toUpperCase() }));
const localized = ['red', 'blue'].map((key) => ({ key, label: { en: key } }));

type Draft = Readonly<Record<string, unknown>>;

function attribute(name: string, type: Draft, rest: Draft = {}): Draft {
  return { name, type, label, isRequired: false, ...rest };
}

let count = 0;

function create(...attributes: readonly Draft[]): Promise<Answer> {
  count += 1;
  return request('POST', '/product-types', {
    key: `type-${count}`,
    name: `Type ${count}`,
    description: '',
    attributes,
  });
}

async function made(...attributes: readonly Draft[]): Promise<Draft> {
  const { status, body, text } = await create(...attributes);
  if (status !== 201) throw new Error(text);
  return body;
}

function update({ id, version }: Draft, ...actions: readonly Draft[]): Promise<Answer> {
  return request('POST', `/product-types/${String(id)}`, { version, actions });
}

function refused(t: Tap, { status, body }: Answer, error: Draft, message = String(error['code'])): void {
  t.match({ status, error: (body['errors'] as readonly unknown[])?.[0] }, { status: 400, error }, message);
}

type Tap = Pick<typeof t, 'match'>;

t.test('a definition shows all that it has, with what a draft leaves out', async (t) => {
  const { attributes } = await made({ name: 'it', type: { name: 'text' }, label, isRequired: true });
  t.strictSame(attributes, [
    {
      name: 'it',
      type: { name: 'text' },
      label,
      isRequired: true,
      level: 'Variant',
      isSearchable: true,
      attributeConstraint: 'None',
      inputHint: 'SingleLine',
    },
  ]);
  refused(t, await create({ name: 'it', type: { name: 'text' }, label }), {
    code: 'RequiredField',
    field: 'attributes[0].isRequired',
  });
  for (const name of ['a', 'a b', 'ä'.repeat(2), 'x'.repeat(257)])
    refused(t, await create(attribute(name, { name: 'text' })), { code: 'InvalidField', field: 'attributes[0].name' });
});

t.test('sets stand in each other around nested attributes alone, five at most', async (t) => {
  const target = await made();
  const nested = { name: 'nested', typeReference: { typeId: 'product-type', id: target['id'] } };
  const within = (sets: number, innermost: Draft): Draft =>
    sets === 0 ? innermost : { name: 'set', elementType: within(sets - 1, innermost) };
  for (let sets = 0; sets <= 5; sets += 1) {
    const { attributes } = await made(attribute(`nested-${sets}`, within(sets, nested)));
    t.match(attributes, [{ type: within(sets, nested), isSearchable: false }], `${sets} sets`);
  }
  const refusal = { code: 'InvalidField', field: 'attributes[0].type' };
  refused(t, await create(attribute('six-sets', within(6, nested))), refusal);
  refused(t, await create(attribute('two-sets', within(2, { name: 'text' }))), refusal);
  t.match((await request('DELETE', `/product-types/${String(target['id'])}?version=1`)).body, {
    errors: [{ code: 'ReferenceExists' }],
  });
  const unknown = { name: 'nested', typeReference: { typeId: 'product-type', key: 'unknown' } };
  refused(t, await create(attribute('unknown', within(3, unknown))), { code: 'ReferencedResourceNotFound' });
});

t.test('a product type that nests itself can go', async (t) => {
  const type = await made();
  const nested = { name: 'nested', typeReference: { typeId: 'product-type', id: type['id'] } };
  const adding = { action: 'addAttributeDefinition', attribute: attribute('itself', nested) };
  const { body } = await update(type, adding);
  t.match(body, { version: 2, attributes: [{ type: nested }] });
  await remove(body);
});

t.test('what an attribute cannot demand is refused', async (t) => {
  const target = await made();
  const nested = { name: 'nested', typeReference: { typeId: 'product-type', id: target['id'] } };
  const set = { name: 'set', elementType: { name: 'text' } };
  const cases = [
    attribute('demand-1', { name: 'text' }, { level: 'Product', attributeConstraint: 'Unique' }),
    attribute('demand-2', nested, { attributeConstraint: 'SameForAll' }),
    attribute('demand-3', nested, { isSearchable: true }),
    attribute('demand-4', { name: 'set', elementType: nested }, { isSearchable: true }),
    attribute('demand-5', set, { isRequired: true }),
  ];
  for (const draft of cases) refused(t, await create(draft), { code: 'InvalidOperation' }, String(draft['name']));
  const type = await made(attribute('demand-6', nested), attribute('demand-7', set));
  for (const draft of cases)
    refused(t, await update(type, { action: 'addAttributeDefinition', attribute: draft }), {
      code: 'InvalidOperation',
    });
  const searchable = { action: 'changeIsSearchable', attributeName: 'demand-6', isSearchable: true };
  refused(t, await update(type, searchable), { code: 'InvalidOperation' });
  t.match((await update(type, { ...searchable, attributeName: 'demand-7', isSearchable: false })).body, {
    attributes: [{}, { isSearchable: false }],
  });
});

t.test('names are distinct in a product type, and keys in an enumeration', async (t) => {
  const twice = attribute('twice', { name: 'text' });
  refused(t, await create(twice, twice), {
    code: 'AttributeDefinitionAlreadyExists',
    conflictingProductTypeId: /^[0-9a-f-]{36}$/,
    conflictingProductTypeName: `Type ${count}`,
    conflictingAttributeName: 'twice',
  });
  const type = await made(twice, attribute('once', { name: 'text' }));
  const exists = {
    code: 'AttributeDefinitionAlreadyExists',
    conflictingProductTypeId: type['id'],
    conflictingProductTypeName: type['name'],
    conflictingAttributeName: 'twice',
  };
  refused(t, await update(type, { action: 'addAttributeDefinition', attribute: twice }), exists);
  const renaming = { action: 'changeAttributeName', attributeName: 'once', newAttributeName: 'twice' };
  refused(t, await update(type, renaming), exists);
  const repeated = [...values, ...values, ...values];
  for (const enumeration of [
    { name: 'enum', values: repeated },
    { name: 'set', elementType: { name: 'enum', values: repeated } },
  ])
    refused(t, await create(attribute('repeated', enumeration)), {
      code: 'DuplicateEnumValues',
      duplicates: ['small', 'large'],
    });
});

t.test('an attribute has one type in all product types', async (t) => {
  const [one, other] = [await made(), await made()];
  const nested = ({ id }: Draft): Draft => ({ name: 'nested', typeReference: { typeId: 'product-type', id } });
  const types: readonly Draft[] = [
    { name: 'text' },
    { name: 'ltext' },
    { name: 'enum', values },
    { name: 'reference', referenceTypeId: 'category' },
    { name: 'reference', referenceTypeId: 'product' },
    { name: 'set', elementType: { name: 'text' } },
    { name: 'set', elementType: { name: 'reference', referenceTypeId: 'category' } },
    { name: 'set', elementType: { name: 'reference', referenceTypeId: 'product' } },
    nested(one),
    nested(other),
    { name: 'set', elementType: nested(one) },
    { name: 'set', elementType: { name: 'set', elementType: nested(one) } },
  ];
  for (const [index, type] of types.entries()) {
    const first = await made(attribute('shared', type));
    const conflict = {
      code: 'AttributeDefinitionTypeConflict',
      conflictingProductTypeId: first['id'],
      conflictingProductTypeName: first['name'],
      conflictingAttributeName: 'shared',
    };
    for (const [otherIndex, otherType] of types.entries()) {
      if (otherIndex === index) continue;
      refused(t, await create(attribute('shared', otherType)), conflict, JSON.stringify([type, otherType]));
    }
    const second = await made(attribute('shared', type), attribute('own', { name: 'number' }));
    t.equal((await update(first, { action: 'changeName', name: 'As before' })).status, 200);
    await remove(second);
    await remove({ ...first, version: 2 });
  }
  const first = await made(attribute('shared', { name: 'enum', values }));
  const otherValues = attribute('shared', { name: 'enum', values: [] }, { level: 'Product' });
  const second = await made(otherValues, attribute('other', { name: 'text' }));
  const third = await made(attribute('fresh', { name: 'text' }));
  const conflict = { code: 'AttributeDefinitionTypeConflict', conflictingAttributeName: 'shared' };
  const renaming = { action: 'changeAttributeName', attributeName: 'fresh', newAttributeName: 'shared' };
  refused(t, await update(third, renaming), conflict);
  const adding = { action: 'addAttributeDefinition', attribute: attribute('shared', { name: 'number' }) };
  refused(t, await update(third, adding), conflict);
  await remove(first);
  await remove(second);
  t.equal((await update(third, adding)).status, 200, 'a name that no product type has is free');
});

async function remove({ id, version }: Draft): Promise<void> {
  const { status, text } = await request('DELETE', `/product-types/${String(id)}?version=${String(version)}`);
  if (status !== 200) throw new Error(text);
}

t.test('what an action names has to be there', async (t) => {
  const type = await made(
    attribute('there', { name: 'text' }),
    attribute('plain', { name: 'enum', values }),
    attribute('plains', { name: 'set', elementType: { name: 'lenum', values: localized } }),
  );
  const rest: Readonly<Record<string, Draft>> = {
    changeAttributeName: { newAttributeName: 'new-name' },
    changeLabel: { label },
    setInputTip: {},
    changeInputHint: { newValue: 'MultiLine' },
    changeIsSearchable: { isSearchable: true },
    changeAttributeConstraint: { newValue: 'None' },
    addPlainEnumValue: { value: values[0] },
    addLocalizedEnumValue: { value: localized[0] },
    changePlainEnumValueLabel: { newValue: values[0] },
    changeLocalizedEnumValueLabel: { newValue: localized[0] },
    changePlainEnumValueOrder: { values },
    changeLocalizedEnumValueOrder: { values: localized },
    changeEnumKey: { key: 'small', newKey: 'tiny' },
    removeEnumValues: { keys: ['small'] },
  };
  const unknown = { code: 'AttributeNameDoesNotExist', invalidAttributeName: 'no such' };
  for (const [action, input] of Object.entries(rest)) {
    refused(t, await update(type, { action, attributeName: 'no such', ...input }), unknown, action);
    if (!action.includes('Enum')) continue;
    refused(t, await update(type, { action, attributeName: 'there', ...input }), { code: 'InvalidOperation' }, action);
  }
  refused(t, await update(type, { action: 'removeAttributeDefinition', name: 'no such' }), unknown);
  const missing = { code: 'EnumKeyDoesNotExist', conflictingEnumKey: 'tiny', conflictingAttributeName: 'plain' };
  for (const [action, input] of [
    ['changeEnumKey', { key: 'tiny', newKey: 'small' }],
    ['removeEnumValues', { keys: ['small', 'tiny'] }],
    ['changePlainEnumValueLabel', { newValue: { key: 'tiny', label: 'Tiny' } }],
  ] as const)
    refused(t, await update(type, { action, attributeName: 'plain', ...input }), missing, action);
  const existing = { code: 'EnumKeyAlreadyExists', conflictingEnumKey: 'small', conflictingAttributeName: 'plain' };
  const renaming = { action: 'changeEnumKey', attributeName: 'plain', key: 'large', newKey: 'small' };
  refused(t, await update(type, renaming), existing);
  const adding = { action: 'addPlainEnumValue', attributeName: 'plain', value: values[0] };
  refused(t, await update(type, adding), existing);
  const inSet = { action: 'addPlainEnumValue', attributeName: 'plains', value: values[0] };
  refused(t, await update(type, inSet), { code: 'InvalidOperation' }, 'a set of the other enumeration');
});

t.test('orders name what is there, all of it, each once', async (t) => {
  const type = await made(
    attribute('first', { name: 'enum', values }),
    attribute('second', { name: 'set', elementType: { name: 'lenum', values: localized } }),
  );
  const byName = (...attributeNames: readonly string[]): Promise<Answer> =>
    update(type, { action: 'changeAttributeOrderByName', attributeNames });
  for (const names of [['first'], ['first', 'first'], ['first', 'second', 'third'], ['first', 'second', 'second'], []])
    refused(t, await byName(...names), { code: 'InvalidInput' }, names.join(' '));
  const order = (...ordered: readonly unknown[]): Promise<Answer> =>
    update(type, { action: 'changePlainEnumValueOrder', attributeName: 'first', values: ordered });
  const [small, large] = values;
  for (const ordered of [[small], [small, small], [large, small, small], [large, { ...small, label: 'S' }], []])
    refused(t, await order(...ordered), { code: 'EnumValuesMustMatch' }, JSON.stringify(ordered));
  const { body } = await update(
    type,
    { action: 'changeAttributeOrder', attributes: (type['attributes'] as readonly Draft[]).toReversed() },
    { action: 'changePlainEnumValueOrder', attributeName: 'first', values: values.toReversed() },
    { action: 'changeLocalizedEnumValueOrder', attributeName: 'second', values: localized.toReversed() },
  );
  t.match(body, {
    attributes: [
      { name: 'second', type: { elementType: { values: localized.toReversed() } } },
      { name: 'first', type: { values: values.toReversed() } },
    ],
  });
});

t.test('constraints are given up, and only two of them', async (t) => {
  const constraints = ['None', 'Unique', 'CombinationUnique', 'SameForAll'];
  const type = await made(
    ...constraints.map((attributeConstraint) =>
      attribute(`is-${attributeConstraint}`, { name: 'text' }, { attributeConstraint }),
    ),
  );
  for (const from of constraints) {
    for (const newValue of constraints) {
      const action = { action: 'changeAttributeConstraint', attributeName: `is-${from}`, newValue };
      const isAllowed = newValue === 'None' && (from === 'Unique' || from === 'SameForAll');
      if (!isAllowed) refused(t, await update(type, action), { code: 'InvalidOperation' }, `${from} ${newValue}`);
    }
  }
  const given = ['Unique', 'SameForAll'].map((name) => {
    return { action: 'changeAttributeConstraint', attributeName: `is-${name}`, newValue: 'None' };
  });
  t.match((await update(type, ...given)).body, {
    attributes: ['None', 'None', 'CombinationUnique', 'None'].map((attributeConstraint) => ({ attributeConstraint })),
  });
});

t.test('a value of a required attribute stays while a product has it', async (t) => {
  const type = await made(
    attribute('must', { name: 'enum', values }, { isRequired: true }),
    attribute('may', { name: 'enum', values }),
  );
  const value = { key: 'large', label: 'LARGE' };
  const product = {
    productType: { typeId: 'product-type', id: type['id'] },
    name: { en: 'It' },
    slug: { en: 'it' },
    masterVariant: { attributes: [{ name: 'must', value: { key: 'small', label: 'SMALL' } }] },
    variants: [{ sku: 'other', attributes: ['must', 'may'].map((name) => ({ name, value })) }],
  };
  const { status, text } = await request('POST', '/products', product);
  t.equal(status, 201, text);
  const removal = (attributeName: string, ...keys: readonly string[]): Draft => {
    return { action: 'removeEnumValues', attributeName, keys };
  };
  const used = { code: 'EnumValueIsUsed' };
  refused(t, await update(type, removal('must', 'small')), used, 'of a master variant');
  refused(t, await update(type, removal('must', 'large')), used, 'of another variant');
  const renaming = { action: 'changeEnumKey', attributeName: 'must', key: 'small', newKey: 'tiny' };
  refused(t, await update(type, renaming, removal('must', 'tiny')), used, 'under a new name');
  const moving = { action: 'changeAttributeName', attributeName: 'must', newAttributeName: 'needs' };
  refused(t, await update(type, moving, removal('needs', 'small')), used, 'of an attribute with a new name');
  // Nothing follows here.
  const cases: Readonly<Record<string, readonly [before: readonly Draft[], removal: Draft]>> = {
    key: [[renaming], removal('must', 'tiny')],
    name: [[moving], removal('needs', 'small')],
    both: [[renaming, moving], removal('needs', 'tiny')],
  };
  for (const [what, [before, last]] of Object.entries(cases)) {
    let renamed = await made(attribute('must', { name: 'enum', values }, { isRequired: true }));
    const productType = { typeId: 'product-type', id: renamed['id'] };
    const masterVariant = { attributes: [{ name: 'must', value: 'small' }] };
    const draft = { productType, name: { en: what }, slug: { en: what }, masterVariant };
    t.equal((await request('POST', '/products', draft)).status, 201);
    for (const action of before) renamed = (await update(renamed, action)).body;
    refused(t, await update(renamed, last), used, `by the ${what} that products have not followed yet`);
  }
  const adding = { action: 'addPlainEnumValue', attributeName: 'must', value: { key: 'huge', label: 'Huge' } };
  const { body } = await update(type, adding, removal('must', 'huge'), removal('may', 'large'), renaming);
  t.match(body, {
    version: 2,
    attributes: [{ type: { values: [{ key: 'tiny' }, { key: 'large' }] } }, { type: { values: [{ key: 'small' }] } }],
  });
  t.notHas(body, { changes: {} }, 'what products have to follow is not shown');
  refused(t, await request('DELETE', `/product-types/${String(type['id'])}?version=2`), { code: 'ReferenceExists' });
});

t.test('GraphQL picks and orders definitions, and orders them anew', async (t) => {
  const names = ['bb', 'aa', 'cc'];
  await made(...names.map((name) => attribute(name, { name: 'enum', values })));
  const key = `type-${count}`;
  const ask = async (args: string): Promise<unknown> => {
    const query = `{ productType(key: "${key}") { attributeDefinitions(${args}) { total limit offset results { name
      type { ... on EnumAttributeDefinitionType { values(sort: ["label desc"], limit: 1) { total results { key } } } } } } } }`;
    const { body } = await request('POST', '/graphql', { query });
    return (body as { data: { productType: { attributeDefinitions: unknown } } }).data.productType.attributeDefinitions;
  };
  const shown = (...of: readonly string[]): readonly Draft[] =>
    of.map((name) => ({ name, type: { values: { total: 2, results: [{ key: 'small' }] } } }));
  t.match(await ask('sort: ["name desc"], limit: 2'), { total: 3, limit: 2, offset: 0, results: shown('cc', 'bb') });
  t.match(await ask('sort: ["isRequired", "name asc"], offset: 1'), { total: 3, results: shown('bb', 'cc') });
  t.match(await ask('includeNames: ["aa", "bb"], excludeNames: ["bb"]'), { total: 1, results: shown('aa') });
  const sorts = Array.from({ length: 11 }, () => '"name"');
  for (const bounds of ['limit: -1', 'offset: -1', `sort: [${sorts.join()}]`]) {
    const refused = `{ productType(key: "${key}") { attributeDefinitions(${bounds}) { total } } }`;
    const { body } = await request('POST', '/graphql', { query: refused });
    t.match(body, { errors: [{ extensions: { code: 'InvalidInput' } }] }, bounds);
  }
  t.match(await ask('limit: 1000'), { total: 3, limit: 1000 });
  const definitions = names.toSorted().map(
    (name) => `{ name: "${name}", isRequired: false, isSearchable: true, type: { enum: { values: [] } },
      label: [{ locale: "en", value: "x" }] }`,
  );
  const query = `mutation { updateProductType(key: "${key}", version: 1, actions: [
    { changeAttributeOrder: { attributeDefinitions: [${definitions.join(' ')}] } }
    { addAttributeDefinition: { attributeDefinition: { name: "dd", isRequired: false, isSearchable: false,
      type: { set: { elementType: { reference: { referenceTypeId: "zone" } } } }, label: [] } } }
  ]) { version attributeDefinitions { results { name label(locale: "en") } } } }`;
  const { body } = await request('POST', '/graphql', { query });
  t.strictSame(body, {
    data: {
      updateProductType: {
        version: 2,
        attributeDefinitions: {
          results: [...names.toSorted().map((name) => ({ name, label: 'Label' })), { name: 'dd', label: null }],
        },
      },
    },
  });
});

t.test('of rivals who define one attribute with different types those of one type are served', async (t) => {
  const types = [
    { name: 'text' },
    { name: 'number' },
    { name: 'set', elementType: { name: 'text' } },
    { name: 'enum', values },
  ];
  const rivals = Array.from({ length: 32 }, (_, index) => types[index % types.length]!);
  const codeOf = ({ body }: Answer): unknown => (body['errors'] as readonly Draft[] | undefined)?.[0]?.['code'];
  const isWon = (answers: readonly Answer[], status: number, what: string): void => {
    const won = new Set(rivals.filter((_, index) => answers[index]!.status === status));
    t.equal(won.size, 1, `${what}: one type is defined`);
    const served = answers.filter((answer) => answer.status === status);
    t.equal(served.length, rivals.length / types.length, `${what}: by all who have it`);
    const codes = new Set(answers.filter((answer) => answer.status !== status).map(codeOf));
    t.strictSame([...codes], ['AttributeDefinitionTypeConflict'], what);
  };
  const added = await Promise.all(rivals.map(() => made()));
  for (let round = 0; round < 4; round += 1) {
    const name = `contested-${round}`;
    const created = await Promise.all(
      rivals.map((type) => create(attribute(name, type), attribute('uncontested', types[0]!))),
    );
    isWon(created, 201, 'creates');
    const winners = created.filter(({ status }) => status === 201).map(({ body }) => body);
    // Nobody defines it any more, but its name is known.
    for (const winner of winners)
      t.equal((await update(winner, { action: 'removeAttributeDefinition', name })).status, 200);
    const version = round + 1;
    const updated = await Promise.all(
      added.map(({ id }, index) =>
        update({ id, version }, { action: 'addAttributeDefinition', attribute: attribute(name, rivals[index]!) }),
      ),
    );
    isWon(updated, 200, 'updates');
    for (const [index, { status, body }] of updated.entries()) {
      // All have the same version for the next round.
      const { id } = added[index]!;
      if (status === 200) {
        t.equal(body['version'], version + 1);
        continue;
      }
      await update({ id, version }, { action: 'changeName', name: `name-${round}` });
    }
  }
});
