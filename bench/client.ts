import { headers, type Request } from './load.ts';

/** A token of a client, for all of its scopes. */
export async function tokenOf(
  baseUrl: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<string> {
  const response = await fetch(`${baseUrl}/oauth/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  return ((await response.json()) as { access_token: string }).access_token;
}

/** The text of an answer; throws where it is no success. */
export async function ask(baseUrl: string, token: string, { method, path, body }: Request): Promise<string> {
  const given = { method, headers: headers(token), ...(body !== undefined && { body }) };
  const response = await fetch(`${baseUrl}${path}`, given);
  const text = await response.text();
  if (response.ok) return text;
  throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 300)}`);
}
