import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { request as undici } from 'undici';
import { gif, jpeg, png } from '../support/image-files.ts';
import { startObjectStore } from '../support/object-store.ts';
import { type Answer, type Platform, startPlatform } from '../support/platform.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-images-'));
t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
const platform = await startPlatform(t, { dataDir });

interface Uploading {
  readonly query?: string;
  readonly type?: string;
  readonly token?: string;
}

/** The body as it is, with no JSON around it. */
async function upload(
  project: Platform,
  id: string,
  bytes: Uint8Array,
  { query = '', type = 'image/png', token }: Uploading = {},
): Promise<Answer> {
  const headers = { 'content-type': type, ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  return project.request('POST', `/products/${id}/images?${query}`, bytes, headers);
}

async function newProduct(project: Platform): Promise<string> {
  await project.request('POST', '/product-types', { key: 'lamps', name: 'Lamps', description: 'Lamps' });
  const { body } = await project.request('POST', '/products', {
    productType: { typeId: 'product-type', key: 'lamps' },
    name: { en: 'Lamp' },
    slug: { en: `lamp-${randomUUID()}` },
    masterVariant: { sku: `${project.projectKey}-one` },
    variants: [{ sku: `${project.projectKey}-two` }],
    publish: true,
  });
  return body['id'] as string;
}

interface Shown {
  readonly masterVariant: { readonly images: readonly Image[] };
  readonly variants: readonly { readonly images: readonly Image[] }[];
}

interface Image {
  readonly url: string;
  readonly dimensions: { readonly w: number; readonly h: number };
}

function side({ body }: Answer, name: 'staged' | 'current'): Shown {
  return (body['masterData'] as Readonly<Record<string, Shown>>)[name]!;
}

interface Fetching {
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: 'GET' | 'HEAD';
  readonly from?: Platform;
}

/** Images stand at the address that clients know, which is not the port of a test. */
async function fetched(url: string, { headers = {}, method = 'GET', from = platform }: Fetching = {}) {
  const {
    statusCode,
    headers: given,
    body,
  } = await undici(`${from.baseUrl}${new URL(url).pathname}`, { method, headers });
  return { status: statusCode, headers: given, bytes: Buffer.from(await body.arrayBuffer()) };
}

t.test('an image is read by anybody where the product says that it is', async (t) => {
  const project = await platform.anotherProject();
  const id = await newProduct(project);
  const files = [
    ['image/png', png(640, 480)],
    ['image/gif', gif(12, 34)],
    ['image/jpeg', jpeg(1024, 768)],
  ] as const;
  for (const [type, bytes] of files) {
    const answer = await upload(project, id, bytes, {
      type: `${type}; charset=binary`,
      query: 'filename=Big%20lamp.PNG',
    });
    t.equal(answer.status, 200, answer.text.slice(0, 200));
    const image = side(answer, 'staged').masterVariant.images.at(-1)!;
    t.match(image.url, /\/-\/images\/[a-z0-9-]+\/Big-lamp-[0-9a-f-]{36}\.(png|gif|jpg)$/);
    const read = await fetched(image.url);
    t.equal(read.status, 200);
    t.ok(read.bytes.equals(bytes), 'the very bytes');
    t.match(read.headers, {
      'content-type': type,
      'x-content-type-options': 'nosniff',
      'cache-control': /max-age=31536000, immutable/,
      etag: /^"[\w.-]+"$/,
    });
    const etag = String(read.headers['etag']);
    t.match(await fetched(image.url, { headers: { 'if-none-match': etag } }), { status: 304, headers: { etag } });
    const head = await fetched(image.url, { method: 'HEAD' });
    t.match(head, { status: 200, headers: { 'content-length': String(bytes.length) } });
  }
  const { body } = await project.request('GET', `/products/${id}`);
  t.equal(body['version'], 4, 'each upload is a version');
});

t.test('an upload goes to the variant that is named, staged unless it says otherwise', async (t) => {
  const project = await platform.anotherProject();
  const id = await newProduct(project);
  const first = await upload(project, id, png(5, 6));
  t.equal(side(first, 'staged').masterVariant.images.length, 1);
  t.equal(side(first, 'current').masterVariant.images.length, 0);
  t.strictSame(side(first, 'staged').masterVariant.images[0]!.dimensions, { w: 5, h: 6 });
  t.match(first.body, { masterData: { hasStagedChanges: true } });
  const both = await upload(project, id, png(7, 8), { query: 'variant=2&staged=false' });
  for (const name of ['staged', 'current'] as const) t.equal(side(both, name).variants[0]!.images.length, 1, name);
  const sku = `${project.projectKey}-two`;
  await project.request('POST', '/inventory', { sku, quantityOnStock: 3 });
  const bySku = await upload(project, id, png(9, 9), { query: `sku=${sku}` });
  t.equal(side(bySku, 'staged').variants[0]!.images.length, 2);
  t.match(side(bySku, 'current').variants, [{ availability: { availableQuantity: 3 } }]);
  t.strictSame((await project.request('GET', `/products/${id}`)).body, bySku.body);
});

t.test('what is no image, or has no place, is refused and not kept', async (t) => {
  const project = await platform.anotherProject();
  const id = await newProduct(project);
  const refused = (status: number, code: string, message = /./): object => ({
    status,
    body: { statusCode: status, errors: [{ code, message }] },
  });
  const invalid = refused(400, 'InvalidInput', /not an image of the type/);
  t.match(await upload(project, id, Buffer.from('<svg/>')), invalid);
  t.match(await upload(project, id, Buffer.alloc(0)), invalid);
  t.match(await upload(project, id, png(5, 5), { type: 'image/gif' }), invalid, 'of another type than it says');
  for (const type of ['application/json', 'image/svg+xml', 'multipart/form-data; boundary=x', ''])
    t.match(await upload(project, id, png(5, 5), { type }), refused(400, 'InvalidInput', /content type/), type);
  t.match(await upload(project, id, png(5, 5), { query: 'variant=3' }), refused(400, 'InvalidOperation', /variant/));
  t.match(await upload(project, id, png(5, 5), { query: 'sku=none' }), refused(400, 'InvalidOperation', /SKU/));
  t.match(await upload(project, id, png(5, 5), { query: 'variant=0' }), refused(400, 'InvalidField'));
  t.match(await upload(project, id, png(5, 5), { query: 'variant=one' }), refused(400, 'InvalidInput'));
  t.match(await upload(project, id, png(5, 5), { query: 'staged=perhaps' }), refused(400, 'InvalidInput'));
  t.match(await upload(project, randomUUID(), png(5, 5)), refused(404, 'ResourceNotFound'));
  const large = Buffer.concat([png(5, 5), Buffer.alloc(10 * 1024 * 1024)]);
  t.match(await upload(project, id, large), refused(413, 'ContentTooLarge'));
  const token = await project.tokenWith([`view_products:${project.projectKey}`]);
  t.match(await upload(project, id, png(5, 5), { token }), { status: 403 });
  t.match((await project.request('GET', `/products/${id}`)).body, { version: 1 });
  t.notOk(readdirSync(join(dataDir, 'images')).includes(project.projectKey), 'no file was written');
});

t.test('ten megabytes are not too large', async (t) => {
  const project = await platform.anotherProject();
  const id = await newProduct(project);
  const bytes = Buffer.concat([png(5, 5), Buffer.alloc(10 * 1024 * 1024 - 33)]);
  const answer = await upload(project, id, bytes);
  t.equal(answer.status, 200);
  const read = await fetched(side(answer, 'staged').masterVariant.images[0]!.url);
  t.ok(read.bytes.equals(bytes));
});

t.test('uploads at the same time all come to the product', async (t) => {
  const project = await platform.anotherProject();
  const id = await newProduct(project);
  const sizes = Array.from({ length: 48 }, (_, index) => index + 1);
  const answers = await Promise.all(sizes.map((size) => upload(project, id, png(size, size))));
  t.strictSame(
    answers.map(({ status }) => status),
    sizes.map(() => 200),
  );
  const last = await project.request('GET', `/products/${id}`);
  const widths = side(last, 'staged').masterVariant.images.map(({ dimensions }) => dimensions.w);
  t.strictSame(new Set(widths), new Set(sizes));
  t.equal(widths.length, sizes.length);
});

t.test('no path leads to another file', async (t) => {
  const paths = [
    'x.png',
    `${randomUUID()}.png`,
    '..%2f..%2fclient.json',
    `..%2f${randomUUID()}.png`,
    `${randomUUID()}.json`,
  ];
  for (const path of paths) {
    const { status } = await fetched(`http://any/-/images/tradepost-demo/${path}`);
    t.equal(status, 404, path);
  }
  t.equal((await fetched(`http://any/-/images/..%2f/${randomUUID()}.png`)).status, 404);
});

t.test('images can be objects of a store that several machines share', async (t) => {
  const store = await startObjectStore(t);
  const project = await startPlatform(t, { imageObjects: store.settings });
  const id = await newProduct(project);
  const answer = await upload(project, id, png(640, 480), { query: 'filename=lamp.png' });
  t.equal(answer.status, 200, answer.text.slice(0, 200));
  const [image] = side(answer, 'staged').masterVariant.images;
  const name = image!.url.split('/').at(-1)!;
  const path = `/pictures/${project.projectKey}/${name}`;
  t.strictSame([...store.objects], [[path, { type: 'image/png', bytes: png(640, 480) }]]);
  const read = await fetched(image!.url, { from: project });
  t.match(read, { status: 200, headers: { 'content-type': 'image/png' } });
  t.ok(read.bytes.equals(png(640, 480)), 'the very bytes');
  store.objects.set(path, { type: 'image/png', bytes: Buffer.alloc(11 * 1024 * 1024) });
  t.equal((await fetched(image!.url, { from: project })).status, 503, 'no image is as large');
  store.objects.delete(path);
  t.equal((await fetched(image!.url, { from: project })).status, 404);

  const { settings } = store;
  const stranger = await startPlatform(t, { imageObjects: { ...settings, secretAccessKey: 'OTHER' } });
  const refused = await upload(stranger, await newProduct(stranger), png(1, 1));
  const unavailable = { status: 503, body: { errors: [{ code: 'OverCapacity', message: /store of the images/ }] } };
  t.match(refused, unavailable);
  t.strictSame(
    [store.objects.size, (await stranger.request('GET', '/products?limit=1')).text.includes('/-/images/')],
    [0, false],
  );
  store.close();
  t.match(await upload(project, id, png(1, 1)), unavailable);
  t.equal((await fetched(image!.url, { from: project })).status, 503);
});
