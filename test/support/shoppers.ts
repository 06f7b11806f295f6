import type { Shopper } from '../../src/engine/define.ts';
import { type Platform, send } from './platform.ts';

/** A shopper's access token, as the authorization service gives it. */
export async function shopperToken(
  { baseUrl, projectKey, client, request }: Platform,
  { shopper, storeKey }: { readonly shopper: Shopper; readonly storeKey: string | undefined },
): Promise<string> {
  const place = storeKey === undefined ? '' : `/in-store/key=${storeKey}`;
  const [email, password] = [`shopper${storeKey ?? ''}@example.org`, 'shopper-pass-1'];
  if (shopper === 'customer') await request('POST', `${place}/customers`, { email, password });
  const form = {
    customer: { path: `${place}/customers`, body: { grant_type: 'password', username: email, password } },
    anonymous: { path: '/anonymous', body: { grant_type: 'client_credentials' } },
  }[shopper];
  const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
  const { status, body, text } = await send({
    baseUrl,
    method: 'POST',
    path: `/oauth/${projectKey}${form.path}/token`,
    headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form.body).toString(),
  });
  if (status !== 200) throw new Error(text);
  return String(body['access_token']);
}
