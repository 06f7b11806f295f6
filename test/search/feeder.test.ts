import { Meilisearch } from 'meilisearch';
import t from 'tap';
import { candidatesOf, fold, fuzzyLevel, prefixDistance } from '../../src/search/fold.ts';
import { keywordIndexName } from '../../src/search/suggest-indexes.ts';
import { createSuggester } from '../../src/search/suggest.ts';
import {
  createShop,
  expectedDocuments,
  idle,
  indexedDocuments,
  locales,
  type Shop,
  startFeeder,
  words,
  writeRandomly,
} from '../support/keyword-shop.ts';
import { choicesOf } from '../support/random.ts';
import { eventually, meilisearch } from '../support/services.ts';

t.test('the index becomes what the products offer, whenever a feeder dies', async (t) => {
  const shop = await createShop(t);
  const next = choicesOf(7).below;
  for (let round = 0; round < 5; round += 1) {
    const feeders = [startFeeder(t, shop), startFeeder(t, shop)];
    await writeRandomly(shop, next, 40);
    // They are stopped wherever they are, and others go on.
    await Promise.all(feeders.map((feeder) => feeder.close()));
  }
  startFeeder(t, shop);
  await eventually(() => idle(shop));
  t.strictSame(await indexedDocuments(shop), expectedDocuments(shop));
  const [row] = await shop.sql<
    { status: string }[]
  >`select data #>> '{searchIndexing,products,status}' as status from projects`;
  await eventually(async () =>
    row!.status === 'Activated'
      ? true
      : ((row!.status = (
          await shop.sql<
            { status: string }[]
          >`select data #>> '{searchIndexing,products,status}' as status from projects`
        )[0]!.status),
        undefined),
  );
  t.equal(row!.status, 'Activated');
});

t.test('an index that is lost is filled again', async (t) => {
  const shop = await createShop(t);
  await writeRandomly(shop, choicesOf(11).below, 30);
  startFeeder(t, shop);
  await eventually(async () =>
    (await idle(shop)) && (await indexedDocuments(shop).catch(() => [])).length > 0 ? true : undefined,
  );
  const { url, key } = meilisearch();
  await new Meilisearch({ host: url, apiKey: key }).deleteIndex(keywordIndexName(shop.project)).waitTask();
  const expected = JSON.stringify(expectedDocuments(shop));
  t.ok(
    await eventually(async () =>
      JSON.stringify(await indexedDocuments(shop).catch(() => [])) === expected ? true : undefined,
    ),
  );
});

t.test('while indexing is off the queue is emptied, and nothing kept', async (t) => {
  const shop = await createShop(t, 'Deactivated');
  await writeRandomly(shop, choicesOf(13).below, 20);
  startFeeder(t, shop);
  const left = async () => (await shop.sql<{ count: number }[]>`select count(*)::int as count from outbox`)[0]!.count;
  t.ok(await eventually(async () => ((await left()) === 0 ? true : undefined)));
  const [kept] = await shop.sql<{ count: number }[]>`
    select (select count(*) from suggest_source)::int + (select count(*) from suggest_dirty)::int as count`;
  t.equal(kept!.count, 0);
});

/** The answer by definition: exact matches by text, then by distance and text. */
function oracle(
  { products }: Shop,
  { locale, input, isFuzzy, isStaged }: { locale: string; input: string; isFuzzy: boolean; isStaged: boolean },
): ReadonlyMap<string, number> {
  const wanted = fold(input);
  const level = isFuzzy ? fuzzyLevel([...wanted].length) : 0;
  const distances = new Map<string, number>();
  for (const { published, current, staged } of products.values()) {
    for (const keyword of (isStaged ? staged : published ? current : {})[locale] ?? []) {
      const distance = Math.min(
        ...candidatesOf(keyword).map((candidate) =>
          candidate.startsWith(wanted) ? 0 : level === 0 ? 9 : Math.max(1, prefixDistance(wanted, candidate, level)),
        ),
      );
      if (distance <= level) distances.set(keyword.text, Math.min(distance, distances.get(keyword.text) ?? 9));
    }
  }
  return distances;
}

t.test('answers are those of the definition, exact and fuzzy', async (t) => {
  const shop = await createShop(t);
  const next = choicesOf(17).below;
  await writeRandomly(shop, next, 250);
  startFeeder(t, shop);
  await eventually(() => idle(shop));
  const suggester = createSuggester(meilisearch());
  t.teardown(() => suggester.close());
  const spoil = (text: string): string => {
    const points = [...text];
    const at = next(points.length);
    const change = next(3);
    if (change === 0) points.splice(at, 1);
    else if (change === 1) points.splice(at, 0, 'x');
    else if (at > 0) points.splice(at - 1, 2, points[at]!, points[at - 1]!);
    return points.join('') || 'x';
  };
  let wrong = 0;
  for (let round = 0; round < 400; round += 1) {
    const text = `${words[next(words.length)]} ${words[next(words.length)]}`;
    const prefix = [...text].slice(0, 1 + next(10)).join('');
    const locale = locales[next(locales.length)]!;
    const question = {
      locale,
      input: next(2) === 0 ? prefix : spoil(prefix),
      isFuzzy: next(2) === 0,
      isStaged: next(2) === 0,
    };
    const expected = oracle(shop, question);
    const result = await suggester.suggest({
      request: { project: { key: shop.project }, principal: { clientId: 'client' } },
      searchKeywords: new Map([[locale, [question.input]]]),
      isFuzzy: question.isFuzzy,
      isStaged: question.isStaged,
      limit: 100,
    });
    const found = result.get(locale)!;
    const isRight =
      found.length === Math.min(100, expected.size) &&
      found.every((text) => expected.has(text)) &&
      found.every((text, index) => index === 0 || expected.get(found[index - 1]!)! <= expected.get(text)!);
    if (isRight) continue;
    wrong += 1;
    if (wrong <= 3) t.comment(JSON.stringify({ question, found, expected: [...expected] }));
  }
  t.equal(wrong, 0);
});
