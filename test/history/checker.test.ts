import t from 'tap';
import { type Attempt, type HistoryEvent, type Observation, violationsOf } from '../../bench/history/checker.ts';

type Outcome = Extract<HistoryEvent, { phase: 'end' }>['outcome'];

function begin(operation: number, attempt?: Attempt): HistoryEvent {
  return { phase: 'begin', operation, ...(attempt !== undefined && { attempt }) };
}

function end(operation: number, outcome: Outcome, ...observations: readonly Observation[]): HistoryEvent {
  return { phase: 'end', operation, outcome, observations };
}

const kind = 'zone';
const create: Attempt = { kind, id: undefined, expected: 0, content: { text: 'one', key: 'k' } };
const present = (version: number, text: string, key = 'k') =>
  ({ is: 'present', kind, id: 'a', version, content: { text, key } }) as const;
const absent = { is: 'absent', kind, id: 'a' } as const;
const free = { is: 'free', kind, key: 'k' } as const;
const list = (...items: readonly ReturnType<typeof present>[]) =>
  ({ is: 'list', kind, items, total: items.length }) as const;
const change = (expected: number, text: string, key = 'k'): Attempt => ({
  kind,
  id: 'a',
  expected,
  content: { text, key },
});
const removal = (expected: number): Attempt => ({ kind, id: 'a', expected, content: undefined });

const created = [begin(1, create), end(1, 'done', present(1, 'one'))];
const updated = [...created, begin(2, change(1, 'two')), end(2, 'done', present(2, 'two'))];
const removed = [...updated, begin(3, removal(2)), end(3, 'done', absent)];
const read = (...observations: readonly Observation[]) => [begin(9), end(9, 'done', ...observations)];

/** A kind whose versions rise by themselves, with parts. */
const rising = 'product';
const whole = (current: string | undefined, staged: string) => {
  const parts: Record<string, string> = { staged, ...(current !== undefined && { current }) };
  return { text: JSON.stringify(parts), key: 'k', parts };
};
const product = (version: number, current: string | undefined, staged: string) =>
  ({ is: 'present', kind: rising, id: 'p', version, content: whole(current, staged) }) as const;
const side = (version: number, part: 'current' | 'staged', text: string) =>
  ({ is: 'present', kind: rising, id: 'p', version, content: { text, key: 'k' }, part }) as const;
const sides = (part: 'current' | 'staged', ...items: readonly ReturnType<typeof side>[]) =>
  ({ is: 'list', kind: rising, items, total: items.length, part }) as const;
const hidden = { is: 'hidden', kind: rising, id: 'p', part: 'current' } as const;
const freeSide = { is: 'free', kind: rising, key: 'k', part: 'current' } as const;
const productChange = (expected: number, current: string | undefined, staged: string): Attempt => ({
  kind: rising,
  id: 'p',
  expected,
  content: whole(current, staged),
});
const made: Attempt = { kind: rising, id: undefined, expected: 0, content: whole(undefined, 'one') };
const unpublished = [begin(1, made), end(1, 'done', product(1, undefined, 'one'))];
const published = [...unpublished, begin(2, productChange(1, 'one', 'one')), end(2, 'done', product(2, 'one', 'one'))];
const staged = [...published, begin(3, productChange(2, 'one', 'two')), end(3, 'done', product(3, 'one', 'two'))];
/** As an answer shows it without its version. */
const unversioned = (text: string) => ({ ...present(1, text), version: undefined, askedKey: 'k' });

