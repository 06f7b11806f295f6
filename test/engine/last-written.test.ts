import t from 'tap';
import type { ChangeListener } from '../../src/engine/coherence.ts';
import { LastWritten } from '../../src/engine/last-written.ts';
import type { Insertion } from '../../src/engine/store.ts';

const id = '11111111-1111-4111-8111-11111111111a';

function writes(bytesMax: number) {
  const listeners: ChangeListener[] = [];
  const written = new LastWritten({ listen: (listener) => void listeners.push(listener) }, bytesMax);
  const write = (version: number, given: Partial<Insertion> = {}): Insertion => ({
    type: 'insertion',
    kind: 'zone',
    id,
    key: undefined,
    version,
    json: '{}',
    secrets: undefined,
    references: [],
    uniqueValues: [],
    maxPerProject: undefined,
    groupedBy: [],
    ...given,
  });
  return { written, write, tell: (told: (listener: ChangeListener) => void) => listeners.forEach(told) };
}

t.test('what was written is found in its version, until another one is heard of', async (t) => {
  const { written, write, tell } = writes(10_000);
  const find = (version: number, named = id) => written.find('p', 'zone', { id: named, version });
  written.note('p', write(2, { internals: '{"count":1}', indexed: '{"name":"a"}' }));
  t.match(find(2), { id, version: 2, json: '{}', internals: '{"count":1}', indexed: '{"name":"a"}' });
  t.ok(find(2, id.toUpperCase()));
  t.equal(find(1), undefined);
  t.equal(written.find('q', 'zone', { id, version: 2 }), undefined, 'of another project');
  t.equal(written.find('p', 'channel', { id, version: 2 }), undefined, 'of another kind');
  const changed = (version: number, kind = 'zone') =>
    tell((listener) => listener.changed([{ project: 'p', kind, id, version }]));
  changed(2);
  changed(3, 'channel');
  t.ok(find(2), 'its own write, and those of others');
  changed(3);
  t.equal(find(2), undefined);
  written.note('p', write(4), { internals: '{"count":2}' });
  t.match(find(4), { internals: '{"count":2}' }, 'what a write leaves as it was');
  tell((listener) => listener.reset());
  t.equal(find(4), undefined);
});

t.test('it has no more than its room', async (t) => {
  const json = 'x'.repeat(200);
  for (const room of [0, 1, 250.25, 5000]) {
    const { written, write } = writes(room);
    written.note('p', write(1, { json }));
    t.equal(written.find('p', 'zone', { id, version: 1 }), undefined, `${room}: an eighth is more than that`);
  }
  const { written, write } = writes(8000);
  const ids = Array.from({ length: 10 }, (_, index) => `${id.slice(0, -1)}${index}`);
  for (const each of ids) written.note('p', write(1, { id: each, json }));
  const kept = ids.filter((each) => written.find('p', 'zone', { id: each, version: 1 }) !== undefined);
  t.strictSame(kept, ids.slice(2), 'the last ones');
});
