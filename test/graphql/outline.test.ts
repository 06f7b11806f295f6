import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import {
  buildSchema,
  executeSync,
  Kind,
  NoUnusedVariablesRule,
  type OperationDefinitionNode,
  parse,
  print,
  specifiedRules,
  stripIgnoredCharacters,
  validate,
} from 'graphql';
import t from 'tap';
import { excerptId, excerptVersion, type Outline, outlineOf } from '../../src/graphql/outline.ts';

const schema = buildSchema(`
  interface ZoneHolder { zones(limit: Int): ZoneQueryResult! }
  type Query implements ZoneHolder {
    zone(id: String, key: String, locales: [String!]): Zone
    zones(limit: Int, locales: [String!]): ZoneQueryResult!
    state(id: String): State
    preview(id: String): State
    me: Me!
  }
  type Me implements ZoneHolder { zones(limit: Int): ZoneQueryResult! more: Int }
  type ZoneQueryResult { total: Int! results: [Zone!]! }
  type Zone { id: String! version: Int! name(locale: String): String! state: State next: [Zone!]! }
  type State { id: String! label: String! }
`);
const fields = { zone: 'zone', zones: 'zone', state: 'state', preview: null };

function outlineFor(text: string): Outline | undefined {
  const document = parse(text);
  if (validate(schema, document).length > 0) throw new Error(`Not valid: ${text}`);
  const operation = document.definitions.find(
    (definition): definition is OperationDefinitionNode => definition.kind === Kind.OPERATION_DEFINITION,
  )!;
  return outlineOf({ schema, document, text, fields, formArguments: { zone: ['locales'] } }, operation);
}

/** With one way to space and to break lines. */
function spaced(text: string): string {
  return print(parse(text));
}

