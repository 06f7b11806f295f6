import t from 'tap';
import { RequestEnded } from '../../src/engine/context.ts';
import { Contention } from '../../src/engine/operations/contention.ts';

const product = { kind: 'product', id: 'a' };
const channel = { kind: 'channel', id: 'a' };

function asked(project: string, signal?: AbortSignal) {
  const context = { project: { key: project }, principal: { clientId: 'shop' } };
  return new Contention(signal === undefined ? context : { ...context, signal });
}

t.test('who came too late for a resource comes next to it before all others do', async (t) => {
  const [first, second, third] = [asked('turns'), asked('turns'), asked('turns')];
  t.equal(first.behind([product]), undefined, 'as long as nobody has come too late, nobody waits');
  await first.next(product);
  t.equal(second.behind([channel, product]), product);
  t.equal(asked('another').behind([product]), undefined, 'projects have their own');
  t.equal(second.behind([channel]), undefined);
  t.equal(first.behind([product]), undefined, 'whose turn it is does not wait for itself');
  const order: string[] = [];
  const waiting = [
    second.next(product).then(() => order.push('second')),
    third.next(product).then(() => order.push('third')),
  ];
  await first.next(product);
  t.strictSame(order, [], 'after rivals of other processes it keeps its turn');
  first.end();
  await waiting[0];
  t.strictSame(order, ['second']);
  second.end();
  await waiting[1];
  third.end();
  t.equal(second.behind([product]), undefined, 'it is over when all have come');
});

t.test('whoever needs a turn at another resource gives its turn to the next', async (t) => {
  const [first, second] = [asked('turns'), asked('turns')];
  await Promise.all([first.next(product), second.next(channel)]);
  // Each waits for what the other has.
  await Promise.all([first.next(channel), second.next(product)]);
  first.end();
  t.equal(asked('turns').behind([channel, product]), product);
  second.end();
});

t.test('a request that has ended waits no longer, and those behind it come sooner', async (t) => {
  const ending = new AbortController();
  const [first, gone, last] = [asked('turns'), asked('turns', ending.signal), asked('turns')];
  await first.next(product);
  const waiting = gone.next(product);
  const behind = last.next(product);
  ending.abort();
  await t.rejects(waiting, new RequestEnded());
  gone.end();
  first.end();
  await behind;
  last.end();
});
