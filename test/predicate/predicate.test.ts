import fc from 'fast-check';
import t from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import { compilePredicate } from '../../src/predicate/compile.ts';
import { parseCartPredicate } from '../../src/resources/cart/predicate.ts';
import { expansionPaths } from '../../src/predicate/expand.ts';
import { parsePredicate } from '../../src/predicate/parser.ts';
import { parseSort } from '../../src/predicate/sort.ts';
import type { Shape } from '../../src/predicate/shape.ts';
import { sortSql } from '../../src/storage/sort-sql.ts';

const text: Shape = { class: 'text' };
const number: Shape = { class: 'number' };
const inner: Shape = {
  class: 'object',
  fields: new Map<string, Shape>([
    ['t', text],
    ['n', number],
  ]),
};
const shape: Shape = {
  class: 'object',
  fields: new Map<string, Shape>([
    ['id', text],
    ['key', text],
    ['version', number],
    ['createdAt', { class: 'dateTime' }],
    ['t', text],
    ['n', number],
    ['b', { class: 'boolean' }],
    ['at', { class: 'dateTime' }],
    ['name', { class: 'localized' }],
    ['tags', { class: 'list', item: text }],
    ['one', inner],
    ['many', { class: 'list', item: inner }],
    ['free', { class: 'dynamic' }],
    ['place', { class: 'dynamic' }],
  ]),
};

function matches(source: string, document: unknown): boolean {
  return compilePredicate(parsePredicate(source, shape))(document);
}

t.test('predicates say what their documentation says', async (t) => {
  const document = {
    t: 'Peter "the" Rabbit',
    n: 7,
    b: true,
    at: '2030-01-31T12:00:00.000Z',
    name: { en: 'Knife', 'de-CH': 'Messer' },
    tags: ['a', 'b'],
    one: { t: 'x', n: 1 },
    many: [
      { t: 'x', n: 1 },
      { t: 'y', n: 2 },
    ],
    place: { type: 'Point', coordinates: [13.377_63, 52.516_27] },
    free: [[1]],
  };
  const cases: readonly (readonly [string, boolean])[] = [
    ['t = "Peter \\"the\\" Rabbit"', true],
    ['t <> "x" and n >= 7', true],
    ['n > 7 or n < 7', false],
    ['not (n = 7)', false],
    ['not n = 8 and b = true', true],
    ['n = 1 or n = 7 and b = false', false],
    ['at > "2030-01-31T13:00:00+02:00"', true],
    ['name(en = "Knife")', true],
    ['name(`de-CH` = "Messer")', true],
    ['name.en = "Gabel"', false],
    ['tags = "a"', true],
    ['tags contains all ("a", "b")', true],
    ['tags contains all ("a", "c")', false],
    ['tags contains any ("c", "b")', true],
    ['tags = ("b", "a")', true],
    ['tags = ("a")', false],
    ['tags = ("a", "b", "c")', false],
    ['not (tags = ("a")) and tags = "a"', true],
    ['tags is not empty', true],
    ['one(t = "x" and n = 1)', true],
    ['many(t = "x" and n = 2)', false],
    ['many(t = "x") and many(n = 2)', true],
    ['many.t = "y"', true],
    ['n in (1, 7)', true],
    ['n not in (1, 7)', false],
    ['key is not defined', true],
    ['key != "x"', false],
    ['not (key = "x")', true],
    ['key is empty', true],
    ['place within circle(13.37770, 52.51627, 1000)', true],
    ['place within circle(13.37770, 53.51627, 1000)', false],
    ['1 = 1', true],
    ['1 <> 1', false],
    ['true = true', true],
    ['true != true', false],
    ['n IN (7) AND t IS NOT EMPTY', true],
    ['at > "2030-01-31"', true],
    ['at = "2030-01-31T12:00"', true],
    ['free.length = 1', false],
    ['free(`0` is defined)', false],
  ];
  for (const [source, expected] of cases) t.equal(matches(source, document), expected, source);
  const variables = new Map([
    ['wanted', ['7', '8']],
    ['one', ['7']],
  ]);
  t.ok(compilePredicate(parsePredicate('n in :wanted', shape, variables))(document));
  t.ok(compilePredicate(parsePredicate('n = :one', shape, variables))(document));
});

