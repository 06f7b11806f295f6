/** One failing element of a list makes an executor forget what it waits for of the others; the process outlives that. */
import t from 'tap';
import { requestToken, send, startPlatform } from '../support/platform.ts';
import { startHttpProcess } from '../support/process.ts';

const { baseUrl, client, config, projectKey, request } = await startPlatform(t);

const attribute = (name: string, type: object) => ({ name, label: { en: name }, isRequired: false, type });

// What neither names of a type, nor may be absent, is of the second definition; what is waited for, of the first.
const query = `query ($named: Boolean = true) {
  productType(key: "failing") {
    attributeDefinitions { results { type {
      ...on EnumAttributeDefinitionType { values(limit: -1) { total } }
      ...on LocalizableEnumAttributeDefinitionType { name @include(if: $named) }
    } } }
  }
}`;

t.test('a process outlives what nobody waits for, and says so in its log', async (t) => {
  const { status } = await request('POST', '/product-types', {
    key: 'failing',
    name: 'Failing',
    description: 'Elements of a list that fail',
    attributes: [
      attribute('waited', { name: 'enum', values: [{ key: 'a', label: 'a' }] }),
      attribute('thrown', { name: 'lenum', values: [{ key: 'a', label: { en: 'a' } }] }),
    ],
  });
  t.equal(status, 201);
  const alone = await startHttpProcess(t, { DATABASE_URL: config.databaseUrl });
  const authorization = `Bearer ${await requestToken(baseUrl, client)}`;
  const ask = (method: string, path: string, body?: object) =>
    send({ baseUrl: alone.baseUrl, method, path: `/${projectKey}${path}`, body, headers: { authorization } });

  for (let i = 0; i < 3; i += 1)
    t.match(await ask('POST', '/graphql', { query, variables: { named: null } }), {
      status: 200,
      body: { errors: [{ message: String }] },
    });
  t.match(alone.output(), /Nobody waited for what was rejected/, 'the query does what the test is about');
  t.match(await ask('GET', '/product-types/key=failing'), { status: 200 });
});
