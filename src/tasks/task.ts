/**
 * A computation that runs in worker threads: plain values in, plain values out. It is declared once, for those who ask for
 * it and for its module in `workers`: in the layer that does the work, or here where that may not be imported by `workers`.
 */
export interface Task<Request, Response, State = undefined> {
  /** That of its module. */
  readonly name: string;
  /** Which threads run it: tasks share them where none of them keeps another waiting for long. */
  readonly threads: Threads;
  /** Never present; they carry the types. */
  readonly request?: Request;
  readonly response?: Response;
  readonly state?: State;
}

export type Threads = 'pricing' | 'texts' | 'descriptions' | 'passwords';

/** What many requests are computed from. A thread keeps what it makes of it, and is sent it where it has none of the version. */
export interface Versioned<State> {
  readonly version: string;
  readonly state: State;
}

/** The same in parts, each of which has its versions: names tell them apart. A thread is sent those that it lacks. */
export interface Parts<Part> {
  readonly names: readonly string[];
  part(name: string): Part;
}

export interface Compute {
  run<Request, Response, State>(
    task: Task<Request, Response, State>,
    request: Request,
    ...on: [State] extends [undefined] ? [] : [Versioned<State> | Parts<State>]
  ): Promise<Response>;
  /** Threads are worth the way to them for computations of so many steps: what fewer take is done sooner where it is. */
  readonly stepsMin: number;
}