const cases: readonly {
  readonly name: string;
  readonly text: string;
  readonly outline: string;
  readonly gaps: readonly (Omit<Outline['gaps'][number], 'variables'> & {
    readonly variables?: readonly string[];
  })[];
}[] = [
  {
    name: 'what is selected of an interface of the root',
    text: '{ ... on ZoneHolder { zones { results { name } } } }',
    outline: '{ ... on ZoneHolder { zones { results { id version } } } }',
    gaps: [
      {
        path: ['zones', 'results'],
        field: 'zone',
        excerpt: 'query ($excerptId: String!) { zone(id: $excerptId) { excerptVersion: version name } }',
      },
    ],
  },
  {
    name: 'one resource',
    text: '{ zone(key: "a") { name } }',
    outline: '{ zone(key: "a") { id version } }',
    gaps: [
      {
        path: ['zone'],
        field: 'zone',
        excerpt: 'query ($excerptId: String!) { zone(id: $excerptId) { excerptVersion: version name } }',
      },
    ],
  },
  {
    name: 'a resource of a kind without versions',
    text: '{ state(id: "s") { label } }',
    outline: '{ state(id: "s") { id } }',
    gaps: [
      {
        path: ['state'],
        field: 'state',
        excerpt: 'query ($excerptId: String!) { state(id: $excerptId) { label } }',
      },
    ],
  },
  {
    name: 'how resources show, by a text and by a variable',
    text: 'query ($l: [String!], $n: Int) { zone(id: "a", locales: ["de"]) { name } zones(limit: $n, locales: $l) { results { name } } }',
    outline:
      'query ($l: [String!], $n: Int) { zone(id: "a", locales: ["de"]) { id version } zones(limit: $n, locales: $l) { results { id version } } }',
    gaps: [
      {
        path: ['zone'],
        field: 'zone',
        excerpt:
          'query ($excerptId: String!) { zone(id: $excerptId, locales: ["de"]) { excerptVersion: version name } }',
      },
      {
        path: ['zones', 'results'],
        field: 'zone',
        excerpt:
          'query ($excerptId: String!, $l: [String!]) { zone(id: $excerptId, locales: $l) { excerptVersion: version name } }',
        variables: ['l'],
      },
    ],
  },
  {
    name: 'a page under aliases, whose own members stay',
    text: '{ few: zones(limit: 2) { total all: results { name } } me { zones { total } } __typename }',
    outline: '{ few: zones(limit: 2) { total all: results { id version } } me { zones { total } } __typename }',
    gaps: [
      {
        path: ['few', 'all'],
        field: 'zone',
        excerpt: 'query ($excerptId: String!) { zone(id: $excerptId) { excerptVersion: version name } }',
      },
    ],
  },
  {
    name: 'what stands in fragments',
    text: `query Named { ...Root ... { other: zone(id: "b") { id } } }
      fragment Root on Query { zones { ... on ZoneQueryResult { ...Page } } }
      fragment Page on ZoneQueryResult { results { ...Of } }
      fragment Of on Zone { state { ...Label } }
      fragment Label on State { label }`,
    outline: `query Named { ...Root ... { other: zone(id: "b") { id version } } }
      fragment Root on Query { zones { ... on ZoneQueryResult { ...Page } } }
      fragment Page on ZoneQueryResult { results { id version } }`,
    gaps: [
      {
        path: ['zones', 'results'],
        field: 'zone',
        excerpt: `query ($excerptId: String!) { zone(id: $excerptId) { excerptVersion: version ...Of } }
          fragment Of on Zone { state { ...Label } }
          fragment Label on State { label }`,
      },
      {
        path: ['other'],
        field: 'zone',
        excerpt: 'query ($excerptId: String!) { zone(id: $excerptId) { excerptVersion: version id } }',
      },
    ],
  },
  {
    name: 'directives and variables, of which an excerpt has its own',
    text: `query ($limit: Int = 3, $with: Boolean!, $locale: String = "de") {
        zones(limit: $limit) @include(if: $with) { results @skip(if: $with) { name(locale: $locale) ...Of } }
      }
      fragment Of on Zone { next @include(if: $with) { id } }`,
    outline: `query ($limit: Int = 3, $with: Boolean!, $locale: String = "de") {
        zones(limit: $limit) @include(if: $with) { results @skip(if: $with) { id version } }
      }`,
    gaps: [
      {
        path: ['zones', 'results'],
        field: 'zone',
        variables: ['with', 'locale'],
        excerpt: `query ($excerptId: String!, $with: Boolean!, $locale: String = "de") {
            zone(id: $excerptId) { excerptVersion: version name(locale: $locale) ...Of }
          }
          fragment Of on Zone { next @include(if: $with) { id } }`,
      },
    ],
  },
  {
    name: "a fragment that is asked for in a shopper's page as well",
    text: `{ me { zones { results { ...Of } } } zone(id: "a") { ...Of } } fragment Of on Zone { name }`,
    outline: `{ me { zones { results { ...Of } } } zone(id: "a") { id version } } fragment Of on Zone { name }`,
    gaps: [
      {
        path: ['zone'],
        field: 'zone',
        excerpt: `query ($excerptId: String!) { zone(id: $excerptId) { excerptVersion: version ...Of } }
          fragment Of on Zone { name }`,
      },
    ],
  },
];

for (const { name, text, outline, gaps } of cases) {
  t.test(`an outline finds ${name}`, async (t) => {
    const found = outlineFor(text)!;
    t.equal(spaced(found.text), spaced(outline));
    t.strictSame(
      found.gaps.map((gap) => ({ ...gap, excerpt: spaced(gap.excerpt) })),
      gaps.map((gap) => ({ variables: [], ...gap, excerpt: spaced(gap.excerpt) })),
    );
  });
}

const long = Array.from({ length: 20 }, (_, index) => `alias${index}: name(locale: "locale ${index}")`).join(' ');

/** So many resources of which a fragment asks the same. */
function resources(count: number, selection: string): string {
  const each = Array.from({ length: count }, (_, index) => `a${index}: zone(id: "${index}") { ...Of }`);
  return `{ ${each.join(' ')} } fragment Of on Zone { ${selection} }`;
}

