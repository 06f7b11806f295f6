import t from 'tap';
import { compilePredicate } from '../../src/predicate/compile.ts';
import { parsedOrNever } from '../../src/predicate/parsed-or-never.ts';
import { parseCartPredicate } from '../../src/resources/cart/predicate.ts';

void t.test('a predicate that says nothing here holds for nothing, and a mistake of the parser is one', (t) => {
  const holds = (text: string): boolean =>
    compilePredicate(parsedOrNever(parseCartPredicate, text))({ currency: 'EUR' });
  t.ok(holds('currency = "EUR"'));
  t.notOk(holds('currency = '));
  t.notOk(holds('formerMember is not defined'));
  const fails = (): never => {
    throw new TypeError('a mistake');
  };
  t.throws(() => parsedOrNever(fails, ''), TypeError);
  t.end();
});