const coherent: readonly (readonly [string, readonly HistoryEvent[]])[] = [
  ['the newest version is read', [...updated, ...read(present(2, 'two'), list(present(2, 'two')))]],
  [
    'a read during an update gives either version',
    [
      ...created,
      begin(2, change(1, 'two')),
      ...read(present(1, 'one')),
      ...read(present(2, 'two')),
      end(2, 'done', present(2, 'two')),
    ],
  ],
  [
    'a read that began before an update was acknowledged gives the older version after it',
    [
      ...created,
      begin(9),
      begin(2, change(1, 'two')),
      end(2, 'done', present(2, 'two')),
      end(9, 'done', present(1, 'one')),
    ],
  ],
  [
    'an update without an answer has happened',
    [...created, begin(2, change(1, 'two')), end(2, 'unknown'), ...read(present(2, 'two'))],
  ],
  [
    'an update without an answer has not happened, or happens later',
    [
      ...created,
      begin(2, change(1, 'two')),
      end(2, 'unknown'),
      ...read(present(1, 'one'), list(present(1, 'one'))),
      ...read(present(2, 'two')),
    ],
  ],
  [
    'a create without an answer shows in a list',
    [
      begin(1, create),
      end(1, 'unknown'),
      ...read(list()),
      ...read(list(present(1, 'one'))),
      ...read(present(1, 'one')),
    ],
  ],
  ['what was deleted is absent', [...removed, ...read(absent, free, list())]],
  [
    'a deletion without an answer has happened',
    [...updated, begin(3, removal(2)), end(3, 'unknown'), ...read(free, list()), ...read(absent)],
  ],
  [
    'a deletion under way hides the resource already',
    [...updated, begin(3, removal(2)), ...read(absent), end(3, 'done', absent)],
  ],
  [
    'a key is free while its holder may have given it up',
    [...created, begin(2, change(1, 'two', 'other')), ...read(free), end(2, 'done', present(2, 'two', 'other'))],
  ],
  [
    'a refused write changes nothing',
    [...updated, begin(3, change(1, 'three')), end(3, 'refused'), ...read(present(2, 'two'))],
  ],
  ['the newest text is read without its version', [...updated, ...read(unversioned('two'))]],
  [
    'a text is read without its version before the answer to its write came',
    [...created, begin(2, change(1, 'two')), ...read(unversioned('two')), end(2, 'done', present(2, 'two'))],
  ],
  ['each part is read as it was written', [...staged, ...read(side(3, 'current', 'one'), side(3, 'staged', 'two'))]],
  ['lists of a part', [...staged, ...read(sides('current', side(3, 'current', 'one')))]],
  ['a version rises by itself', [...staged, ...read(side(4, 'staged', 'two'), product(5, 'one', 'two'))]],
  [
    'a write without an answer has happened, and the version has risen since',
    [...staged, begin(4, productChange(3, 'two', 'two')), end(4, 'unknown'), ...read(side(5, 'current', 'two'))],
  ],
  [
    'a part is hidden before it is shown, and again after that',
    [
      ...unpublished,
      ...read(hidden, freeSide, sides('current'), sides('staged', side(1, 'staged', 'one'))),
      begin(2, productChange(1, 'one', 'one')),
      ...read(hidden, freeSide, sides('current')),
      ...read(side(2, 'current', 'one'), sides('current', side(2, 'current', 'one'))),
      end(2, 'done', product(2, 'one', 'one')),
      begin(3, productChange(2, undefined, 'one')),
      end(3, 'done', product(3, undefined, 'one')),
      ...read(hidden, freeSide, sides('current')),
    ],
  ],
  [
    'of two writes whose answers did not come either may have left a part that is the same in both',
    [
      ...published,
      begin(3, productChange(2, 'two', 'two')),
      end(3, 'unknown'),
      begin(4, productChange(2, undefined, 'two')),
      end(4, 'unknown'),
      ...read(side(3, 'staged', 'two')),
      ...read(product(3, undefined, 'two'), hidden),
    ],
  ],
];

