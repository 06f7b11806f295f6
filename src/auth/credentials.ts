/** What the authorization service stores. The storage layer implements it. */
import type { Verified } from '../engine/accounts.ts';

/** Kind of a token that has ended, in the change log, of refresh tokens too; its id there is its hash in hexadecimal. */
export const tokenKind = 'access-token';
/** Kind of the clients that tokens are issued to, which are resources. */
export const clientKind = 'api-client';

/** A client as the token endpoint knows it. */
export interface ApiClient {
  readonly project: string;
  readonly id: string;
  readonly secretHash: Uint8Array;
  readonly scopes: readonly string[];
  /** Lifetimes of its tokens, where they are not the default ones. */
  readonly accessTokenValiditySeconds: number | undefined;
  readonly refreshTokenValiditySeconds: number | undefined;
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
  /** As granted; those of a session name its customer or its anonymous id as well. */
  readonly scopes: readonly string[];
  readonly expiresAt: Date;
}

/** Whose session a refresh token keeps; a customer's holds for the password that it began with. */
export type SessionOwner = Verified | { readonly anonymousId: string };

/** A session that starts: a refresh token, and the first access token with the same scopes. */
export interface NewSession {
  readonly access: Token;
  readonly refreshHash: Uint8Array;
  readonly owner: SessionOwner;
  /** Seconds for which the refresh token holds after each use. */
  readonly ttlSeconds: number;
}

export interface CredentialStore {
  /** The client with this id; undefined when there is none, or when its time is over. */
  findClient(id: string): Promise<ApiClient | undefined>;
  insertClient(client: NewClient): Promise<void>;
  /** Keeps a token, and notes the day on which its client was last used. */
  insertToken(token: Token): Promise<void>;
  /** False when another session has the anonymous id. */
  insertSession(session: NewSession): Promise<boolean>;
  /**
   * Uses the refresh token of this client: it holds for its whole time again. Gives the scopes of its session; undefined
   * when there is no such token, or when it has expired or its customer is gone or has another password.
   */
  useRefreshToken(client: Pick<ApiClient, 'project' | 'id'>, hash: Uint8Array): Promise<readonly string[] | undefined>;
  /** Keeps an access token of a session that goes on. False when the session has ended meanwhile. */
  insertRefreshed(token: Token, refreshHash: Uint8Array): Promise<boolean>;
  /**
   * The token, unless it has expired, its client or customer is gone, or the customer has another password than when the
   * session began. It expires with its client, too.
   */
  findToken(project: string, hash: Uint8Array): Promise<Token | undefined>;
  /** The same of a refresh token. */
  findRefreshToken(project: string, hash: Uint8Array): Promise<Token | undefined>;
  /** The refresh token of the session that has this anonymous id. */
  findAnonymousSession(project: string, anonymousId: string): Promise<Token | undefined>;
  /** Ends the access or refresh token with this hash where it is this client's, and with a refresh token its session. */
  revoke(client: Pick<ApiClient, 'project' | 'id'>, hash: Uint8Array): Promise<void>;
  /**
   * Deletes tokens that have expired, refresh tokens beyond the limit of each project, the least recently used first,
   * and clients whose time is over, a bounded number at a time.
   */
  deleteExpired(limits: { readonly refreshTokensMax: number }): Promise<void>;
}
