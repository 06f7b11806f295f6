/** What the authorization service stores. The storage layer implements it. */

/** Kind of a token in the change log; its id there is its hash in hexadecimal. */
export const tokenKind = 'access-token';

export interface ApiClient {
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
  findClient(id: string): Promise<ApiClient | undefined>;
  insertClient(client: ApiClient): Promise<void>;
  insertToken(token: Token): Promise<void>;
  findToken(project: string, hash: Uint8Array): Promise<Token | undefined>;
  /** Deletes tokens that have expired, a bounded number at a time. */
  deleteExpiredTokens(): Promise<void>;
}