const wholes: Readonly<Record<string, string>> = {
  'no resource': '{ zones { total } me { zones { results { id } } } __typename }',
  'a resource under one name twice': '{ zone(id: "a") { id } zone(id: "a") { name } }',
  'a page under one name twice': '{ zones { results { id } } ... { zones { results { name } } } }',
  'a fragment of a page twice': '{ zones { ...Page ...Page } } fragment Page on ZoneQueryResult { results { id } }',
  'a fragment of a page and of that of a shopper': `{ zones { ...Page } me { zones { ...Page } } }
    fragment Page on ZoneQueryResult { results { id } }`,
  'another type below an interface of the root': '{ zone(id: "a") { id } ... on ZoneHolder { ... on Me { more } } }',
  'a fragment of another type below an interface of the root': `{ zone(id: "a") { id } ... on ZoneHolder { ...Mine } }
    fragment Mine on Me { more }`,
  'a kind that is not taken apart': '{ zone(id: "a") { id } preview(id: "a") { label } }',
  'the schema': '{ zone(id: "a") { id } __schema { description } }',
  'one type of the schema': '{ ... { __type(name: "Zone") { name } } zone(id: "a") { id } }',
  'the name of the id': `query ($${excerptId}: String) { zone(id: $${excerptId}) { name } }`,
  'the name of the version': `{ zone(id: "a") { ${excerptVersion}: name } }`,
  'more than twenty resources': resources(21, 'id'),
  'so much of each of some that the parts are several times the whole': resources(6, long),
};

for (const [name, text] of Object.entries(wholes)) {
  t.test(`a query with ${name} is not taken apart`, async (t) => {
    t.equal(outlineFor(text), undefined);
  });
}

t.test('a query with as much as may be taken apart is', async (t) => {
  t.equal(outlineFor(resources(20, 'id'))!.gaps.length, 20);
  t.equal(outlineFor(resources(3, long))!.gaps.length, 3);
  const aliases = '{ one: zones { ...Page } two: zones(limit: 1) { ...Page } }';
  t.strictSame(
    outlineFor(`${aliases} fragment Page on ZoneQueryResult { results { id } }`)!.gaps.map(({ path }) => path),
    [
      ['one', 'results'],
      ['two', 'results'],
    ],
  );
});

