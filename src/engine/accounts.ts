import { unstorableIndex } from '../predicate/lexer.ts';
import type { Principal } from './context.ts';
import type { UniqueValue } from './document.ts';
import type { Claim } from './fair-queue.ts';
import type { Passwords } from './passwords.ts';
import { hashOf } from './secrets.ts';
import type { Store, StoredSecrets } from './store.ts';

/** Kind of those who sign in, which are resources. */
export const customerKind = 'customer';

/** The member of a customer's secrets that holds the hash of the password. */
export const passwordHashName = 'passwordHash';

/** Who has a password checked: a shopper by its session, or a client for whomever it serves. */
export interface Caller {
  readonly id: string;
  readonly isShopper: boolean;
}

/** Who signs in. Without a store, among the customers of no store. */
export interface SignIn {
  readonly email: string;
  readonly password: string;
  readonly storeKey: string | undefined;
  readonly caller: Caller;
}

/** A customer whose password was right. */
export interface Verified {
  readonly customerId: string;
  /** Hash of what is stored of the password: a customer with another one is a customer who has changed it. */
  readonly subject: Uint8Array;
}

/** A password that a customer who is known says to have. */
export interface PasswordClaim {
  readonly customer: StoredSecrets;
  readonly password: string;
  readonly caller: Caller;
}

/** The customers of a project as those know them who check passwords. Both throw TooManyRequests and OverCapacity. */
export interface Accounts {
  /** The customer with this e-mail address and password; undefined when either is wrong. */
  verify(project: string, signIn: SignIn): Promise<Verified | undefined>;
  /** Whether it is the customer's password. */
  isPasswordOf(project: string, claim: PasswordClaim): Promise<boolean>;
}

/** Bounds how often something is tried in the name of one; throws when it is too often. */
export interface Attempts {
  pass(name: string): void;
  /** One that does not count after all. */
  giveBack(name: string): void;
}

/** Characters of an e-mail address, which is what somebody signs in by. */
export const emailLengthMax = 254;

/** Checks of passwords that run or wait at a time: for one name, for a shopper's session, for a client, and in a project. */
const nameChecksMax = 4;
const shopperChecksMax = 4;
const clientChecksMax = 50;
const projectChecksMax = 75;

/** A check of a password in the name of somebody. */
interface Check {
  readonly project: string;
  readonly name: string;
  readonly password: string;
  readonly stored: string | undefined;
  readonly caller: Caller;
}

/**
 * Whoever guesses passwords is slowed down, whichever way they come: so many wrong ones a minute for a name, and for a
 * shopper's session. A client may be a shop's server, which signs in all of its customers, and is bounded by its places.
 */
export function createAccounts(store: Store, passwords: Pick<Passwords, 'verify'>, attempts: Attempts): Accounts {
  const check = async ({ project, name, password, stored, caller }: Check): Promise<boolean> => {
    const ofName = `${project} name ${name}`;
    const ofCaller = `${project} caller ${caller.id}`;
    const counted = caller.isShopper ? [ofName, ofCaller] : [ofName];
    for (const each of counted) attempts.pass(each);
    const claims = [...claimsOf(project, caller), { name: ofName, entriesMax: nameChecksMax }] as const;
    const isGenuine = await passwords.verify(password, stored, claims);
    if (isGenuine) for (const each of counted) attempts.giveBack(each);
    return isGenuine;
  };
  return {
    verify: async (project, { email, password, storeKey, caller }) => {
      // Nobody has a longer address, and nothing is kept of it.
      const unique = emailHolder(email.length <= emailLengthMax ? email : '', storeKey);
      const isStorable = unstorableIndex(unique.value) < 0;
      const customer = isStorable ? await store.findSecrets(project, { kind: customerKind, unique }) : undefined;
      const stored = customer?.secrets[passwordHashName];
      const isGenuine = await check({ project, name: unique.value, password, stored, caller });
      return isGenuine && customer !== undefined
        ? { customerId: customer.id, subject: passwordSubject(customer.secrets) }
        : undefined;
    },
    isPasswordOf: (project, { customer, password, caller }) =>
      check({ project, name: customer.id, password, stored: customer.secrets[passwordHashName], caller }),
  };
}

/** Whose places it takes to hash a password. The first is who takes turns with others. */
export function claimsOf(project: string, { id, isShopper }: Caller): readonly [Claim, Claim] {
  return [
    { name: `${project} caller ${id}`, entriesMax: isShopper ? shopperChecksMax : clientChecksMax },
    { name: project, entriesMax: projectChecksMax },
  ];
}

/** Who has a password checked by a request with this token. */
export function callerOf({ shopper, clientId }: Principal): Caller {
  return shopper === undefined ? { id: clientId, isShopper: false } : { id: shopper.id, isShopper: true };
}

/** What holds for a password ends with it: the hash of what is stored of the one among these secrets. */
export function passwordSubject(secrets: StoredSecrets['secrets']): Buffer {
  return hashOf(secrets[passwordHashName] ?? '');
}

/**
 * What one customer holds: an address in a store, or among those of no store, in whatever case it is written. What stands
 * before the first blank is a store's key; an address of no store that has a blank itself follows an empty one.
 */
export function emailHolder(email: string, storeKey: string | undefined): UniqueValue {
  const name = email.toLowerCase();
  const hasStore = storeKey !== undefined;
  const value = hasStore || name.includes(' ') ? `${hasStore ? storeKeyIn(storeKey) : ''} ${name}` : name;
  return { field: 'email', value, shown: email };
}

/** Keys of stores stay as they are; what paths say instead of one has no blank, and is not empty. */
function storeKeyIn(text: string): string {
  return text.replaceAll('%', '%25').replaceAll(' ', '%20') || '%';
}
