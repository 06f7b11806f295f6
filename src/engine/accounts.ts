import { customerKind } from './credentials.ts';
import type { UniqueValue } from './define.ts';
import type { Passwords } from './passwords.ts';
import { hashOf } from './secrets.ts';
import type { Store, StoredSecrets } from './store.ts';

/** The member of a customer's secrets that holds the hash of the password. */
export const passwordHashName = 'passwordHash';

/** Who signs in. Without a store, among the customers of no store. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly storeKey: string | undefined;
}

/** A customer whose password was right. */
export interface Verified {
  readonly customerId: string;
  /** Hash of what is stored of the password: a customer with another one is a customer who has changed it. */
  readonly subject: Uint8Array;
}

/** The customers of a project as those know them who check passwords. */
export interface Accounts {
  /** The customer with this e-mail address and password; undefined when either is wrong. */
  verify(project: string, signIn: SignIn): Promise<Verified | undefined>;
}

/** Bounds how often something is tried in the name of one; throws when it is too often. */
export interface Attempts {
  pass(name: string): void;
}

/** Whoever guesses passwords is slowed down, whichever way they come. */
export function createAccounts(store: Store, passwords: Passwords, attempts: Attempts): Accounts {
  return {
    verify: async (project, { email, password, storeKey }) => {
      const unique = emailHolder(email, storeKey);
      attempts.pass(`${project} ${unique.value}`);
      const customer = await store.findSecrets(project, { kind: customerKind, unique });
      const isGenuine = await passwords.verify(password, customer?.secrets[passwordHashName]);
      return isGenuine && customer !== undefined
        ? { customerId: customer.id, subject: passwordSubject(customer.secrets) }
        : undefined;
    },
  };
}

/** What holds for a password ends with it: the hash of what is stored of the one among these secrets. */
export function passwordSubject(secrets: StoredSecrets['secrets']): Buffer {
  return hashOf(secrets[passwordHashName] ?? '');
}

/** What one customer holds: an address in a store, or among those of no store, in whatever case it is written. */
export function emailHolder(email: string, storeKey: string | undefined): UniqueValue {
  const name = email.toLowerCase();
  return { field: 'email', value: storeKey === undefined ? name : `${storeKey} ${name}`, shown: email };
}