t.test('variables are compared with free values as texts, and as the number or boolean that they are', async (t) => {
  const variables = new Map(['3', 'true', 'x'].map((text) => [`v${text}`, [text]] as const));
  const values = [3, '3', 4, 'true', true, 'x', [3], ['3', 'x']];
  const holding = (test: string): readonly unknown[] => {
    const matches = compilePredicate(parsePredicate(`free ${test}`, shape, variables));
    return values.filter((free) => matches({ free }));
  };
  t.strictSame(holding('= :v3'), [3, '3', [3], ['3', 'x']]);
  t.strictSame(holding('= :vtrue'), ['true', true]);
  t.strictSame(holding('in (:v3, :vx)'), [3, '3', 'x', [3], ['3', 'x']]);
  t.strictSame(holding('> :v3'), [4, 'true', 'x', ['3', 'x']]);
  t.strictSame(holding('<= :v3'), [3, '3', [3], ['3', 'x']]);
  t.strictSame(holding('contains any :v3'), [[3], ['3', 'x']]);
  t.strictSame(holding('contains all (:v3, :vx)'), [['3', 'x']]);
  t.strictSame(holding('contains all :v3'), [[3], ['3', 'x']]);
  t.strictSame(holding('= (:vx, :v3)'), [['3', 'x']]);
  t.strictSame(holding('= (:v3)'), [[3]]);
  // Of booleans none is less.
  t.strictSame(holding('< :vtrue'), ['3', ['3', 'x']]);
  // What is neither a text nor a number is not unequal to one.
  t.strictSame(holding('!= :v3'), [4, 'true', 'x', ['3', 'x']]);
  t.strictSame(holding('!= :vtrue'), ['3', 'x', ['3', 'x']]);
  t.strictSame(holding('!= :vx'), ['3', 'true', ['3', 'x']]);
  t.strictSame(holding('!= 3'), [4]);
});

t.test(
  'a moment and a time of day are compared with free values as they are held, and as they were written',
  async (t) => {
    const [nine, ten] = ['2030-01-31T09:00:00.000Z', '2030-01-31T10:00:00.000Z'];
    const values = [nine, ten, '2030-01-31T11:00:00+01:00', '10:20:30.000', '10:20:30', [ten], ['10:20:30.000']];
    const holding = (test: string): readonly unknown[] => {
      const matches = compilePredicate(parsePredicate(`free ${test}`, shape, new Map([['at', ['2030-01-31T10:00Z']]])));
      return values.filter((free) => matches({ free }));
    };
    t.strictSame(holding('= "2030-01-31T11:00:00+01:00"'), [ten, '2030-01-31T11:00:00+01:00', [ten]]);
    t.strictSame(holding('= :at'), [ten, [ten]]);
    t.strictSame(holding('in (:at, "2030-01-31T09:00:00Z")'), [nine, ten, [ten]]);
    t.strictSame(holding('!= "10:20:30"'), [nine, ten, '2030-01-31T11:00:00+01:00', [ten]]);
    t.strictSame(holding('!= "10:20:30.000"'), [nine, ten, '2030-01-31T11:00:00+01:00', '10:20:30', [ten]]);
    for (const text of ['10:20:30', 'x']) t.notOk(matches(`free != "${text}"`, { free: 5 }), `5 and ${text}`);
    t.strictSame(holding('contains any ("10:20:30")'), [['10:20:30.000']]);
    t.strictSame(holding('contains all ("10:20:30")'), [['10:20:30.000']]);
    t.strictSame(holding('contains all ("10:20:30", "10:20:30.000")'), [['10:20:30.000']]);
    t.strictSame(holding('contains all ("10:20:30", "x")'), []);
    t.strictSame(holding('contains all :at'), [[ten]]);
    t.strictSame(holding('= ("2030-01-31T11:00:00+01:00")'), [[ten]]);
    t.strictSame(holding('< "2030-01-31T11:00:00+01:00"'), [nine, '10:20:30.000', '10:20:30', ['10:20:30.000']]);
    t.strictSame(holding('<= "2030-01-31T10:00:00Z"'), [
      nine,
      ten,
      '10:20:30.000',
      '10:20:30',
      [ten],
      ['10:20:30.000'],
    ]);
    t.strictSame(holding('= "10:20"'), []);
    t.strictSame(holding('>= "10:20:30"').slice(-3), ['10:20:30', [ten], ['10:20:30.000']]);
  },
);

