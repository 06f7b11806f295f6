import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import t from 'tap';
import { RequestEnded, type Requester } from '../../src/engine/context.ts';
import {
  bodyTurn,
  heavyTurn,
  requestBegins,
  requestEnds,
  requestGoesOn,
  requestIsKnown,
  shareOfTurn,
  sliceTurn,
} from '../../src/engine/heavy-turns.ts';
import { turnsDuring } from '../support/event-loop.ts';

function requestOf(projectKey: string, clientId = ''): Requester {
  return { project: { key: projectKey }, principal: { clientId } };
}

/** Requests that are under way meanwhile, each with the moment when it began, and of a client that is known or not. */
async function beside<T>(
  requests: readonly (readonly [of: Requester | undefined, beganAtMs: number])[],
  work: () => Promise<T>,
): Promise<T> {
  for (const [of, beganAtMs] of requests) {
    requestBegins(beganAtMs);
    if (of !== undefined) requestIsKnown(of, beganAtMs);
  }
  const result = await work();
  for (const [of] of requests) requestEnds(of, longAgo());
  return result;
}

/** When a request began that stays new, however long the test takes. */
const lately = (): number => performance.now() + 60_000;
/** When one began that has been under way for long. */
const longAgo = (): number => performance.now() - 500;

const pieceMs = 10;

/** A piece of work that takes longer than the grain of a timer. */
function work(): void {
  const busyUntilMs = performance.now() + pieceMs;
  while (performance.now() < busyUntilMs);
}

t.test('each turn of the event loop has one heavy piece of work, and who has begun is finished first', async (t) => {
  const pieces: { readonly who: number; readonly turn: number }[] = [];
  await turnsDuring(async (turns) => {
    const work = async (who: number): Promise<void> => {
      const request = requestOf('shop');
      for (let piece = 0; piece < 10; piece += 1) {
        await heavyTurn(request);
        pieces.push({ who, turn: turns() });
      }
    };
    await Promise.all([0, 1, 2].map(work));
  });
  t.equal(new Set(pieces.map((piece) => piece.turn)).size, pieces.length, 'no two in one turn');
  t.strictSame(
    pieces.map(({ who }) => who),
    [...'000000000', ...'10', ...'1111111', ...'121', ...'222222222'].map(Number),
    'those that have more turns than a change has every second one',
  );
});

t.test('of the requests with many turns the one with most is finished first, while others come between', async (t) => {
  const order: string[] = [];
  const work = async (who: string, turns: number): Promise<void> => {
    const request = requestOf('shop');
    for (let turn = 0; turn < turns; turn += 1) {
      await heavyTurn(request);
      order.push(who);
    }
  };
  const large = Promise.all(['a', 'b', 'c'].map((who) => work(who, 40)));
  while (order.length < 60) await nextTurn();
  const before = order.length;
  await work('small', 3);
  t.ok(order.length - before < 30, `the small one is done after ${order.length - before} turns`);
  await large;
  t.ok(order.lastIndexOf('a') < 60, `the first is done after ${order.lastIndexOf('a')} turns`);
  t.ok(order.lastIndexOf('b') < order.lastIndexOf('c') - 8);
});

t.test('a piece that is done in many slices is one turn of its request', async (t) => {
  const order: number[] = [];
  const work = async (who: number): Promise<void> => {
    const request = requestOf('shop');
    await heavyTurn(request);
    order.push(who);
    for (let slice = 0; slice < 20; slice += 1) {
      await sliceTurn(request);
      order.push(who);
    }
  };
  await Promise.all([0, 1].map(work));
  t.strictSame(
    order,
    order.toSorted((one, other) => one - other),
    'who has begun is finished first',
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
    'greedy',
    'other client',
    'greedy',
  ]);
  t.strictSame(
    order.filter((who) => !who.startsWith('other')).slice(8, 14),
    ['greedy', 'many', 'greedy', 'many', 'greedy', 'many'],
    'nor does it keep other requests of its client for long',
  );
  t.equal(order.length, 104);
});

