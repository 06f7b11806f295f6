import t from 'tap';
import { Passwords } from '../../src/engine/passwords.ts';

t.test('a hash is of its password alone, and of no other', async (t) => {
  const passwords = new Passwords();
  const [one, other] = [await passwords.hash('secret123'), await passwords.hash('secret123')];
  t.not(one, other, 'each has a salt of its own');
  t.equal(await passwords.verify('secret123', one), true);
  t.equal(await passwords.verify('Secret123', one), false);
  t.equal(await passwords.verify('secret123', undefined), false);
  t.equal(
    await passwords.verify('caf\u0065\u0301-1234', await passwords.hash('caf\u00e9-1234')),
    true,
    'however it is typed',
  );
});

t.test('more passwords than may wait are refused, and those that wait are checked', async (t) => {
  const passwords = new Passwords();
  // The factors of a hash say how long its check takes.
  const cheap = 'scrypt$1024$8$1$c2FsdA==$c2FsdA==';
  const checks = await Promise.allSettled(Array.from({ length: 110 }, () => passwords.verify('secret123', cheap)));
  const refused = checks.filter(({ status }) => status === 'rejected');
  t.equal(refused.length, 8, 'two are checked and a hundred wait');
  for (const check of refused) t.match(check, { reason: { errors: [{ code: 'OverCapacity' }] } });
  t.equal(await passwords.verify('secret123', cheap), false, 'there is room again');
});
