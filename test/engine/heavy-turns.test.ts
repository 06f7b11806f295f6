import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { heavyTurn, requestBegins, requestEnds } from '../../src/engine/heavy-turns.ts';

t.test('each turn of the event loop has one heavy piece of work, and those who have many take turns', async (t) => {
  let turn = 0;
  let isOver = false;
  const counting = (async () => {
    for (; !isOver; turn += 1) await nextTurn();
  })();
  const pieces: { readonly who: number; readonly turn: number }[] = [];
  const work = async (who: number): Promise<void> => {
    for (let piece = 0; piece < 5; piece += 1) {
      await heavyTurn();
      pieces.push({ who, turn });
    }
  };
  await Promise.all([0, 1, 2].map(work));
  isOver = true;
  await counting;
  t.equal(new Set(pieces.map((piece) => piece.turn)).size, pieces.length, 'no two in one turn');
  t.strictSame(
    pieces.map(({ who }) => who),
    Array.from({ length: 15 }, (_, index) => index % 3),
  );
});

t.test(
  'what is heavy leaves turns to others while there are any, and keeps none from those who are alone',
  async (t) => {
    /** The turns of the event loop that others have between two pieces of one request. */
    const turnsBetween = async (): Promise<number> => {
      await heavyTurn();
      const busyUntilMs = performance.now() + 10;
      while (performance.now() < busyUntilMs);
      let turns = 0;
      let isOver = false;
      const counting = (async () => {
        for (; !isOver; turns += 1) await nextTurn();
      })();
      await heavyTurn();
      isOver = true;
      await counting;
      return turns;
    };
    requestBegins();
    t.ok((await turnsBetween()) <= 2, 'its own request is no other');
    requestBegins();
    t.ok((await turnsBetween()) > 2);
    requestEnds();
    requestEnds();
  },
);
