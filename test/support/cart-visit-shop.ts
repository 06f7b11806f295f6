import type { Answer, Platform } from './platform.ts';
import { sessionHeaders } from './shoppers.ts';

export type Headers = Readonly<Record<string, string>>;
export type Made = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

const password = 'secret-pass-1';

/** What a create has made. Throws where it was refused. */
export function made({ status, body, text }: Answer): Made {
  if (status !== 201) throw new Error(text);
  return body as Made;
}

export interface CartShop {
  /** By SKU. */
  readonly products: Readonly<Record<'LAMP' | 'CHAIR' | 'TABLE', Made>>;
  /** Updates a resource at the version that it has. Throws where that is refused. */
  update(path: string, ...actions: readonly object[]): Promise<Made>;
  /** A customer, and the headers of a session of theirs. */
  customer(email: string): Promise<{ readonly id: string; readonly headers: Headers }>;
  visitor(anonymousId: string): Promise<Headers>;
  login(more: object, email?: string): Promise<Answer>;
  graphql(query: string, headers?: Headers): Promise<unknown>;
}

/** Lamps for 10 EUR, chairs for 20 and tables for 30, with 19 % taxes in Germany, and a type of custom fields. */
export async function openCartShop({ request, ...platform }: Platform): Promise<CartShop> {
  made(await request('POST', '/product-types', { key: 'thing', name: 'Thing', description: 'Things' }));
  made(
    await request('POST', '/tax-categories', {
      key: 'standard',
      name: 'Standard',
      rates: [{ name: '19 %', amount: 0.19, includedInPrice: true, country: 'DE' }],
    }),
  );
  made(
    await request('POST', '/types', {
      key: 'engraved',
      name: { en: 'Engraved' },
      resourceTypeIds: ['line-item', 'custom-line-item', 'order'],
      fieldDefinitions: [{ name: 'text', label: { en: 'Text' }, type: { name: 'String' }, required: false }],
    }),
  );
  const product = async (sku: string, centAmount: number): Promise<Made> =>
    made(
      await request('POST', '/products', {
        key: sku.toLowerCase(),
        productType: { key: 'thing' },
        taxCategory: { key: 'standard' },
        name: { en: sku },
        slug: { en: sku.toLowerCase() },
        masterVariant: { sku, prices: [{ value: { currencyCode: 'EUR', centAmount } }] },
        publish: true,
      }),
    );
  const products = {
    LAMP: await product('LAMP', 1000),
    CHAIR: await product('CHAIR', 2000),
    TABLE: await product('TABLE', 3000),
  };
  return {
    products,
    update: async (path, ...actions) => {
      const { version } = (await request('GET', path)).body;
      const { status, body, text } = await request('POST', path, { version, actions });
      if (status !== 200) throw new Error(text);
      return body as Made;
    },
    customer: async (email) => {
      const { customer } = made(await request('POST', '/customers', { email, password })) as unknown as {
        customer: Made;
      };
      const form = { grant_type: 'password', username: email, password };
      return { id: customer.id, headers: await sessionHeaders({ request, ...platform }, form) };
    },
    visitor: (anonymousId) =>
      sessionHeaders(
        { request, ...platform },
        { grant_type: 'client_credentials', anonymous_id: anonymousId },
        'anonymous',
      ),
    login: (more, email = 'jane@example.org') => request('POST', '/login', { email, password, ...more }),
    graphql: async (query, headers) => {
      const { body } = await request('POST', '/graphql', { query }, headers);
      return body['errors'] ?? body['data'];
    },
  };
}

/** Custom fields of the type that the shop has. */
export function engraved(text: string): object {
  return { type: { typeId: 'type', key: 'engraved' }, fields: { text } };
}
