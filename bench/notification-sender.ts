import { Pool } from 'undici';

export interface Sending {
  readonly origin: string;
  readonly subscriptions: number;
  /** Of each subscription at a time. */
  readonly underWay: number;
  readonly body: string;
}

/**
 * The least that telling can cost: the same HTTP client with ready bytes, without a queue that survives. Started as a child; it
 * posts until it is ended.
 */
process.once('message', (message) => {
  // The benchmark says first what is sent.
  const { origin, subscriptions, underWay, body } = message as Sending;
  for (let index = 0; index < subscriptions; index += 1) {
    const pool = new Pool(origin, { connections: underWay });
    const request = {
      method: 'POST',
      path: `/${index}`,
      headers: { 'Content-Type': 'application/json' },
      body,
    } as const;
    const post = (): void => {
      pool.dispatch(request, {
        onRequestStart: () => {},
        onResponseStart: (_, status) => {
          if (status !== 204) fail(new Error(`A post was answered with ${status}.`));
        },
        onResponseEnd: post,
        onResponseError: (_, error) => fail(error),
      });
    };
    for (let count = 0; count < underWay; count += 1) post();
  }
  process.send?.({});
});
process.on('disconnect', () => process.exit(0));

function fail(error: Error): never {
  throw error;
}