t.test(
  'what is heavy leaves turns to others while there are any, and keeps none from those who are alone',
  async (t) => {
    /** The turns of the event loop that others have between two pieces of one request, with what else it has asked for. */
    const turnsBetween = async (
      others = 0,
      underWay: readonly (readonly [of: Requester | undefined, beganAtMs: number])[] = [],
    ): Promise<number> => {
      const request = requestOf('shop', 'heavy');
      return beside([[request, longAgo()], ...underWay], async () => {
        const all = [heavyTurn(request)];
        for (let count = 0; count < others; count += 1) all.push(heavyTurn(request));
        await all[0];
        work();
        let between = 0;
        await turnsDuring(async (turns) => {
          await (others > 0 ? all[1] : heavyTurn(request));
          between = turns();
        });
        await Promise.all(all);
        return between;
      });
    };
    /** The same while a client has requests under way that are told of in this order. */
    const besideThose = (beganAtMs: readonly number[], of: Requester | undefined, others = 0): Promise<number> =>
      turnsBetween(
        others,
        beganAtMs.map((atMs) => [of, atMs]),
      );
    const other = requestOf('shop', 'other');
    t.ok((await turnsBetween()) <= 2, 'nobody is there');
    t.ok((await besideThose([lately()], undefined)) > 2, 'of whom nobody knows who it is');
    // Who has just come is new for a moment alone, which a loaded machine may take for itself before it comes to that.
    let betweenNew = 0;
    for (let tries = 0; tries < 20 && betweenNew <= 2; tries += 1)
      betweenNew = await besideThose([performance.now()], other);
    t.ok(betweenNew > 2, 'another client');
    t.ok((await besideThose([lately()], other, 10)) > 2, 'however much the heavy one has asked for at once');
    const own = requestOf('shop', 'heavy');
    t.ok((await besideThose([lately()], own)) > 2, 'what is small of the same client');
    t.ok(
      (await beside([[own, lately()]], async () => heavyTurn(own).then(() => turnsBetween()))) <= 2,
      'what is heavy too',
    );
    const namesake = requestOf('another shop', 'heavy');
    t.ok((await besideThose([lately()], namesake)) > 2, 'a client of the same name, of another project');
    for (const of of [undefined, other])
      t.ok((await besideThose([longAgo()], of)) <= 2, 'who has been there for long waits for something else');
    t.ok((await besideThose([longAgo(), lately()], other)) > 2, 'unless something new came too');
    t.ok((await besideThose([lately(), longAgo()], other)) > 2, 'though it was known before');
    t.ok((await turnsBetween()) <= 2, 'all have ended');
  },
);

t.test('those who all have something heavy wait for each other alone', async (t) => {
  const [first, second] = [requestOf('shop', 'first'), requestOf('another shop', 'second')];
  const underWay = [first, second].map((of) => [of, lately()] as const);
  await beside(underWay, () =>
    turnsDuring(async (turns) => {
      const piece = heavyTurn(first).then(work);
      const next = heavyTurn(second);
      await piece;
      const before = turns();
      await next;
      t.ok(turns() - before <= 2, 'who is next in the line needs no rest');
    }),
  );
  await beside([[first, lately()]], () =>
    turnsDuring(async (turns) => {
      await heavyTurn(first);
      work();
      // Nobody is in the line when it is asked who may be kept waiting.
      await nextTurn();
      const before = turns();
      await heavyTurn(first);
      t.ok(turns() - before <= 2, 'nor does whoever had the last turn');
    }),
  );
});

t.test('the rest after a piece is longer than the piece', async (t) => {
  const order: string[] = [];
  const request = requestOf('shop', 'heavy');
  await beside([[requestOf('shop', 'other'), lately()]], async () => {
    await heavyTurn(request);
    work();
    // It ends before the rest, however late both do.
    const asLong = pause(pieceMs).then(() => order.push('as long as the piece'));
    await heavyTurn(request);
    order.push('the next piece');
    await asLong;
  });
  t.strictSame(order, ['as long as the piece', 'the next piece']);
});

t.test('what nobody waits for any more takes no turn, and a large body has turns like a project', async (t) => {
  const order: string[] = [];
  const abort = new AbortController();
  const ended = { ...requestOf('shop'), signal: abort.signal };
  const dropped = Array.from({ length: 20 }, () => heavyTurn(ended).then(() => order.push('ended')));
  const pieces = ['shop', 'other'].flatMap((project) => {
    const request = requestOf(project);
    return Array.from({ length: 3 }, () => heavyTurn(request).then(() => order.push(project)));
  });
  const bodies = ['shop', 'other'].flatMap((project) => {
    const request = requestOf(project);
    return Array.from({ length: 3 }, () => bodyTurn(request).then(() => order.push(`body of ${project}`)));
  });
  abort.abort();
  const outcomes = await Promise.allSettled(dropped);
  t.ok(outcomes.every((outcome) => outcome.status === 'rejected' && outcome.reason instanceof RequestEnded));
  await Promise.all([...pieces, ...bodies]);
  const turns = ['body of shop', 'body of other', 'body of shop'].flatMap((body) => ['shop', 'other', body]);
  t.strictSame(
    order,
    [...turns, 'body of other', 'body of shop', 'body of other'],
    'those of all projects share theirs',
  );
});

t.test('what ends with one request that is dropped does so before the next is', async (t) => {
  const signal = AbortSignal.abort();
  let turns = 0;
  let isCounting = true;
  const counting = (async () => {
    for (; isCounting; turns += 1) await nextTurn();
  })();
  const droppedAt = await Promise.all(
    ['one', 'two', 'three'].map((clientId) => heavyTurn({ ...requestOf('left', clientId), signal }).catch(() => turns)),
  );
  isCounting = false;
  await counting;
  t.equal(new Set(droppedAt).size, 3, droppedAt.join());
});

