/** What the authorization service stores. The storage layer implements it. */

/** Kind of a token in the change log; its id there is its hash in hexadecimal. */
export const tokenKind = 'access-token';
/** Kind of the clients that tokens are issued to, which are resources. */
export const clientKind = 'api-client';

/** A client as the token endpoint knows it. */
export interface ApiClient {
  readonly project: string;
  readonly id: string;
  readonly secretHash: Uint8Array;
  readonly scopes: readonly string[];
  /** Lifetime of its access tokens, where it is not the default one. */
  readonly accessTokenValiditySeconds: number | undefined;
}

export interface NewClient {
  readonly project: string;
  readonly id: string;
  readonly name: string;
  readonly secretHash: Uint8Array;
  readonly scopes: readonly string[];
}

export interface Token {
  readonly project: string;
  readonly hash: Uint8Array;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
}

export interface CredentialStore {
  /** The client with this id; undefined when there is none, or when its time is over. */
  findClient(id: string): Promise<ApiClient | undefined>;
  insertClient(client: NewClient): Promise<void>;
  /** Keeps a token, and notes the day on which its client was last used. */
  insertToken(token: Token): Promise<void>;
  /** The token, unless it has expired or its client is gone; it expires with its client, too. */
  findToken(project: string, hash: Uint8Array): Promise<Token | undefined>;
  /** Deletes tokens that have expired and clients whose time is over, a bounded number at a time. */
  deleteExpired(): Promise<void>;
}
