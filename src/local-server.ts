import { type Dispatcher, interceptors, Pool } from 'undici';
import type { Config } from './config.ts';

/** The platform, for a process of this machine, whatever address it listens on and the world knows it by. */
export function localServer(config: Pick<Config, 'host' | 'port' | 'tls' | 'trustsProxy'>): Dispatcher {
  const { port, tls, trustsProxy } = config;
  const origin = `${tls === undefined ? 'http' : 'https'}://${localHost(config)}:${port}`;
  // The certificate is for the name that the world uses. Whoever could listen here in the platform's place is root or
  // its own user, and can read the key.
  const pool = new Pool(origin, tls === undefined ? {} : { connect: { rejectUnauthorized: false } });
  if (!trustsProxy) return pool;
  return pool.compose((dispatch) => (options, handler) => {
    // The requests of this program give their headers as objects.
    const headers = { ...(options.headers as Record<string, string> | undefined), 'x-forwarded-proto': 'https' };
    return dispatch({ ...options, headers }, handler);
  });
}

const retriesMax = 8;
const retryMsMax = 2000;

/**
 * The same for requests that may be sent twice: one whose connection is lost, as that of a process that dies, is sent again. Answers are left
 * to the caller.
 */
export function patientLocalServer(config: Parameters<typeof localServer>[0]): Dispatcher {
  const retry = interceptors.retry({
    maxRetries: retriesMax,
    maxTimeout: retryMsMax,
    methods: ['GET', 'POST'],
    statusCodes: [],
  });
  return localServer(config).compose(retry);
}

function localHost({ host }: Pick<Config, 'host'>): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
