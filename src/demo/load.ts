import type { Dispatcher } from 'undici';
import { ApiError } from '../errors/api-error.ts';
import { pictures } from './picture.ts';
import type { Draft, DraftGroup } from './draft.ts';
import type { Pictures } from './products.ts';
import { selectionUpdates } from './selling.ts';
import { demoShop } from './shop.ts';

/** Fills a project past HTTP. */
export interface DemoLoader {
  /** Creates those of the resources whose keys nobody has: all of them or none. */
  create(path: string, drafts: readonly Draft[]): Promise<void>;
  /** Applies update actions to the resource of a key, whatever its version. */
  update(path: string, key: string, actions: readonly Draft[]): Promise<void>;
  /** Gives the URL of a picture that is kept. */
  keepImage(image: {
    readonly mediaType: 'image/png';
    readonly bytes: Uint8Array;
    readonly title: string;
  }): Promise<string>;
}

export interface DemoOptions {
  readonly loader: DemoLoader;
  /** Asked for suggestions when all is there. */
  readonly server: Dispatcher;
  readonly projectKey: string;
  readonly client: { readonly clientId: string; readonly clientSecret: string };
  readonly products: number;
  /** How long suggestions are waited for at the end; by default half a minute. */
  readonly suggestMsMax?: number;
  /** Hears of the drafts done, out of all. */
  readonly onProgress: (done: number, total: number) => void;
}

/** What a keyword of the demo shop starts with. */
export const suggestedInput = 'multi';

/** Of one commit: with more, a statement takes longer than others should wait; with fewer, there are more statements. */
const draftsOfCommit = 50;
/** Commits at a time: while the database writes one, the next ones are planned. */
const concurrency = 4;
/** An earlier attempt, given up for lost, may come to its end beside the next one. */
const ofRivals: ReadonlySet<string> = new Set(['DuplicateField', 'ConcurrentModification']);
const attemptsMax = 8;
const retryMs = 250;

/**
 * Creates the demo shop. What an earlier run created that was broken off is left as it is, for the same number of products
 * is the same shop.
 */
export async function loadDemo({
  loader,
  server,
  projectKey,
  client,
  products,
  suggestMsMax = suggestDefaultMsMax,
  onProgress,
}: DemoOptions): Promise<void> {
  const groups = demoShop(products, await keepPictures(loader));
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  let done = 0;
  onProgress(done, total);
  const create = async (path: string, drafts: readonly Draft[]): Promise<void> => {
    await patiently(() => loader.create(path, drafts));
    done += drafts.length;
    onProgress(done, total);
  };
  for (const group of groups) await createAll(group, create);
  for (const { path, key, actions } of selectionUpdates(products))
    await patiently(() => loader.update(path, key, actions));
  const token = await requestToken(server, client);
  const path = `/${projectKey}/product-projections/suggest?searchKeywords.en=${suggestedInput}`;
  await untilSuggested(server, path, { token, msMax: suggestMsMax });
}

async function keepPictures(loader: DemoLoader): Promise<Pictures> {
  const kept = new Map<string, string>();
  for (const { name, bytes } of pictures())
    kept.set(name, await loader.keepImage({ mediaType: 'image/png', bytes, title: name }));
  return kept;
}

const suggestDefaultMsMax = 30_000;
const suggestPollMs = 50;

/** Waits until the products are found, which follows their creation; goes on without when that takes too long. */
async function untilSuggested(
  server: Dispatcher,
  path: string,
  { token, msMax }: { readonly token: string; readonly msMax: number },
): Promise<void> {
  const giveUpAtMs = performance.now() + msMax;
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
async function createAll(
  group: DraftGroup,
  create: (path: string, drafts: readonly Draft[]) => Promise<void>,
): Promise<void> {
  const drafts = group.drafts()[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let some = nextOf(drafts); some.length > 0; some = nextOf(drafts)) await create(group.path, some);
  };
  await Promise.all(Array.from({ length: concurrency }, work));
}

function nextOf(drafts: Iterator<Draft>): readonly Draft[] {
  const some: Draft[] = [];
  while (some.length < draftsOfCommit) {
    const next = drafts.next();
    if (next.done === true) break;
    some.push(next.value);
  }
  return some;
}

/** A database that is busy, or away for a moment, is waited for. What it did all the same is not done twice. */
async function patiently(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      // What is wrong with a draft stays wrong.
      const isWrong = error instanceof ApiError && error.status < 500 && !ofRivals.has(error.code);
      if (isWrong || attempt === attemptsMax) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs * attempt));
  }
}
