/** The tenant who attacks, as a process of its own: says when it is ready, begins when it is told, and ends when it is told. */
import { type Attack, type Attacking, begin, prepareAttacks, type Tenant } from './attacks.ts';

let attacks: readonly Attack[] = [];
let attacking: Attacking | undefined;

process.on('message', (message: Tenant | 'begin' | 'end') => {
  void (async () => {
    if (message === 'begin') attacking = begin(attacks);
    else if (message === 'end') process.send!(await attacking!.end());
    else {
      attacks = await prepareAttacks(message);
      process.send!('ready');
    }
  })();
});
