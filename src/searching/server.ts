import { chmodSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { SearchTooLarge, SearchTooLong } from '../search-index/limits.ts';
import { onFrames, sendFrame } from './frames.ts';
import type { Failure, Question, Reply } from './messages.ts';
import type { Tail } from './tail.ts';

export interface SearchServerOptions {
  readonly tail: Pick<Tail, 'indexOf'>;
  readonly path: string;
  readonly log: { error(details: object, message: string): void };
}

/** Searches that give way to one another; others wait, and those who ask see to it that these are not too many. */
const runningMax = 64;

/** Answers what processes of this machine ask, over a socket that the user of this process alone may open. */
export class SearchServer {
  readonly #options: SearchServerOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #waiting: (() => Promise<void>)[] = [];
  #running = 0;

  constructor(options: SearchServerOptions) {
    this.#options = options;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** Takes the place of another server at this path, which goes on for those who are connected to it. */
  async listen(): Promise<void> {
    const { path } = this.#options;
    const own = `${path}.${process.pid}`;
    rmSync(own, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(own, resolve);
    });
    chmodSync(own, 0o600);
    renameSync(own, path);
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #accept(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on('close', () => this.#sockets.delete(socket));
    // Whoever asked is gone; nobody else has to know.
    socket.on('error', () => {});
    onFrames(socket, (message) => {
      // The searcher of this version of the platform sends nothing else.
      const question = message as Question;
      const begunAtMs = performance.now();
      this.#waiting.push(async () => {
        if (socket.destroyed) return;
        const reply = await this.#reply(question, question.timeoutMs - (performance.now() - begunAtMs));
        if (!socket.destroyed) sendFrame(socket, reply);
      });
      this.#next();
    });
  }

  #next(): void {
    if (this.#running >= runningMax) return;
    const work = this.#waiting.shift();
    if (work === undefined) return;
    this.#running += 1;
    void work()
      .catch((error: unknown) => this.#options.log.error({ err: error }, 'an answer could not be sent'))
      .finally(() => {
        this.#running -= 1;
        this.#next();
      });
  }

  async #reply({ id, project, query }: Question, timeoutMs: number): Promise<Reply> {
    const failed = (failure: Failure, message: string): Reply => ({ id, failure, message });
    const index = this.#options.tail.indexOf(project);
    if (typeof index === 'string') return failed(index, '');
    try {
      return { id, answer: await index.search(query, timeoutMs) };
    } catch (error) {
      if (error instanceof SearchTooLong) return failed('late', error.message);
      if (error instanceof SearchTooLarge) return failed('large', error.message);
      this.#options.log.error({ err: error, project }, 'a search failed');
      return failed('failed', String(error));
    }
  }
}
