import t from 'tap';
import { actions, type Behavior, refusal, startShop } from '../support/extension-server.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t, { allowsPrivateExtensions: true });

t.test('an extension gets what would be stored, and nothing is written without its consent', async (t) => {
  const { project, calls, extend, createGroup, updateGroup, urlOf } = await startShop(t, platform);
  const headerValue = 'Basic c2VjcmV0';
  const extension = await extend('groups', {
    destination: { type: 'HTTP', url: urlOf('groups'), authentication: { type: 'AuthorizationHeader', headerValue } },
    additionalContext: { includeOldResource: true },
  });
  const authentication = { type: 'AuthorizationHeader', headerValue: '****' };
  t.match(extension, { version: 1, destination: { type: 'HTTP', authentication }, timeoutInMs: undefined });
  t.strictSame((await project.request('GET', `/extensions/${extension.id}`)).body, extension);
  const created = await createGroup('VIP', { 'x-correlation-id': 'storefront-1' });
  t.equal(created.status, 201);
  const { body: group } = created;
  const resource = { typeId: 'customer-group', id: group['id'], obj: group };
  t.strictSame(calls[0]!.input, { action: 'Create', resource }, 'the id is final');
  t.match(calls[0]!.headers, {
    authorization: headerValue,
    'x-correlation-id': 'storefront-1',
    'content-type': 'application/json',
  });
  const updated = await updateGroup(String(group['id']), 1, [{ action: 'setKey', key: 'very-important' }]);
  const now = { typeId: 'customer-group', id: group['id'], obj: updated.body };
  t.strictSame(calls[1]!.input, { action: 'Update', resource: now, oldResource: resource });
  await updateGroup(String(group['id']), 2, [{ action: 'setKey', key: 'very-important' }]);
  t.equal(calls.length, 2, 'nobody is asked about an update without effect');
  await project.request('POST', '/zones', { name: 'Zone' });
  await project.request('DELETE', `/customer-groups/${String(group['id'])}?version=2`);
  t.equal(calls.length, 2, 'nor about other kinds and deletions');
});

t.test('extensions change and go, which holds at the next request', async (t) => {
  const { project, calls, extend, createGroup, urlOf } = await startShop(t, platform);
  await createGroup('Zero');
  const { id } = await extend('groups');
  const update = async (version: number, ...given: readonly object[]): Promise<void> => {
    const { status, text } = await project.request('POST', `/extensions/${id}`, { version, actions: given });
    t.equal(status, 200, text);
  };
  await createGroup('One');
  const key = { type: 'AzureFunctions', key: 'secret' };
  const destination = { type: 'HTTP', url: urlOf('azure'), authentication: key };
  await update(1, { action: 'changeDestination', destination });
  await createGroup('Two');
  t.match(calls[1], { name: 'azure', headers: { 'x-functions-key': 'secret', authorization: undefined } });
  // The masks are the same, and the secrets are not.
  const other = { ...destination, authentication: { ...key, key: 'another' } };
  await update(2, { action: 'changeDestination', destination: other });
  await createGroup('Three');
  t.match(calls[2]!.headers, { 'x-functions-key': 'another' });
  await update(3, { action: 'changeDestination', destination: { type: 'HTTP', url: urlOf('open') } });
  await createGroup('Four');
  t.match(calls[3], { name: 'open', headers: { 'x-functions-key': undefined } });
  const triggers = [{ resourceTypeId: 'customer-group', actions: ['Update'] }];
  await update(4, { action: 'changeTriggers', triggers });
  await createGroup('Five');
  await project.request('DELETE', `/extensions/${id}?version=5`);
  await createGroup('Six');
  t.equal(calls.length, 4);
});

