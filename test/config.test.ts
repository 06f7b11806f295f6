import t, { type Test } from 'tap';
import { loadConfig } from '../src/config.ts';
import { makeCertificate } from './support/certificate.ts';

/** What is said about this environment; empty when it is valid. */
function faultOf(environment: NodeJS.ProcessEnv): string {
  try {
    loadConfig(environment);
    return '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function matchFaults(t: Test, cases: readonly (readonly [string, NodeJS.ProcessEnv, RegExp])[]): void {
  for (const [name, environment, expected] of cases) t.match(faultOf(environment), expected, name);
}

t.test('plain HTTP is for loopback addresses, unless the operator says otherwise', async (t) => {
  const valid: readonly NodeJS.ProcessEnv[] = [
    {},
    { HOST: 'localhost' },
    { HOST: '127.1.2.3' },
    { HOST: '::1' },
    { HOST: '0.0.0.0', ALLOW_PLAIN_HTTP: 'true' },
    { HOST: '0.0.0.0', TRUST_PROXY: 'true' },
  ];
  for (const environment of valid) t.equal(faultOf(environment), '', JSON.stringify(environment));
  for (const HOST of ['0.0.0.0', '::', '10.0.0.1', '127.evil.example', 'shop.example', '::ffff:10.0.0.1'])
    t.match(
      faultOf({ HOST }),
      /^The configuration is not valid: HOST is '[^']+', but plain HTTP is served on a loopback address only: [^\n]+\.$/,
      HOST,
    );
});

t.test('settings of TLS that contradict each other are named', async (t) => {
  matchFaults(t, [
    ['a certificate alone', { TLS_CERT_FILE: '/c.pem' }, /TLS_CERT_FILE and TLS_KEY_FILE one is given/],
    ['a key alone', { TLS_KEY_FILE: '/k.pem' }, /TLS_CERT_FILE and TLS_KEY_FILE one is given/],
    [
      'files that are not there',
      { TLS_CERT_FILE: '/nowhere/c.pem', TLS_KEY_FILE: '/nowhere/k.pem' },
      /TLS_CERT_FILE is '\/nowhere\/c\.pem' and .* cannot be used: ENOENT/,
    ],
    ['a plain port alone', { PLAIN_PORT: '8081' }, /PLAIN_PORT is given, but/],
    ['a plain port that is none', { PLAIN_PORT: '0' }, /PLAIN_PORT is '0', but an integer/],
    ['one port for both', { PORT: '8443', PLAIN_PORT: '8443' }, /PLAIN_PORT is 8443, but another port/],
    ['a proxy and plain HTTP', { TRUST_PROXY: 'true', ALLOW_PLAIN_HTTP: 'true' }, /ALLOW_PLAIN_HTTP is true, but/],
    ['a proxy that is neither', { TRUST_PROXY: 'yes' }, /TRUST_PROXY is 'yes', but true or false is expected/],
    ['an upgrade that is neither', { BLOCK_UPGRADE_HEADER: '0' }, /BLOCK_UPGRADE_HEADER is '0', but true or false/],
  ]);
});

t.test('a certificate and its key are tried', async (t) => {
  const [one, other] = [await makeCertificate(t), await makeCertificate(t)];
  const environment = { HOST: '0.0.0.0', TLS_CERT_FILE: one.certFile, TLS_KEY_FILE: one.keyFile };
  t.match(loadConfig({ ...environment, PLAIN_PORT: '8081' }), {
    tls: one,
    plainPort: 8081,
    trustsProxy: false,
    baseUrl: 'https://localhost:8080',
  });
  matchFaults(t, [
    ['the key of another', { ...environment, TLS_KEY_FILE: other.keyFile }, /cannot be used: .*key values mismatch/],
    ['a proxy as well', { ...environment, TRUST_PROXY: 'true' }, /TRUST_PROXY is true, but/],
    ['plain HTTP as well', { ...environment, ALLOW_PLAIN_HTTP: 'true' }, /ALLOW_PLAIN_HTTP is true, but/],
  ]);
});

t.test('passwords are hashed at the cost that is documented, which no setting lowers', async (t) => {
  t.equal(loadConfig({ PASSWORD_COST: '2' }).passwordCost, 2 ** 15);
});

t.test('the address that is printed follows from how clients come', async (t) => {
  t.equal(loadConfig({ PORT: '9000' }).baseUrl, 'http://localhost:9000');
  t.equal(loadConfig({ TRUST_PROXY: 'true' }).baseUrl, 'https://localhost');
  t.equal(loadConfig({ TRUST_PROXY: 'true', BASE_URL: 'https://shop.example' }).baseUrl, 'https://shop.example');
});

t.test('limits of resources name kinds that there are', async (t) => {
  t.strictSame(
    [...loadConfig({ RESOURCE_LIMITS: 'zone=200, store=5' }).resourceLimits],
    [
      ['zone', 200],
      ['store', 5],
    ],
  );
  matchFaults(t, [
    ['an unknown kind', { RESOURCE_LIMITS: 'zonne=5' }, /holds 'zonne=5'.*the kinds are .*zone/],
    ['no number', { RESOURCE_LIMITS: 'zone=many' }, /holds 'zone=many', but kind=number/],
  ]);
});

t.test('numbers of what is kept name kinds whose resources go by themselves', async (t) => {
  t.strictSame([...loadConfig({ KEPT_RESOURCES_MAX: 'cart=3' }).keptMax], [['cart', 3]]);
  matchFaults(t, [
    ['a kind that stays', { KEPT_RESOURCES_MAX: 'zone=5' }, /KEPT_RESOURCES_MAX holds 'zone=5'.*the kinds are .*cart/],
    ['no number', { KEPT_RESOURCES_MAX: 'cart' }, /holds 'cart', but kind=number/],
  ]);
});

t.test('a store for images is named as a whole, or not at all', async (t) => {
  const whole = {
    IMAGES_S3_ENDPOINT: 'https://objects.example.org',
    IMAGES_S3_BUCKET: 'images',
    IMAGES_S3_ACCESS_KEY_ID: 'ID',
    IMAGES_S3_SECRET_ACCESS_KEY: 'SECRET',
  };
  t.strictSame(loadConfig(whole).imageObjects, {
    endpoint: 'https://objects.example.org',
    bucket: 'images',
    region: 'us-east-1',
    accessKeyId: 'ID',
    secretAccessKey: 'SECRET',
  });
  t.equal(loadConfig({}).imageObjects, undefined);
  matchFaults(t, [
    ['a bucket alone', { IMAGES_S3_BUCKET: 'images' }, /some are given, but all are expected/],
    ['without a secret', { ...whole, IMAGES_S3_SECRET_ACCESS_KEY: '' }, /some are given, but all are expected/],
    ['a path', { ...whole, IMAGES_S3_ENDPOINT: 'https://o.example.org/x' }, /IMAGES_S3_ENDPOINT .* URL without a path/],
  ]);
});
