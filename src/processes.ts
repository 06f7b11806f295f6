import type { Logger } from 'pino';
import type { Connected } from './app.ts';
import { Child } from './child.ts';
import { Post } from './post.ts';
import { Reserve } from './reserve.ts';
import type { Stop } from './signals.ts';

/** The processes of the platform: those that serve HTTP, the feeder, and one that waits to take the place of another. */
export class Processes {
  readonly #reserve: Reserve;
  readonly #posts: readonly Post[];
  readonly #log: Logger;
  #isStopped = false;
  #restarting: Promise<void> | undefined;

  constructor(config: Connected, log: Logger) {
    this.#log = log;
    this.#reserve = new Reserve(() => new Child('http', config));
    const http = Array.from({ length: config.processes }, () => new Post({ recruit: () => this.#reserve.take(), log }));
    const recruitFeeder = async (): Promise<Child> => {
      const child = new Child('feeder', config);
      await child.prepared();
      return child;
    };
    this.#posts = [...http, new Post({ recruit: recruitFeeder, log })];
  }

  async start(): Promise<void> {
    await Promise.all(this.#posts.map((post) => post.start()));
  }

  /** Replaces one process after the other; a restart that is asked for during another one is part of it. */
  restart(): void {
    this.#restarting ??= this.#restart()
      .catch((error: unknown) => this.#log.error({ err: error }, 'not every process could be restarted'))
      .finally(() => (this.#restarting = undefined));
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
