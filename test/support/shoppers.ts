import type { Shopper } from '../../src/engine/define.ts';
import { type Answer, type Platform, send } from './platform.ts';

/** The answer of the authorization service to this form: `place` is `customers` or `anonymous`, maybe in a store. */
export function session(
  { baseUrl, projectKey, client }: Platform,
  form: Readonly<Record<string, string>>,
  place = 'customers',
): Promise<Answer> {
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
  return send({
    baseUrl,
    method: 'POST',
    path: `/oauth/${projectKey}/${place}/token`,
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
}

/** The headers of a session that starts. Throws where it does not. */
export async function sessionHeaders(...asked: Parameters<typeof session>): Promise<{ authorization: string }> {
  const { status, body, text } = await session(...asked);
  if (status !== 200) throw new Error(text);
  return { authorization: `Bearer ${String(body['access_token'])}` };
}

/** A shopper's access token, as the authorization service gives it. */
export async function shopperToken(
  platform: Platform,
  { shopper, storeKey }: { readonly shopper: Shopper; readonly storeKey: string | undefined },
): Promise<string> {
  const place = storeKey === undefined ? '' : `in-store/key=${storeKey}/`;
  const [email, password] = [`shopper${storeKey ?? ''}@example.org`, 'shopper-pass-1'];
  if (shopper === 'customer') await platform.request('POST', `/${place}customers`, { email, password });
  const form = {
    customer: { place: `${place}customers`, body: { grant_type: 'password', username: email, password } },
    anonymous: { place: 'anonymous', body: { grant_type: 'client_credentials' } },
  }[shopper];
  const { authorization } = await sessionHeaders(platform, form.body, form.place);
  return authorization.replace('Bearer ', '');
}
