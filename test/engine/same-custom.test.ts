import t from 'tap';
import type { ApplyContext } from '../../src/engine/resource.ts';
import { sameCustom } from '../../src/engine/same-custom.ts';

const type = {
  id: 'noted',
  resourceTypeIds: ['line-item'],
  fieldDefinitions: [{ name: 'at', label: { en: 'At' }, required: false, type: { name: 'DateTime' } }],
};

function contextOf(): Pick<ApplyContext, 'found' | 'work'> {
  return { found: { one: () => type as never, holder: () => undefined }, work: { bytes: 0 } };
}

function noted(at: string) {
  return { custom: { type: { typeId: 'type' as const, id: 'noted' }, fields: { at } } };
}

t.test('custom fields are the same however they are written, whichever of them is new', async (t) => {
  const { withCustomOf: same } = sameCustom('line-item');
  const [short, long] = [noted('2026-01-01T00:00:00Z'), noted('2026-01-01T00:00:00.000Z')];
  for (const [given, known] of [
    [short, long],
    [long, short],
  ] as const)
    t.ok(same(given, contextOf())(known));
  t.notOk(same(short, contextOf())(noted('2026-01-02T00:00:00Z')));
  t.notOk(same(short, contextOf())({}));
  t.ok(same({}, contextOf())({}));
  const other = { custom: { ...noted('2026-01-01T00:00:00Z').custom, type: { typeId: 'type' as const, id: 'other' } } };
  t.notOk(same(short, contextOf())(other), 'one of another type');
});

t.test('what is wrong is as nothing that is right, and stays what it is', async (t) => {
  const { withCustomOf: same } = sameCustom('line-item');
  const wrong = noted({ day: 1 } as unknown as string);
  t.notOk(same(wrong, contextOf())({ custom: { ...wrong.custom, fields: {} } }));
  t.notOk(same({ custom: { ...wrong.custom, fields: {} } }, contextOf())(wrong));
  t.strictSame(wrong.custom.fields, { at: { day: 1 } });
});

t.test('each is completed once for a request, which is told as work', async (t) => {
  const { withCustomOf: same, copyCustom } = sameCustom('line-item');
  const context = contextOf();
  const known = Array.from({ length: 10 }, (_, day) => noted(`2026-01-1${day}T00:00:00Z`));
  const compareAll = (): void => {
    for (const one of known) for (const other of known) same(one, context)(other);
  };
  compareAll();
  const { bytes } = context.work;
  t.ok(bytes > 0);
  compareAll();
  for (const one of known) t.ok(same(one, context)({ custom: copyCustom(one.custom, context) }), 'a copy');
  t.equal(context.work.bytes, bytes);
});

t.test('a copy is one of its own, and known to be the same where nothing was compared before', async (t) => {
  const { withCustomOf: same, copyCustom } = sameCustom('line-item');
  const [context, one] = [contextOf(), noted('2026-01-01T00:00:00Z')];
  const copy = copyCustom(one.custom, context);
  t.not(copy.fields, one.custom.fields);
  t.strictSame(copy, one.custom);
  t.ok(same(one, context)({ custom: copy }));
});
