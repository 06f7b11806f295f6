/** Searches as clients write them, of both languages. */
import { ids } from '../product-search/shop.ts';
import type { Choices } from '../support/random.ts';
import { categories, channels, colors, countries, hints, moments, text, words } from './random-shop.ts';

const stock = `variants.availability.channels.${ids.berlin}`;

/** Paths of projection search, with values that stand in filters. */
function pathAndValue({ below, pick, chance }: Choices): readonly [path: string, value: () => string] {
  const quoted = (values: readonly string[]) => () => `"${pick(values)}"`;
  const number = (scale: number) => () => String((below(10) / 2) * scale);
  return pick<readonly [string, () => string]>([
    ['id', quoted(['product-1', 'product-2'])],
    ['key', quoted(['same', 'Key-3', 'key-3'])],
    ['categories.id', chance(0.3) ? () => `subtree("${pick(categories)}")` : quoted(categories)],
    ['state.id', quoted(['state-1', 'state-2'])],
    ['createdAt', quoted(moments)],
    ['published', () => 'true'],
    ['reviewRatingStatistics.averageRating', number(1)],
    ['searchKeywords.en.text', quoted(words)],
    ['name.en', quoted(['lamp', 'desk light', 'chair'])],
    [`categoryOrderHints.${pick(categories)}`, quoted(hints)],
    ['variants.sku', quoted(['LAMP-R', 'lamp-R', 'SKU-3-1'])],
    ['variants.key', quoted(['key-1', 'key-2'])],
    ['variants.price.centAmount', number(100)],
    ['variants.price.currencyCode', quoted(['EUR', 'USD'])],
    ['variants.scopedPrice.value.centAmount', number(100)],
    ['variants.scopedPrice.currentValue.centAmount', number(100)],
    ['variants.scopedPriceDiscounted', () => pick(['true', 'false'])],
    ['variants.attributes.color.key', quoted(colors)],
    ['variants.attributes.color.label.en', quoted(colors)],
    ['variants.attributes.size', number(1)],
    ['variants.attributes.mixed', pick([number(1), quoted(['1', '2'])])],
    ['variants.attributes.sizes', quoted(['S', 'M'])],
    ['variants.attributes.isNew', () => pick(['true', 'false'])],
    ['variants.attributes.title.en', quoted(words)],
    ['variants.attributes.since', quoted(['2029-05-01', '2029-06-01'])],
    ['variants.attributes.cost.centAmount', number(2)],
    ['variants.attributes.none', quoted(words)],
    ['variants.availability.isOnStock', () => 'true'],
    ['variants.availability.availableQuantity', number(1)],
    ['variants.availability.isOnStockInChannels', quoted(channels)],
    [`${stock}.availableQuantity`, number(1)],
  ]);
}

/** Of these paths the values are in no order. */
const UNORDERED =
  /^(id|key|categories|state|published|search|name|variants\.(sku|key|price\.currency|scopedPriceD|attributes\.(color|title)|availability\.isOn))/;

function filter(choices: Choices): string {
  const { chance, pick } = choices;
  const [path, value] = pathAndValue(choices);
  if (chance(0.1)) return `${path}:${pick(['exists', 'missing'])}`;
  if (chance(0.3) && !UNORDERED.test(path) && path !== 'variants.attributes.isNew')
    return `${path}:${ranges(choices, value)}`;
  return `${path}:${[value(), ...(chance(0.4) ? [value()] : [])].join(', ')}`;
}

function ranges({ chance, some }: Choices, value: () => string): string {
  // Ends of one type.
  const [one, other] = [value(), value()];
  const to = other.startsWith('"') === one.startsWith('"') ? other : one;
  const all = [`(${chance(0.2) ? '*' : one} to ${chance(0.2) ? '*' : to})`, ...some(1, () => `(* to ${one})`)];
  return `range ${all.join(', ')}`;
}

function facet(choices: Choices, number: number): string {
  const { chance } = choices;
  const [path, value] = pathAndValue(choices);
  const counting = chance(0.4) ? ' counting products' : '';
  if (chance(0.5) || UNORDERED.test(path)) {
    const values = chance(0.3) ? `:${value()}` : '';
    return `${path}${values} as f${number}${counting}`;
  }
  if (path === 'variants.attributes.isNew') return `${path} as f${number}${counting}`;
  return `${path}:${ranges(choices, value)} as f${number}${counting}`;
}