/** Selections of each type; names stand for one thing each, so that any of them may stand together. */
const zoneSelection = fc
  .array(
    fc.constantFrom(
      'id',
      'version',
      'name',
      'de: name(locale: "de")',
      'given: name(locale: $locale)',
      'state @include(if: $yes) { label }',
      'next @skip(if: $yes) { id next { name } }',
      '... on Zone @skip(if: $no) { version }',
      '...Of',
      '__typename',
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((members) => `{ ${members.join(' ')} }`);
const pageSelection = fc
  .array(
    fc.oneof(
      fc.constantFrom('total', '__typename', '...Page'),
      zoneSelection.map((zone) => `results ${zone}`),
      zoneSelection.map((zone) => `all: results @include(if: $yes) ${zone}`),
      zoneSelection.map((zone) => `... { some: results ${zone} }`),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((members) => `{ ${members.join(' ')} }`);
const rootSelection = fc
  .array(
    fc.oneof(
      fc.constantFrom('state(id: "s") { id label }', '__typename', '...Root'),
      zoneSelection.map((zone) => `zone(id: "a") ${zone}`),
      zoneSelection.map((zone) => `keyed: zone(key: $key) ${zone}`),
      zoneSelection.map((zone) => `none: zone(id: "none") @skip(if: $no) ${zone}`),
      pageSelection.map((page) => `zones ${page}`),
      pageSelection.map((page) => `few: zones(limit: $limit) @include(if: $yes) ${page}`),
      pageSelection.map((page) => `absent: zones @include(if: $no) ${page}`),
      pageSelection.map((page) => `me { zones ${page} }`),
    ),
    { minLength: 1, maxLength: 4 },
  )
  .map((members) => `{ ${members.join(' ')} }`);

const declared = { locale: 'String = "fr"', yes: 'Boolean!', no: 'Boolean = false', key: 'String', limit: 'Int = 1' };
const variables = { yes: true, key: 'key-b' };

/** A valid query, with the variables and the fragments that it uses. */
const query = fc
  .record({
    root: rootSelection,
    Root: rootSelection.map((text) => text.replaceAll('...Root', '__typename')),
    Page: pageSelection.map((text) => text.replaceAll('...Page', '__typename')),
    Of: zoneSelection.map((text) => text.replaceAll('...Of', '__typename')),
  })
  .map(({ root, Root, Page, Of }) => {
    let text = root;
    for (const [name, type, selection] of [
      ['Root', 'Query', Root],
      ['Page', 'ZoneQueryResult', Page],
      ['Of', 'Zone', Of],
    ] as const)
      if (text.includes(`...${name}`)) text += ` fragment ${name} on ${type} ${selection}`;
    const used = Object.entries(declared).filter(([name]) => text.includes(`$${name}`));
    return used.length === 0 ? text : `query (${used.map(([name, type]) => `$${name}: ${type}`).join(', ')}) ${text}`;
  });

interface Zone {
  readonly id: string;
  readonly key: string;
}

const zones = ['a', 'b', 'c'].map((id, index) => ({
  id,
  key: `key-${id}`,
  version: index + 1,
  name: ({ locale = 'en' }: { locale?: string }) => `Zone ${id} in ${locale}`,
  state: id === 'b' ? null : { id: 's', label: `State of ${id}` },
  next: (): readonly Zone[] => zones.slice(index + 1),
}));
const page = ({ limit = 20 }: { limit?: number }) => ({ total: zones.length, results: zones.slice(0, limit) });
const rootValue = {
  zone: ({ id, key }: Partial<Zone>) => zones.find((zone) => zone.id === id || zone.key === key),
  zones: page,
  state: ({ id }: { id: string }) => ({ id, label: 'State' }),
  me: { zones: () => page({ limit: 2 }) },
};

type Data = Readonly<Record<string, unknown>>;

function dataOf(source: string, variableValues: Data): Data {
  const { data, errors } = executeSync({ schema, document: parse(source), rootValue, variableValues });
  if (errors !== undefined) throw errors[0]!;
  // The objects of answers have no prototype.
  return JSON.parse(JSON.stringify(data)) as Data;
}

/** The answer to an outline with what the excerpts say in place of the resources. */
function together({ text, gaps }: Outline): Data {
  const answer = dataOf(text, variables);
  for (const { path, excerpt, field, variables: names } of gaps) {
    const own = Object.fromEntries(Object.entries(variables).filter(([name]) => names.includes(name)));
    const excerptOf = (resource: Data): unknown => {
      const said = dataOf(excerpt, { ...own, [excerptId]: resource['id'] })[field] as Data;
      const { [excerptVersion]: version, ...rest } = said;
      return version === resource['version'] ? rest : { wrong: version };
    };
    const [name, below] = path as [string, string?];
    const holder = (below === undefined ? answer : answer[name]) as Record<string, unknown> | undefined;
    const found = holder?.[below ?? name] as Data | readonly Data[] | null | undefined;
    if (found !== undefined && found !== null)
      holder![below ?? name] = Array.isArray(found) ? found.map(excerptOf) : excerptOf(found as Data);
  }
  return answer;
}

t.test('outline and excerpts are valid, and say together what the query says', async (t) => {
  let taken = 0;
  // The outline declares all variables, so that values are refused which the whole query refuses.
  const rules = specifiedRules.filter((rule) => rule !== NoUnusedVariablesRule);
  fc.assert(
    fc.property(query, (text) => {
      const outline = outlineFor(text);
      if (outline === undefined) return true;
      taken += 1;
      return (
        validate(schema, parse(outline.text), rules).length === 0 &&
        outline.gaps.every(({ excerpt }) => validate(schema, parse(excerpt)).length === 0) &&
        isDeepStrictEqual(together(outline), dataOf(text, variables))
      );
    }),
    { numRuns: 300 },
  );
  t.ok(taken > 100, `${taken} of the queries were taken apart`);
});

t.test('what a query is taken apart into does not depend on how it is spaced', async (t) => {
  fc.assert(
    fc.property(query, (text) => {
      const expected = outlineFor(text);
      const forms = [stripIgnoredCharacters(text), text.replaceAll(' ', ', # A comment { with } "signs".\r\n\t')];
      return forms.every((form) => isDeepStrictEqual(outlineFor(form), expected));
    }),
  );
  t.pass();
});
