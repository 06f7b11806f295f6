import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, execute, parse, printSchema, validate } from 'graphql';
import t from 'tap';
import { RequestEnded } from '../../src/engine/context.ts';
import { createRegistry } from '../../src/engine/registry.ts';
import { parseCanonical } from '../../src/graphql/aliases.ts';
import { AnswerSize } from '../../src/graphql/answer-size.ts';
import { type Catalog, compareWithCatalog } from '../../src/graphql/compare.ts';
import { thrownOf } from '../../src/graphql/execution-errors.ts';
import { createSchema } from '../../src/graphql/schema.ts';
import { allResources } from '../../src/resources/all.ts';
import { project } from '../../src/resources/project/resource.ts';

const golden = join(import.meta.dirname, '..', '..', '..', 'test', 'golden', 'schema.graphql');
const schema = createSchema(createRegistry(allResources, project));

t.test('the schema is the one of the golden file, which UPDATE_GOLDEN=1 writes anew', async (t) => {
  const printed = `${printSchema(schema)}\n`;
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, printed);
  t.equal(printed, readFileSync(golden, 'utf8'));
});

t.test('a mutation of a request that has ended is not begun', async (t) => {
  const ends = new AbortController();
  const created: unknown[] = [];
  const context = {
    size: new AnswerSize({ canBreakOff: false }),
    request: { signal: ends.signal },
    // What a mutation asks for first.
    authorize: (scopes: unknown) => {
      created.push(scopes);
      ends.abort();
      throw new Error('It is not allowed.');
    },
    forget: () => {},
  };
  const draft = '(draft: { name: "Zone" }) { id }';
  const document = parse(`mutation { first: createZone${draft} second: createZone${draft} third: createZone${draft} }`);
  const { errors } = await execute({ schema, document, contextValue: context });
  t.strictSame(
    errors!.map((error) => thrownOf(error)?.constructor),
    [Error, RequestEnded, RequestEnded],
  );
  t.equal(created.length, 1);
});

t.test('the comparison finds what is missing, more, or different', async (t) => {
  const built = buildSchema(`
    interface Named { name: String! }
    type Query { zone(id: String, limit: Int = 20): Zone me: Mine! }
    type Mutation { createStore: Zone }
    type Mine { me: Zone }
    type Zone { name: String! extra: Int }
    input Draft { name: String = "x" size: Int }
    enum Color { red green }
    type More { id: ID }
  `);
  const catalog: Catalog = {
    scalars: [],
    queries: {
      zone: { type: 'Zone', args: { limit: { type: 'Int', default: '10' }, id: { type: 'String' } } },
      zones: { type: 'ZoneQueryResult!' },
      channel: { type: 'Channel' },
      me: { type: 'Mine!' },
    },
    mutations: { createZoneToken: { type: 'ZoneToken' }, createZoneRate: { type: 'ZoneRate' } },
    objects: {
      Zone: { implements: ['Named', 'Other'], fields: { name: { type: 'String' }, key: { type: 'String' } } },
      ZoneQueryResult: { fields: {} },
      ZoneRateQueryResult: { fields: {} },
      ZoneRate: { fields: { name: { type: 'String' } } },
      ChannelQueryResult: { fields: {} },
      Channel: { fields: {} },
      Mine: { fields: { zone: { type: 'Zone' }, rates: { type: 'ZoneRateQueryResult!' } } },
    },
    interfaces: { Named: { fields: { name: { type: 'String!' } } } },
    inputs: { Draft: { fields: { name: { type: 'String', default: '"x"' }, size: { type: 'Int!' } } } },
    enums: { Color: { values: ['red', 'blue'] } },
  };
  const lines = compareWithCatalog(built, catalog).map(({ place, catalog, schema }) => [place, catalog, schema]);
  t.strictSame(lines, [
    ['Query.zone', '(id: String, limit: Int = 10): Zone', '(id: String, limit: Int = 20): Zone'],
    ['Query.zones', 'ZoneQueryResult!', undefined],
    ['Mutation.createZoneToken', 'ZoneToken', undefined],
    ['Mutation.createStore', undefined, 'Zone'],
    ['Mine.zone', 'Zone', undefined],
    ['Mine.me', undefined, 'Zone'],
    ['Zone.name', 'String', 'String!'],
    ['Zone.key', 'String', undefined],
    ['Zone.extra', undefined, 'Int'],
    ['Zone implements Named', 'yes', undefined],
    ['Draft.size', 'Int!', 'Int'],
    ['Color.blue', '', undefined],
    ['Color.green', undefined, ''],
    ['More', undefined, 'a type'],
  ]);
});

t.test('variables may be declared by the names of the specification where the schema has others', async (t) => {
  const fields = 'code: "A", cartDiscounts: $discounts, name: $name';
  const texts = [
    ['[ReferenceInput!]!', '[LocalizedStringInput!]', []],
    ['[ResourceIdentifierInput!]!', '[LocalizedStringItemInputType!]', []],
    ['[CustomFieldInput!]!', '[LocalizedStringInput!]', ['[CustomFieldInput!]!']],
  ] as const;
  for (const [discounts, name, wrong] of texts) {
    const text = `mutation ($discounts: ${discounts}, $name: ${name}) { createDiscountCode(draft: { ${fields} }) { id } }`;
    const errors = validate(schema, parseCanonical(schema, text, { maxTokens: 1000 }));
    t.equal(errors.length, wrong.length, text);
    for (const type of wrong) t.match(errors[0]?.message, type);
  }
  // Where the schema itself has the name, it stays.
  const kept =
    'mutation ($next: [ReferenceInput!]) { createState(draft: { key: "aa", type: OrderState, transitions: $next }) { id } }';
  t.strictSame(validate(schema, parseCanonical(schema, kept, { maxTokens: 1000 })), []);
  t.strictSame(validate(schema, parse(kept)), []);
});
