import type { Dispatcher } from 'undici';
import { demoShop, type Draft, type DraftGroup } from './shop.ts';

export interface DemoOptions {
  readonly server: Dispatcher;
  readonly projectKey: string;
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  readonly products: number;
  /** Hears of the drafts done, out of all. */
  readonly onProgress: (done: number, total: number) => void;
}

/** What a keyword of the demo shop starts with. */
export const suggestedInput = 'multi';

const concurrency = 32;
const attemptsMax = 5;
const retryMs = 200;

/** Creates the demo shop through the API. What an earlier, interrupted run created already is left as it is. */
export async function loadDemo({ server, projectKey, client, products, onProgress }: DemoOptions): Promise<void> {
  const token = await requestToken(server, client);
  const groups = demoShop(products);
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  let done = 0;
  const create = async (path: string, draft: Draft): Promise<void> => {
    await createResource(server, { path: `/${projectKey}/${path}`, token, draft });
    done += 1;
    onProgress(done, total);
  };
  for (const group of groups) await createAll(group, create);
  await untilSuggested(server, `/${projectKey}/product-projections/suggest?searchKeywords.en=${suggestedInput}`, token);
}

const suggestMsMax = 30_000;
const suggestPollMs = 50;

/** Waits until the products are found, which follows their creation; goes on without when that takes too long. */
async function untilSuggested(server: Dispatcher, path: string, token: string): Promise<void> {
  const giveUpAtMs = performance.now() + suggestMsMax;
  while (performance.now() < giveUpAtMs) {
    const response = await server.request({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } });
    const text = await response.body.text();
    const isFound = response.statusCode === 200 && text.includes('"text"');
    // A server without a search engine says so at once.
    if (isFound || text.includes('"SearchExecutionFailure"')) return;
    await new Promise((resolve) => setTimeout(resolve, suggestPollMs));
  }
}

async function requestToken(server: Dispatcher, { clientId, clientSecret }: DemoOptions['client']): Promise<string> {
  const response = await server.request({
    method: 'POST',
    path: '/oauth/token',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  // The token endpoint's answer (specification section 5).
  const answer = (await response.body.json()) as { access_token?: string; message?: string };
  if (answer.access_token === undefined) throw new Error(`The demo data could not be loaded: ${answer.message}`);
  return answer.access_token;
}

/** Several workers draw from one iterator, so a group of a million drafts is never in memory. */
async function createAll(group: DraftGroup, create: (path: string, draft: Draft) => Promise<void>): Promise<void> {
  const drafts = group.drafts()[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = drafts.next(); next.done !== true; next = drafts.next()) await create(group.path, next.value);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

async function createResource(
  server: Dispatcher,
  { path, token, draft }: { path: string; token: string; draft: Draft },
): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  for (let attempt = 1; ; attempt += 1) {
    const response = await server.request({ method: 'POST', path, headers, body: JSON.stringify(draft) });
    if (response.statusCode === 201) {
      await response.body.dump();
      return;
    }
    const text = await response.body.text();
    if (text.includes('"DuplicateField"')) return;
    if (response.statusCode < 500 || attempt === attemptsMax) {
      throw new Error(
        `The demo data could not be loaded: ${path} answered ${response.statusCode}: ${text.slice(0, 500)}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs * attempt));
  }
}
