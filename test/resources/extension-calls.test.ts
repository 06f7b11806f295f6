import t from 'tap';
import { CallsUnderWay } from '../../src/resources/extension/calls-under-way.ts';

interface Held {
  readonly done: Promise<string>;
  end(): void;
}

function hold(calls: CallsUnderWay, project: string, ...bytes: readonly number[]): Held {
  let end: (() => void) | undefined;
  const ended = new Promise<string>((resolve) => (end = () => resolve('done')));
  const done = calls.run(project, ({ take }) => {
    for (const each of bytes) take(each);
    return ended;
  });
  return { done, end: () => end!() };
}

async function endAll(all: readonly Held[]): Promise<void> {
  for (const held of all) {
    held.end();
    t.equal(await held.done, 'done');
  }
}

/** A call that is refused, before it is asked for anything where it takes no bytes. */
function refusing(calls: CallsUnderWay): (project: string, bytes: number, message: RegExp) => Promise<unknown> {
  return (project, bytes, message) =>
    t.rejects(
      calls.run(project, ({ take }) => {
        if (bytes === 0) throw new Error('It was not refused');
        take(bytes);
        return Promise.resolve();
      }),
      { code: 'OverCapacity', message },
    );
}

const ofProject = /of the project/;
const ofAll = /^Too many API extensions are/;

t.test('a project has half of the calls that others leave, so that there is one for each of many', async (t) => {
  const calls = new CallsUnderWay({ callsMax: 12, bytesMax: 1000 });
  const refused = refusing(calls);
  const held: Held[] = [];
  for (const [project, count] of [
    ['one', 6],
    ['two', 3],
    ['three', 2],
  ] as const) {
    for (let index = 0; index < count; index += 1) held.push(hold(calls, project, 1));
    await refused(project, 0, ofProject);
  }
  held.push(hold(calls, 'four', 1));
  await refused('five', 0, ofAll);
  await endAll(held.splice(0, 6));
  const again = hold(calls, 'two', 1);
  await endAll([again, ...held]);
  t.pass('what has ended counts no more');
});

t.test('the same holds for bytes, but for the only call of a project, and the only one of all', async () => {
  const calls = new CallsUnderWay({ callsMax: 100, bytesMax: 1000 });
  const refused = refusing(calls);
  const [one, two] = [hold(calls, 'shop', 200, 100), hold(calls, 'shop', 150)];
  await refused('shop', 51, ofProject);
  const other = hold(calls, 'other', 400);
  await refused('other', 1, ofProject);
  await refused('third', 151, ofAll);
  await endAll([one, two, other]);
  const large = hold(calls, 'shop', 900, 1100);
  await refused('other', 1, ofAll);
  await endAll([large]);
});

t.test('what fails counts no more', async (t) => {
  const calls = new CallsUnderWay({ callsMax: 1, bytesMax: 1000 });
  await t.rejects(
    calls.run('shop', ({ take }) => {
      take(1000);
      return Promise.reject(new Error('failed'));
    }),
    { message: 'failed' },
  );
  const held = hold(calls, 'shop', 1000);
  await refusing(calls)('shop', 0, ofAll);
  await endAll([held]);
});