const sorts = [
  'id',
  'key',
  'name.en',
  'name.de',
  'createdAt',
  'score',
  'price',
  'variants.sku',
  'variants.scopedPrice.value.centAmount',
  'variants.attributes.size',
  'variants.attributes.mixed',
  'variants.attributes.color.label.de',
  `categoryOrderHints.${ids.lamps}`,
];

export function projectionParameters(choices: Choices): Readonly<Record<string, unknown>> {
  const { chance, pick, below, some } = choices;
  const direction = (): string => pick(['asc', 'desc', 'asc.max', 'desc.min']);
  const sort = some(2, () => {
    const path = pick(sorts);
    return path === 'score' ? `${path} ${pick(['asc', 'desc'])}` : `${path} ${direction()}`;
  });
  return {
    ...(chance(0.3) && { text: { [pick(['en', 'de'])]: [text(choices)] }, fuzzy: chance(0.5) }),
    'filter.query': some(2, () => filter(choices)),
    filter: some(2, () => filter(choices)),
    'filter.facets': some(1, () => filter(choices)),
    facet: some(3, (index) => facet(choices, index)),
    sort,
    limit: chance(0.1) ? 0 : 1 + below(20),
    offset: chance(0.3) ? below(20) : 0,
    markMatchingVariants: chance(0.5),
  };
}

/** Fields of product search with values of theirs. */
function field({ pick, below }: Choices): readonly [field: Readonly<Record<string, unknown>>, value: () => unknown] {
  const of = (values: readonly unknown[]) => () => pick(values);
  const number = (scale: number) => () => (below(10) / 2) * scale;
  const attribute = (name: string, fieldType: string, more: object = {}): Readonly<Record<string, unknown>> => ({
    field: `${pick(['variants.', 'variants.', ''])}attributes.${name}`,
    fieldType,
    ...more,
  });
  return pick<readonly [Readonly<Record<string, unknown>>, () => unknown]>([
    [{ field: 'key' }, of(['same', 'Key-3', 'key-3'])],
    [{ field: 'name', language: 'en' }, of(['lamp', 'desk light', 'Désk', '灯'])],
    [{ field: 'name', language: 'de' }, of(words)],
    [{ field: 'categories' }, of(categories)],
    [{ field: 'categoriesSubTree' }, of(categories)],
    [{ field: 'createdAt' }, of(moments)],
    [{ field: 'reviewRatingStatistics.count' }, number(1)],
    [{ field: `categoryOrderHints.${pick(categories)}` }, of(hints)],
    [{ field: 'variants.sku' }, of(['LAMP-R', 'lamp-R', 'SKU-3-1'])],
    [{ field: 'variants.prices.centAmount' }, number(100)],
    [{ field: 'variants.prices.currentCentAmount' }, number(50)],
    [{ field: 'variants.prices.country' }, of(countries)],
    [{ field: 'variants.prices.channel' }, of(channels)],
    [{ field: 'variants.prices.discounted' }, of([true, false])],
    [{ field: 'variants.availability.isOnStock' }, of([true, false])],
    [attribute('color', 'enum'), of(colors)],
    [attribute('color.label', 'lenum', { language: 'en' }), of(colors)],
    [attribute('size', 'number'), number(1)],
    [attribute('sizes', 'set_text'), of(['S', 'M', 's'])],
    [attribute('isNew', 'boolean'), of([true, false])],
    [attribute('title', 'ltext', { language: 'de' }), of(words)],
    [attribute('brand', 'text'), of(['Lumen', 'acme'])],
    [attribute('since', 'date'), of(['2029-05-01'])],
  ]);
}

const ordered = /(createdAt|reviewRating|categoryOrderHints|CentAmount|centAmount|attributes\.(size|since)$)/;
const worded = /^name$|color\.label|attributes\.(title|brand|sizes)$/;
const textual =
  /^(key|name|categories|categoriesSubTree|variants\.sku)$|country|channel|color|attributes\.(title|brand|sizes)$/;

