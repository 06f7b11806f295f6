import type { Logger } from 'pino';
import type { Connected } from './config.ts';
import { Child } from './child.ts';
import { Post } from './post.ts';
import { Reserve } from './reserve.ts';
import type { Stop } from './signals.ts';

/** The processes of the platform: those that serve HTTP, the feeder, the one that searches, and one that waits to take the place of another. */
export class Processes {
  readonly #reserve: Reserve;
  readonly #posts: readonly Post[];
  readonly #log: Logger;
  #isStopped = false;
  #isRestarting = false;

  constructor(config: Connected, log: Logger) {
    this.#log = log;
    const postOf = (role: 'feeder' | 'search'): Post =>
      new Post({
        recruit: async () => {
          const child = new Child(role, config);
          await child.prepared();
          return child;
        },
        log,
      });
    const [feeder, search] = [postOf('feeder'), postOf('search')];
    this.#reserve = new Reserve(() => {
      const child = new Child('http', config);
      child.onQueued(() => feeder.child?.tell('queued'));
      return child;
    });
    const http = Array.from({ length: config.processes }, () => new Post({ recruit: () => this.#reserve.take(), log }));
    this.#posts = [...http, feeder, search];
  }

  async start(): Promise<void> {
    await Promise.all(this.#posts.map((post) => post.start()));
  }

  /** Replaces one process after the other; one that is asked for during another one is left out. */
  restart(): void {
    if (this.#isRestarting) return;
    this.#isRestarting = true;
    this.#restart()
      .catch((error: unknown) => this.#log.error({ err: error }, 'not every process could be restarted'))
      .finally(() => (this.#isRestarting = false));
  }

  async stop(how: Stop): Promise<void> {
    this.#isStopped = true;
    await Promise.all([this.#reserve.close(), ...this.#posts.map((post) => post.giveUp(how))]);
  }

  async #restart(): Promise<void> {
    await this.#reserve.renew();
    for (const post of this.#posts) {
      if (this.#isStopped) return;
      await post.replace();
    }
    this.#log.info('every process was restarted');
  }
}
