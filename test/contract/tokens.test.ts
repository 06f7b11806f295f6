/**
 * Every operation with every kind of token: of clients, customers and anonymous sessions, issued here and by another
 * server, that hold and that do not. What may be done follows from the declared scopes and shoppers alone.
 */
import t, { type Test } from 'tap';
import type { Shopper } from '../../src/engine/context.ts';
import { hashOf } from '../../src/engine/secrets.ts';
import { type Operation, operationsOf, settingsOperations } from '../../src/http/operations.ts';
import { allResources } from '../../src/resources/all.ts';
import { project } from '../../src/resources/project/resource.ts';
import { contractResources } from '../support/contract-kinds.ts';
import { mayDo, ownStore } from '../support/access.ts';
import type { Created } from '../support/example-drafts.ts';
import { documentOf, harmless, isUnchanged } from '../support/harmless-requests.ts';
import { json, soon, startDelegating } from '../support/introspection.ts';
import { send, startPlatform } from '../support/platform.ts';
import { startSession } from '../support/shoppers.ts';
import { tokenServiceOn } from '../support/token-service.ts';

const platform = await startPlatform(t);
const { projectKey, request, sql, tokenWith } = platform;
const service = await startDelegating(t, platform);
const { post, clientWith } = tokenServiceOn(platform);

/** An operation as a request, and what it asks of a token. */
interface Tried extends Pick<Operation, 'method' | 'shoppers' | 'isInStore'> {
  readonly path: string;
  readonly body?: unknown;
  /** Statuses of those who may. */
  readonly allowed: readonly number[];
  /** One of them; undefined where any token will do. */
  readonly scopes: readonly string[] | undefined;
}

/** A token. One without scopes does not hold. */
interface Bearer {
  readonly name: string;
  readonly token: string;
  readonly scopes?: readonly string[];
  readonly shopper?: Shopper | undefined;
}

const everyOperation = [...settingsOperations(project.resource), ...allResources.flatMap(operationsOf)];
const names = [...new Set(everyOperation.flatMap(({ scopes }) => scopes.map((scope) => scope.split(':')[0]!)))];
const ownNames = names.filter((name) => name.startsWith('manage_my_'));

const sessions = {
  customer: await startSession(platform, 'customer'),
  anonymous: await startSession(platform, 'anonymous'),
};
const holders = [undefined, 'customer', 'anonymous'] as const;

/** What the other server says of its tokens, which are named by it. */
const answers = new Map<string, object>();
service.behavior = (response, token) => json(answers.get(token) ?? { active: false })(response, token);

const issued = new Map<string, Promise<string>>();

/** A token with these scopes, of a client itself or of a shopper's session. */
function issuedTo(holder: Shopper | undefined, scopes: readonly string[]): Promise<string> {
  const scope = scopes.join(' ');
  const name = `${holder} ${scope}`;
  let token = issued.get(name);
  if (token === undefined)
    issued.set(name, (token = holder === undefined ? tokenWith(scopes) : refreshed(holder, scope)));
  return token;
}

async function refreshed(shopper: Shopper, scope: string): Promise<string> {
  const refreshToken = String(sessions[shopper]['refresh_token']);
  const { status, body, text } = await post('token', {
    grant_type: 'refresh_token',
    refresh_token: refreshToken,
    scope,
  });
  if (status !== 200) throw new Error(text);
  return String(body['access_token']);
}

/** A token of the other server, which says these scopes of it and whose it is. */
function external(holder: Shopper | undefined, scopes: readonly string[]): string {
  const own = holder === undefined ? [] : String(sessions[holder]['scope']).split(' ').slice(-2, -1);
  const scope = [...scopes, ...own].join(' ');
  const token = `external ${hashOf(scope).toString('base64url')}`.replace(' ', '-');
  answers.set(token, { active: true, exp: soon(), scope, client_id: 'elsewhere' });
  return token;
}

/** Tokens of shoppers who could do all, had the tokens not ended, or were they access tokens. */
async function endedTokens(): Promise<readonly Bearer[]> {
  const held = async (shopper: Shopper) => {
    const client = await clientWith('manage_project');
    const session = await startSession(platform, shopper, { client });
    return { client, access: String(session['access_token']), refresh: String(session['refresh_token']) };
  };
  const [revoked, ofRevoked, expired, ofGone] = [
    await held('customer'),
    await held('anonymous'),
    await held('customer'),
    await held('customer'),
  ];
  await post('token/revoke', { token: revoked.access }, revoked.client);
  await post('token/revoke', { token: ofRevoked.refresh }, ofRevoked.client);
  const hash = hashOf(expired.access).toString('hex');
  await sql`update tokens set expires_at = now() - interval '1 second' where hash = decode(${hash}, 'hex')`;
  await request('DELETE', `/api-clients/${ofGone.client.clientId}`);
  const inactive = external('customer', [`manage_project:${projectKey}`]);
  answers.set(inactive, { ...answers.get(inactive), active: false });
  return [
    { name: 'a refresh token of a customer', token: String(sessions.customer['refresh_token']) },
    { name: 'a refresh token of a visitor', token: String(sessions.anonymous['refresh_token']) },
    { name: 'a revoked token', token: revoked.access },
    { name: 'a token of a revoked session', token: ofRevoked.access },
    { name: 'an expired token', token: expired.access },
    { name: 'a token of a deleted client', token: ofGone.access },
    { name: 'a token of a deleted customer', token: await tokenOfDeletedCustomer() },
    { name: 'an inactive token of the other server', token: inactive },
  ];
}