t.test('the update actions of an extension are applied with the write', async (t) => {
  const { project, behaviors, extend, createGroup, updateGroup } = await startShop(t, platform);
  await extend('groups');
  behaviors.set(
    'groups',
    actions({ action: 'setKey', key: 'from-outside' }, { action: 'changeName', name: 'Changed' }),
  );
  const { status, body } = await createGroup('Mine');
  t.match({ status, body }, { status: 201, body: { version: 1, key: 'from-outside', name: 'Changed' } });
  const path = `/customer-groups/${String(body['id'])}`;
  t.strictSame((await project.request('GET', path)).body, body);
  behaviors.set('groups', (response) => response.writeHead(201).end('{"actions":[{"action":"setKey"}]}'));
  const updated = await updateGroup(String(body['id']), 1, [{ action: 'changeName', name: 'Again' }]);
  t.match(updated.body, { version: 2, name: 'Again', key: undefined });
  t.strictSame((await project.request('GET', path)).body, updated.body);
  behaviors.set('groups', actions({ action: 'changeName', name: 'Again' }));
  const undone = await updateGroup(String(body['id']), 2, [{ action: 'changeName', name: 'Other' }]);
  t.strictSame(undone.body, updated.body, 'what an extension takes back altogether keeps the version');
});

t.test('answers that ask for nothing let the write pass', async (t) => {
  const { behaviors, extend, createGroup } = await startShop(t, platform);
  await extend('groups');
  for (const [status, text] of [
    [200, ''],
    [201, ' '],
    [200, '{}'],
    [200, '{"actions":[]}'],
    [201, '{"actions":null,"responseType":"UpdateRequest"}'],
  ] as const) {
    behaviors.set('groups', (response) => response.writeHead(status).end(text));
    t.equal((await createGroup(`Group ${status} ${text}`)).status, 201, text);
  }
});

t.test('all errors of a refusal are passed on, each with the extension', async (t) => {
  const { project, behaviors, extend, createGroup, updateGroup } = await startShop(t, platform);
  const { id } = await createGroup('There').then(({ body }) => body as { id: string });
  const extension = await extend('groups');
  const localizedMessage = { de: 'Nein' };
  behaviors.set(
    'groups',
    refusal(
      { code: 'InvalidField', message: 'No', field: 'name', invalidValue: 5, localizedMessage, unknown: true },
      { code: 'InvalidInput', message: 'Never', extensionExtraInfo: { rule: 7 }, localizedMessage: 'no object' },
    ),
  );
  const errorByExtension = { id: extension.id, key: 'groups' };
  const errors = [
    { code: 'InvalidField', message: 'No', field: 'name', invalidValue: 5, errorByExtension, localizedMessage },
    { code: 'InvalidInput', message: 'Never', errorByExtension, extensionExtraInfo: { rule: 7 } },
  ];
  const refused = await createGroup('Refused');
  t.strictSame(refused.body, { statusCode: 400, message: 'No', errors });
  const change = await updateGroup(id, 1, [{ action: 'changeName', name: 'Refused' }]);
  t.strictSame(change.body, { statusCode: 400, message: 'No', errors });
  const query = `mutation { createCustomerGroup(draft: { groupName: "Refused" }) { id } }`;
  const { body } = await project.request('POST', '/graphql', { query });
  const extensions = errors.map(({ message: _, ...others }) => others);
  const told = body['errors'] as readonly { readonly message: string; readonly extensions: object }[];
  t.strictSame(
    told.map((error) => error.extensions),
    extensions,
  );
  t.strictSame(
    told.map(({ message }) => message),
    ['No', 'Never'],
  );
  const { results } = (await project.request('GET', '/customer-groups')).body as { results: readonly object[] };
  t.match(results, [{ id, name: 'There', version: 1 }], 'nothing is written');
  t.equal(results.length, 1);
});

/** An answer of which a byte comes now and then, for ever. */
const byteByByte: Behavior = (response) => {
  response.writeHead(200);
  const timer = setInterval(() => response.write(' '), 20);
  response.on('close', () => clearInterval(timer));
};

