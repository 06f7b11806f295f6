import { apiError, ownShareUsed } from '../../errors/api-error.ts';

export interface CallLimits {
  /** Calls of all projects, and of one. */
  readonly callsMax: number;
  readonly projectCallsMax: number;
  /** Of what is sent to all. */
  readonly bytesMax: number;
}

const defaultLimits: CallLimits = { callsMax: 1000, projectCallsMax: 500, bytesMax: 256 * 1024 * 1024 };

/** Counts the calls that have not ended: each holds a connection, what it sends, and the request that waits for it. */
export class CallsUnderWay {
  readonly #limits: CallLimits;
  readonly #byProject = new Map<string, number>();
  #count = 0;
  #bytes = 0;

  constructor(limits: CallLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Throws OverCapacity where too many are under way. */
  async run<T>(project: string, bytes: number, call: () => Promise<T>): Promise<T> {
    const { callsMax, projectCallsMax, bytesMax } = this.#limits;
    const ofProject = this.#byProject.get(project) ?? 0;
    if (ofProject >= projectCallsMax) throw ownShareUsed('Too many API extensions of the project are being asked.');
    if (this.#count >= callsMax || (this.#count > 0 && this.#bytes + bytes > bytesMax))
      throw apiError('OverCapacity', 'Too many API extensions are being asked. Try again later.');
    this.#change(project, 1, bytes);
    try {
      return await call();
    } finally {
      this.#change(project, -1, -bytes);
    }
  }

  #change(project: string, by: 1 | -1, bytes: number): void {
    this.#count += by;
    this.#bytes += bytes;
    const ofProject = (this.#byProject.get(project) ?? 0) + by;
    if (ofProject === 0) this.#byProject.delete(project);
    else this.#byProject.set(project, ofProject);
  }
}
