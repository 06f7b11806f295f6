/** What a customer may do with a token: set a new password, or prove that the email address is theirs. */
export type TokenPurpose = 'password' | 'email';

export interface AccountToken {
  readonly customerId: string;
  /**
   * Hash of what it holds for: the password that it replaces, or the address that is not proved yet. With another one
   * the token is void, so the write that uses it ends it.
   */
  readonly subject: Uint8Array;
  readonly expiresAt: Date;
}

export interface NewAccountToken extends AccountToken {
  readonly project: string;
  readonly purpose: TokenPurpose;
  /** SHA-256 of the token, which is not stored. */
  readonly hash: Uint8Array;
  /** Ends all that the customer was given for this purpose before. */
  readonly endsOlder: boolean;
}

/** Tokens of customers. The storage layer implements it. */
export interface AccountTokens {
  /** A customer has a bounded number for each purpose; a new one takes the place of the oldest. */
  insert(token: NewAccountToken): Promise<void>;
  /** The token with this hash; for a while also one that has expired. */
  find(
    project: string,
    wanted: { readonly purpose: TokenPurpose; readonly hash: Uint8Array },
  ): Promise<AccountToken | undefined>;
  /** Deletes those that expired a while ago, a bounded number at a time. */
  deleteExpired(): Promise<void>;
}
