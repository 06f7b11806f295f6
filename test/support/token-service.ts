import { randomUUID } from 'node:crypto';
import { hashOf, randomSecret } from '../../src/engine/secrets.ts';
import { createCredentialStore } from '../../src/storage/credentials.ts';
import { type Answer, basicOf, type Platform, send } from './platform.ts';

export interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

export type Form = Readonly<Record<string, string>>;

/** A platform with the calls of the authorization service. */
export interface TokenService extends Platform {
  /** Posts to a path below `/oauth`, as the first client of the project or as another one. */
  post(path: string, form: Form, client?: Client): Promise<Answer>;
  /** A client with these scopes of the project, such as `view_zones`. */
  clientWith(...names: readonly string[]): Promise<Client>;
  /** A client with these whole scopes, and maybe a secret of the test's own. */
  insertClient(scopes: readonly string[], secret?: string): Promise<Client>;
  /** Status of a read with this token. */
  statusWith(token: unknown, path?: string): Promise<number>;
}

/** The form of an anonymous session. */
export const anonymous = { grant_type: 'client_credentials' };

export function tokenServiceOn(platform: Platform): TokenService {
  const { baseUrl, client: first, projectKey, database } = platform;
  const insertClient = async (scopes: readonly string[], clientSecret = randomSecret()): Promise<Client> => {
    const clientId = randomUUID();
    const secretHash = hashOf(clientSecret);
    await createCredentialStore(database).insertClient({
      project: projectKey,
      id: clientId,
      name: 'test',
      secretHash,
      scopes,
    });
    return { clientId, clientSecret };
  };
  return {
    ...platform,
    insertClient,
    clientWith: (...names) => insertClient(names.map((name) => `${name}:${projectKey}`)),
    post: (path, form, client = first) =>
      send({
        baseUrl,
        method: 'POST',
        path: `/oauth/${path}`,
        headers: { authorization: basicOf(client), 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      }),
    statusWith: async (token, path = '/zones') => {
      const headers = { authorization: `Bearer ${String(token)}` };
      return (await send({ baseUrl, method: 'GET', path: `/${projectKey}${path}`, headers })).status;
    },
  };
}