async function tokenOfDeletedCustomer(): Promise<string> {
  const [email, password] = ['gone@example.org', 'shopper-pass-1'];
  const { body } = await request('POST', '/customers', { email, password });
  const form = { grant_type: 'password', username: email, password };
  const session = await post(`${projectKey}/customers/token`, form);
  const { id, version } = body['customer'] as Created;
  await request('DELETE', `/customers/${id}?version=${version}`);
  return String(session.body['access_token']);
}

const ended = await endedTokens();

/** With the scopes that suffice, with all others, and with all scopes of shoppers: each token of each holder. */
async function bearersFor({ scopes, isInStore }: Tried): Promise<readonly Bearer[]> {
  const storeKey = isInStore ? ownStore : undefined;
  const needed = scopes ?? [];
  const ofProject = names.map((name) => `${name}:${projectKey}`);
  const others = ofProject.filter((scope) => !mayDo({ projectKey, storeKey, needed }, scope));
  const right = needed.length === 0 ? others : needed.map((scope) => `${scope.split(':')[0]!}:${projectKey}`);
  const sets = { 'the scopes that suffice': right, 'all other scopes': others };
  const bearers = holders.flatMap((holder) =>
    Object.entries(sets).flatMap(([having, granted]) => [
      { from: 'here', holder, having, granted, token: issuedTo(holder, granted) },
      { from: 'elsewhere', holder, having, granted, token: external(holder, granted) },
    ]),
  );
  const own = ownNames.map((name) => `${name}:${projectKey}`);
  const ofShoppers = holders.map((holder) => {
    return { from: 'here', holder, having: 'all scopes of shoppers', granted: own, token: issuedTo(holder, own) };
  });
  const valid = [...bearers, ...ofShoppers].map(async ({ from, holder, having, granted, token }): Promise<Bearer> => {
    const name = `from ${from}, ${holder ?? 'client'}, with ${having}`;
    return { name, token: await token, scopes: granted, shopper: holder };
  });
  return [...ended, ...(await Promise.all(valid))];
}

const triesMax = 5;

async function statusOf({ method, path, body }: Tried, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  let status = 504;
  // The other server is in this process; on a busy machine its answer comes too late now and then.
  for (let tries = 0; tries < triesMax && status === 504; tries += 1) {
    const answer = await send({ baseUrl: service.baseUrl, method, path: `/${projectKey}${path}`, headers, body });
    status = answer.status;
  }
  return status;
}

function expected({ scopes, shoppers, isInStore }: Tried, bearer: Bearer): number | 'in' {
  if (bearer.scopes === undefined) return 401;
  const storeKey = isInStore ? ownStore : undefined;
  const hasScope =
    scopes === undefined || bearer.scopes.some((scope) => mayDo({ projectKey, storeKey, needed: scopes }, scope));
  const isShopper = shoppers === undefined || (bearer.shopper !== undefined && shoppers.includes(bearer.shopper));
  return hasScope && isShopper ? 'in' : 403;
}

async function isGuarded(t: Test, tried: Tried): Promise<void> {
  const bearers = await bearersFor(tried);
  const verdicts = await Promise.all(
    bearers.map(async ({ name, token }) => {
      const status = await statusOf(tried, token);
      return [name, tried.allowed.includes(status) ? 'in' : status] as const;
    }),
  );
  const model = bearers.map((bearer) => [bearer.name, expected(tried, bearer)] as const);
  t.strictSame(Object.fromEntries(verdicts), Object.fromEntries(model), `${tried.method} ${tried.path}`);
  t.ok(
    model.some(([, verdict]) => verdict === 'in'),
    'somebody may',
  );
}

function triedOf(operation: Operation, document: Created): Tried {
  const { method, scopes, shoppers, isInStore } = operation;
  const { path, body, allowed } = harmless(operation, document);
  return { method, scopes, shoppers, isInStore, path, body, allowed };
}

for (const resource of contractResources) {
  t.test(resource.kind, async (t) => {
    const document = await documentOf(platform, resource);
    for (const operation of operationsOf(resource)) await isGuarded(t, triedOf(operation, document));
    await isUnchanged(t, { platform, resource, document });
  });
}

t.test('what is no resource', async (t) => {
  const { body } = await request('GET', '');
  const settings = settingsOperations(project.resource).map((operation) => triedOf(operation, body as Created));
  const anywhere = { shoppers: undefined, isInStore: false };
  const suggest = { ...anywhere, method: 'GET', path: '/product-projections/suggest?searchKeywords.en=a' } as const;
  const graphql = { ...anywhere, method: 'POST', path: '/graphql', body: { query: '{ __typename }' } } as const;
  const others: readonly Tried[] = [
    // The index is not there yet.
    { ...suggest, allowed: [200, 400], scopes: ['view_products', 'view_published_products'] },
    { ...suggest, path: `${suggest.path}&staged=true`, allowed: [200, 400], scopes: ['view_products'] },
    { ...graphql, allowed: [200], scopes: undefined },
  ];
  for (const tried of [...settings, ...others]) await isGuarded(t, tried);
  t.strictSame((await request('GET', '')).body, body, 'nothing was changed');
});
