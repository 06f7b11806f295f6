import type { Lease, Topic } from '../outbox/outbox.ts';
import type { Consumer } from '../outbox/taker.ts';
import { connect } from './indexes.ts';
import type { KeywordSource } from './keyword-source.ts';
import { type FeedLog, offerResources, ProjectFeed } from './project-feed.ts';

export interface FeederOptions {
  readonly source: KeywordSource;
  /** Without a search engine changes are taken off the queue, and wait for one in suggest_dirty. */
  readonly meilisearch: { readonly url: string; readonly key: string | undefined } | undefined;
  readonly log: FeedLog;
}

export const suggestTopic: Topic = { name: 'suggest', kinds: ['product'] };

/** Projects are listed this often. */
const listMs = 5000;

/**
 * Carries changes from the outbox to the search engine:
 *
 *   outbox ──▶ suggest_source + suggest_dirty ──▶ keyword index ──▶ (task succeeded) clear the dirty flag
 *                                            └──▶ lexicon index ──▶ (task succeeded) clear the dirty flag
 *
 * Every step reads the present state and is acknowledged only after it took effect, so a crash anywhere repeats a
 * harmless step.
 */
export function createFeeder({ source, meilisearch, log }: FeederOptions): Consumer {
  const client = meilisearch && connect(meilisearch);
  const feeds = new Map<string, ProjectFeed>();
  let listedAtMs = -Infinity;

  async function listProjects(): Promise<void> {
    const projects = new Map((await source.projects()).map((project) => [project.key, project]));
    for (const key of feeds.keys()) if (!projects.has(key)) feeds.delete(key);
    for (const [key, project] of projects) feedOf(key).expect(project);
    listedAtMs = performance.now();
  }

  function feedOf(project: string): ProjectFeed {
    const feed = feeds.get(project) ?? new ProjectFeed({ project, source, client, log });
    feeds.set(project, feed);
    return feed;
  }

  return {
    topic: suggestTopic.name,
    consume: async (lease: Lease, changes) => {
      await offerResources(source, lease, [...new Set(changes.map(({ id }) => id))]);
    },
    further: {
      due: async () => {
        if (performance.now() - listedAtMs > listMs) await listProjects();
        const unsettled = [...feeds].filter(([, feed]) => !feed.isSettled).map(([project]) => project);
        return [...(await source.dirtyProjects()), ...unsettled];
      },
      work: async (lease) => {
        const feed = feedOf(lease.project);
        try {
          return await feed.step(lease);
        } catch (error) {
          listedAtMs = -Infinity;
          feed.recheck();
          throw error;
        }
      },
    },
  };
}
