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
  for (const sent of ['storefront 1', 'a: b', '1234567'])
    t.equal((await createGroup(`From ${sent}`, { 'x-correlation-id': sent })).status, 201);
  for (const { headers } of calls.splice(1))
    t.match(headers['x-correlation-id'], /^[0-9a-f-]{36}$/, 'what is no correlation ID is not passed on');
  await createGroup('From afar', { 'x-correlation-id': 'storefront-\xe9' });
  t.match(calls.splice(1)[0]!.headers['x-correlation-id'], /^[\w-]{8,36}$/, 'nor is any byte that is none of it');
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
  const [stored] =
    await project.sql`select data::text || coalesce(internals::text, '') as kept from documents where id = ${id}`;
  t.notMatch(stored?.['kept'], /another|secret/, 'nothing is left of a secret that is not used');
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
    [200, '\uFEFF{}'],
    [200, `{"x":"${'x'.repeat(300_000)}"}`],
    [200, '{"actions":[{"action":"nonsense"}],"actions":[]}'],
    [201, '{"actions":null,"responseType":"UpdateRequest"}'],
  ] as const) {
    behaviors.set('groups', (response) => response.writeHead(status).end(text));
    t.equal((await createGroup(`Group ${status} ${text.slice(0, 100)}`)).status, 201, text);
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
  const named = (name: string): string => `{"actions":[{"action":"changeName","name":${name}}]}`;
  const write =
    (status: number, text: string | Buffer, headers = {}): Behavior =>
    (response) =>
      response.writeHead(status, headers).end(text);
  const broken: readonly (readonly [string, number, Behavior])[] = [
    ['no JSON', 502, write(200, '<html>')],
    ['a list', 502, write(200, '[]')],
    ['actions of text', 502, write(200, '{"actions":"none"}')],
    ['101 actions', 502, write(200, many)],
    ['too deep', 502, write(200, deep)],
    ['a number that is none', 502, write(200, named('1e400'))],
    ['a number that is none behind much', 502, write(200, `{"x":"${'x'.repeat(300_000)}",${named('1e400').slice(1)}`)],
    ['no UTF-8', 502, write(200, Buffer.from(named('"\xff"'), 'latin1'))],
    ['a refusal that is no UTF-8', 502, write(400, Buffer.from('{"errors":[{"code":"\xff"}]}', 'latin1'))],
    ['very many values', 502, write(200, `{"x":[${'1,'.repeat(500_000)}1]}`)],
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
    ['a switch of protocols', 504, (response) => response.socket?.end('HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n')],
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

t.test(
  'an extension that another version stored, and this one cannot read, fails what it would be asked about',
  async (t) => {
    const { project, calls, extend, createGroup } = await startShop(t, platform);
    const condition = 'name = "Group"';
    const { id } = await extend('groups', {
      triggers: [{ resourceTypeId: 'customer-group', actions: ['Create'], condition }],
      expansionPaths: ['custom.type'],
    });
    await extend('other', { triggers: [{ resourceTypeId: 'customer-group', actions: ['Update'] }] });
    await project.sql`update documents set version = 2, data = data || jsonb_build_object('version', 2)
    || jsonb_build_object('expansionPaths', jsonb_build_array('custom..type'))
    || jsonb_build_object('triggers', jsonb_set(data -> 'triggers', '{0,condition}', '"name ~ 5"')
      || '[{"resourceTypeId":"wishlist","actions":["Create"],"condition":"version > 0"}]')
    where project = ${project.projectKey} and id = ${id}`;
    const errorByExtension = { id, key: 'groups' };
    const message = new RegExp(`^The condition of the API extension '${id}' is not valid in this version: `);
    const failed = { code: 'ExtensionPredicateEvaluationFailed', message, errorByExtension };
    t.match(await createGroup('Group'), { status: 400, body: { errors: [failed] } });
    t.equal((await project.request('POST', '/carts', { currency: 'EUR' })).status, 201, 'others are nobody’s');
    const path = `/extensions/${id}`;
    const there = await project.request('GET', path);
    t.match(there, { status: 200, body: { triggers: [{ condition: 'name ~ 5' }, { resourceTypeId: 'wishlist' }] } });
    const update = (version: number, action: object): ReturnType<typeof project.request> =>
      project.request('POST', path, { version, actions: [action] });
    t.match(await update(2, { action: 'setTimeoutInMs', timeoutInMs: 500 }), { status: 200, body: { version: 3 } });
    const still = { resourceTypeId: 'customer-group', actions: ['Create'], condition: 'name ~ 6' };
    t.equal(
      (await update(3, { action: 'changeTriggers', triggers: [still] })).status,
      400,
      'what is new has to be valid',
    );
    t.match(await createGroup('Group'), { status: 400, body: { errors: [failed] } });
    const triggers = [{ ...still, condition }];
    t.match(await update(3, { action: 'changeTriggers', triggers }), { status: 200, body: { version: 4 } });
    t.equal((await createGroup('Group')).status, 201, 'a path that is none leads nowhere');
    t.match(calls, [{ name: 'groups' }]);
  },
);