t.test(
  'a text of any type is less than, equal to or greater than what it is compared with, and one of these',
  async (t) => {
    const texts = [
      '2030-01-31T10:00:00.000Z',
      '2030-01-31T10:00:00Z',
      '2030-01-31T11:00:00+01:00',
      '2030-01-31T10:00:00.500Z',
      '2030-01-31T10:00',
      '2030-01-31',
      '10:20:30',
      '10:20:30.000',
      '10:20:30.5',
      '10:20:30.500',
      '10:20',
      'T',
      '5',
      '10',
      'true',
      '',
    ];
    for (const text of texts) {
      for (const free of texts) {
        for (const literal of [JSON.stringify(text), ':text']) {
          const holds = (comparison: string): boolean =>
            compilePredicate(parsePredicate(`free ${comparison} ${literal}`, shape, new Map([['text', [text]]])))({
              free,
            });
          const [less, equal, greater] = [holds('<'), holds('='), holds('>')];
          const name = `${free} and ${text}`;
          t.equal([less, equal, greater].filter(Boolean).length, 1, name);
          t.strictSame([holds('<='), holds('>='), holds('!=')], [less || equal, greater || equal, !equal], name);
          if (free === text) t.ok(equal, name);
        }
      }
    }
    const isOrdered = (free: unknown, comparison: string): boolean =>
      compilePredicate(parsePredicate(`free ${comparison} :text`, shape, new Map([['text', ['10']]])))({ free });
    for (const [comparison, ...expected] of [
      ['<', true, false],
      ['=', false, false],
      ['>', false, true],
    ] as const)
      t.strictSame([isOrdered(5, comparison), isOrdered('5', comparison)], expected, `5 ${comparison} 10`);
    const isLess = (free: string, text: string): boolean => matches(`free < "${text}"`, { free });
    t.ok(isLess('2030-01-31T10:00:00.000Z', '2030-01-31T11:00:01+01:00'));
    t.notOk(isLess('2030-01-31T10:00:00.500Z', '2030-01-31T10:00:00Z'));
    t.ok(isLess('10:20:30.499', '10:20:30.5'));
    t.notOk(isLess('10:20:30-09:20:30.000', '10:20:30'), 'a time is part of the text');
    t.ok(isLess('2030-01-31T10:30:00.000Zx', '2030-01-31T11:00:00+01:00'), 'and so is a moment');
    // As they are written: in the forms that are held it is the other way round.
    t.notOk(isLess('10:20:30.000x', '10:20:30'), 'at its beginning as well');
    t.notOk(isLess('x2030-01-31T09:00:00.000Z', '2030-01-31T11:00:00+01:00'), 'or at its end');
  },
);

