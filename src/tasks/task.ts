/**
 * A computation that runs in worker threads: plain values in, plain values out. It is declared once, for those who ask for
 * it and for its module in `workers`.
 */
export interface Task<Request, Response, State = undefined> {
  /** That of its module. */
  readonly name: string;
  /** Which threads run it: what takes long is not to keep what is short waiting, nor sign-ins what is neither. */
  readonly threads: Threads;
  /** Never present; they carry the types. */
  readonly request?: Request;
  readonly response?: Response;
  readonly state?: State;
}

export type Threads = 'short' | 'long' | 'passwords';

/** What many requests are computed from. A thread keeps what it makes of it, and is sent it where it has none of the version. */
export interface Versioned<State> {
  readonly version: string;
  readonly state: State;
}

export interface Compute {
  run<Request, Response, State>(
    task: Task<Request, Response, State>,
    request: Request,
    ...on: [State] extends [undefined] ? [] : [Versioned<State>]
  ): Promise<Response>;
}
