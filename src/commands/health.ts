import type { Config } from '../config.ts';
import { localServer } from '../local-server.ts';

/** `health` asks the platform of this machine whether it is ready, however it is reached; ends with 1 when it is not. */
export async function runHealthCommand(config: Config): Promise<void> {
  const server = localServer(config);
  try {
    const { statusCode, body } = await server.request({ method: 'GET', path: '/readyz' });
    process.stdout.write(`${await body.text()}\n`);
    process.exitCode = statusCode === 200 ? 0 : 1;
  } finally {
    await server.close();
  }
}
