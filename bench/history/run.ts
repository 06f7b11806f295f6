import { Random } from '../../src/demo/random.ts';
import { HistoryChecker, type Violation } from './checker.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { Discounts } from './discounts.ts';
import { product, productType, standalonePrice, stock } from './goods.ts';
import { order } from './orders.ts';
import type { PatchName } from './patches.ts';
import { Projections } from './projections.ts';
import { baseKey, type Counts, Requests, risingKinds } from './requests.ts';
import { Schedules } from './schedules.ts';
import { Workload } from './workload.ts';

export interface RunOptions {
  /** Answered operations after which the run ends. */
  readonly operations: number;
  readonly seed: number;
  readonly servers: number;
  readonly clients: number;
  /** Answered operations between two kills, if what was killed first is back by then; undefined for none. */
  readonly killEvery: number | undefined;
  /** What the servers are changed by. */
  readonly patches?: readonly PatchName[];
  /** By default on a Postgres of the run's own. */
  readonly databaseUrl?: string;
  /** Whether the run is over with the first violation. */
  readonly endsWithViolation?: boolean;
  /** Whether orders are among what is written. They are kept as other kinds are, and mistakes show without them. */
  readonly hasOrders?: boolean;
  /** Called after each operation. */
  readonly progressed?: (counts: Counts, violations: number) => void;
}

export interface RunResult {
  readonly counts: Counts;
  readonly kills: Readonly<Record<Victim, number>>;
  readonly violations: number;
  /** The first of them, with what the operation did. */
  readonly examples: readonly (Violation & { readonly name: string })[];
}

type Victim = 'server' | 'database' | 'helper' | 'paused server' | 'paused database';

const examplesMax = 20;

/** Runs a random workload against processes on one database, ends some of them in between, and checks the history. */
export async function runHistory(options: RunOptions): Promise<RunResult> {
  const { operations, seed, servers, clients, killEvery } = options;
  const cluster = await startCluster({ servers, patches: options.patches ?? [], databaseUrl: options.databaseUrl });
  try {
    const checker = new HistoryChecker(risingKinds);
    const examples: RunResult['examples'][number][] = [];
    let violations = 0;
    const nemesis = new Nemesis(cluster, seed);
    /** None while schedules run, whose requests rely on each other. */
    let nextKill = Infinity;
    const requests = new Requests({
      cluster,
      seed,
      clients,
      record: (event, name) => {
        for (const violation of checker.add(event)) {
          violations += 1;
          if (examples.length < examplesMax) examples.push({ ...violation, name });
        }
      },
      progressed: (counts) => {
        options.progressed?.(counts, violations);
        if (killEvery === undefined || counts.answered < nextKill || nemesis.isStriking) return;
        nextKill = counts.answered + killEvery;
        nemesis.strike();
      },
    });
    try {
      const isOver = (): boolean => options.endsWithViolation === true && violations > 0;
      await requests.prepare([stock, standalonePrice, product, ...(options.hasOrders === false ? [] : [order])]);
      await requests.create(productType, baseKey);
      const discounts = new Discounts(requests, new Random(seed + 3));
      const projections = new Projections(requests, { random: new Random(seed + 4), discounts });
      await new Schedules(requests, { flood: cluster.flood, projections, discounts }).run(isOver);
      nextKill = requests.counts.answered + (killEvery ?? Infinity);
      const workload = new Workload(requests, { seed, clients, projections, discounts });
      const counts = await workload.run(requests.counts.answered + operations, isOver);
      await nemesis.rest();
      if (cluster.hasFeeder && !isOver()) await discounts.end(requests.servers[0]!);
      await requests.readAll();
      return { counts, kills: nemesis.kills, violations, examples };
    } finally {
      await requests.close();
    }
  } finally {
    await cluster.stop();
  }
}

const victims: readonly Victim[] = ['server', 'helper', 'paused server', 'server', 'database', 'paused database'];

/** Ends processes, one at a time: servers of the platform, and in between Postgres or one of its helpers. */
class Nemesis {
  readonly #cluster: Cluster;
  readonly #random: Random;
  readonly kills: Record<Victim, number> = {
    server: 0,
    database: 0,
    helper: 0,
    'paused server': 0,
    'paused database': 0,
  };
  #strikes = 0;
  #striking: Promise<void> | undefined;
  #failure: unknown;

  constructor(cluster: Cluster, seed: number) {
    this.#cluster = cluster;
    this.#random = new Random(seed + 1);
  }

  /** Whether what was ended last is not back yet. */
  get isStriking(): boolean {
    return this.#striking !== undefined;
  }

  strike(): void {
    const victim = victims[this.#strikes % victims.length]!;
    this.#strikes += 1;
    this.#striking = this.#end(victim)
      .then(() => void (this.kills[victim] += 1))
      .catch((error: unknown) => void (this.#failure ??= error))
      .finally(() => (this.#striking = undefined));
  }

  #end(victim: Victim): Promise<void> {
    const anyServer = this.#random.integer(0, this.#cluster.baseUrls.length - 1);
    if (victim === 'server') return this.#cluster.killServer(anyServer);
    if (victim === 'paused server') return this.#cluster.pauseServer(anyServer);
    if (victim === 'paused database') return this.#cluster.pauseDatabase();
    return this.#cluster.killDatabase(victim === 'database' ? 'server' : 'helper');
  }

  /** Waits until everything is back; throws what went wrong. */
  async rest(): Promise<void> {
    await this.#striking;
    if (this.#failure !== undefined) throw this.#failure;
  }
}
