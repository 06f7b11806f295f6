import { apiError } from '../errors/api-error.ts';
import type { ApiClient, CredentialStore } from './credentials.ts';
import { hashOf, isSecretOf, randomSecret } from '../engine/secrets.ts';

/** Compared with when a client is unknown, so that both cases take the same time. */
const nobodysHash = hashOf(randomSecret());

/** The client of these Basic credentials, the value of the header Authorization. Throws invalid_client. */
export async function authenticateClient(credentials: CredentialStore, authorization: string): Promise<ApiClient> {
  const basic = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization)?.[1];
  if (basic === undefined) throw invalidClient();
  const [id, secret] = splitCredentials(Buffer.from(basic, 'base64').toString('utf8'));
  const client = await credentials.findClient(id);
  const isGenuine = isSecretOf(client?.secretHash ?? nobodysHash, secret);
  if (client === undefined || !isGenuine) throw invalidClient();
  return client;
}

/** RFC 6749, 2.3.1: both halves are form-encoded before they are joined; ids and secrets of ours need no encoding. */
function splitCredentials(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  if (colon < 0) throw invalidClient();
  return [decoded(text.slice(0, colon)), decoded(text.slice(colon + 1))];
}

function decoded(half: string): string {
  try {
    return decodeURIComponent(half.replaceAll('+', ' '));
  } catch {
    throw invalidClient();
  }
}

/** Older clients look for this text. */
const credentialsNeeded = 'Please provide valid client credentials using HTTP Basic Authentication.';

export function invalidClient(message = credentialsNeeded): Error {
  return apiError('invalid_client', message);
}