t.test('faults are found with their places', async (t) => {
  const codes = (source: string): string[] => {
    try {
      parsePredicate(source, shape);
      return [];
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return error.errors.map(({ code, message }) => `${code} ${/position (\d+)/.exec(message)?.[1]}`);
    }
  };
  const cases: readonly (readonly [string, readonly string[]])[] = [
    ['', ['SyntaxError 0']],
    ['t =', ['SyntaxError 3']],
    ['t = "x" and', ['SyntaxError 11']],
    ['t = "x', ['SyntaxError 4']],
    ['(t = "x"', ['SyntaxError 8']],
    ['t = "x")', ['SyntaxError 7']],
    ['t ~ "x"', ['SyntaxError 2']],
    ['x = 1 and y.z = 2', ['InvalidInput 0', 'InvalidInput 10']],
    ['t = 1', ['InvalidInput 4']],
    ['n = "1"', ['InvalidInput 4']],
    ['b > true', ['InvalidInput 4']],
    ['at = "yesterday"', ['InvalidInput 5']],
    ['at = "1"', ['InvalidInput 5']],
    ['at = "2030-02-31"', ['InvalidInput 5']],
    ['at = "9999-12-31T23:59-05:00"', ['InvalidInput 5']],
    ['n < 1e400', ['InvalidInput 4']],
    ['t = "a\0"', ['SyntaxError 6']],
    ['t = "\ud800"', ['SyntaxError 5']],
    ['place within circle(200, 91, -1)', ['InvalidInput 20', 'InvalidInput 25', 'InvalidInput 29']],
    ['t within circle(0, 0, 1)', ['InvalidInput 2']],
    ['n = :absent', ['InvalidInput 4']],
    ['t contains all ("a")', ['InvalidInput 2']],
  ];
  for (const [source, expected] of cases) t.strictSame(codes(source), expected, source);
  t.strictSame(
    codes(`${'('.repeat(1000)}t = "x"`).map((code) => code.split(' ')[0]),
    ['SyntaxError'],
  );
  t.strictSame(
    codes(`${'not '.repeat(3000)}t = "x"`).map((code) => code.split(' ')[0]),
    ['SyntaxError'],
  );
  t.strictSame(
    codes(`free${'.a'.repeat(7000)} = 1`).map((code) => code.split(' ')[0]),
    ['SyntaxError'],
  );
  for (const value of ['0x7', ' 7', '', 'Infinity', '1e400']) {
    t.throws(() => parsePredicate('n = :v', shape, new Map([['v', [value]]])), { code: 'InvalidInput' }, value);
  }
  t.throws(() => parsePredicate('t = :v', shape, new Map([['v', ['\0']]])), { code: 'InvalidInput' });
});

t.test('SQL sorts by columns where there are some', async (t) => {
  const sort = (sources: readonly string[]) => sources.map((source) => parseSort(source, shape));
  const sorts = (...sources: string[]): string => sortSql({ sort: sort(sources), hasPlainKey: true });
  t.equal(sorts(), 'id');
  t.equal(sorts('id asc'), 'id');
  t.equal(sorts('id desc', 't'), 'id desc');
  t.equal(
    sorts('n desc', 't'),
    `(data #> array['n']) desc nulls last, (data #>> array['t']) collate "C" asc nulls last, id`,
  );
  t.equal(sorts('key desc'), 'key desc nulls last, id desc');
  t.equal(
    sortSql({ sort: sort(['key']), hasPlainKey: false }),
    `(data #>> array['key']) collate "C" asc nulls last, id`,
    'the column holds more than the member',
  );
  t.equal(sorts('version', 'createdAt desc'), `version, (data ->> 'createdAt') collate "C" desc, id desc`);
});

t.test('no text makes the parser do anything but answer or throw an ApiError', async (t) => {
  const word = fc.constantFrom(
    't',
    'n',
    'name',
    'many',
    '(',
    ')',
    '=',
    '!=',
    '<',
    'and',
    'or',
    'not',
    'in',
    'is',
    'defined',
    'empty',
    '"x"',
    '1',
    ',',
    '.',
    ':v',
    '`t`',
    'contains',
    'all',
    'within',
    'circle',
    '__proto__',
    'true',
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ maxLength: 60 }),
        fc.array(word, { maxLength: 20 }).map((words) => words.join(' ')),
      ),
      (source) => {
        try {
          parsePredicate(source, shape);
          return true;
        } catch (error) {
          return error instanceof ApiError;
        }
      },
    ),
    { numRuns: 5000 },
  );
  t.pass();
});

t.test('cart predicates compare exact amounts', async (t) => {
  const cart = {
    currency: 'EUR',
    totalPrice: { type: 'centPrecision', currencyCode: 'EUR', centAmount: 1050, fractionDigits: 2 },
  };
  const cases: readonly (readonly [string, boolean])[] = [
    ['totalPrice = "10.50 EUR"', true],
    ['totalPrice = "10.5 EUR"', true],
    ['totalPrice > "10.499999 EUR"', true],
    ['totalPrice >= "11 EUR"', false],
    ['totalPrice > "1.00 USD"', false],
    ['totalPrice != "1.00 USD"', false],
    ['totalPrice.centAmount = 1050 and currency = "EUR"', true],
  ];
  for (const [source, expected] of cases) t.equal(compilePredicate(parseCartPredicate(source))(cart), expected, source);
});

