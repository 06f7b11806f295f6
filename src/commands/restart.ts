import type { Config } from '../config.ts';
import { servingPid } from '../services.ts';

/** `restart` asks the platform of the data directory to replace its processes one after the other. */
export async function runRestartCommand({ dataDir }: Config): Promise<void> {
  const pid = servingPid(dataDir);
  if (pid === undefined) throw new Error(`No platform runs on ${dataDir}.`);
  process.kill(pid, 'SIGHUP');
  process.stdout.write(`Process ${pid} replaces its processes one after the other; its log says when all are new.\n`);
}
