import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { Random } from '../../src/demo/random.ts';
import { contractKinds } from '../support/contract-kinds.ts';
import { another, createFrom, fullDraft, minimalDraft, pathOf } from '../support/example-drafts.ts';
import { randomQuery } from '../support/random-queries.ts';
import { requestToken, send, startPlatform, type Platform } from '../support/platform.ts';

const seed = Number(process.env['QUERY_SEED'] ?? 20_261_122);
const cases = Number(process.env['TEST_CASES'] ?? 30);
t.comment(`QUERY_SEED=${seed}`);

// Each kind has a project of its own, and most of its time passes between requests.
t.jobs = 4;

const platform = await startPlatform(t);
const urls = await Promise.all(
  [0, platform.config.excerptCacheBytes].map(async (excerptCacheBytes) => {
    const config = { ...platform.config, answerCacheBytes: 0, excerptCacheBytes };
    const server = await startHttp(config, pino({ level: 'silent' }));
    t.teardown(() => server.close());
    return `http://127.0.0.1:${server.port}`;
  }),
);

// What shows otherwise alone than in lists is made as a whole.
for (const resource of contractKinds(t, ({ preview }) => preview === undefined)) {
  t.test(`${resource.kind}: what is put together from excerpts says what is made as a whole`, async (t) => {
    const project = await platform.anotherProject();
    const draft = fullDraft(resource, project);
    const { key } = draft;
    const least = { ...minimalDraft(resource, project), ...(key !== undefined && { key }) };
    const documents = [
      await createFrom(project, resource, draft),
      await createFrom(project, resource, another(resource, least, 'other')),
    ];
    const read = await Promise.all(
      documents.map(async (document) => {
        const { body } = await project.request('GET', pathOf(resource, { ...draft, ...document }));
        return { ...document, ...body };
      }),
    );
    const [whole, together] = await Promise.all(urls.map((baseUrl) => asking(baseUrl, project)));
    const random = new Random(seed);
    const failures: unknown[] = [];
    let run = 0;
    for (let index = 0; index < cases && failures.length === 0; index += 1) {
      const asked = randomQuery(random, resource, read);
      const expected = await whole!(asked);
      // Some would be too much to run, or to read.
      if (/QueryComplexityLimitExceeded|more that \d+ tokens/.test(expected)) continue;
      run += 1;
      if (expected.includes('"errors"')) failures.push({ asked, expected });
      // Texts run interpreted first, then compiled; then excerpts are kept.
      for (let use = 1; use <= 3; use += 1) {
        const answer = await together!(asked);
        if (answer !== expected) failures.push({ asked, expected, answer, use });
      }
    }
    t.strictSame(failures, []);
    t.ok(run > cases / 2, `${run} of ${cases} were light enough to be run`);
  });
}

async function asking(baseUrl: string, { client, projectKey }: Platform): Promise<(body: object) => Promise<string>> {
  const headers = { authorization: `Bearer ${await requestToken(baseUrl, client)}` };
  return async (body) => {
    const { text } = await send({ baseUrl, method: 'POST', path: `/${projectKey}/graphql`, body, headers });
    return text;
  };
}