const incoherent: readonly (readonly [string, readonly HistoryEvent[], string])[] = [
  ['an older version', [...updated, ...read(present(1, 'one'))], 'older than version 2'],
  ['an older version in a list', [...updated, ...read(list(present(1, 'one')))], 'older than version 2'],
  [
    'a version that another read has surpassed, though its write was never acknowledged',
    [...created, begin(2, change(1, 'two')), end(2, 'unknown'), ...read(present(2, 'two')), ...read(present(1, 'one'))],
    'older than version 2',
  ],
  ['a deleted resource', [...removed, ...read(present(2, 'two'))], 'was deleted before'],
  [
    'a deleted resource in a list',
    [...removed, ...read({ ...list(present(2, 'two')), total: 0 })],
    'was deleted before',
  ],
  [
    'a resource that a read has found absent',
    [...updated, begin(3, removal(2)), end(3, 'unknown'), ...read(absent), ...read(present(2, 'two'))],
    'was deleted before',
  ],
  ['a list without a resource', [...created, ...read({ ...list(), total: 1 })], 'is missing in a list'],
  ['a total of more than there are', [...updated, ...read({ ...list(present(2, 'two')), total: 2 })], 'a total of 2'],
  ['a total of fewer than there are', [...updated, ...read({ ...list(present(2, 'two')), total: 0 })], 'a total of 0'],
  [
    'what another key leads to',
    [...created, ...read({ ...present(1, 'one'), askedKey: 'other' })],
    "was found by 'other'",
  ],
  ['what somebody else found wrong', read({ is: 'wrong', message: 'no match' }), 'no match'],
  ['an absent resource that nobody deleted', [...created, ...read(absent)], 'nobody deleted it'],
  [
    'an absent resource whose deletion was refused',
    [...updated, begin(3, removal(1)), end(3, 'refused'), ...read(absent)],
    'nobody deleted it',
  ],
  ['a held key that leads nowhere', [...created, ...read(free)], "has the key 'k'"],
  [
    'a key that leads to its former holder',
    [
      ...created,
      begin(2, change(1, 'two', 'other')),
      end(2, 'done', present(2, 'two', 'other')),
      ...read(present(1, 'one')),
    ],
    'older than version 2',
  ],
  ['a version that nobody wrote', [...created, ...read(present(2, 'two'))], 'nobody wrote'],
  [
    'the effect of a refused write',
    [...created, begin(2, change(1, 'two')), end(2, 'refused'), ...read(present(2, 'two'))],
    'nobody wrote',
  ],
  [
    'two contents of one version',
    [
      ...created,
      begin(2, change(1, 'two')),
      begin(3, change(1, 'three')),
      end(2, 'unknown'),
      end(3, 'done', present(2, 'three')),
      ...read(present(2, 'two')),
    ],
    "but held 'three' before",
  ],
  ['an older text without its version', [...updated, ...read(unversioned('one'))], 'older than version 2'],
  ['a text without its version that nobody wrote', [...updated, ...read(unversioned('three'))], 'nobody wrote'],
  ['an older version of a part', [...staged, ...read(side(2, 'staged', 'one'))], 'older than version 3'],
  ['a part of another version', [...staged, ...read(side(3, 'current', 'two'))], "but held '"],
  ['a part that nobody wrote', [...staged, ...read(side(4, 'staged', 'three'))], 'nobody wrote'],
  [
    'a version that has risen by itself with what it held before',
    [...staged, ...read(product(4, 'one', 'one'))],
    'nobody',
  ],
  ['a part that is hidden', [...unpublished, ...read(side(1, 'current', 'one'))], 'in version 1, current,'],
  [
    'a hidden part in a list',
    [...unpublished, ...read({ ...sides('current', side(1, 'current', 'one')), total: 0 })],
    'current',
  ],
  ['a hidden part in a total', [...unpublished, ...read({ ...sides('current'), total: 1 })], 'a total of 1'],
  ['a part that is not found', [...published, ...read(hidden)], "shows 'one' as current"],
  ['a part that is not found by its key', [...published, ...read(freeSide)], "has the key 'k'"],
  ['a list without a part', [...published, ...read({ ...sides('current'), total: 1 })], 'is missing in a list'],
  [
    'a total without a part',
    [...published, ...read({ ...sides('current', side(2, 'current', 'one')), total: 0 })],
    'a total of 0',
  ],
];

for (const [name, history] of coherent) {
  t.test(`coherent: ${name}`, async (t) => {
    t.strictSame(violationsOf(history, new Set([rising])), []);
  });
}

for (const [name, history, message] of incoherent) {
  t.test(`wrong: ${name}`, async (t) => {
    const [violation, ...others] = violationsOf(history, new Set([rising]));
    t.strictSame(others, []);
    t.equal(violation?.operation, 9);
    t.match(violation?.message, message);
  });
}

t.test('an end without a beginning is a fault of the recording', async (t) => {
  t.throws(() => violationsOf([end(1, 'done')]), /without having begun/);
});
