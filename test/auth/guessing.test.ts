import t from 'tap';
import { Pool } from 'undici';
import { randomSecret } from '../../src/engine/secrets.ts';
import { basicOf, requestToken, startPlatform } from '../support/platform.ts';

const guessesMax = 10_000;
const connections = 32;

const { baseUrl, client, projectKey } = await startPlatform(t);
const held = await requestToken(baseUrl, client);
const pool = new Pool(baseUrl, { connections });
t.teardown(() => pool.close());

/** Tokens that nobody was given, half of them at random and half next to one that holds; and that one, last. */
function* guesses(): Generator<string> {
  for (let index = 1; index <= guessesMax / 2; index += 1) {
    yield randomSecret();
    const bytes = Buffer.from(held, 'base64url');
    const at = index % (bytes.length - 1);
    bytes.writeUInt16BE(bytes.readUInt16BE(at) ^ index, at);
    yield bytes.toString('base64url');
  }
  yield held;
}

async function taken(isTaken: (guess: string) => Promise<boolean>): Promise<readonly string[]> {
  const left = guesses();
  const found: string[] = [];
  const guess = async (): Promise<void> => {
    for (const given of left) if (await isTaken(given)) found.push(given);
  };
  await Promise.all(Array.from({ length: connections }, guess));
  return found;
}

t.test('of ten thousand guesses at a token only the right one is taken', async (t) => {
  const byRequest = await taken(async (guess) => {
    const headers = { authorization: `Bearer ${guess}` };
    const { statusCode, body } = await pool.request({ method: 'GET', path: `/${projectKey}/zones`, headers });
    await body.dump();
    return statusCode !== 401;
  });
  t.strictSame(byRequest, [held], 'by a request');
  const headers = { authorization: basicOf(client), 'content-type': 'application/x-www-form-urlencoded' };
  const byIntrospection = await taken(async (guess) => {
    const { body } = await pool.request({ method: 'POST', path: '/oauth/introspect', headers, body: `token=${guess}` });
    return (await body.text()) !== '{"active":false}';
  });
  t.strictSame(byIntrospection, [held], 'by introspection');
});
