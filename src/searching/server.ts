import { chmodSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { RequestEnded } from '../engine/context.ts';
import { FairQueue } from '../engine/fair-queue.ts';
import { SearchTooLarge, SearchTooLong, SearchUnwanted } from '../search-index/limits.ts';
import { onFrames, sendFrame } from './frames.ts';
import type { Failure, Question, Reply, Withdrawal } from './messages.ts';
import type { Tail } from './tail.ts';

export interface SearchServerOptions {
  readonly tail: Pick<Tail, 'indexOf'>;
  readonly path: string;
  readonly log: { error(details: object, message: string): void };
}

/**
 * Searches that give way to one another. Others wait for their turn, whichever process sent them; those who ask see to it that
 * these are not too many.
 */
const queueLimits = { runningMax: 64, waitingMax: Infinity, refusal: 'Too many searches are asked for.' };
/** Of these, those of one client and of one project, so that others find a place at once. */
const clientRunningMax = 32;
const projectRunningMax = 48;

/** Answers what processes of this machine ask, over a socket that the user of this process alone may open. */
export class SearchServer {
  readonly #options: SearchServerOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #queue = new FairQueue(queueLimits);

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
    const asked = new Map<number, AbortController>();
    this.#sockets.add(socket);
    socket.on('close', () => {
      this.#sockets.delete(socket);
      for (const each of asked.values()) each.abort();
    });
    // Whoever asked is gone; nobody else has to know.
    socket.on('error', () => {});
    onFrames(socket, (message) => {
      // The searcher of this version of the platform sends nothing else.
      const said = message as Question | Withdrawal;
      if ('withdrawn' in said) return asked.get(said.withdrawn)?.abort();
      const controller = new AbortController();
      asked.set(said.id, controller);
      void this.#answer(socket, said, controller.signal)
        .catch((error: unknown) => {
          if (!(error instanceof RequestEnded || error instanceof SearchUnwanted))
            this.#options.log.error({ err: error }, 'an answer could not be sent');
        })
        .finally(() => asked.delete(said.id));
    });
  }

  /** Throws RequestEnded or SearchUnwanted where nobody waits for the answer any more. */
  async #answer(socket: Socket, question: Question, signal: AbortSignal): Promise<void> {
    const lateAtMs = performance.now() + question.timeoutMs;
    const { client, project } = question;
    const reply = await this.#queue.run(
      [
        { name: client, entriesMax: Infinity, runningMax: clientRunningMax },
        { name: project, entriesMax: Infinity, runningMax: projectRunningMax },
      ],
      () => this.#reply(question, lateAtMs - performance.now(), signal),
      signal,
    );
    if (!signal.aborted) sendFrame(socket, reply);
  }

  async #reply({ id, project, query }: Question, timeoutMs: number, signal: AbortSignal): Promise<Reply> {
    const failed = (failure: Failure, message: string): Reply => ({ id, failure, message });
    const index = this.#options.tail.indexOf(project);
    if (typeof index === 'string') return failed(index, '');
    try {
      return { id, answer: await index.search(query, timeoutMs, signal) };
    } catch (error) {
      if (error instanceof SearchUnwanted) throw error;
      if (error instanceof SearchTooLong) return failed('late', error.message);
      if (error instanceof SearchTooLarge) return failed('large', error.message);
      this.#options.log.error({ err: error, project }, 'a search failed');
      return failed('failed', String(error));
    }
  }
}