t.test('cart predicates count and add up custom line items', async (t) => {
  const item = (slug: string, quantity: number, centAmount: number): object => ({
    slug,
    quantity,
    totalPrice: { type: 'centPrecision', currencyCode: 'EUR', centAmount, fractionDigits: 2 },
  });
  const cart = {
    currency: 'EUR',
    customLineItems: [item('wrap', 2, 500), item('card', 1, 250), item('wrap', 3, -100)],
  };
  const cases: readonly (readonly [string, boolean])[] = [
    ['customLineItemCount(true) = 6', true],
    ['customLineItemCount(slug = "wrap") >= 5', true],
    ['customLineItemCount(slug = "none") = 0', true],
    ['customLineItemCount(slug = "none") != 0', false],
    ['customLineItemTotal(slug = "wrap") = "4.00 EUR"', true],
    ['customLineItemTotal(true) > "6.499 EUR" and customLineItemTotal(true) < "6.501 EUR"', true],
    ['customLineItemTotal(slug = "none") < "0.01 EUR"', true],
    ['customLineItemTotal(slug = "none") < "0.01 USD"', false],
    ['customLineItemExists(slug = "card" and quantity = 1)', true],
    ['customLineItemExists(slug = "card" and quantity = 2)', false],
    ['customLineItemExists(slug = "none") = false', true],
    ['customLineItemExists(slug = "card") != true', false],
    ['forAllCustomLineItems(quantity > 1)', false],
    ['forAllCustomLineItems(quantity > 0)', true],
    ['not forAllCustomLineItems(slug = "wrap") and true = true', true],
  ];
  for (const [source, expected] of cases) t.equal(compilePredicate(parseCartPredicate(source))(cart), expected, source);
  t.ok(compilePredicate(parseCartPredicate('forAllCustomLineItems(slug = "wrap")'))({ currency: 'EUR' }));
  for (const [source, code] of [
    ['customLineItemCount(true)', 'SyntaxError'],
    ['customLineItemCount = 1', 'SyntaxError'],
    ['customLineItemCount(sku = "x") = 1', 'InvalidInput'],
    ['customLineItemCount(true) = "1"', 'InvalidInput'],
    ['customLineItemCount(true) < 1e400', 'InvalidInput'],
    ['customLineItemTotal(true) = 1', 'InvalidInput'],
    ['customLineItemExists(true) = 1', 'SyntaxError'],
    ['itemCount(true) = 1', 'SyntaxError'],
    [`${'customLineItemExists('.repeat(100)}true`, 'SyntaxError'],
  ] as const)
    t.throws(() => parseCartPredicate(source), { code }, source);
});

