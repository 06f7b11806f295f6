import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { RequestEnded, type Requester } from '../../src/engine/context.ts';
import {
  bodyTurn,
  heavyTurn,
  requestBegins,
  requestEnds,
  requestIsKnown,
  shareOfTurn,
} from '../../src/engine/heavy-turns.ts';

function requestOf(projectKey: string, clientId = ''): Requester {
  return { project: { key: projectKey }, principal: { clientId } };
}

/** Counts turns of the event loop while something is done. */
async function counting(work: (turns: () => number) => Promise<void>): Promise<void> {
  let turns = 0;
  let isOver = false;
  const counted = (async () => {
    for (; !isOver; turns += 1) await nextTurn();
  })();
  await work(() => turns);
  isOver = true;
  await counted;
}

t.test('each turn of the event loop has one heavy piece of work, and those who have many take turns', async (t) => {
  const pieces: { readonly who: number; readonly turn: number }[] = [];
  await counting(async (turns) => {
    const work = async (who: number): Promise<void> => {
      const request = requestOf('shop');
      for (let piece = 0; piece < 5; piece += 1) {
        await heavyTurn(request);
        pieces.push({ who, turn: turns() });
      }
    };
    await Promise.all([0, 1, 2].map(work));
  });
  t.equal(new Set(pieces.map((piece) => piece.turn)).size, pieces.length, 'no two in one turn');
  t.strictSame(
    pieces.map(({ who }) => who),
    Array.from({ length: 15 }, (_, index) => index % 3),
  );
});

t.test('however much somebody asks for at once, others come between', async (t) => {
  const order: string[] = [];
  const piece = async (who: string, request: Requester): Promise<void> => {
    await heavyTurn(request);
    order.push(who);
  };
  const greedy = requestOf('flooded', 'client');
  const flood = [
    ...Array.from({ length: 50 }, () => piece('greedy', greedy)),
    ...Array.from({ length: 50 }, () => piece('many', requestOf('flooded', 'client'))),
  ];
  const twice = async (who: string, request: Requester): Promise<void> => {
    await piece(who, request);
    await piece(who, request);
  };
  await Promise.all([
    ...flood,
    twice('other client', requestOf('flooded', 'other')),
    twice('other project', requestOf('unaware')),
  ]);
  t.strictSame(order.slice(0, 7), [
    'greedy',
    'other project',
    'other client',
    'other project',
    'many',
    'other client',
    'many',
  ]);
  t.equal(order.length, 104);
});

t.test(
  'what is heavy leaves turns to others while there are any, and keeps none from those who are alone',
  async (t) => {
    /** The turns of the event loop that others have between two pieces of one request, with what else it has asked for. */
    const turnsBetween = async (others = 0): Promise<number> => {
      const request = requestOf('shop', 'heavy');
      const all = [heavyTurn(request)];
      for (let count = 0; count < others; count += 1) all.push(heavyTurn(request));
      await all[0];
      const busyUntilMs = performance.now() + 10;
      while (performance.now() < busyUntilMs);
      let between = 0;
      await counting(async (turns) => {
        await (others > 0 ? all[1] : heavyTurn(request));
        between = turns();
      });
      await Promise.all(all);
      return between;
    };
    /** The same while another request is under way, of a client or of nobody that is known. */
    const besideOne = async (
      clientId: string | undefined,
      beganAtMs: number,
      others = 0,
      project = 'shop',
    ): Promise<number> => {
      const of = clientId === undefined ? undefined : requestOf(project, clientId);
      requestBegins(beganAtMs);
      if (of !== undefined) requestIsKnown(of, beganAtMs);
      const between = await turnsBetween(others);
      requestEnds(of);
      return between;
    };
    const now = (): number => performance.now();
    t.ok((await turnsBetween()) <= 2, 'nobody is there');
    t.ok((await besideOne(undefined, now())) > 2, 'of whom nobody knows who it is');
    t.ok((await besideOne('other', now())) > 2, 'another client');
    t.ok((await besideOne('other', now(), 10)) > 2, 'however much the heavy one has asked for at once');
    t.ok((await besideOne('heavy', now())) <= 2, 'what the client asks for beside it takes turns with it');
    t.ok((await besideOne('heavy', now(), 0, 'another shop')) > 2, 'a client of the same name, of another project');
    t.ok((await besideOne('other', -Infinity)) <= 2, 'who has been there for long waits for something else');
    t.ok((await turnsBetween()) <= 2, 'all have ended');
  },
);

t.test('what nobody waits for any more takes no turn, and a large body has turns like a project', async (t) => {
  const order: string[] = [];
  const abort = new AbortController();
  const ended = { ...requestOf('shop'), signal: abort.signal };
  const dropped = Array.from({ length: 20 }, () => heavyTurn(ended).then(() => order.push('ended')));
  const request = requestOf('shop');
  const pieces = Array.from({ length: 4 }, () => heavyTurn(request).then(() => order.push('piece')));
  const body = (async () => {
    for (let slice = 0; slice < 3; slice += 1) {
      await bodyTurn(requestOf('shop'));
      order.push('slice');
    }
  })();
  abort.abort();
  const outcomes = await Promise.allSettled(dropped);
  t.ok(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof RequestEnded));
  await Promise.all([...pieces, body]);
  t.strictSame(order, ['piece', 'slice', 'piece', 'slice', 'piece', 'slice', 'piece']);
});

t.test('parts of a piece take a turn when they are a whole one', async (t) => {
  const request = requestOf('shop');
  // What came before is over.
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  await counting(async (turns) => {
    for (let part = 0; part < 10; part += 1) await shareOfTurn(request, 0.1);
    const before = turns();
    const waiting = shareOfTurn(request, 0.1);
    // What comes while the turn is waited for does not pass it by.
    const next = shareOfTurn(request, 0.1).then(() => turns());
    await waiting;
    t.ok(before === 0 && turns() > 0 && (await next) > 0);
  });
});
