/** A project as tests ask it, whoever has started it. */
export interface Project {
  readonly projectKey: string;
  /** A request with the first client's token; `body` is sent as JSON, but for texts and bytes. */
  request(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Test bodies are looked at with t.match, which takes anything.
  readonly body: Record<string, unknown>;
}