t.test('cart predicates speak of what carts hold, by its shape, and of nothing else', async (t) => {
  const taken = [
    'customerEmail = "a" and taxRoundingMode = "HalfEven" and origin = "Customer"',
    'shippingAddress(country = "DE" and additionalStreetInfo is defined and custom.fields.x = 1)',
    'itemShippingAddresses(city = "Berlin") or billingAddress(custom(type(key = "x")))',
    'customLineItemExists(taxCategory.id = "x" and totalPrice.centAmount > 1 and money = "1.00 EUR")',
    'shippingRateInput(score > 1 or key = "x" or label(en = "y"))',
    'customerGroup.key = "vip" and store.key = "north" and currency = "EUR"',
    'custom.fields.anything = true and createdAt > "2030-01-31T12:00:00.000Z"',
    'lineItemCount(sku = "anything" and attributes.color.key = "red") > 1',
  ];
  // Predicates are stored: what was taken once is taken for good.
  const text = (names: string): readonly string[] => names.split(' ').map((name) => `${name} = "a"`);
  const link = text('typeId id key').join(' and ');
  const custom = `custom(type(${link}) and fields.any = 1)`;
  const address = text('id key country state region city postalCode streetName streetNumber company department email');
  taken.push(
    ...text('key customerEmail customerId anonymousId country currency locale taxMode origin'),
    ...address.flatMap((statement) => [`shippingAddress(${statement})`, `billingAddress(${statement})`]),
    ...[
      'key = "a"',
      'slug = "a"',
      'name(en = "a")',
      'money = "1 EUR"',
      'totalPrice.centAmount = 1',
      'quantity = 1',
    ].map((statement) => `customLineItemExists(${statement}) and customLineItems(${statement})`),
    ...[`taxCategory(${link})`, custom].map((statement) => `forAllCustomLineItems(${statement})`),
    'shippingRateInput(type = "Score" and key = "a" and score = 1)',
    `customerGroup(${link}) and store(${link}) and ${custom}`,
    'store.id is not defined and lastModifiedAt > "2030-01-31T12:00:00.000Z"',
  );
  for (const source of taken) t.doesNotThrow(() => parseCartPredicate(source), source);
  const refused = [
    'colour = "red"',
    'customerEmail = 1',
    'createdAt = 1',
    'createdAt > "yesterday"',
    'deleteDaysAfterLastModification = "1"',
    'shippingAddress(planet = "Earth")',
    'customLineItemExists(sku = "x")',
    'customLineItemExists(quantity = "1")',
    'customLineItemExists(slug(en = "x"))',
    'shippingRateInput(price = 1)',
    'customerGroup.name = "vip"',
  ];
  for (const source of refused) t.throws(() => parseCartPredicate(source), { code: 'InvalidInput' }, source);
});

t.test('cart predicates speak of custom fields by their names', async (t) => {
  const fields = { vip: true, points: 7, tags: ['a', 'b'] };
  // As facts of carts have them.
  const custom = { ...fields, fields, type: { typeId: 'type', id: 'loyal' } };
  const cart = {
    totalPrice: { currencyCode: 'EUR', centAmount: 1 },
    custom,
    shippingAddress: { country: 'DE', custom },
    customLineItems: [{ slug: 'wrap', quantity: 2, custom }],
  };
  const cases: readonly (readonly [string, boolean])[] = [
    ['custom.vip = true', true],
    ['custom.vip is defined and custom.points > 6', true],
    ['custom(vip = true and not(points = 8))', true],
    ['custom.points = 8', false],
    ['custom.nobody is not defined', true],
    ['custom.fields.vip = true and custom.fields(points = 7)', true],
    ['custom.type.id = "loyal"', true],
    ['custom.tags contains all ("a", "b")', true],
    ['custom.tags = ("a", "b") or custom.tags = ("b", "a")', true],
    ['custom.tags = ("a")', false],
    ['custom.vip and not(custom.points)', true],
    ['custom(vip)', true],
    ['custom.nobody', false],
    ['shippingAddress.custom.vip = true', true],
    ['shippingAddress(custom(points < 7))', false],
    ['customLineItemExists(custom.vip = true)', true],
    ['customLineItemCount(custom.points = 7 and slug = "wrap") = 2', true],
    ['customLineItems(custom.vip = false)', false],
  ];
  for (const [source, expected] of cases) t.equal(compilePredicate(parseCartPredicate(source))(cart), expected, source);
});

t.test('sort expressions and expansion paths are parsed or refused', async (t) => {
  t.strictSame(parseSort('name.en desc', shape), { path: ['name', 'en'], isDescending: true, class: 'text' });
  for (const source of ['nowhere', 'one', 'many.t', 'tags', 't up', 't; drop'])
    t.throws(() => parseSort(source, shape), source);
  t.strictSame(expansionPaths(['a.b[*].c[*][0]'])[0]!.segments, [
    { name: 'a', indexes: [] },
    { name: 'b', indexes: ['*'] },
    { name: 'c', indexes: ['*', 0] },
  ]);
  for (const path of ['', 'a..b', 'a[', 'a[x]', 'a b', Array.from({ length: 20 }, () => 'a').join('.')])
    t.throws(() => expansionPaths([path]), path);
});
