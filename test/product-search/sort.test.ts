import t from 'tap';
import { parseSort } from '../../src/product-search/sort.ts';

const id = '0f6b1f1e-1111-4222-8333-444455556666';

t.test('a direction says which of several values counts, unless the expression does', async (t) => {
  const name = { scope: 'product', name: 'name.en', class: 'text' } as const;
  for (const [text, isDescending, mode] of [
    ['name.en', false, 'min'],
    ['name.en asc', false, 'min'],
    [' name.en  DESC ', true, 'max'],
    ['name.en asc.max', false, 'max'],
    ['name.en desc.min', true, 'min'],
    ['name.en asc.min', false, 'min'],
  ] as const)
    t.strictSame(parseSort(text), { kind: 'value', path: name, isDescending, mode, where: undefined }, text);
  t.strictSame(parseSort('score desc'), { kind: 'score', isDescending: true });
  t.strictSame(parseSort('score'), { kind: 'score', isDescending: false });
});

t.test('products are sorted by the paths that have an order, and no others', async (t) => {
  for (const [text, name] of [
    ['id', 'id'],
    ['key', 'key'],
    ['createdAt', 'createdAt'],
    ['lastModifiedAt', 'lastModifiedAt'],
    ['price', 'price.centAmount'],
    ['variants.price.centAmount', 'price.centAmount'],
    ['variants.sku', 'sku'],
    ['variants.attributes.size', 'attributes.size'],
    ['variants.attributes.color.label.en', 'attributes.color.label.en'],
    ['variants.scopedPrice.value.centAmount', 'scopedPrice.value.centAmount'],
    ['variants.scopedPrice.currentValue.centAmount', 'scopedPrice.currentValue.centAmount'],
    [`categoryOrderHints.${id}`, `categoryOrderHints.${id}`],
  ] as const)
    t.match(parseSort(`${text} asc`), { kind: 'value', path: { name } }, text);
  for (const text of [
    '',
    'asc',
    'name',
    'name.en up',
    'name.en asc desc',
    'score.max',
    'score asc.max',
    'categories.id asc',
    'slug.en',
    'published',
    'variants.prices asc',
    'variants.key',
    'x'.repeat(2000),
  ])
    t.throws(() => parseSort(text), { code: 'InvalidInput' }, text);
});
