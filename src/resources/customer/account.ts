/**
 * What customers and their shops do with passwords and tokens. Each change is one write at the version that was read; a
 * token is bound to what it changes, so the write that uses it ends it.
 */
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { callerOf, emailHolder, passwordHashName, passwordSubject } from '../../engine/accounts.ts';
import type { AccountToken, TokenPurpose } from '../../engine/account-tokens.ts';
import type { EndpointRequest, Engine } from '../../engine/resource.ts';
import { documentOf, type Json } from '../../engine/json.ts';
import { commit, conflict } from '../../engine/operations/commit.ts';
import { existing } from '../../engine/operations/get.ts';
import { told, type Told } from '../../engine/messages.ts';
import { planExtendedReplacement } from '../../engine/operations/extend.ts';
import { tellAlone } from '../../engine/operations/tell-alone.ts';
import { represent } from '../../engine/operations/represent.ts';
import { newSharing } from '../../engine/operations/steps.ts';
import { workingCopy } from '../../engine/operations/working-copy.ts';
import { initiatorOf } from '../../engine/operations/write.ts';
import { hashOf, randomSecret } from '../../engine/secrets.ts';
import type { StoredSecrets } from '../../engine/store.ts';
import { apiError } from '../../errors/api-error.ts';
import { type Merge, mergedCart, type Visitor } from '../cart/offers.ts';
import { hashed } from './actions.ts';
import { moveBelongings } from './belongings.ts';
import { signedIn } from './create.ts';
import type { Customer } from './fields.ts';
import { emailTokenCreated, emailVerified, passwordTokenCreated, passwordUpdated } from './messages.ts';
import { maskOf, requireStrong } from './password.ts';

/** The request of an endpoint, apart from what it declares itself. */
export type Asked = Omit<EndpointRequest, 'parameters' | 'body' | 'draft'>;

interface SignIn extends Visitor {
  readonly email: string;
  readonly password: string;
  readonly mergeMode: Merge['mergeMode'];
  readonly updateProductData: boolean;
}

export async function signIn(engine: Engine, request: Asked, { email, password, ...visitor }: SignIn): Promise<Json> {
  const { context, resource, storeKey } = request;
  const project = context.project.key;
  const verified = await engine.accounts.verify(project, {
    email,
    password,
    storeKey,
    caller: callerOf(context.principal),
  });
  const [stored] =
    verified === undefined ? [] : await engine.store.find(project, [{ kind: resource.kind, id: verified.customerId }]);
  if (stored === undefined) throw apiError('InvalidCredentials', 'Account with the given credentials not found.');
  const cart = await mergedCart(engine, request, { ...visitor, customerId: stored.id, whenStuck: 'leave' });
  const { anonymousId } = visitor;
  if (anonymousId !== undefined) await moveBelongings(engine, context, { anonymousId, customerId: stored.id });
  return signedIn(engine, request, { customer: stored.json, cart });
}

interface PasswordChange {
  readonly id: string;
  readonly version: number;
  readonly currentPassword: string;
  readonly newPassword: string;
}

export async function changePassword(engine: Engine, request: Asked, change: PasswordChange): Promise<Json> {
  const stored = await customerWith(engine, request, change);
  const { project, principal } = request.context;
  const claim = { customer: stored, password: change.currentPassword, caller: callerOf(principal) };
  const isCurrent = await engine.accounts.isPasswordOf(project.key, claim);
  if (!isCurrent) throw apiError('InvalidCurrentPassword', 'The given current password does not match.');
  return withPassword(engine, request, { stored, password: change.newPassword, reset: false });
}

interface TokenUse {
  readonly tokenValue: string;
  readonly version?: number;
  /** The customer whose token it has to be. */
  readonly id?: string;
}

export async function resetPassword(
  engine: Engine,
  request: Asked,
  { newPassword, ...use }: TokenUse & { readonly newPassword: string },
): Promise<Json> {
  const stored = await tokenHolder(engine, request, { ...use, purpose: 'password' });
  return withPassword(engine, request, { stored, password: newPassword, reset: true });
}

export async function confirmEmail(engine: Engine, request: Asked, use: TokenUse): Promise<Json> {
  const stored = await tokenHolder(engine, request, { ...use, purpose: 'email' });
  return changed(engine, request, { stored, change: { isEmailVerified: true }, tells: told(emailVerified, {}) });
}

/** The customer whom the token is for. */
export async function customerByToken(
  engine: Engine,
  request: Asked,
  use: TokenUse & { readonly purpose: TokenPurpose },
): Promise<Json> {
  const { json } = await tokenHolder(engine, request, use);
  const [customer] = await represent(engine, request.context, [json], request.expand);
  return customer!;
}

interface TokenDraft {
  readonly ttlMinutes: number;
  readonly invalidateOlderTokens: boolean;
}

export async function createPasswordToken(
  engine: Engine,
  request: Asked,
  { email, ...draft }: TokenDraft & { readonly email: string },
): Promise<Json> {
  const { context, resource, storeKey } = request;
  const unique = emailHolder(email, storeKey);
  const stored = await engine.store.findSecrets(context.project.key, { kind: resource.kind, unique });
  if (stored === undefined) throw apiError('ResourceNotFound', `The Customer with email '${email}' was not found.`);
  if (documentOf<Customer>(stored.json).authenticationMode !== 'Password')
    throw apiError('InvalidOperation', 'The customer signs in elsewhere and has no password to reset.');
  return createToken(engine, request, { stored, purpose: 'password', draft });
}

