/**
 * The tenant who attacks, as a process of its own: tells what it can do, does what it is told, and ends when it is told.
 * Its work is not the platform's, and elsewhere is done by other machines, so here it leaves the cores to the platform.
 */
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import { type Attack, type Attacking, begin, prepareAttacks, type Tenant } from './attacks.ts';

const niceness = 10;
// Elsewhere priorities are not those of threads.
if (process.platform === 'linux')
  for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), niceness);

let attacks: readonly Attack[] = [];
let attacking: Attacking | undefined;

/** A tenant to be, names of attacks to begin, or the end of them. */
process.on('message', (message: Tenant | readonly string[] | 'end') => {
  void (async () => {
    if (message === 'end') process.send!(await attacking!.end());
    else if ('projectKey' in message) {
      attacks = await prepareAttacks(message);
      process.send!(attacks.map(({ name }) => name));
    } else attacking = begin(attacks.filter(({ name }) => message.includes(name)));
  })();
});
