import autocannon from 'autocannon';
import { spawn } from 'node:child_process';

export interface Request {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: string;
}

/** What one measurement gives. */
export interface Round {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
}

export interface Source {
  next(): Request;
}

export interface Load {
  /** Of one server, or of several that share the connections. */
  readonly baseUrl: string | string[];
  readonly token: string;
  readonly connections: number;
  readonly seconds: number;
  /** For all connections together, or for each of them one of its own. */
  readonly source: Source | (() => Source);
}

/** Requests in turn. */
export function inTurn(requests: readonly Request[]): Source {
  let count = 0;
  return { next: () => requests[(count += 1) % requests.length]! };
}

export function headers(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}

const answerSecondsMax = 120;

/** Throws when a request fails, for then the measurement would be worthless. */
export async function measure({ baseUrl, token, connections, seconds, source }: Load): Promise<Round> {
  const result = await autocannon({
    // Its types know no list.
    url: baseUrl as string,
    connections,
    // Asynchronous handlers must not be pipelined: the server closes such a connection.
    pipelining: 1,
    duration: seconds,
    // What clients wait for on a machine that has more of them than it can serve is no failure.
    timeout: answerSecondsMax,
    headers: headers(token),
    setupClient: (client) => {
      const own = typeof source === 'function' ? source() : source;
      client.setRequests([
        {
          setupRequest: (request) => {
            const { method, path, body } = own.next();
            return { ...request, method, path, ...(body !== undefined && { body }) };
          },
        },
      ]);
    },
  });
  if (result.non2xx + result.errors > 0)
    throw new Error(`${result.non2xx} answers were no success, ${result.errors} requests failed.`);
  return { perSecond: result.requests.average, p50: result.latency.p50, p99: result.latency.p99 };
}

export interface Script {
  readonly databaseUrl: string;
  /** Of its sessions. */
  readonly settings: Readonly<Record<string, string>>;
  readonly file: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly clients: number;
  readonly seconds: number;
}

/** Runs a script with prepared statements in Debian's pgbench; undefined when this machine has none. */
export function pgbench({
  databaseUrl,
  settings,
  file,
  variables,
  clients,
  seconds,
}: Script): Promise<Round | undefined> {
  const args = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '1', '-T', String(seconds), '-f', file];
  for (const [name, value] of Object.entries(variables)) args.push('-D', `${name}=${value}`);
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const child = spawn('pgbench', [...args, databaseUrl], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PGOPTIONS: options.join(' ') },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.once('error', () => resolve(undefined));
    child.once('close', () => {
      const perSecond = Number(/tps = ([\d.]+)/.exec(output)?.[1]);
      const meanMs = Number(/latency average = ([\d.]+) ms/.exec(output)?.[1]);
      // A client that ended early has not worked all of the time.
      if (Number.isNaN(perSecond) || output.includes('aborted')) reject(new Error(`pgbench failed: ${output}`));
      else resolve({ perSecond, p50: meanMs, p99: Number.NaN });
    });
  });
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)]!;
}
