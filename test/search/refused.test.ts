import { randomUUID } from 'node:crypto';
import t from 'tap';
import { textHash } from '../../src/search/suggest-indexes.ts';
import {
  createShop,
  expectedDocuments,
  idle,
  indexedDocuments,
  startFeeder,
  writeRandomly,
} from '../support/keyword-shop.ts';
import { choicesOf } from '../support/random.ts';
import { eventually } from '../support/services.ts';

t.test('a text that the search engine refuses is set aside until it changes', async (t) => {
  const shop = await createShop(t);
  const { sql, source, project } = shop;
  const refused = async (): Promise<readonly string[]> =>
    (await sql<{ hash: string }[]>`select hash from suggest_poison order by hash`).map(({ hash }) => hash);
  const told: object[] = [];
  startFeeder(t, shop, told);
  const gone = { id: randomUUID(), published: true, current: { en: [{ text: 'Gone' }] }, staged: {} };
  const kept = { id: randomUUID(), published: true, current: { en: [{ text: 'Kept' }] }, staged: {}, isKept: true };
  await shop.write(kept);
  await eventually(() => idle(shop));

  // No hash is like this one, of which no document can be made.
  await sql`insert into suggest_source (project, product_id, locale, hash, text, current, staged)
    values (${project}, ${kept.id}, 'en', 'no hash', 'Refused', array['refused'], '{}')`;
  await sql`insert into suggest_dirty (project, locale, hash) values (${project}, 'en', 'no hash')`;
  await writeRandomly(shop, choicesOf(37).below, 40);
  await eventually(async () => ((await refused()).length > 0 ? idle(shop) : undefined));
  t.strictSame(await refused(), ['no hash']);
  t.match(told, [{ project, locale: 'en', text: 'Refused', reason: /identifier/ }]);
  t.match(await source.backlog(), [{ project, of: 'texts that the search engine refuses', count: 1 }]);
  t.strictSame(await indexedDocuments(shop), expectedDocuments(shop), 'all others are there');

  // Texts that were refused, and are not when they are sent again.
  const plant = (text: string) => sql`
    insert into suggest_poison (project, locale, hash, error) values (${project}, 'en', ${textHash(text)}, 'planted')`;
  await plant('Gone');
  await plant('Kept');
  await shop.write(gone);
  await eventually(async () => ((await refused()).length === 2 ? true : undefined));
  t.strictSame(await refused(), [textHash('Kept'), 'no hash'].toSorted(), 'a change is another attempt');
  await plant('Gone');
  await shop.write({ id: gone.id });
  await eventually(async () => ((await refused()).length === 2 ? true : undefined));
  t.strictSame(await refused(), [textHash('Kept'), 'no hash'].toSorted(), 'what is gone is forgotten');
  await source.fillings.ask(project);
  await eventually(async () => ((await refused()).length === 0 ? idle(shop) : undefined));
  t.strictSame(await indexedDocuments(shop), expectedDocuments(shop), 'and so is a rebuild');
});

t.test('batches that are sent together are each taken, but for what is refused of them', async (t) => {
  const shop = await createShop(t);
  const { sql, source, project } = shop;
  // More than a batch, and than two.
  for (let product = 0; product < 13; product += 1) {
    const current = { en: Array.from({ length: 1000 }, (_, text) => ({ text: `${product} ${text}` })) };
    await shop.write({ id: randomUUID(), published: true, current, staged: {} });
  }
  startFeeder(t, shop);
  const requireTaken = async (but: readonly string[]): Promise<void> => {
    await eventually(() => idle(shop));
    const refused = await sql<{ hash: string }[]>`select hash from suggest_poison`;
    t.strictSame(refused.map(({ hash }) => hash).toSorted(), but.toSorted());
    t.strictSame(await indexedDocuments(shop), expectedDocuments(shop));
  };
  await requireTaken([]);

  // Behind all hashes and before them: of the last batch and of the first.
  const refused = ['no hash', '. no hash'];
  const [first] = shop.products.keys();
  await sql`insert into suggest_source (project, product_id, locale, hash, text, current, staged)
    select ${project}, ${first!}, 'en', hash, 'Refused', array['refused'], '{}' from unnest(${refused}::text[]) as hash`;
  await sql`insert into suggest_dirty (project, locale, hash)
    select distinct project, locale, hash from suggest_source where project = ${project}`;
  await requireTaken(refused);

  await source.fillings.ask(project);
  await requireTaken([]);
});