t.test('what is dropped takes no turn of those that have had many', async (t) => {
  const abort = new AbortController();
  const [ended, long] = [{ ...requestOf('shop'), signal: abort.signal }, requestOf('shop')];
  for (let turn = 0; turn < 12; turn += 1) await heavyTurn(ended);
  for (let turn = 0; turn < 10; turn += 1) await heavyTurn(long);
  const order: string[] = [];
  const ask = (who: string, of: Requester) => heavyTurn(of).then(() => order.push(who));
  const shorts = ['short', 'other'].map((who) => ask(who, requestOf('shop')));
  const all = Promise.all([...shorts, ask('long', long), t.rejects(heavyTurn(ended), new RequestEnded())]);
  abort.abort();
  await all;
  t.strictSame(order, ['long', 'short', 'other']);
});

t.test('a project of which nobody waits any more leaves the line', async (t) => {
  const signal = AbortSignal.abort();
  const clients = ['one', 'two'].map((clientId) => ({ ...requestOf('left', clientId), signal }));
  for (const ended of clients) await t.rejects(heavyTurn(ended), new RequestEnded());
  const both = clients.map((ended) => t.rejects(heavyTurn(ended), new RequestEnded()));
  await heavyTurn(requestOf('shop'));
  await Promise.all(both);
  await heavyTurn(requestOf('left'));
});

t.test('parts of a piece take a turn when they are a whole one', async (t) => {
  const request = requestOf('shop');
  // What came before is over.
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
  await turnsDuring(async (turns) => {
    for (let part = 0; part < 10; part += 1) await shareOfTurn(request, 0.1);
    const before = turns();
    const waiting = shareOfTurn(request, 0.1);
    // What comes while the turn is waited for does not pass it by.
    const next = shareOfTurn(request, 0.1).then(() => turns());
    await waiting;
    t.ok(before === 0 && turns() > 0 && (await next) > 0);
    const another = requestOf('shop');
    const haveWaited: boolean[] = [];
    for (let part = 0; part < 6; part += 1) {
      const asked = turns();
      await shareOfTurn(another, 0.7);
      haveWaited.push(turns() > asked);
    }
    t.strictSame(haveWaited, [false, true, false, true, false, true], 'nothing is left of one that had its turn');
  });
});

t.test('a client whose large requests have ended has small ones, whoever these were judged as', async (t) => {
  const other = requestOf('shop', 'other');
  /** Turns between two pieces of another client, beside a request of the client that has asked for none. */
  const turnsBeside = async (small: Requester): Promise<number> => {
    let between = 0;
    await beside([[small, lately()]], async () => {
      await heavyTurn(other);
      work();
      await turnsDuring(async (turns) => {
        await heavyTurn(other);
        between = turns();
      });
    });
    return between;
  };
  const staying = requestOf('shop', 'client');
  await beside([[staying, longAgo()]], async () => {
    for (let count = 0; count < 3; count += 1) {
      const [first, again] = [requestOf('shop', 'client'), requestOf('shop', 'client')];
      requestBegins(longAgo());
      requestIsKnown(first, longAgo());
      // One before its body is here, which is judged anew then, and one whose body came at once.
      if (count > 0) requestGoesOn(first, again);
      await heavyTurn(count > 0 ? again : first);
      requestEnds(count > 0 ? again : first, longAgo());
    }
    t.ok((await turnsBeside(requestOf('shop', 'client'))) > 2);
  });
  await beside([[requestOf('shop', 'late'), longAgo()]], async () => {
    // As many as there will be requests of the client.
    for (let count = 0; count < 2; count += 1) {
      const gone = { ...requestOf('shop', 'late'), signal: AbortSignal.abort() };
      await t.rejects(heavyTurn(gone), new RequestEnded());
    }
    t.ok((await turnsBeside(requestOf('shop', 'late'))) > 2, 'nor does one count that asks after its end');
  });
  const judged = [requestOf('shop', 'judged'), requestOf('shop', 'judged')] as const;
  requestBegins(longAgo());
  requestIsKnown(judged[0], longAgo());
  await heavyTurn(judged[0]);
  requestGoesOn(...judged);
  requestEnds(judged[1], lately());
  await heavyTurn(other);
  work();
  await turnsDuring(async (turns) => {
    await heavyTurn(other);
    t.ok(turns() <= 2, 'what was large is no small answer');
  });
});

t.test('who has just had an answer is given time to ask again', async (t) => {
  const [heavy, small] = [requestOf('shop', 'heavy'), requestOf('shop', 'small')];
  const turnsAfter = async (endedAtMs: number): Promise<number> => {
    await heavyTurn(heavy);
    work();
    requestBegins(longAgo());
    requestIsKnown(small, longAgo());
    requestEnds(small, endedAtMs);
    let between = 0;
    await turnsDuring(async (turns) => {
      await heavyTurn(heavy);
      between = turns();
    });
    return between;
  };
  t.ok((await turnsAfter(longAgo())) <= 2);
  // Later than now, for a test may be slow. It is the last one: whatever follows is given that time.
  t.ok((await turnsAfter(lately())) > 2);
});
