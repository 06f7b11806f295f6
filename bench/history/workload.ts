import type { Pool } from 'undici';
import { Random } from '../../src/demo/random.ts';
import type { Counts, Requests } from './requests.ts';
import type { Discounts } from './discounts.ts';
import type { Projections } from './projections.ts';
import { SignUps } from './sign-ups.ts';

/** Resources of a kind between which the workload keeps them; few, so that most requests meet others. */
const liveMin = 4;
const liveMax = 12;
const clientsMax = 6;
/** How long a client waits after a failure before it goes on. */
const retryMs = 20;
/** The project is updated during the last of so many operations. */
const phasesOperations = 1000;
const projectOperations = 60;

/** Random requests of many clients at a time, each with one operation after the other. */
export class Workload {
  readonly #requests: Requests;
  readonly #random: Random;
  readonly #clients: number;
  readonly #signUps: SignUps;
  readonly #projections: Projections;
  readonly #discounts: Discounts;

  constructor(
    requests: Requests,
    {
      seed,
      clients,
      projections,
      discounts,
    }: {
      readonly seed: number;
      readonly clients: number;
      readonly projections: Projections;
      readonly discounts: Discounts;
    },
  ) {
    this.#projections = projections;
    this.#discounts = discounts;
    this.#requests = requests;
    this.#random = new Random(seed + 2);
    this.#clients = clients;
    this.#signUps = new SignUps(requests, this.#random);
  }

  /** Works until `operations` have been answered. */
  async run(operations: number, isOver: () => boolean): Promise<Counts> {
    this.#requests.isRandom = true;
    const work = async (): Promise<void> => {
      while (this.#requests.counts.answered < operations && !isOver()) {
        const isAnswered = await this.#step();
        if (!isAnswered) await new Promise((resolve) => setTimeout(resolve, retryMs));
      }
    };
    await Promise.all(Array.from({ length: this.#clients }, work));
    // What is read at the end is read by somebody who may.
    this.#requests.isRandom = false;
    if (!isOver()) await this.#signUps.end(this.#requests.servers[0]!);
    return this.#requests.counts;
  }

  /** One operation of a client; tells whether it was answered. */
  async #step(): Promise<boolean> {
    const random = this.#random;
    const server = random.pick(this.#requests.servers);
    const kind = random.pick(this.#requests.kinds);
    const count = this.#requests.handles(kind).size;
    const chance = random.integer(1, 100);
    if (count < liveMin || (chance <= 4 && count < liveMax))
      return this.#requests.create(kind, this.#requests.newKey());
    if (chance <= 6 || count > liveMax) return this.#requests.removeAny(kind, server);
    if (chance <= 20) return this.#requests.updateAny(kind, server);
    // In the name of every answer is the project's version: while that changes no answer lives for long.
    const isProjectPhase = this.#requests.counts.answered % phasesOperations >= phasesOperations - projectOperations;
    if (isProjectPhase && chance <= 40) return this.#requests.updateProject(server);
    if (chance <= 26) return this.#clientStep(server);
    if (chance <= 28) return this.#requests.readProject(server);
    if (chance <= 32) return this.#signUps.step(server);
    if (chance <= 33) return this.#discounts.step(server);
    if (chance <= 45) return this.#projections.step(server);
    if (chance <= 55) return this.#requests.readById(kind, server);
    if (chance <= 64) return this.#requests.readByKey(kind, server);
    if (chance <= 68) return this.#requests.list(kind, server);
    if (chance <= 72) return this.#requests.listByKey(kind, server);
    if (chance <= 76) return this.#requests.readExpanded(server);
    if (chance <= 80) return this.#requests.graphqlExpanded(server);
    if (chance <= 84) return this.#requests.graphqlList(kind, server);
    return this.#requests.graphqlOne(kind, server);
  }

  #clientStep(server: Pool): Promise<boolean> {
    const chance = this.#random.integer(1, 10);
    if (chance <= 2 && this.#requests.clients.length < clientsMax) return this.#requests.createClient(server);
    if (chance <= 4 && this.#requests.clients.length > 0) return this.#requests.removeClient(server);
    if (chance <= 6 && this.#requests.first.tokens.length > 1) return this.#requests.revokeToken(server);
    const client = this.#random.chance(0.5)
      ? this.#requests.first
      : this.#random.pick([this.#requests.first, ...this.#requests.clients, ...this.#requests.goneClients]);
    return this.#requests.grant(server, client).then((answer) => answer !== undefined);
  }
}
