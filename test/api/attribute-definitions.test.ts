import t from 'tap';
import { startPlatform } from '../support/platform.ts';

const define = (name: string, type: object, level = 'Variant') => {
  return { name, type, level, isRequired: false, label: { en: `The ${name}` } };
};

/** One name has one type in all product types. */
const sizeOf = (what: string) => ({ ...define('size', { name: 'text' }), label: { en: `The size of a ${what}` } });

t.test('an attribute in GraphQL knows its definition, also where it is nested', async (t) => {
  const { request } = await startPlatform(t);
  const made = async (path: string, draft: object): Promise<string> => {
    const { status, body, text } = await request('POST', path, draft);
    if (status !== 201) throw new Error(`${path}: ${text}`);
    return String(body['id']);
  };
  const screw = await made('/product-types', {
    key: 'screw',
    name: 'Screw',
    description: 'Screws',
    attributes: [sizeOf('screw')],
  });
  const part = await made('/product-types', {
    key: 'part',
    name: 'Part',
    description: 'Parts',
    attributes: [
      sizeOf('part'),
      define('screw', { name: 'nested', typeReference: { typeId: 'product-type', id: screw } }),
    ],
  });
  await made('/product-types', {
    key: 'lamp',
    name: 'Lamp',
    description: 'Lamps',
    attributes: [
      sizeOf('lamp'),
      define('origin', { name: 'text' }, 'Product'),
      define('part', { name: 'nested', typeReference: { typeId: 'product-type', id: part } }),
    ],
  });
  const screwValue = [{ name: 'size', value: '3' }];
  const partValue = [
    { name: 'size', value: 'M3' },
    { name: 'screw', value: screwValue },
  ];
  await made('/products', {
    key: 'lamp',
    productType: { typeId: 'product-type', key: 'lamp' },
    name: { en: 'Lamp' },
    slug: { en: 'lamp' },
    attributes: [{ name: 'origin', value: 'Lisbon' }],
    masterVariant: {
      attributes: [
        { name: 'size', value: 'L' },
        { name: 'part', value: partValue },
      ],
    },
    variants: [{ attributes: [{ name: 'size', value: 'S' }] }],
  });
  const definition = 'name attributeDefinition { name label(locale: "en") level type { name } }';
  const query = `{ product(key: "lamp") { masterData { staged {
    attributesRaw { ${definition} }
    variants { attributesRaw { ${definition} } }
    masterVariant { attributesRaw(includeNames: ["size", "part"]) { ${definition}
      attributesRaw { ${definition} attributesRaw { ${definition} } } } } } } } }`;
  const ask = async () => {
    const { body, text } = await request('POST', '/graphql', { query });
    if (body['errors'] !== undefined) throw new Error(text);
    return (body['data'] as { product: { masterData: { staged: object } } }).product.masterData.staged;
  };
  const is = (name: string, type: string, level = 'Variant') => {
    return { name, attributeDefinition: { name, label: `The ${name}`, level, type: { name: type } } };
  };
  const size = (what: string) => {
    const { name, attributeDefinition } = is('size', 'text');
    return { name, attributeDefinition: { ...attributeDefinition, label: `The size of a ${what}` } };
  };
  const nested = [
    { ...size('part'), attributesRaw: null },
    { ...is('screw', 'nested'), attributesRaw: [size('screw')] },
  ];
  for (const round of [1, 2]) {
    t.strictSame(
      await ask(),
      {
        attributesRaw: [is('origin', 'text', 'Product')],
        variants: [{ attributesRaw: [size('lamp')] }],
        masterVariant: {
          attributesRaw: [
            { ...size('lamp'), attributesRaw: null },
            { ...is('part', 'nested'), attributesRaw: nested },
          ],
        },
      },
      `round ${round}`,
    );
  }
  const actions = [{ action: 'changeLabel', attributeName: 'origin', label: { en: 'Made in' } }];
  t.match(await request('POST', '/product-types/key=lamp', { version: 1, actions }), { status: 200 });
  t.match(
    await ask(),
    { attributesRaw: [{ attributeDefinition: { label: 'Made in' } }] },
    'what is kept is as new as the product type',
  );
});

t.test('so do those of variants that stand in a list, whichever was read before', async (t) => {
  const { request } = await startPlatform(t);
  await request('POST', '/product-types', {
    key: 'lamp',
    name: 'Lamp',
    description: 'Lamps',
    attributes: [define('size', { name: 'text' }), define('origin', { name: 'text' }, 'Product')],
  });
  const variant = (sku: string): object => ({ sku, attributes: [{ name: 'size', value: sku }] });
  await request('POST', '/products', {
    key: 'lamp',
    productType: { typeId: 'product-type', key: 'lamp' },
    name: { en: 'Lamp' },
    slug: { en: 'lamp' },
    attributes: [{ name: 'origin', value: 'Lisbon' }],
    masterVariant: variant('S'),
    variants: [variant('L')],
    publish: true,
  });
  const lineItems = [{ sku: 'S' }, { sku: 'L' }];
  await request('POST', '/shopping-lists', { key: 'wishes', name: { en: 'Wishes' }, lineItems });
  const attributes = 'attributesRaw { name attributeDefinition { name } }';
  const product = `product(key: "lamp") { masterData { current { ${attributes} } } }`;
  const list = `shoppingList(key: "wishes") { lineItems { variant { ${attributes} } } }`;
  for (const query of [`{ ${list} }`, `{ ${product} ${list} }`]) {
    const { body } = await request('POST', '/graphql', { query });
    const named = ['origin', 'size'].map((name) => ({ name, attributeDefinition: { name } }));
    t.match(body, {
      data: { shoppingList: { lineItems: lineItems.map(() => ({ variant: { attributesRaw: named } })) } },
    });
  }
});
