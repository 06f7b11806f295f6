/**
 * `npm run bench -- tenants`: one project attacks with the dearest requests that are known, all at once, on one HTTP
 * process, while another gets a resource by id every 10 ms, lists, and signs in. Prints how long its GETs take alone and
 * beside the attack, and fails when one of its requests does, or its p99 is more than five times what it is alone.
 * `-- --seconds S` changes how long each of the two is measured, `--each` lets the attacks come one after the other,
 * `--only TEXT` leaves out those whose names do not contain it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { prepareDatabase } from '../src/administration.ts';
import type { Connected } from '../src/config.ts';
import { loadConfig } from '../src/config.ts';
import { freePort } from '../src/embedded/service.ts';
import { startServices } from '../src/services.ts';
import { tokenOf } from './client.ts';
import type { Tenant } from './tenants/attacks.ts';

const getEveryMs = 10;
const otherEveryMs = 250;
const ratioMax = 5;

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    each: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
  },
});
const seconds = Number(options.seconds);

interface Times {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly failures: readonly string[];
}

const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-tenants-'));
// The user that Postgres runs as has to pass through.
chmodSync(dataDir, 0o711);
const children: ChildProcess[] = [];
const services = await startServices({ ...loadConfig({ PROJECT_KEY: 'victim' }), dataDir }, { search: false });
try {
  const { config } = services;
  const port = await freePort();
  const server = start('../src/main.js', ['http'], {
    DATABASE_URL: config.databaseUrl,
    PORT: String(port),
    LOG_LEVEL: 'fatal',
    // As the supervisor starts it.
    ...(config.databaseDirectory !== undefined && { DATABASE_DIRECTORY: config.databaseDirectory }),
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  const victim = await tenantOf(config, baseUrl, async () => void (await message(server)));
  const attackerTenant = await tenantOf({ ...config, projectKey: 'attacker' }, baseUrl);
  const attacker = start('tenants/attacker.js', [], {});
  process.stdout.write('Making what the attacks need …\n');
  attacker.send(attackerTenant);
  const names = ((await message(attacker)) as readonly string[]).filter((name) => name.includes(options.only));
  if (names.length === 0) throw new Error(`There is no attack whose name contains '${options.only}'.`);
  const visit = await prepareVisit(victim);
  await visit(2);
  const alone = await visit(seconds);
  show('alone', alone);
  for (const asked of options.each ? names.map((name) => [name]) : [names]) {
    attacker.send(asked);
    const beside = await visit(seconds);
    attacker.send('end');
    const answers = await message(attacker);
    show(options.each ? asked[0]! : 'beside all attacks', beside);
    process.stdout.write(`  answered: ${JSON.stringify(answers)}\n`);
    const { failures } = beside;
    const ratio = beside.p99 / alone.p99;
    process.stdout.write(
      `  p99 ${ratio.toFixed(1)} times, at most ${ratioMax}; failed: ${failures.slice(0, 3).join('; ') || 'none'}\n`,
    );
    if (ratio > ratioMax || failures.length > 0) process.exitCode = 1;
  }
} finally {
  for (const child of children) child.kill('SIGKILL');
  await services.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.exit();

function show(name: string, { p50, p99, max, failures }: Times): void {
  const cells = [`p50 ${p50.toFixed(1)}`, `p99 ${p99.toFixed(1)}`, `max ${max.toFixed(0)}`];
  process.stdout.write(`${name}: GET by id ${cells.join(', ')} ms, ${failures.length} failed\n`);
}

function start(file: string, args: readonly string[], environment: NodeJS.ProcessEnv): ChildProcess {
  const child = fork(join(import.meta.dirname, file), args, { env: { ...process.env, ...environment } });
  children.push(child);
  return child;
}

function message(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    child.once('message', resolve);
    child.once('exit', (code) => reject(new Error(`A program ended with ${code}.`)));
  });
}

async function tenantOf(config: Connected, baseUrl: string, isServed = async (): Promise<void> => {}): Promise<Tenant> {
  const client = (await prepareDatabase(config))!;
  await isServed();
  return { baseUrl, projectKey: config.projectKey, token: await tokenOf(baseUrl, client) };
}

/** A visit of the shop for so many seconds. */
async function prepareVisit({ baseUrl, projectKey, token }: Tenant): Promise<(forSeconds: number) => Promise<Times>> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const failures: string[] = [];
  const ask = async (method: string, path: string, body?: object): Promise<string> => {
    const response = await fetch(`${baseUrl}/${projectKey}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) failures.push(`${method} ${path}: ${response.status}`);
    return text;
  };
  const failed = (error: unknown): void => void failures.push(String(error));
  const { id } = JSON.parse(await ask('POST', '/zones', { name: 'Zone' })) as { id: string };
  // One name has few places, so each sign-in is of another customer.
  const accounts = Array.from({ length: 20 }, (_, index) => ({
    email: `jane-${index}@example.org`,
    password: 'correct horse 1',
  }));
  for (const account of accounts) await ask('POST', '/customers', account);
  return async (forSeconds) => {
    const times: number[] = [];
    failures.length = 0;
    const get = async (): Promise<void> => {
      const startedAtMs = performance.now();
      await ask('GET', `/zones/${id}`);
      times.push(performance.now() - startedAtMs);
    };
    const running = new Set<Promise<void>>();
    const launch = (work: Promise<unknown>): void => {
      const entry: Promise<void> = work.then(() => {}, failed).finally(() => running.delete(entry));
      running.add(entry);
    };
    const endAtMs = performance.now() + forSeconds * 1000;
    let count = 0;
    for (let atMs = performance.now(); atMs < endAtMs; atMs += getEveryMs) {
      await pause(Math.max(0, atMs - performance.now()));
      launch(get());
      if ((count += 1) % (otherEveryMs / getEveryMs) !== 0) continue;
      launch(ask('GET', `/zones?limit=${1 + (count % 400)}`));
      launch(ask('POST', '/login', accounts[(count / 25) % accounts.length]!));
    }
    await Promise.all(running);
    times.sort((one, other) => one - other);
    const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))]!;
    return { p50: at(0.5), p99: at(0.99), max: times.at(-1)!, failures: [...failures] };
  };
}
