import t from 'tap';
import { CallsUnderWay } from '../../src/resources/extension/calls-under-way.ts';

interface Held {
  readonly done: Promise<string>;
  end(): void;
}

function hold(calls: CallsUnderWay, project: string, bytes: number): Held {
  let end: (() => void) | undefined;
  const ended = new Promise<string>((resolve) => (end = () => resolve('done')));
  return { done: calls.run(project, bytes, () => ended), end: () => end!() };
}

t.test('calls beyond those that may be under way are refused, until one has ended', async (t) => {
  const calls = new CallsUnderWay({ callsMax: 3, projectCallsMax: 2, bytesMax: 1000 });
  const refused = (project: string, bytes: number, message: RegExp): Promise<unknown> =>
    t.rejects(
      calls.run(project, bytes, () => Promise.resolve()),
      { code: 'OverCapacity', message },
    );
  const [one, two] = [hold(calls, 'shop', 10), hold(calls, 'shop', 10)];
  await refused('shop', 10, /of the project/);
  const other = hold(calls, 'other', 10);
  await refused('third', 10, /Too many/);
  for (const held of [one, two, other]) {
    held.end();
    t.equal(await held.done, 'done');
  }
  const large = hold(calls, 'shop', 2000);
  await refused('other', 1, /Too many/);
  large.end();
  await large.done;
  await t.rejects(
    calls.run('shop', 1, () => Promise.reject(new Error('failed'))),
    { message: 'failed' },
  );
  t.equal(await calls.run('shop', 1000, () => Promise.resolve('after a failure')), 'after a failure');
});