t.test('answers that are none are 502, and silence is 504', async (t) => {
  const { project, calls, behaviors, extend, createGroup, urlOf } = await startShop(t, platform);
  const { id } = await extend('groups', { timeoutInMs: 300 });
  const deep = `${'{"a":'.repeat(70)}1${'}'.repeat(70)}`;
  const many = JSON.stringify({ actions: Array.from({ length: 101 }, () => ({ action: 'setKey' })) });
  const write =
    (status: number, text: string, headers = {}): Behavior =>
    (response) =>
      response.writeHead(status, headers).end(text);
  const broken: readonly (readonly [string, number, Behavior])[] = [
    ['no JSON', 502, write(200, '<html>')],
    ['a list', 502, write(200, '[]')],
    ['actions of text', 502, write(200, '{"actions":"none"}')],
    ['101 actions', 502, write(200, many)],
    ['too deep', 502, write(200, deep)],
    ['202', 502, write(202, '{}')],
    ['204', 502, write(204, '')],
    ['a redirect', 502, write(302, '', { location: urlOf('elsewhere') })],
    ['404', 502, write(404, '{"errors":[{"code":"InvalidInput","message":"x"}]}')],
    ['409', 502, write(409, '{"errors":[{"code":"InvalidInput","message":"x"}]}')],
    ['500', 502, write(500, '{}')],
    ['a refusal without errors', 502, write(400, '{"errors":[]}')],
    ['a refusal that is no JSON', 502, write(400, 'no')],
    ['a refusal with an unknown code', 502, refusal({ code: 'Nonsense', message: 'x' })],
    ['a refusal with the name of a method', 502, refusal({ code: 'toString', message: 'x' })],
    ['a refusal with a code of another status', 502, refusal({ code: 'ConcurrentModification', message: 'x' })],
    ['a refusal without a message', 502, refusal({ code: 'InvalidInput' })],
    ['2 MB', 502, write(200, `{"x":"${'x'.repeat(2 * 1024 * 1024)}"}`)],
    ['no answer', 504, () => {}],
    ['half an answer', 504, (response) => response.write('{"actions":')],
    ['byte by byte', 504, byteByByte],
    ['a cut connection', 504, (response) => response.destroy()],
    ['no HTTP', 504, (response) => response.socket?.end('nonsense\r\n\r\n')],
    ['a switch of protocols', 502, (response) => response.socket?.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n')],
  ];
  for (const [name, status, behavior] of broken) {
    behaviors.set('groups', behavior);
    const before = calls.length;
    const answer = await createGroup(name);
    const code = status === 502 ? 'ExtensionBadResponse' : 'ExtensionNoResponse';
    const named = { extensionId: id, extensionKey: 'groups', errorByExtension: { id, key: 'groups' } };
    t.match(answer, { status, body: { statusCode: status, errors: [{ code, ...named }] } }, name);
    t.equal(calls.length, before + 1, `${name}: asked once`);
  }
  behaviors.set('groups', write(503, 'y'.repeat(5000)));
  const error = { extensionErrors: [], extensionBody: 'y'.repeat(1000), extensionStatusCode: 503 };
  t.match((await createGroup('Long')).body, { errors: [error] });
  const nowhere = { type: 'HTTP', url: 'http://localhost:1/closed' };
  const change = { version: 1, actions: [{ action: 'changeDestination', destination: nowhere }] };
  t.equal((await project.request('POST', `/extensions/${id}`, change)).status, 200);
  t.match(await createGroup('Nowhere'), { status: 504, body: { errors: [{ code: 'ExtensionNoResponse' }] } });
  t.strictSame((await project.request('GET', '/customer-groups')).body['results'], [], 'nothing is written');
});

t.test('update actions that cannot be applied are the fault of the extension', async (t) => {
  const { project, behaviors, extend, createGroup } = await startShop(t, platform);
  const { body: taken } = await createGroup('Taken');
  const { id } = await extend('groups');
  const named = { extensionId: id, extensionKey: 'groups' };
  const nothing = { typeId: 'type', id: '11111111-1111-4111-8111-111111111111' };
  for (const [action, error] of [
    [{ action: 'nonsense' }, { code: 'InvalidInput' }],
    ['text', { code: 'InvalidJsonInput' }],
    [{ action: 'changeName' }, { code: 'RequiredField', field: 'actions[0].name' }],
    [
      { action: 'setCustomType', type: nothing },
      { code: 'ReferencedResourceNotFound', typeId: 'type' },
    ],
    [{ action: 'setCustomField', name: 'a', value: 1 }, { code: 'InvalidOperation' }],
  ] as const) {
    behaviors.set('groups', (response) => response.end(JSON.stringify({ actions: [action] })));
    const expected = {
      status: 502,
      body: {
        errors: [
          {
            code: 'ExtensionUpdateActionsFailed',
            extensionErrors: [{ ...error, ...named }],
            errorByExtension: { id, key: 'groups' },
          },
        ],
      },
    };
    t.match(await createGroup('Other'), expected, JSON.stringify(action));
  }
  const { results } = (await project.request('GET', '/customer-groups')).body as { results: readonly object[] };
  t.strictSame(results, [taken], 'nothing is written');
});

t.test('a condition decides whether an extension is asked', async (t) => {
  const { project, calls, extend, createGroup, updateGroup } = await startShop(t, platform);
  const extensionIf = (key: string, condition: string): ReturnType<typeof extend> =>
    extend(key, { triggers: [{ resourceTypeId: 'customer-group', actions: ['Create', 'Update'], condition }] });
  const keyed = await extensionIf('keyed', 'key = "vip"');
  const failed = {
    code: 'ExtensionPredicateEvaluationFailed',
    message: /'key'/,
    errorByExtension: { id: keyed.id, key: 'keyed' },
  };
  t.match(await createGroup('Without'), { status: 400, body: { errors: [failed] } });
  t.equal(calls.length, 0, 'nobody is asked where a condition cannot be judged');
  await project.request('DELETE', `/extensions/${keyed.id}?version=1`);
  await extensionIf('guarded', 'key is defined and key = "vip"');
  const { body } = await createGroup('With');
  t.equal(calls.length, 0);
  await updateGroup(String(body['id']), 1, [{ action: 'setKey', key: 'vip' }]);
  t.equal(calls.length, 1, 'it is judged by what would be stored');
  const draft = { destination: { type: 'HTTP', url: 'https://example.org' } };
  for (const condition of ['key = ', 'nonsense = 5', 'version = "one"', '']) {
    const triggers = [{ resourceTypeId: 'customer-group', actions: ['Create'], condition }];
    const refused = await project.request('POST', '/extensions', { ...draft, triggers });
    t.match(refused, { status: 400, body: { errors: [{ code: 'InvalidInput', message: /condition/ }] } }, condition);
  }
});

t.test('extensions of one level are asked at once, and their actions applied in order', async (t) => {
  const { calls, behaviors, extend, createGroup } = await startShop(t, platform);
  for (const key of ['first', 'second', 'third']) await extend(key);
  // Each answers when all have been asked, the last first.
  const waiting: (() => void)[] = [];
  for (const [index, name] of ['first', 'second', 'third'].entries()) {
    behaviors.set(name, (response, input) => {
      waiting.push(() => actions({ action: 'changeName', name: `${name}-${index}` })(response, input));
      if (waiting.length === 3) for (const answer of waiting.toReversed()) answer();
    });
  }
  const { body } = await createGroup('Group');
  t.match(body, { name: 'third-2', version: 1 });
  t.strictSame(
    calls.map(({ input }) => input.resource.obj['name']),
    ['Group', 'Group', 'Group'],
    'all see the same',
  );
});

t.test('one that depends on others is asked after them, with their actions applied', async (t) => {
  const { project, calls, behaviors, extend, createGroup } = await startShop(t, platform);
  const link = ({ id }: { readonly id: string }): object => ({ typeId: 'extension', id });
  const first = await extend('first');
  const elsewhere = await extend('elsewhere', {
    triggers: [{ resourceTypeId: 'customer', actions: ['Create'] }],
    dependencies: [link(first)],
  });
  await extend('last', { dependencies: [link(elsewhere)] });
  await extend('beside');
  behaviors.set('first', actions({ action: 'changeName', name: 'From the first' }));
  behaviors.set('beside', actions({ action: 'setKey', key: 'from-beside' }));
  behaviors.set('last', actions({ action: 'changeName', name: 'From the last' }));
  t.match((await createGroup('Group')).body, { name: 'From the last', key: 'from-beside', version: 1 });
  t.strictSame(calls.map(({ name }) => name).slice(2), ['last'], 'also where one between them is not asked');
  t.match(calls[2]!.input.resource.obj, { name: 'From the first', key: 'from-beside' });
  behaviors.set('first', refusal({ code: 'InvalidInput', message: 'One' }));
  behaviors.set('beside', refusal({ code: 'InvalidOperation', message: 'Two' }));
  const refused = await createGroup('Refused');
  t.match(refused.body, { errors: [{ message: 'One' }, { message: 'Two' }] }, 'refusals of a level are told together');
  t.equal(calls.length, 5, 'and the next level is not asked');
  behaviors.set('beside', (response) => response.writeHead(500).end());
  const failed = await createGroup('Failed');
  t.match(failed, { status: 502, body: { errors: [{ code: 'ExtensionBadResponse' }] } });
  t.equal((failed.body['errors'] as readonly object[]).length, 1);
  const removed = await project.request('DELETE', `/extensions/${first.id}?version=1`);
  t.match(removed, { status: 400, body: { errors: [{ code: 'ExtensionDependencyExists' }] } });
});

t.test('dependencies are neither circles, nor too deep, nor too wide', async (t) => {
  const { project, extend } = await startShop(t, platform);
  const link = ({ id }: { readonly id: unknown }): object => ({ typeId: 'extension', id });
  const depend = (
    id: unknown,
    version: number,
    ...on: readonly { readonly id: unknown }[]
  ): ReturnType<typeof update> => update(id, version, on.map(link));
  const update = (id: unknown, version: number, dependencies: readonly object[]): ReturnType<Platform['request']> =>
    project.request('POST', `/extensions/${String(id)}`, {
      version,
      actions: [{ action: 'setDependencies', dependencies }],
    });
  const all = [];
  for (const key of ['aa', 'bb', 'cc', 'dd', 'ee', 'ff', 'gg']) all.push(await extend(key));
  const [a, b, c, d, e, f, g] = all as [(typeof all)[0], ...typeof all] &
    Record<0 | 1 | 2 | 3 | 4 | 5 | 6, (typeof all)[0]>;
  const code = (name: string): object => ({ status: 400, body: { errors: [{ code: name }] } });
  t.match(await depend(a.id, 1, a), code('CircularDependency'));
  t.match(await depend(g.id, 1, a, b, c, d, e, f), code('ExtensionChainTooWide'));
  t.match(await depend(b.id, 1, a, a), { status: 200, body: { dependencies: [link(a)] } });
  t.match(await depend(c.id, 1, b), { status: 200 });
  t.match(await depend(a.id, 1, c), code('CircularDependency'));
  t.match(await depend(d.id, 1, c), code('ExtensionChainTooDeep'));
  t.match(await depend(a.id, 1, e), code('ExtensionChainTooDeep'), 'also at the other end');
  t.match(await depend(d.id, 1, a, b, e, f, g), { status: 200 });
  const unknown = await depend(e.id, 1, { id: '11111111-1111-4111-8111-111111111111' });
  t.match(unknown, code('ReferencedResourceNotFound'));
  // Of two that would make a circle together, one loses.
  const rivals = await Promise.all([depend(f.id, 1, e), depend(e.id, 1, f)]);
  t.equal(rivals.filter(({ status }) => status === 200).length, 1);
  t.match(
    rivals.find(({ status }) => status === 400),
    code('CircularDependency'),
  );
  t.match(await project.request('DELETE', `/extensions/key=gg?version=1`), code('ExtensionDependencyExists'));
  t.equal((await depend(d.id, 2)).status, 200);
  t.equal((await project.request('DELETE', `/extensions/key=gg?version=1`)).status, 200);
});

t.test('who writes meanwhile wins', async (t) => {
  const { project, behaviors, extend, createGroup, updateGroup } = await startShop(t, platform);
  const { body } = await createGroup('Group');
  const condition = 'name = "Slow"';
  await extend('slow', { triggers: [{ resourceTypeId: 'customer-group', actions: ['Update'], condition }] });
  behaviors.set('slow', (response) => {
    void updateGroup(String(body['id']), 1, [{ action: 'changeName', name: 'Quick' }]).then(() => response.end());
  });
  const lost = await updateGroup(String(body['id']), 1, [{ action: 'changeName', name: 'Slow' }]);
  t.match(lost, { status: 409, body: { errors: [{ code: 'ConcurrentModification', currentVersion: 2 }] } });
  const path = `/customer-groups/${String(body['id'])}`;
  t.match((await project.request('GET', path)).body, { version: 2, name: 'Quick' });
});

t.test('nothing is written for a client that has gone', async (t) => {
  const { project, behaviors, extend, createGroup } = await startShop(t, platform);
  await extend('groups');
  const asked = new AbortController();
  const ended = new Promise<void>((resolve) => {
    behaviors.set('groups', (response) => {
      response.on('close', resolve);
      asked.abort();
    });
  });
  const token = await project.tokenWith([`manage_project:${project.projectKey}`]);
  const gone = fetch(`${project.baseUrl}/${project.projectKey}/customer-groups`, {
    method: 'POST',
    body: JSON.stringify({ groupName: 'Gone' }),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    signal: asked.signal,
  });
  await t.rejects(gone, { name: 'AbortError' });
  await ended;
  t.pass('the extension is not kept waiting');
  behaviors.delete('groups');
  t.equal((await createGroup('Gone')).status, 201, 'the name is free');
});

t.test('what is behind references is there where an extension asks for it', async (t) => {
  const { project, calls, extend, createGroup } = await startShop(t, platform);
  const { body: group } = await createGroup('Group');
  await extend('customers', {
    triggers: [{ resourceTypeId: 'customer', actions: ['Create', 'Update'] }],
    expansionPaths: ['customerGroup'],
    additionalContext: { includeOldResource: true },
  });
  const { body } = await project.request('POST', '/customers', {
    email: 'jane@example.org',
    password: 'secret-1A',
    customerGroup: { typeId: 'customer-group', id: group['id'] },
  });
  const customer = body['customer'] as Readonly<Record<string, unknown>>;
  t.strictSame(calls[0]!.input.resource.obj['customerGroup'], {
    typeId: 'customer-group',
    id: group['id'],
    obj: group,
  });
  t.strictSame(customer['customerGroup'], { typeId: 'customer-group', id: group['id'] }, 'and nowhere else');
  const change = { version: 1, actions: [{ action: 'setFirstName', firstName: 'Jane' }] };
  await project.request('POST', `/customers/${String(customer['id'])}`, change);
  t.match(calls[1]!.input.oldResource?.obj, { version: 1, customerGroup: { obj: { id: group['id'] } } });
  const tooMany = { expansionPaths: ['a', 'b', 'c', 'd'] };
  await t.rejects(extend('many', tooMany), { message: /InvalidField/ });
  await t.rejects(extend('wrong', { expansionPaths: ['a..b'] }), { message: /InvalidInput/ });
});

t.test('extensions are asked about carts, customers and lists wherever these are written', async (t) => {
  const { project, calls, behaviors, extend } = await startShop(t, platform);
  const kinds = ['cart', 'payment', 'customer', 'shopping-list'];
  const triggers = kinds.map((resourceTypeId) => ({ resourceTypeId, actions: ['Create', 'Update'] }));
  await extend('all', { triggers });
  const last = (): object => {
    const { action, resource } = calls.at(-1)!.input;
    return { action, typeId: resource.typeId, id: resource.id };
  };
  const { key } = (await project.request('POST', '/stores', { key: 'berlin' })).body;
  const { body: cart } = await project.request('POST', `/in-store/key=${String(key)}/carts`, { currency: 'EUR' });
  t.strictSame(last(), { action: 'Create', typeId: 'cart', id: cart['id'] });
  t.strictSame(calls.at(-1)!.input.resource.obj, cart);
  const reference = { typeId: 'cart', id: cart['id'] };
  const { body: replica } = await project.request('POST', '/carts/replicate', { reference });
  t.strictSame(last(), { action: 'Create', typeId: 'cart', id: replica['id'] });
  behaviors.set('all', actions({ action: 'setKey', key: 'by-extension' }));
  const token = await project.tokenWith([
    `manage_my_shopping_lists:${project.projectKey}`,
    `manage_my_payments:${project.projectKey}`,
    'anonymous_id:visitor',
  ]);
  const asShopper = { authorization: `Bearer ${token}` };
  const amountPlanned = { currencyCode: 'EUR', centAmount: 100 };
  const { status, body: payment } = await project.request('POST', '/me/payments', { amountPlanned }, asShopper);
  t.equal(status, 201);
  const { body: whole } = await project.request('GET', `/payments/${String(payment['id'])}`);
  t.match(whole, { key: 'by-extension', version: 1 }, 'with all actions of the kind, on the paths of shoppers, too');
  const list = { draft: { name: [{ locale: 'en', value: 'Wishes' }] } };
  const { body } = await project.request(
    'POST',
    '/graphql',
    {
      query: 'mutation M($draft: MyShoppingListDraft!) { createMyShoppingList(draft: $draft) { id version } }',
      variables: list,
    },
    asShopper,
  );
  t.match(body, { data: { createMyShoppingList: { version: 1 } }, errors: undefined });
  t.match(last(), { action: 'Create', typeId: 'shopping-list' });
  const draft = { email: 'jane@example.org', password: 'secret-1A' };
  const { body: signedUp } = await project.request('POST', '/customers', draft);
  const customer = signedUp['customer'] as Readonly<Record<string, unknown>>;
  t.match(customer, { key: 'by-extension', version: 1 });
  t.strictSame(last(), { action: 'Create', typeId: 'customer', id: customer['id'] });
  t.notMatch(JSON.stringify(calls.at(-1)!.input), /secret-1A/);
  behaviors.set('all', refusal({ code: 'InvalidOperation', message: 'Not now' }));
  const passwords = { currentPassword: 'secret-1A', newPassword: 'secret-2B' };
  const change = { id: customer['id'], version: 1, ...passwords };
  t.match(await project.request('POST', '/customers/password', change), { status: 400, body: { message: 'Not now' } });
  const login = { email: draft.email, password: draft.password };
  t.equal((await project.request('POST', '/login', login)).status, 200, 'the password is the old one');
});

t.test('extensions are asked about carts that are merged and taken over', async (t) => {
  const { project, calls, behaviors, extend } = await startShop(t, platform);
  const create = (draft: object): Promise<{ readonly id: string; readonly version: number }> =>
    project
      .request('POST', '/carts', { currency: 'EUR', taxMode: 'External', ...draft })
      .then(({ body }) => body as never);
  const item = { name: { en: 'Deposit' }, slug: 'deposit', money: { currencyCode: 'EUR', centAmount: 100 } };
  const own = { email: 'jane@example.org', password: 'secret-1A' };
  const visitors = await create({ anonymousId: 'visitor' });
  await extend('carts', { triggers: [{ resourceTypeId: 'cart', actions: ['Update'] }] });
  const { body } = await project.request('POST', '/customers', {
    ...own,
    anonymousCart: { id: visitors.id, typeId: 'cart' },
  });
  const customer = body['customer'] as { readonly id: string };
  t.match(body['cart'], { id: visitors.id, version: 2, customerId: customer.id });
  t.match(calls[0]!.input, { action: 'Update', resource: { obj: body['cart'] } });
  const second = await create({ anonymousId: 'again', customLineItems: [item] });
  behaviors.set('carts', refusal({ code: 'InvalidOperation', message: 'Not this one' }));
  const merge = { anonymousCart: { id: second.id, typeId: 'cart' } };
  const path = `/carts/customer-id=${customer.id}/merge`;
  t.match(await project.request('POST', path, merge), { status: 400, body: { message: 'Not this one' } });
  t.strictSame((await project.request('GET', `/carts/${second.id}`)).body, second, 'neither is changed');
  t.strictSame((await project.request('GET', `/carts/${visitors.id}`)).body, body['cart']);
  behaviors.delete('carts');
  const before = calls.length;
  const merged = await project.request('POST', path, merge);
  t.match(merged, { status: 200 });
  const asked = calls.slice(before).map(({ input: { resource } }) => [resource.id, resource.obj['cartState']]);
  t.strictSame(asked, [
    [visitors.id, 'Active'],
    [second.id, 'Merged'],
  ]);
});

t.test('the actions of an extension go through all that a cart is made of', async (t) => {
  const { project, calls, behaviors, extend } = await startShop(t, platform);
  await extend('carts', { triggers: [{ resourceTypeId: 'cart', actions: ['Create', 'Update'] }] });
  const money = { currencyCode: 'EUR', centAmount: 250 };
  const item = { action: 'addCustomLineItem', name: { en: 'Deposit' }, slug: 'deposit', money, quantity: 2 };
  behaviors.set('carts', actions(item));
  const { status, body } = await project.request('POST', '/carts', { currency: 'EUR', taxMode: 'External' });
  t.match({ status, body }, { status: 201, body: { totalPrice: { centAmount: 500 }, version: 1 } });
  const [{ id }] = body['customLineItems'] as [{ readonly id: string }];
  const quantity = { action: 'changeCustomLineItemQuantity', customLineItemId: id, quantity: 3 };
  behaviors.set('carts', actions(quantity));
  const update = { version: 1, actions: [{ action: 'setCountry', country: 'DE' }] };
  const { body: updated } = await project.request('POST', `/carts/${String(body['id'])}`, update);
  t.match(updated, { totalPrice: { centAmount: 750 }, country: 'DE', version: 2 });
  t.equal((calls[1]!.input.resource.obj['totalPrice'] as { centAmount: number }).centAmount, 500);
});

t.test('a draft says only what can be called', async (t) => {
  const { project } = await startShop(t, platform);
  const http = { type: 'HTTP', url: 'https://example.org' };
  const triggers = [{ resourceTypeId: 'cart', actions: ['Create'] }];
  const create = (given: object): ReturnType<Platform['request']> =>
    project.request('POST', '/extensions', { destination: http, triggers, ...given });
  const lambda = { type: 'AWSLambda', arn: 'arn', accessKey: 'key', accessSecret: 'secret' };
  for (const destination of [lambda, { type: 'GoogleCloudFunction', url: 'https://example.org' }])
    t.match(await create({ destination }), { status: 400, body: { errors: [{ code: 'InvalidInput' }] } });
  for (const [given, field] of [
    [{ timeoutInMs: 0 }, 'timeoutInMs'],
    [{ timeoutInMs: 10_001 }, 'timeoutInMs'],
    [{ destination: { ...http, url: 'ftp://example.org' } }, 'destination.url'],
    [{ triggers: [{ ...triggers[0], actions: ['Delete'] }] }, 'triggers[0].actions[0]'],
    [{ triggers: [{ ...triggers[0], resourceTypeId: 'zone' }] }, 'triggers[0].resourceTypeId'],
  ] as const)
    t.match(await create(given), { status: 400, body: { errors: [{ code: 'InvalidField', field }] } }, field);
  for (let count = 0; count < 25; count += 1) t.equal((await create({ timeoutInMs: 10_000 })).status, 201);
  t.match(await create({}), { status: 400, body: { errors: [{ code: 'MaxResourceLimitExceeded' }] } });
});

t.test('the public client sets extensions up', async (t) => {
  const { project, calls, urlOf, createGroup } = await startShop(t, platform);
  const { api } = project;
  const { body } = await api
    .extensions()
    .post({
      body: {
        key: 'groups',
        destination: { type: 'HTTP', url: urlOf('groups') },
        triggers: [{ resourceTypeId: 'customer-group', actions: ['Create'] }],
      },
    })
    .execute();
  await createGroup('Group');
  t.equal(calls.length, 1);
  const update = { version: body.version, actions: [{ action: 'setTimeoutInMs' as const, timeoutInMs: 500 }] };
  const { body: updated } = await api.extensions().withKey({ key: 'groups' }).post({ body: update }).execute();
  t.match(updated, { timeoutInMs: 500, version: 2 });
  await api
    .extensions()
    .withId({ ID: body.id })
    .delete({ queryArgs: { version: 2 } })
    .execute();
});

t.test('extensions on private addresses are not called, unless the operator lets them', async (t) => {
  const closed = await startPlatform(t);
  const { calls, extend, createGroup, project } = await startShop(t, closed);
  const { id } = await extend('groups');
  for (const url of ['http://127.0.0.1:1/', 'http://[::1]:1/', 'http://169.254.169.254/latest', undefined]) {
    const body = await project.request('GET', `/extensions/${id}`);
    const change = { action: 'changeDestination', destination: { type: 'HTTP', url } };
    if (url !== undefined)
      await project.request('POST', `/extensions/${id}`, { version: body.body['version'], actions: [change] });
    const refused = await createGroup(`Group ${url}`);
    t.match(refused, { status: 504, body: { errors: [{ code: 'ExtensionNoResponse', message: /public/ }] } });
  }
  t.equal(calls.length, 0);
});
