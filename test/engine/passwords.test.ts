import t from 'tap';
import { passwordLengthMax } from '../../src/engine/passwords.ts';
import { passwordsOf } from '../support/passwords.ts';

const own = [{ name: 'own', entriesMax: 200 }] as const;

t.test('a hash is of its password alone, and of no other', async (t) => {
  const passwords = passwordsOf(t);
  const [one, other] = [await passwords.hash('secret123', own), await passwords.hash('secret123', own)];
  t.not(one, other, 'each has a salt of its own');
  t.equal(await passwords.verify('secret123', one, own), true);
  t.equal(await passwords.verify('Secret123', one, own), false);
  t.equal(await passwords.verify('secret123', undefined, own), false);
  t.equal(
    await passwords.verify('caf\u0065\u0301-1234', await passwords.hash('caf\u00e9-1234', own), own),
    true,
    'however it is typed',
  );
});

t.test('more passwords than may wait are refused, and those that wait are checked', async (t) => {
  const passwords = passwordsOf(t);
  // The factors of a hash say how long its check takes.
  const cheap = 'scrypt$1024$8$1$c2FsdA==$c2FsdA==';
  const checks = await Promise.allSettled(Array.from({ length: 110 }, () => passwords.verify('secret123', cheap, own)));
  const refused = checks.filter(({ status }) => status === 'rejected');
  t.equal(refused.length, 8, 'two are checked and a hundred wait');
  for (const check of refused) t.match(check, { reason: { errors: [{ code: 'OverCapacity' }] } });
  t.equal(await passwords.verify('secret123', cheap, own), false, 'there is room again');
});

t.test('a password that nobody could have typed is refused before it is hashed', async (t) => {
  const passwords = passwordsOf(t);
  const tooLong = 'x'.repeat(passwordLengthMax + 1);
  const refused = { errors: [{ code: 'InvalidInput' }], status: 400 };
  await t.rejects(passwords.hash(tooLong, own), refused);
  await t.rejects(passwords.verify(tooLong, undefined, own), refused);
  t.equal(await passwords.verify(tooLong.slice(1), await passwords.hash(tooLong.slice(1), own), own), true);
});

t.test('those of one project who set passwords leave places to others, and to its own who sign in', async (t) => {
  const passwords = passwordsOf(t);
  const claimsOf = (project: string) =>
    [
      { name: `${project} client`, entriesMax: 50 },
      { name: project, entriesMax: 75 },
    ] as const;
  const flood = Array.from({ length: 60 }, () => passwords.hash('secret123', claimsOf('one')));
  const refused = { errors: [{ code: 'OverCapacity' }] };
  const others = [
    passwords.hash('secret123', claimsOf('two')),
    passwords.verify('secret123', undefined, claimsOf('two')),
    passwords.verify('secret123', undefined, claimsOf('one')),
  ];
  const outcomes = await Promise.allSettled(flood);
  const rejected = outcomes.filter((outcome) => outcome.status === 'rejected');
  t.equal(rejected.length, 35, 'half of what a client may take');
  t.match(rejected[0]!.reason, refused);
  t.equal((await Promise.all(others)).length, 3);
});
