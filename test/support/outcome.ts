import { type Agent, request } from 'node:http';

/** The status of an answer, on a connection of its own or of the agent's; an error's code when there is none. */
export function outcomeOn(port: number, agent?: Agent): Promise<unknown> {
  return new Promise((resolve) => {
    const asking = request({ port, host: '127.0.0.1', path: '/healthz', agent: agent ?? false }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(answer.statusCode));
    });
    asking.once('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    asking.end();
  });
}
