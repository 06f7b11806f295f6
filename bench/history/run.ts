import { Random } from '../../src/demo/random.ts';
import { HistoryChecker, type Violation } from './checker.ts';
import { type Cluster, type ClusterOptions, platformProgram, startCluster } from './cluster.ts';
import { type Counts, Workload } from './workload.ts';

export interface RunOptions {
  /** Answered operations after which the run ends. */
  readonly operations: number;
  readonly seed: number;
  readonly servers: number;
  readonly clients: number;
  /** Answered operations between two kills, if what was killed first is back by then; undefined for none. */
  readonly killEvery: number | undefined;
  /** The program of the servers, if not the platform's. */
  readonly program?: ClusterOptions['program'];
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

type Victim = 'server' | 'database' | 'helper';

const examplesMax = 20;

/** Runs a random workload against processes on one database, ends some of them in between, and checks the history. */
export async function runHistory(options: RunOptions): Promise<RunResult> {
  const { operations, seed, servers, clients, killEvery } = options;
  const cluster = await startCluster({ servers, program: options.program ?? platformProgram });
  try {
    const checker = new HistoryChecker();
    const examples: RunResult['examples'][number][] = [];
    let violations = 0;
    const nemesis = new Nemesis(cluster, seed);
    let nextKill = killEvery ?? 0;
    const workload = new Workload({
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
      const counts = await workload.run(operations);
      await nemesis.rest();
      await workload.readAll();
      return { counts, kills: nemesis.kills, violations, examples };
    } finally {
      await workload.close();
    }
  } finally {
    await cluster.stop();
  }
}

const victims: readonly Victim[] = ['server', 'helper', 'server', 'database'];

/** Ends processes, one at a time: servers of the platform, and in between Postgres or one of its helpers. */
class Nemesis {
  readonly #cluster: Cluster;
  readonly #random: Random;
  readonly kills: Record<Victim, number> = { server: 0, database: 0, helper: 0 };
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
    if (victim === 'server')
      return this.#cluster.killServer(this.#random.integer(0, this.#cluster.baseUrls.length - 1));
    return this.#cluster.killDatabase(victim === 'database' ? 'server' : 'helper');
  }

  /** Waits until everything is back; throws what went wrong. */
  async rest(): Promise<void> {
    await this.#striking;
    if (this.#failure !== undefined) throw this.#failure;
  }
}