export async function createEmailToken(
  engine: Engine,
  request: Asked,
  { id, version, ...draft }: TokenDraft & { readonly id: string; readonly version?: number },
): Promise<Json> {
  const stored = await customerWith(engine, request, { id, ...(version !== undefined && { version }) });
  return createToken(engine, request, { stored, purpose: 'email', draft });
}

/** Tokens that hold for longer are too valuable for messages, which others than who asks for them read. */
const toldMinutesMax = 60;

async function createToken(
  engine: Engine,
  { context }: Asked,
  token: { readonly stored: StoredSecrets; readonly purpose: TokenPurpose; readonly draft: TokenDraft },
): Promise<Json> {
  const { stored, purpose, draft } = token;
  const value = randomSecret();
  const createdAt = new Date(context.now);
  const initiator = initiatorOf(context);
  const expiresAt = new Date(createdAt.getTime() + draft.ttlMinutes * 60_000);
  await engine.accountTokens.insert({
    project: context.project.key,
    purpose,
    hash: hashOf(value),
    customerId: stored.id,
    subject: subjectOf(stored, purpose),
    expiresAt,
    endsOlder: draft.invalidateOlderTokens,
  });
  const id = randomUUID();
  const { invalidateOlderTokens } = draft;
  const known = { customerId: stored.id, expiresAt: expiresAt.toISOString(), invalidateOlderTokens };
  const type = purpose === 'password' ? passwordTokenCreated : emailTokenCreated;
  await tellAlone(engine, context, {
    resource: { typeId: `customer-${purpose}-token`, id },
    told: told(type, { ...known, ...(draft.ttlMinutes <= toldMinutesMax && { value }) }),
  });
  return JSON.stringify({
    id,
    version: 1,
    ...known,
    value,
    createdAt,
    lastModifiedAt: createdAt,
    createdBy: initiator,
    lastModifiedBy: initiator,
  });
}

/** What a token for this purpose holds for: the password that it replaces, or an address that is still to be proved. */
function subjectOf(stored: StoredSecrets, purpose: TokenPurpose): Buffer {
  if (purpose === 'password') return passwordSubject(stored.secrets);
  const { email, isEmailVerified } = documentOf<Customer>(stored.json);
  return hashOf(`${email.toLowerCase()} ${isEmailVerified}`);
}

/** The customer of the id, at the version where one is given. */
async function customerWith(
  engine: Engine,
  request: Asked,
  { id, version }: { readonly id: string; readonly version?: number },
): Promise<StoredSecrets> {
  const { context, resource } = request;
  const found = await engine.store.findSecrets(context.project.key, { kind: resource.kind, id });
  const stored = existing(found, { ...request, identity: { id } });
  if (version !== undefined && version !== stored.version)
    throw conflict(resource, { id, expected: version, current: stored.version });
  return stored;
}

const expired = {
  password: 'ExpiredCustomerPasswordToken',
  email: 'ExpiredCustomerEmailToken',
} as const;

async function tokenHolder(
  engine: Engine,
  request: Asked,
  { tokenValue, purpose, id, version }: TokenUse & { readonly purpose: TokenPurpose },
): Promise<StoredSecrets> {
  const token = await engine.accountTokens.find(request.context.project.key, { purpose, hash: hashOf(tokenValue) });
  if (token === undefined || (id !== undefined && token.customerId !== id)) throw unknownToken(purpose);
  if (token.expiresAt.getTime() <= Date.parse(request.context.now))
    throw apiError(expired[purpose], `The ${purpose} token has expired.`);
  const stored = await customerWith(engine, request, {
    id: token.customerId,
    ...(version !== undefined && { version }),
  });
  if (!isFor(token, subjectOf(stored, purpose))) throw unknownToken(purpose);
  return stored;
}

function isFor({ subject }: AccountToken, current: Buffer): boolean {
  return subject.length === current.length && timingSafeEqual(subject, current);
}

function unknownToken(purpose: TokenPurpose): Error {
  return apiError('ResourceNotFound', `There is no such ${purpose} token; it may have been used.`);
}

async function withPassword(
  engine: Engine,
  request: Asked,
  { stored, password, reset }: { readonly stored: StoredSecrets; readonly password: string; readonly reset: boolean },
): Promise<Json> {
  requireStrong(password, request.context.project.settings);
  const hash = await hashed(engine, request.context, password);
  const secrets = { ...stored.secrets, [passwordHashName]: hash };
  const tells = told(passwordUpdated, { reset });
  return changed(engine, request, { stored, change: { password: maskOf(hash) }, secrets, tells });
}

interface Change {
  readonly stored: StoredSecrets;
  readonly change: Partial<Customer>;
  readonly secrets?: StoredSecrets['secrets'];
  readonly tells: Told;
}

/** Writes the change at the version that was read, and gives the customer. */
async function changed(engine: Engine, request: Asked, { stored, change, secrets, tells }: Change): Promise<Json> {
  const { context, resource } = request;
  const copy = await workingCopy(engine, context, { resource, stored });
  Object.assign(copy.after, change);
  const { found, internals } = copy;
  const sharing = newSharing({ found, internals, secrets, told: [tells] });
  const planned = await planExtendedReplacement(engine, context, { resource, id: stored.id, copy, sharing });
  if (planned !== undefined) await commit(engine, context, [planned]);
  const [customer] = await represent(engine, context, [planned?.write.json ?? stored.json], request.expand);
  return customer!;
}
