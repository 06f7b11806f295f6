import t from 'tap';
import { FairQueue } from '../../src/engine/fair-queue.ts';

const limits = { runningMax: 1, waitingMax: 6, refusal: 'Too much.' };
const refused = { errors: [{ code: 'OverCapacity', message: 'Too much.' }], status: 503 };

function claim(name: string, entriesMax = 100) {
  return { name, entriesMax };
}

t.test('whoever waits gets the next place in turn, and not by how many wait beside', async (t) => {
  const queue = new FairQueue(limits);
  const order: string[] = [];
  const leave = await queue.enter([claim('first')]);
  const waiting = ['many', 'many', 'many', 'one', 'other', 'one'].map(async (name) => {
    const end = await queue.enter([claim(name)]);
    order.push(name);
    end();
  });
  await t.rejects(queue.enter([claim('late')]), refused, 'so many wait, and no more');
  leave();
  await Promise.all(waiting);
  t.strictSame(order, ['many', 'one', 'other', 'many', 'one', 'many']);
  const next = await queue.enter([claim('late')]);
  next();
});

t.test('no claim takes more places than it may, whichever it is', async (t) => {
  const queue = new FairQueue(limits);
  const leave = await queue.enter([claim('client', 3), claim('name', 2)]);
  const second = queue.enter([claim('client', 3), claim('name', 2)]);
  await t.rejects(queue.enter([claim('client', 3), claim('name', 2)]), refused);
  await t.rejects(queue.enter([claim('other', 3), claim('name', 2)]), refused, 'a name is one, whoever names it');
  const third = queue.enter([claim('client', 3), claim('another name', 2)]);
  await t.rejects(queue.enter([claim('client', 3), claim('a third name', 2)]), refused);
  leave();
  (await second)();
  (await third)();
  const again = await queue.enter([claim('client', 3), claim('name', 2)]);
  again();
});
