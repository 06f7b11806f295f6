/** What one update costs whose client gives one name to hundreds of parts. */
import t from 'tap';
import type { RequestContext } from '../../src/engine/context.ts';
import { checkDescribed } from '../../src/engine/describe.ts';
import type { Document } from '../../src/engine/document.ts';
import type { Engine } from '../../src/engine/resource.ts';
import { fields } from '../../src/resources/cart/fields.ts';
import { turnsDuring } from '../support/event-loop.ts';

const type = {
  id: 'noted',
  resourceTypeIds: ['address'],
  fieldDefinitions: [{ name: 'text', label: { en: 'Text' }, required: false, type: { name: 'String' } }],
};

const engine = {
  registry: { byKind: new Map() },
  sources: { note: () => {} },
  descriptions: { get: async () => ({ document: type, internals: {} }) },
  store: { find: async () => [] },
} as unknown as Engine;
const context = { project: { key: 'shop' }, principal: { clientId: 'client' } } as unknown as RequestContext;
const count = 200;

t.test('of parts that have one name each is read a few times, however many there are', async (t) => {
  let reads = 0;
  const cart = (textOf: (index: number) => string): Document => {
    const address = (index: number): object => ({
      id: 'same',
      key: `place-${index}`,
      country: 'DE',
      custom: {
        type: { typeId: 'type', id: type.id },
        fields: Object.defineProperty({}, 'text', {
          enumerable: true,
          get: () => {
            reads += 1;
            return textOf(index);
          },
          // What is looked at is completed.
          set: () => {},
        }),
      },
    });
    return {
      itemShippingAddresses: Array.from({ length: count }, (_, index) => address(index)),
    } as unknown as Document;
  };
  const check = (after: Document): Promise<void> =>
    checkDescribed(engine, context, { resource: { fields }, before: cart(String), after });
  await check(cart(String));
  t.ok(reads >= count && reads <= 4 * count, `${reads} reads`);
  await t.rejects(
    check(cart((index) => (index === count - 1 ? (index as unknown as string) : String(index)))),
    { errors: [{ code: 'InvalidJsonInput' }] },
    'the one that is another is looked at',
  );
});

t.test('parts with much in them are looked at in turns, between which others are served', async (t) => {
  const texts = Array.from({ length: 2000 }, (_, index) => `text ${index}`);
  const set = { name: 'texts', type: { name: 'Set', elementType: { name: 'String' } }, required: false };
  const reading = {
    ...engine,
    descriptions: { get: async () => ({ document: { ...type, fieldDefinitions: [set] }, internals: {} }) },
  } as unknown as Engine;
  const custom = { type: { typeId: 'type', id: type.id }, fields: { texts } };
  const itemShippingAddresses = Array.from({ length: 20 }, (_, index) => {
    return { id: `${index}`, key: `${index}`, country: 'DE', custom: structuredClone(custom) };
  });
  const turns = await turnsDuring(() =>
    checkDescribed(reading, context, {
      resource: { fields },
      before: undefined,
      after: { itemShippingAddresses } as unknown as Document,
    }),
  );
  t.ok(turns >= 20, `${turns} turns`);
});
