import { pino, type Logger } from 'pino';

/** JSON lines on standard output; tokens, secrets and bodies are never logged. */
export function createLog(level: string, role: string): Logger {
  return pino({ level, base: { role, pid: process.pid } });
}
