import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Meilisearch } from 'meilisearch';
import t, { type Test } from 'tap';
import { keywordIndexName, lexiconIndexName } from '../../src/search/suggest-indexes.ts';
import { createSuggester } from '../../src/search/suggest.ts';
import {
  createShop,
  expectedDocuments,
  idle,
  indexedDocuments,
  type Shop,
  startFeeder,
  writeRandomly,
} from '../support/keyword-shop.ts';
import { choicesOf } from '../support/random.ts';
import { main } from '../support/process.ts';
import { eventually, meilisearch } from '../support/services.ts';

interface Watched {
  readonly answers: number;
  readonly wrong: readonly string[];
}

/** Asks for a text that is always there until `stop`, and tells what answers were without it. */
function watch(t: Test, { project }: Shop): { stop(): Promise<Watched> } {
  const suggester = createSuggester(meilisearch());
  t.teardown(() => suggester.close());
  let isOver = false;
  let answers = 0;
  const wrong = new Set<string>();
  const work = async (isFuzzy: boolean): Promise<void> => {
    while (!isOver) {
      const request = { project: { key: project }, principal: { clientId: 'client' } };
      const searchKeywords = new Map([['en', [isFuzzy ? 'alwasy' : 'always']]]);
      try {
        const found = await suggester.suggest({ request, searchKeywords, isFuzzy, isStaged: false, limit: 10 });
        if (JSON.stringify(found.get('en')) !== '["Always there"]') wrong.add(JSON.stringify([...found]));
      } catch (error) {
        wrong.add(String(error));
      }
      answers += 1;
    }
  };
  const over = Promise.all([work(false), work(true)]);
  return {
    stop: async () => {
      isOver = true;
      await over;
      return { answers, wrong: [...wrong] };
    },
  };
}

const always = {
  id: '00000000-0000-4000-8000-000000000001',
  published: true,
  current: { en: [{ text: 'Always there' }] },
  staged: {},
  isKept: true,
};

/** Created indexes of the project, by name. */
async function indexesOf({ project }: Shop): Promise<ReadonlyMap<string, string>> {
  const { url, key } = meilisearch();
  const { results } = await new Meilisearch({ host: url, apiKey: key }).getRawIndexes({ limit: 10_000 });
  return new Map(results.filter(({ uid }) => uid.includes(project)).map(({ uid, createdAt }) => [uid, createdAt]));
}

async function requireNew(t: Test, shop: Shop, before: ReadonlyMap<string, string>): Promise<void> {
  const after = await indexesOf(shop);
  const names = [keywordIndexName(shop.project), lexiconIndexName(shop.project)];
  t.strictSame([...after.keys()].toSorted(), names.toSorted(), 'nothing is left of the old ones');
  for (const name of names) t.not(after.get(name), before.get(name), `${name} is another one`);
  t.strictSame(await indexedDocuments(shop), expectedDocuments(shop));
}

t.test('indexes are filled anew while the present ones answer and are fed', async (t) => {
  const shop = await createShop(t);
  const next = choicesOf(23).below;
  await shop.write(always);
  await writeRandomly(shop, next, 60);
  const feeder = startFeeder(t, shop);
  await eventually(() => idle(shop));
  const before = await indexesOf(shop);
  const watched = watch(t, shop);
  for (const ask of [
    () => shop.source.fillings.ask(shop.project),
    // As a version with other settings finds it.
    () => shop.sql`update suggest_indexes set settings_version = 0`,
  ]) {
    const present = await indexesOf(shop);
    await ask();
    await writeRandomly(shop, next, 60);
    // The feeder looks at indexes that nobody asks for in its own time; one that is started does at once.
    if (ask.toString().includes('settings_version')) {
      await feeder.close();
      startFeeder(t, shop);
    }
    await eventually(async () => {
      const now = await indexesOf(shop);
      const isNew = now.size === 2 && [...now].every(([name, createdAt]) => present.get(name) !== createdAt);
      return isNew ? idle(shop) : undefined;
    });
  }
  const { answers, wrong } = await watched.stop();
  t.ok(answers > 100, `${answers} answers`);
  t.strictSame(wrong, []);
  await requireNew(t, shop, before);
});

