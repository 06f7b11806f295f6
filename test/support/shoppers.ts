import type { Shopper } from '../../src/engine/define.ts';
import type { Answer, Platform } from './platform.ts';
import { anonymous, type Client, type Form, tokenServiceOn } from './token-service.ts';

interface SessionOptions {
  readonly storeKey?: string | undefined;
  readonly client?: Client;
  /** All scopes of the client by default. */
  readonly scope?: string;
}

/** A shopper's session, as the authorization service gives it: tokens and scopes. A customer is made where none is. */
export async function startSession(
  platform: Platform,
  shopper: Shopper,
  { storeKey, client, scope }: SessionOptions = {},
): Promise<Readonly<Record<string, unknown>>> {
  const { projectKey, request } = platform;
  const place = storeKey === undefined ? '' : `/in-store/key=${storeKey}`;
  const [email, password] = [`shopper${storeKey ?? ''}@example.org`, 'shopper-pass-1'];
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
  { shopper, storeKey }: { readonly shopper: Shopper; readonly storeKey: string | undefined },
): Promise<string> {
  return String((await startSession(platform, shopper, { storeKey }))['access_token']);
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
