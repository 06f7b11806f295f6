import { apiError, ownShareUsed } from '../../errors/api-error.ts';

export interface CallLimits {
  /** Calls of all projects. */
  readonly callsMax: number;
  /** Of what is sent and answered. */
  readonly bytesMax: number;
}

const defaultLimits: CallLimits = { callsMax: 1000, bytesMax: 256 * 1024 * 1024 };

/** One of the calls under way. */
export interface CallUnderWay {
  /** Counts bytes that the call takes until its end. Throws OverCapacity where they are too many. */
  take(bytes: number): void;
}

/** What a project, or all of them, have under way. */
interface Load {
  readonly calls: number;
  readonly bytes: number;
}

const none: Load = { calls: 0, bytes: 0 };

/**
 * Counts the calls that have not ended: each holds a connection, what it sends and gets, and the request that waits for it.
 * A project has at most half of what the others leave, so that none is without calls because of a few others.
 */
export class CallsUnderWay {
  readonly #limits: CallLimits;
  readonly #byProject = new Map<string, Load>();
  #all = none;

  constructor(limits: CallLimits = defaultLimits) {
    this.#limits = limits;
  }

  /** Throws OverCapacity where too many are under way, before anything is done for the call. */
  async run<T>(project: string, call: (underWay: CallUnderWay) => Promise<T>): Promise<T> {
    this.#requireCall(project);
    this.#change(project, { calls: 1, bytes: 0 });
    let taken = 0;
    const take = (bytes: number): void => {
      this.#requireBytes(project, bytes);
      this.#change(project, { calls: 0, bytes });
      taken += bytes;
    };
    try {
      return await call({ take });
    } finally {
      this.#change(project, { calls: -1, bytes: -taken });
    }
  }

  #requireCall(project: string): void {
    const { callsMax } = this.#limits;
    const free = callsMax - this.#all.calls;
    if (free <= 0) throw tooMany();
    if (this.#of(project).calls >= free) throw tooManyOfProject();
  }

  /** A project's only call may take more than its share, and the only call of all more than there is. */
  #requireBytes(project: string, bytes: number): void {
    const free = this.#limits.bytesMax - this.#all.bytes - bytes;
    const ofProject = this.#of(project);
    if (free < 0 && this.#all.calls > 1) throw tooMany();
    if (ofProject.bytes + bytes > free && ofProject.calls > 1) throw tooManyOfProject();
  }

  #of(project: string): Load {
    return this.#byProject.get(project) ?? none;
  }

  #change(project: string, by: Load): void {
    this.#all = plus(this.#all, by);
    const ofProject = plus(this.#of(project), by);
    if (ofProject.calls === 0) this.#byProject.delete(project);
    else this.#byProject.set(project, ofProject);
  }
}

function plus(one: Load, other: Load): Load {
  return { calls: one.calls + other.calls, bytes: one.bytes + other.bytes };
}

function tooMany(): Error {
  return apiError('OverCapacity', 'Too many API extensions are being asked. Try again later.');
}

function tooManyOfProject(): Error {
  return ownShareUsed('Too many API extensions of the project are being asked.');
}
