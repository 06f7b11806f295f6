import t from 'tap';
import { ApiError } from '../../../../src/errors/api-error.ts';
import {
  facetInput,
  queryInput,
  sortingInput,
} from '../../../../src/resources/product/search/products-search-inputs.ts';

const query = { exact: { field: 'key', value: 'a' } };

t.test('queries are in REST what GraphQL gives', async (t) => {
  const cases = [
    [{ exact: { field: 'key', value: ['a', 'b'] } }, { exact: { field: 'key', values: ['a', 'b'] } }],
    [
      { range: { long: { field: 'variants.prices.centAmount', gte: 1 }, date: null } },
      { range: { field: 'variants.prices.centAmount', gte: 1 } },
    ],
    [
      { and: [query, { not: [query] }], filter: null },
      { and: [query, { not: [query] }], filter: null },
    ],
    [
      { filter: [{ or: [{ range: { float: { field: 'a', lt: 2 } } }] }] },
      { filter: [{ or: [{ range: { field: 'a', lt: 2 } }] }] },
    ],
    [{ fuzzy: { field: 'name', value: 'a', level: 1 } }, { fuzzy: { field: 'name', value: 'a', level: 1 } }],
    [{ prefix: { field: 'key', value: 'a', gte: null } }, { prefix: { field: 'key', value: 'a' } }],
  ];
  for (const [given, expected] of cases) t.strictSame(queryInput.read!(given), expected);
});

t.test('facets and sorts have queries, and facets ranges of one type', async (t) => {
  const given = { exact: { field: 'key', value: ['a'] } };
  const read = { exact: { field: 'key', values: ['a'] } };
  t.strictSame(facetInput.read!({ count: { name: 'a', filter: given } }), { count: { name: 'a', filter: read } });
  t.strictSame(facetInput.read!({ ranges: { name: 'a', ranges: { long: [{ from: 1 }] }, filter: given } }), {
    ranges: { name: 'a', ranges: [{ from: 1 }], filter: read },
  });
  t.strictSame(facetInput.read!({ distinct: { name: 'a', sort: { by: 'key' } } }), {
    distinct: { name: 'a', sort: { by: 'key', order: 'desc' } },
  });
  t.strictSame(sortingInput.read!({ field: 'key', order: 'asc', filter: given }), {
    field: 'key',
    order: 'asc',
    filter: read,
  });
});

t.test('what REST has no word for is refused', async (t) => {
  const refused = (read: () => unknown): void => {
    const error = t.throws(read) as ApiError;
    t.equal(error.code, 'InvalidInput');
  };
  refused(() => queryInput.read!({ range: {} }));
  refused(() => queryInput.read!({ range: { long: {}, float: {} } }));
  refused(() => queryInput.read!({ exact: { field: 'key', value: 'a', gte: 1 } }));
  refused(() => facetInput.read!({ ranges: { ranges: {} } }));
});
