/** The process that carries what writes left word of to where it belongs, and does what nobody asks for. */
import type { Logger } from 'pino';
import { backlogOf } from './administration.ts';
import { destinationsOf } from './build-engine.ts';
import { type Background, inBackground } from './background.ts';
import type { Connected } from './config.ts';
import { feedingTimeoutMs } from './connections.ts';
import type { Resource } from './engine/resource.ts';
import { createFollowConsumer } from './following/consumer.ts';
import { createNoticeConsumer, type NoticeConsumer } from './notifying/consumer.ts';
import type { Times } from './notifying/listener-queue.ts';
import type { Outbox } from './outbox/outbox.ts';
import { type Consumer, createTaker } from './outbox/taker.ts';
import { allResources } from './resources/all.ts';
import { gatherSearched, searchedProducts } from './resources/product/searched.ts';
import { createReceivers } from './resources/subscription/receivers.ts';
import { createRetentionConsumer } from './retention/consumer.ts';
import { createDocumentFeeder } from './search/document-feeder.ts';
import { createFeeder } from './search/feeder.ts';
import { createAccountTokens } from './storage/account-tokens.ts';
import { pruneChangeLog } from './storage/change-log.ts';
import { createCredentialStore } from './storage/credentials.ts';
import { Database } from './storage/database.ts';
import { createKeywordSource } from './storage/keyword-source.ts';
import { createNoticeQueue } from './storage/notices.ts';
import { createOutbox } from './storage/outbox.ts';
import { createPasses } from './storage/passes.ts';
import { createRetained } from './storage/retained.ts';
import { createDocumentSource } from './storage/search-document-source.ts';
import { pruneSearchDocuments } from './storage/search-documents.ts';

/** Of a statement that keeps house. */
const housekeepingTimeoutMs = 60_000;
const housekeepingMs = 60_000;
/** Age of a change that a consumer should have taken. */
const lateSeconds = 60;
const toldMax = 10;

export interface RunningFeeder {
  /** There is work. */
  wake(): void;
  close(): Promise<void>;
}

export interface FeederOptions {
  /** As HTTP serves them. */
  readonly resources?: readonly Resource[];
  /** By which resources, and what subscriptions do not take, are kept for a time. */
  readonly clock?: () => Date;
  /** By which subscriptions are tried again, whatever becomes of the clock. */
  readonly elapsedMs?: () => number;
}

/** Carries what writes left word of to where it belongs, and keeps house in the database. */
export function startFeeder(
  config: Connected,
  log: Logger,
  { resources = allResources, clock = () => new Date(), elapsedMs = () => performance.now() }: FeederOptions = {},
): RunningFeeder {
  const { databaseUrl, databasePrepare: prepare, meiliUrl, meiliKey } = config;
  const fed = new Database({ databaseUrl, prepare, connectionsMax: 4, timeoutMs: feedingTimeoutMs });
  const meilisearch = meiliUrl === undefined ? undefined : { url: meiliUrl, key: meiliKey };
  const outbox = createOutbox(fed);
  const background = inBackground(config, resources);
  const notices = noticeConsumerOf(background, outbox, { config, times: { date: clock, elapsedMs }, log });
  const consumers = [
    createFeeder({ source: createKeywordSource(fed), meilisearch, log }),
    documentFeederOf(background, fed, { config, log }),
    followConsumerOf(background, log),
    retentionConsumerOf(background, { config, clock }),
    notices,
  ];
  const takers = consumers.map((consumer) => createTaker({ outbox, consumer, log }));
  for (const taker of takers) taker.run();
  const database = new Database({ databaseUrl, prepare, connectionsMax: 1, timeoutMs: housekeepingTimeoutMs });
  const credentials = createCredentialStore(database);
  const accountTokens = createAccountTokens(database);
  const housekeeping = setInterval(() => {
    Promise.all([
      pruneChangeLog(database),
      pruneSearchDocuments(database),
      credentials.deleteExpired(config),
      accountTokens.deleteExpired(),
      tellBacklog(database, log),
    ]).catch((error: unknown) => log.warn({ err: error }, 'housekeeping failed'));
  }, housekeepingMs);
  return {
    wake: () => {
      for (const taker of takers) taker.wake();
    },
    close: async () => {
      clearInterval(housekeeping);
      await notices.close();
      await Promise.all(takers.map((taker) => taker.close()));
      await Promise.all([database.close(), fed.close(), background.close()]);
    },
  };
}

function followConsumerOf({ engine, database, fence, context }: Background, log: Logger): Consumer {
  return createFollowConsumer({
    engine,
    fence,
    passes: createPasses(database),
    context: (key) => context('follower', key),
    log,
  });
}

function retentionConsumerOf(
  { engine, database, fence, context }: Background,
  { config, clock }: { readonly config: Connected; readonly clock: () => Date },
): Consumer {
  return createRetentionConsumer({
    engine,
    retained: createRetained(database),
    context: async (key) => {
      // The settings say what ends.
      await fence.pass();
      return context('retention', key);
    },
    clock,
    countMax: ({ kind, retention }) => config.keptMax.get(kind) ?? retention!.countMax,
  });
}

function noticeConsumerOf(
  { engine, database, fence, context }: Background,
  outbox: Outbox,
  { config, times, log }: { readonly config: Connected; readonly times: Times; readonly log: Logger },
): NoticeConsumer {
  return createNoticeConsumer({
    queue: createNoticeQueue(database),
    receivers: createReceivers({
      engine,
      destinations: destinationsOf(config),
      context: async (key) => {
        await fence.pass();
        return context('notifier', key);
      },
    }),
    outbox,
    times,
    log,
  });
}

function documentFeederOf(
  { engine }: Background,
  fed: Database,
  { config, log }: { readonly config: Connected; readonly log: Logger },
): Consumer {
  return createDocumentFeeder({
    source: createDocumentSource(fed, searchedProducts, { hasSuggestions: config.meiliUrl !== undefined }),
    searched: {
      ...searchedProducts,
      gather: (project, documents, facts) => gatherSearched(engine.store, { project, documents, facts }),
    },
    log,
  });
}

/** What is late is told once a minute; `npm run backlog` says all that waits. */
async function tellBacklog(database: Database, log: Logger): Promise<void> {
  const late = (await backlogOf(database)).filter(({ oldestSeconds }) => oldestSeconds > lateSeconds);
  if (late.length > 0) log.warn({ late: late.slice(0, toldMax), of: late.length }, 'consumers are late');
}