function onField(choices: Choices): object {
  const { chance, pick, below } = choices;
  const [named, value] = field(choices);
  const name = String(named['field']);
  const boost = chance(0.2) ? { boost: below(4) } : {};
  const folds = chance(0.3) ? { caseInsensitive: chance(0.7) } : {};
  const mustMatch = { mustMatch: pick(['all', 'any']) };
  const kinds: (() => object)[] = [
    () => ({ exists: { ...named, ...boost } }),
    () => ({ exact: { ...named, value: value(), ...folds, ...boost } }),
    () => ({ exact: { ...named, values: [value(), value()], ...folds, ...boost } }),
  ];
  if (ordered.test(name)) {
    kinds.push(
      () => ({ range: { ...named, gte: value(), ...boost } }),
      () => ({ range: { ...named, gt: value() } }),
    );
    kinds.push(
      () => ({ range: { ...named, gte: value(), lt: value() } }),
      () => ({ range: { ...named, lte: value() } }),
    );
  }
  if (worded.test(name)) {
    kinds.push(() => ({ fullText: { ...named, value: text(choices), ...mustMatch, ...boost } }));
    kinds.push(() => ({ fullTextPrefix: { ...named, value: pick(['l', 'la', 'de li', '?']), ...mustMatch } }));
    kinds.push(() => ({ fuzzy: { ...named, value: text(choices), level: below(3), ...mustMatch, ...boost } }));
  }
  if (textual.test(name)) {
    kinds.push(() => ({ prefix: { ...named, value: String(value()).slice(0, 2), ...folds } }));
    kinds.push(() => ({
      wildcard: { ...named, value: pick(['*a*', 'l?mp*', '*', '?', 'S*-?-1', '*💡', 'L*R']), ...folds },
    }));
  }
  return pick(kinds)();
}

function query(choices: Choices, depth: number): object {
  const { chance, pick, some } = choices;
  if (depth === 0 || chance(0.4)) return onField(choices);
  const operands = [query(choices, depth - 1), ...some(2, () => query(choices, depth - 1))];
  return { [pick(['and', 'and', 'or', 'or', 'not', 'filter'])]: operands };
}

function productFacet(choices: Choices, number: number): object {
  const { chance, pick, below } = choices;
  const [named, value] = field(choices);
  const name = String(named['field']);
  const common = {
    name: `f${number}`,
    scope: pick(['query', 'all']),
    ...(chance(0.3) && { filter: filterAt(choices, name) }),
  };
  const level = { level: pick(['products', 'variants']) };
  if (chance(0.2)) return { count: { name: `f${number}`, scope: 'query', ...level } };
  if (ordered.test(name) && chance(0.6)) {
    if (chance(0.5)) return { stats: { ...common, ...named } };
    const ends = [value(), value()];
    return {
      ranges: {
        ...common,
        ...named,
        ...level,
        ranges: [
          { from: ends[0], to: ends[1], key: 'a' },
          { to: ends[1], key: 'b' },
        ],
      },
    };
  }
  return {
    distinct: {
      ...common,
      ...named,
      ...level,
      ...(chance(0.5) && { missing: 'none' }),
      ...(chance(0.3) && { includes: [String(value()), String(value())] }),
      ...(chance(0.5) && { sort: { by: pick(['count', 'key']), order: pick(['asc', 'desc']) } }),
      limit: 1 + below(20),
    },
  };
}

/** A filter is judged at what holds the values, so it speaks of that, or of what that belongs to. */
function filterAt(choices: Choices, name: string): object {
  for (;;) {
    const filter = onField(choices);
    const [{ field }] = Object.values(filter) as [{ field: string }];
    const depthOf = (of: string): number => (of.startsWith('variants.prices') ? 2 : of.startsWith('variants.') ? 1 : 0);
    if (depthOf(field) <= depthOf(name)) return filter;
  }
}

export function productSearchBody(choices: Choices): Readonly<Record<string, unknown>> {
  const { chance, pick, below, some } = choices;
  const sort = some(2, () => {
    if (chance(0.3)) return { field: 'score', order: pick(['asc', 'desc']) };
    const [named] = field(choices);
    const name = String(named['field']);
    const modes = /[cC]entAmount|size$|count$/.test(name) ? ['min', 'max', 'avg', 'sum'] : ['min', 'max'];
    return {
      ...named,
      order: pick(['asc', 'desc']),
      ...(chance(0.5) && { mode: pick(modes) }),
      ...(chance(0.3) && { filter: filterAt(choices, name) }),
    };
  });
  return {
    ...(chance(0.9) && { query: query(choices, 3) }),
    ...(chance(0.3) && { postFilter: query(choices, 1) }),
    ...(sort.length > 0 && { sort }),
    facets: some(3, (index) => productFacet(choices, index)),
    markMatchingVariants: chance(0.5),
    limit: 1 + below(20),
    offset: chance(0.3) ? below(20) : 0,
  };
}
