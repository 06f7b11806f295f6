import t from 'tap';
import { emailHolder } from '../../src/engine/accounts.ts';

t.test('an address in one place is held as no other in another place', (t) => {
  const emails = ['jane@example.org', 'store-b jane@example.org', ' jane@example.org', 'a b c', '', ' ', 'store-b'];
  const places = [undefined, 'store-b', 'store-b jane@example.org', '', ' ', '%', 'a b', 'a'];
  const values = emails.flatMap((email) => places.map((place) => emailHolder(email, place).value));
  t.equal(new Set(values).size, values.length);
  t.end();
});

t.test('what databases hold stays what it is', (t) => {
  t.equal(emailHolder('Jane@Example.org', undefined).value, 'jane@example.org');
  t.equal(emailHolder('Jane@Example.org', 'store-b').value, 'store-b jane@example.org');
  t.end();
});
