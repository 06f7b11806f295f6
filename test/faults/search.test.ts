import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import type { SearchKeyword } from '../../src/search/fold.ts';
import { expectedDocuments, idle, indexedDocuments } from '../support/keyword-shop.ts';
import { choicesOf } from '../support/random.ts';
import { type Answer, type Platform, startPlatform } from '../support/platform.ts';
import { smallDisk } from '../support/process.ts';
import { ownSearchEngine, type OwnSearchEngine } from '../support/search-engine.ts';
import { eventually } from '../support/services.ts';

const suggestPath = '/product-projections/suggest?searchKeywords.en=al&staged=true';

interface Faulty {
  readonly platform: Platform;
  readonly engine: OwnSearchEngine;
  /** Writes to products and reads them, which fails in no case. */
  work(count: number): Promise<void>;
  suggest(): Promise<Answer>;
}

async function start(t: Test, dataDir?: string): Promise<Faulty> {
  const engine = await ownSearchEngine(t, dataDir);
  const platform = await startPlatform(t, { feeder: true, meilisearch: engine });
  const { request } = platform;
  await request('POST', '/product-types', { key: 'tools', name: 'Tools', description: 'Tools' });
  const next = choicesOf(31).below;
  let created = 0;
  const keywords = (): Record<string, SearchKeyword[]> => ({
    en: [{ text: 'Always there' }, { text: `Knife ${next(40)}`, suggestTokenizer: { type: 'whitespace' } }],
  });
  const work = async (count: number): Promise<void> => {
    for (let step = 0; step < count; step += 1) {
      const key = `product-${created > 5 && next(2) === 0 ? next(created) : created}`;
      if (key === `product-${created}`) {
        created += 1;
        const draft = { key, productType: { key: 'tools' }, name: { en: key }, slug: { en: key } };
        const answer = await request('POST', '/products', {
          ...draft,
          searchKeywords: keywords(),
          publish: next(2) === 0,
        });
        if (answer.status !== 201) throw new Error(answer.text);
        continue;
      }
      const found = await request('GET', `/products/key=${key}`);
      if (found.status === 404) continue;
      if (found.status !== 200) throw new Error(found.text);
      const version = found.body['version'];
      const actions = [{ action: 'setSearchKeywords', searchKeywords: keywords() }];
      const isDeleted = next(5) === 0 && found.body['masterData'] !== undefined && !/"published":true/.test(found.text);
      const answer = isDeleted
        ? await request('DELETE', `/products/key=${key}?version=${String(version)}`)
        : await request('POST', `/products/key=${key}`, { version, actions });
      if (answer.status !== 200) throw new Error(answer.text);
    }
  };
  // Each asks for another number of texts, for an answer is given again for a second.
  let asked = 0;
  const suggest = (): Promise<Answer> => request('GET', `${suggestPath}&limit=${1 + ((asked += 1) % 100)}`);
  await work(40);
  await eventually(async () => ((await suggest()).status === 200 ? idle(platform) : undefined));
  return { platform, engine, work, suggest };
}

/** What the indexes hold, beside what has to be there for all that is stored. */
async function compared({ platform, engine }: Faulty): Promise<readonly [string, string]> {
  const stored = await platform.sql<{ id: string; data: string }[]>`
    select id, data::text as data from documents where project = ${platform.projectKey} and kind = 'product'`;
  const products = new Map(
    stored.map(({ id, data }) => {
      const { published, current, staged } = (JSON.parse(data) as { masterData: MasterData }).masterData;
      const of = (projection: MasterData['current']): MasterData['current']['searchKeywords'] =>
        projection.searchKeywords;
      return [id, { id, published, current: of(current), staged: of(staged) }] as const;
    }),
  );
  const indexed = await indexedDocuments({ project: platform.projectKey }, engine).catch(() => []);
  return [indexed.join('\n'), expectedDocuments({ products }).join('\n')];
}

interface MasterData {
  readonly published: boolean;
  readonly current: { readonly searchKeywords: Record<string, SearchKeyword[]> };
  readonly staged: { readonly searchKeywords: Record<string, SearchKeyword[]> };
}

/** Until suggestions are answered from indexes that are what is stored. */
async function requireCaughtUp(t: Test, faulty: Faulty): Promise<void> {
  await eventually(async () => {
    const [indexed, expected] = await compared(faulty);
    return indexed === expected ? idle(faulty.platform) : undefined;
  });
  const [poison] = await faulty.platform.sql<{ count: number }[]>`select count(*)::int as count from suggest_poison`;
  t.equal(poison!.count, 0, 'no text was set aside for what was not its fault');
  t.match(await faulty.suggest(), { status: 200, body: { 'searchKeywords.en': [{ text: 'Always there' }] } });
}

/** A fault may leave an answer as it was, or make it this failure, and nothing else. */
function requireFailureAtMost(t: Test, answer: Answer): void {
  if (answer.status === 200) t.match(answer.body, { 'searchKeywords.en': [{ text: 'Always there' }] });
  else t.match(answer, { status: 502, body: { errors: [{ code: 'SearchExecutionFailure' }] } });
}

t.test('a search engine that is killed fails suggestions alone, and catches up', async (t) => {
  const faulty = await start(t);
  const { engine, work, suggest } = faulty;
  for (let round = 0; round < 4; round += 1) {
    // A rebuild is under way in two of them.
    if (round % 2 === 1)
      await faulty.platform
        .sql`insert into suggest_fillings (project) values (${faulty.platform.projectKey}) on conflict do nothing`;
    await work(5);
    await engine.kill();
    if (round === 0) t.match(await suggest(), { status: 502, body: { errors: [{ code: 'SearchExecutionFailure' }] } });
    await work(10);
    requireFailureAtMost(t, await suggest());
  }
  await requireCaughtUp(t, faulty);
});

t.test('a search engine that lost its disk has everything again', async (t) => {
  const faulty = await start(t);
  await faulty.engine.loseDisk();
  await faulty.work(10);
  // What is there again in part is not shown.
  const answers = new Set<string>();
  await eventually(async () => {
    const { status, text } = await faulty.suggest();
    answers.add(status === 200 ? text : String(status));
    return status === 200 ? true : undefined;
  });
  t.strictSame([...answers].toSorted(), ['502', '{"searchKeywords.en":[{"text":"Always there"}]}']);
  await requireCaughtUp(t, faulty);
});

t.test('a search engine whose disk is full fails suggestions at most, and catches up', async (t) => {
  const small = smallDisk(t, 'size=64m,mode=711');
  if (small === undefined) return;
  const faulty = await start(t, small);
  const fill = (): void => {
    const filler = openSync(join(small, 'filler'), 'a');
    try {
      for (;;) writeSync(filler, Buffer.alloc(4096));
    } catch {
      // It is full.
    } finally {
      closeSync(filler);
    }
  };
  fill();
  await faulty.work(60);
  requireFailureAtMost(t, await faulty.suggest());
  // Nothing is left of what was freed meanwhile, and a rebuild finds no room either.
  await faulty.platform.sql`insert into suggest_fillings (project) values (${faulty.platform.projectKey})`;
  fill();
  await faulty.work(20);
  requireFailureAtMost(t, await faulty.suggest());
  t.notOk(await idle(faulty.platform), 'what could not be sent waits');
  rmSync(join(small, 'filler'));
  await requireCaughtUp(t, faulty);
});
