import type { OperationDescription } from './description.ts';
import type { PlainRoute } from './routes.ts';

/** One condition for serving requests: it throws, or does not settle in time, while the condition is not met. */
export interface ReadinessCheck {
  readonly name: string;
  check(): Promise<void>;
}

const checkMsMax = 2000;

const health = {
  title: 'Health',
  type: 'object',
  properties: {
    status: { type: 'string', enum: ['ok', 'unavailable'] },
    checks: { type: 'object', additionalProperties: { type: 'string' } },
  },
  required: ['status'],
};

const description: Omit<OperationDescription, 'id' | 'summary'> = {
  tag: 'Server',
  access: 'anyone',
  answers: { 200: health, 503: health },
  failures: [],
};

/** `/healthz`: the process runs its event loop. `/readyz`: it can serve requests, or says what is in the way. */
export function healthRoutes(checks: readonly ReadinessCheck[]): readonly PlainRoute[] {
  return [
    {
      path: '/healthz',
      operations: { GET: { ...description, id: 'getHealth', summary: 'Learn whether the process runs.' } },
      handle: () => ({ status: 200, body: '{"status":"ok"}' }),
    },
    {
      path: '/readyz',
      operations: { GET: { ...description, id: 'getReadiness', summary: 'Learn whether requests can be served.' } },
      handle: async () => {
        const results = await Promise.all(
          checks.map(async ({ name, check }) => [name, await outcomeOf(check)] as const),
        );
        const isReady = results.every(([, outcome]) => outcome === 'ok');
        return {
          status: isReady ? 200 : 503,
          body: JSON.stringify({ status: isReady ? 'ok' : 'unavailable', checks: Object.fromEntries(results) }),
        };
      },
    },
  ];
}

async function outcomeOf(check: () => Promise<void>): Promise<string> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve('no answer'), checkMsMax);
  });
  try {
    return await Promise.race([check().then(() => 'ok'), late]);
  } catch {
    // What exactly failed stands in the log of the requests that meet it.
    return 'failed';
  } finally {
    clearTimeout(timer);
  }
}
