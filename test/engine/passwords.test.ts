import t from 'tap';
import { passwordLengthMax, Passwords } from '../../src/engine/passwords.ts';

const own = [{ name: 'own', entriesMax: 200 }] as const;

t.test('a hash is of its password alone, and of no other', async (t) => {
  const passwords = new Passwords();
  const [one, other] = [await passwords.hash('secret123'), await passwords.hash('secret123')];
  t.not(one, other, 'each has a salt of its own');
  t.equal(await passwords.verify('secret123', one, own), true);
  t.equal(await passwords.verify('Secret123', one, own), false);
  t.equal(await passwords.verify('secret123', undefined, own), false);
  t.equal(
    await passwords.verify('caf\u0065\u0301-1234', await passwords.hash('caf\u00e9-1234'), own),
    true,
    'however it is typed',
  );
});

t.test('more passwords than may wait are refused, and those that wait are checked', async (t) => {
  const passwords = new Passwords();
  // The factors of a hash say how long its check takes.
  const cheap = 'scrypt$1024$8$1$c2FsdA==$c2FsdA==';
  const checks = await Promise.allSettled(Array.from({ length: 110 }, () => passwords.verify('secret123', cheap, own)));
  const refused = checks.filter(({ status }) => status === 'rejected');
  t.equal(refused.length, 8, 'two are checked and a hundred wait');
  for (const check of refused) t.match(check, { reason: { errors: [{ code: 'OverCapacity' }] } });
  t.equal(await passwords.verify('secret123', cheap, own), false, 'there is room again');
});

t.test('a password that nobody could have typed is refused before it is hashed', async (t) => {
  const passwords = new Passwords();
  const tooLong = 'x'.repeat(passwordLengthMax + 1);
  const refused = { errors: [{ code: 'InvalidInput' }], status: 400 };
  await t.rejects(passwords.hash(tooLong), refused);
  await t.rejects(passwords.verify(tooLong, undefined, own), refused);
  t.equal(await passwords.verify(tooLong.slice(1), await passwords.hash(tooLong.slice(1)), own), true);
});
