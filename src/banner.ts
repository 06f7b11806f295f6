import { suggestedInput } from './demo/load.ts';
import type { FirstClient } from './administration.ts';
import type { Connected } from './config.ts';
import { patientLocalServer } from './local-server.ts';

/** What a new user needs: addresses, credentials, and three commands to copy. */
export async function printBanner(config: Connected, client: FirstClient): Promise<void> {
  const { baseUrl, projectKey } = config;
  const cartId = await demoCartId(config, client);
  const lines = [
    '',
    `Tradepost is ready at ${baseUrl}, project ${projectKey}.`,
    '',
    ...credentialLines(config, client),
    '',
    'Three commands to copy: a token, the shipping methods that match a cart, and suggestions.',
    '',
    `TOKEN=$(curl -s -u '${client.clientId}:${client.clientSecret}' -d grant_type=client_credentials ${baseUrl}/oauth/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `curl -s -H "Authorization: Bearer $TOKEN" '${baseUrl}/${projectKey}/shipping-methods/matching-cart?cartId=${cartId ?? 'CART_ID'}'`,
    `curl -s -H "Authorization: Bearer $TOKEN" '${baseUrl}/${projectKey}/product-projections/suggest?searchKeywords.en=${suggestedInput}'`,
    '',
  ];
  process.stdout.write(lines.join('\n'));
}

/** What a client's environment holds, a line for each variable. */
export function credentialLines(
  { baseUrl, projectKey }: Pick<Connected, 'baseUrl' | 'projectKey'>,
  client: FirstClient,
): readonly string[] {
  return [
    `CTP_API_URL=${baseUrl}`,
    `CTP_AUTH_URL=${baseUrl}`,
    `CTP_PROJECT_KEY=${projectKey}`,
    `CTP_CLIENT_ID=${client.clientId}`,
    `CTP_CLIENT_SECRET=${client.clientSecret}`,
    `CTP_SCOPES=${client.scopes}`,
  ];
}

/** The first cart of the demo data; undefined when there is none, or when nobody answers. */
async function demoCartId(config: Connected, client: FirstClient): Promise<string | undefined> {
  const { projectKey } = config;
  const server = patientLocalServer(config);
  try {
    const basic = Buffer.from(`${client.clientId}:${client.clientSecret}`).toString('base64');
    const answer = await server.request({
      method: 'POST',
      path: '/oauth/token',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: 'grant_type=client_credentials',
    });
    // Answers of the platform itself.
    const { access_token: token } = (await answer.body.json()) as { access_token?: string };
    const carts = await server.request({
      method: 'GET',
      path: `/${projectKey}/carts?limit=1&withTotal=false`,
      headers: { authorization: `Bearer ${token}` },
    });
    return ((await carts.body.json()) as { results?: readonly { id: string }[] }).results?.[0]?.id;
  } catch {
    return undefined;
  } finally {
    await server.close();
  }
}
