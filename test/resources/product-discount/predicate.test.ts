import t from 'tap';
import { ApiError } from '../../../src/errors/api-error.ts';
import { parseProductPredicate, referencesIn } from '../../../src/resources/product-discount/predicate.ts';

function codeOf(source: string): string {
  try {
    parseProductPredicate(source);
    return 'none';
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

t.test('unknown fields and values of another type are refused, and so is bad grammar', async (t) => {
  const cases: readonly (readonly [source: string, code: string])[] = [
    ['1 = 1', 'none'],
    ['true', 'none'],
    ['product.id = "a" AND NOT (sku IN ("a", "b"))', 'none'],
    ['price = "10.00 EUR" or price.amount > 9.5 or amount < 3', 'none'],
    ['price.customerGroup.key = "vip" and channel.id is not defined', 'none'],
    ['categories.id contains "a" or categoriesWithAncestors.key contains any ("a", "b")', 'none'],
    ['attributes.color.key = "red" and attributes.`1st`.en = "one"', 'none'],
    ['variantId = 1 and variant.id in (1, 2)', 'none'],
    ['', 'SyntaxError'],
    ['product.id =', 'SyntaxError'],
    ['product.id = "a" &', 'SyntaxError'],
    ['categories.id contains', 'SyntaxError'],
    ['nonsense = 1', 'InvalidInput'],
    ['product.name = "a"', 'InvalidInput'],
    ['product.id = 1', 'InvalidInput'],
    ['variantId = "1"', 'InvalidInput'],
    ['price = 10', 'InvalidInput'],
    ['price = "much"', 'InvalidInput'],
    ['centAmount = "10.00 EUR"', 'InvalidInput'],
    ['categories.id contains any (1)', 'InvalidInput'],
    ['sku contains any ("a")', 'InvalidInput'],
  ];
  t.strictSame(
    cases.map(([source]) => [source, codeOf(source)]),
    cases,
  );
});

t.test('the resources that are named by id are found, each once', async (t) => {
  const found = referencesIn(
    parseProductPredicate(
      `(product.id = "p1" or product.id in ("p1", "p2")) and not (productType.id != "t1")
       and categories.id contains all ("c1") and categoriesWithAncestors.id contains any ("c1", "c2")
       and price.customerGroup.id = "g1" and customerGroup(id = "g1") and channel.id not in ("h1")
       and variant.id = 1 and product.key = "k" and attributes.other.id = "x" and attributes(product(id = "y"))`,
    ),
  );
  t.strictSame(
    found.map(({ typeId, id }) => `${typeId} ${id}`),
    ['product p1', 'product p2', 'product-type t1', 'category c1', 'category c2', 'customer-group g1', 'channel h1'],
  );
});
