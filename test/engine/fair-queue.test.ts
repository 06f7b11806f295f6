import t from 'tap';
import { RequestEnded } from '../../src/engine/context.ts';
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

t.test('a claim of which so many run leaves places to others, and waits for its own', async (t) => {
  const queue = new FairQueue({ ...limits, runningMax: 3 });
  const order: string[] = [];
  const enter = async (client: string, project: string): Promise<() => void> => {
    const leave = await queue.enter([
      { ...claim(client), runningMax: 1 },
      { ...claim(project), runningMax: 2 },
    ]);
    order.push(client);
    return leave;
  };
  const [one, another] = [await enter('one', 'shop'), await enter('another', 'shop')];
  const waiting = [enter('one', 'shop'), enter('third', 'shop')];
  const other = await enter('other', 'else');
  t.strictSame(order, ['one', 'another', 'other']);
  another();
  (await waiting[1]!)();
  t.strictSame(order.slice(3), ['third'], 'the first of the turns has its share');
  one();
  (await waiting[0]!)();
  other();
});

t.test('whoever has gone waits no more, and takes no place', async (t) => {
  const queue = new FairQueue({ ...limits, waitingMax: 1 });
  const leave = await queue.enter([claim('first', 2)]);
  const [gone, late] = [new AbortController(), new AbortController()];
  const waiting = queue.enter([claim('first', 2)], gone.signal);
  gone.abort();
  await t.rejects(waiting, new RequestEnded());
  await t.rejects(queue.enter([claim('first', 2)], gone.signal), new RequestEnded());
  const next = queue.enter([claim('first', 2)], late.signal);
  leave();
  const end = await next;
  late.abort();
  end();
  (await queue.enter([claim('second')]))();
});