/** A feeder in a process of its own, which can be killed as machines kill it. */
function spawnFeeder(t: Test, { url }: Shop): ChildProcess {
  const { url: meiliUrl, key } = meilisearch();
  const child = spawn(process.execPath, [main, 'feeder'], {
    env: { ...process.env, DATABASE_URL: url, MEILI_URL: meiliUrl, MEILI_KEY: key },
    stdio: 'ignore',
  });
  t.teardown(() => child.kill('SIGKILL'));
  return child;
}

t.test('a rebuild goes on wherever its feeder is killed', async (t) => {
  const shop = await createShop(t);
  const next = choicesOf(29).below;
  await shop.write(always);
  await writeRandomly(shop, next, 300);
  const first = startFeeder(t, shop);
  await eventually(() => idle(shop));
  await first.close();
  const before = await indexesOf(shop);
  const watched = watch(t, shop);
  await shop.source.fillings.ask(shop.project);
  const stageOf = async (): Promise<string> => {
    const { filling } = await shop.source.fillings.state(shop.project);
    if (filling === undefined) return 'finished';
    return filling.indexes === undefined ? 'asked' : filling.stage;
  };
  const killedAt: string[] = [];
  // Each is killed as soon as it has come this far, which the database says, or a little later.
  for (const [stage, afterMs] of [
    ['asked', 700],
    ['asked', 1000],
    ['products', 0],
    ['texts', 0],
    ['texts', 15],
    ['swap', 0],
    ['swap', 10],
    ['swap', 30],
    ['finished', 0],
  ] as const) {
    const child = spawnFeeder(t, shop);
    await writeRandomly(shop, next, 5);
    const order = ['asked', 'products', 'texts', 'swap', 'finished'];
    await eventually(async () => (order.indexOf(await stageOf()) >= order.indexOf(stage) ? true : undefined));
    // What is measured is where the process is caught, not whether it is in time.
    await new Promise((resolve) => setTimeout(resolve, afterMs));
    child.kill('SIGKILL');
    await once(child, 'exit');
    killedAt.push(await stageOf());
    // Its lease holds for 15 s otherwise.
    await shop.sql`update leases set expires_at = clock_timestamp() - interval '1 second'`;
    if (killedAt.at(-1) === 'finished') await shop.source.fillings.ask(shop.project);
  }
  t.comment(killedAt.join(', '));
  startFeeder(t, shop);
  await eventually(async () => ((await indexesOf(shop)).size === 2 ? idle(shop) : undefined));
  t.strictSame((await watched.stop()).wrong, []);
  await requireNew(t, shop, before);
});

t.test('what a swap that nobody saw has done is not done again', async (t) => {
  const shop = await createShop(t);
  await shop.write(always);
  const feeder = startFeeder(t, shop);
  await eventually(() => idle(shop));
  await feeder.close();
  const { filled } = await shop.source.fillings.state(shop.project);
  // The indexes stand under their names already, and the database does not know.
  await shop.sql`insert into suggest_fillings (project, begun_at, settings_version, enabled_at, keywords_created_at, lexicon_created_at, stage)
    select project, clock_timestamp(), settings_version, enabled_at, keywords_created_at, lexicon_created_at, 'swap' from suggest_indexes`;
  await shop.sql`update suggest_indexes set keywords_created_at = 'before', lexicon_created_at = 'before'`;
  const watched = watch(t, shop);
  startFeeder(t, shop);
  await eventually(() => idle(shop));
  t.strictSame((await watched.stop()).wrong, []);
  t.strictSame((await shop.source.fillings.state(shop.project)).filled, filled);
});
