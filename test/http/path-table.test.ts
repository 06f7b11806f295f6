import t from 'tap';
import { PathTable } from '../../src/http/path-table.ts';

const paths = [
  '/healthz',
  '/oauth/{projectKey}/token',
  '/{projectKey}',
  '/{projectKey}/zones',
  '/{projectKey}/zones/{ID}',
  '/{projectKey}/zones/key={key}',
  '/{projectKey}/zones/password/reset',
  '/{projectKey}/zones/customer-id={customerId}/merge',
  '/{projectKey}/in-store/key={storeKey}/zones/{ID}',
  '/{projectKey}/objects/{container}/{key}',
];

function tableOf(given: readonly string[]): PathTable<string> {
  const table = new PathTable<string>();
  for (const path of given) table.add(path, path);
  return table;
}

t.test('a path is found by its texts first, then by the parameters that it names, then by others', async (t) => {
  const table = tableOf(paths);
  const cases: readonly (readonly [path: string, found: string | undefined, parameters?: Record<string, string>])[] = [
    ['/healthz', '/healthz', {}],
    ['/oauth/p/token', '/oauth/{projectKey}/token', { projectKey: 'p' }],
    ['/oauth', '/{projectKey}', { projectKey: 'oauth' }],
    ['/oauth/zones', '/{projectKey}/zones', { projectKey: 'oauth' }],
    ['/p/zones/x', '/{projectKey}/zones/{ID}', { projectKey: 'p', ID: 'x' }],
    ['/p/zones/password', '/{projectKey}/zones/{ID}', { projectKey: 'p', ID: 'password' }],
    ['/p/zones/password/reset', '/{projectKey}/zones/password/reset', { projectKey: 'p' }],
    ['/p/zones/key=a=b', '/{projectKey}/zones/key={key}', { projectKey: 'p', key: 'a=b' }],
    ['/p/zones/key=a%2Fb%20c', '/{projectKey}/zones/key={key}', { projectKey: 'p', key: 'a/b c' }],
    ['/p/zones/key%3Da%3db', '/{projectKey}/zones/key={key}', { projectKey: 'p', key: 'a=b' }],
    ['/p/zones/key%3D', '/{projectKey}/zones/{ID}', { projectKey: 'p', ID: 'key=' }],
    ['/p/zones/key=', '/{projectKey}/zones/{ID}', { projectKey: 'p', ID: 'key=' }],
    ['/p/zones/other=a', '/{projectKey}/zones/{ID}', { projectKey: 'p', ID: 'other=a' }],
    ['/p/zones/customer-id=a', '/{projectKey}/zones/{ID}', { projectKey: 'p', ID: 'customer-id=a' }],
    [
      '/p/zones/customer-id=a/merge',
      '/{projectKey}/zones/customer-id={customerId}/merge',
      { projectKey: 'p', customerId: 'a' },
    ],
    [
      '/p/in-store/key=s/zones/x',
      '/{projectKey}/in-store/key={storeKey}/zones/{ID}',
      { projectKey: 'p', storeKey: 's', ID: 'x' },
    ],
    [
      '/p/objects/a/__proto__',
      '/{projectKey}/objects/{container}/{key}',
      { projectKey: 'p', container: 'a', key: '__proto__' },
    ],
    ['/', undefined],
    ['', undefined],
    ['/p/', undefined],
    ['//zones', undefined],
    ['/p/zones/', undefined],
    ['/p/zones/x/y', undefined],
    ['/p/objects/a', undefined],
    ['/p/in-store/key=/zones/x', undefined],
    ['/p/in-store/s/zones/x', undefined],
    [`/p${'/a'.repeat(7000)}`, undefined],
  ];
  for (const [path, value, parameters] of cases)
    t.strictSame(table.find(path), value === undefined ? undefined : { value, parameters }, path.slice(0, 80));
  for (const path of ['/p/zones/key=%', '/p/zones/a%00', '/p/zones/%ff'])
    t.throws(() => table.find(path), { errors: [{ code: 'InvalidInput' }] }, path);
});

t.test('a path has one value, and a parameter one name', async (t) => {
  t.throws(() => tableOf([...paths, '/{projectKey}/zones']), /Two routes have the path/);
  t.throws(() => tableOf([...paths, '/{project}/zones/x']), /The parameter project of .* is projectKey elsewhere/);
  t.throws(() => tableOf([...paths, '/{projectKey}/zones/key={zoneKey}']), /is key elsewhere/);
});
