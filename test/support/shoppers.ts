import type { Shopper } from '../../src/engine/context.ts';
import type { Answer, Platform } from './platform.ts';
import { anonymous, type Client, type Form, tokenServiceOn } from './token-service.ts';

export const shopperPassword = 'shopper-pass-1';

interface SessionOptions {
  readonly storeKey?: string | undefined;
  /** Of the customer, who is made where there is none. */
  readonly email?: string;
  readonly client?: Client;
  /** All scopes of the client by default. */
  readonly scope?: string;
}

/** A shopper's session, as the authorization service gives it: tokens and scopes. */
export async function startSession(
  platform: Platform,
  shopper: Shopper,
  { storeKey, client, scope, email = `shopper${storeKey ?? ''}@example.org` }: SessionOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { projectKey, request } = platform;
  const place = storeKey === undefined ? '' : `/in-store/key=${storeKey}`;
  const password = shopperPassword;
  if (shopper === 'customer') await request('POST', `${place}/customers`, { email, password });
  const { path, form } = {
    customer: { path: `${place}/customers`, form: { grant_type: 'password', username: email, password } },
    anonymous: { path: '/anonymous', form: anonymous },
  }[shopper];
  const asked = { ...form, ...(scope !== undefined && { scope }) };
  const { status, body, text } = await tokenServiceOn(platform).post(`${projectKey}${path}/token`, asked, client);
  if (status !== 200) throw new Error(text);
  return body;
}

/** A shopper's access token. */
export async function shopperToken(
  platform: Platform,
  { shopper, ...options }: SessionOptions & { readonly shopper: Shopper },
): Promise<string> {
  return String((await startSession(platform, shopper, options))['access_token']);
}

/** The answer of the authorization service to this form: `place` is `customers` or `anonymous`, maybe in a store. */
export function session(platform: Platform, form: Form, place = 'customers'): Promise<Answer> {
  return tokenServiceOn(platform).post(`${platform.projectKey}/${place}/token`, form);
}

/** The headers of a session that starts. Throws where it does not. */
export async function sessionHeaders(...asked: Parameters<typeof session>): Promise<{ authorization: string }> {
  const { status, body, text } = await session(...asked);
  if (status !== 200) throw new Error(text);
  return { authorization: `Bearer ${String(body['access_token'])}` };
}
