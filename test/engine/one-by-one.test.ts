import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { heavyBytes } from '../../src/engine/heavy-turns.ts';
import { oneByOne } from '../../src/engine/one-by-one.ts';

const mediumBytes = 100_000;

/** Work that goes on in so many steps, none of which waits for anything but the one before it. */
function stepping(events: string[], name: string, steps = 3): () => Promise<string> {
  return async () => {
    for (let step = 0; step < steps; step += 1) {
      events.push(name);
      await Promise.resolve();
    }
    return name;
  };
}

/** Work that waits until it is let go on. */
function waiting(events: string[], name: string): { readonly open: () => void; readonly done: Promise<void> } {
  const gate = new EventTarget();
  const done = oneByOne(mediumBytes, async () => {
    await once(gate, 'open');
    events.push(name);
  });
  return { open: () => void gate.dispatchEvent(new Event('open')), done };
}

t.test('what was read together is worked on one after the other', async (t) => {
  const events: string[] = [];
  const done = await Promise.all(['a', 'b', 'c'].map((name) => oneByOne(mediumBytes, stepping(events, name))));
  t.strictSame(done, ['a', 'b', 'c']);
  t.equal(events.join(''), 'aaabbbccc');
});

t.test('but not behind what waits for something, nor behind what has failed', async (t) => {
  const events: string[] = [];
  const waits = waiting(events, 'w');
  const fails = oneByOne(mediumBytes, () => Promise.reject(new Error('It fails')));
  await Promise.all([t.rejects(fails), oneByOne(mediumBytes, stepping(events, 'a'))]);
  waits.open();
  await waits.done;
  t.equal(events.join(''), 'aaaw');
});

t.test('what has waited lets no two go on at once when it ends', async (t) => {
  const events: string[] = [];
  const waits = waiting(events, 'w');
  await nextTurn();
  await nextTurn();
  const opens = oneByOne(mediumBytes, async () => {
    waits.open();
    await stepping(events, 'a', 20)();
  });
  await Promise.all([waits.done, opens, oneByOne(mediumBytes, stepping(events, 'b'))]);
  t.equal(events.filter((name) => name !== 'w').join(''), `${'a'.repeat(20)}bbb`);
});

t.test('each turn of the event loop lets one more begin', async (t) => {
  const begun: number[] = [];
  const gate = new EventTarget();
  const opened = once(gate, 'open');
  const all = Array.from({ length: 4 }, (_, index) =>
    oneByOne(mediumBytes, async () => {
      begun.push(index);
      await opened;
    }),
  );
  t.strictSame(begun, [0]);
  while (begun.length < 4) await nextTurn();
  gate.dispatchEvent(new Event('open'));
  await Promise.all(all);
  t.strictSame(begun, [0, 1, 2, 3]);
});

t.test('small ones and heavy ones do not wait', async (t) => {
  const events: string[] = [];
  const sizes = [mediumBytes, 1000, heavyBytes + 1];
  await Promise.all(sizes.map((bytes, index) => oneByOne(bytes, stepping(events, String(index)))));
  t.equal(events.join(''), '012012012');
});
