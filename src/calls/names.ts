/**
 * Addresses of names, found without a thread. The system's own look-up takes one of the few threads that files are read by
 * as well, for as long as a server of names is silent and whether or not somebody waits. What it does with the file of hosts,
 * search domains (resolv.conf(5)) and DNS is done here; of other sources of names nothing is known.
 */
import { promises as dns } from 'node:dns';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** The addresses of a name, those of IPv4 first. Throws where there are none, and where too many names are looked up. */
export type Names = (host: string, owner: string) => Promise<readonly string[]>;

export interface NamesOptions {
  readonly hostsPath?: string;
  readonly resolverPath?: string;
  /** Addresses of servers with their ports; by default the system's. */
  readonly servers?: readonly string[];
}

/** Names that are looked up at a time, for all and for one owner. Who asks for the same waits for the same look-up. */
const lookupsMax = 1000;
const ownerLookupsMax = 100;
/** Until a question is asked once more, of the last time until it has failed. A look-up may outlive its call so long. */
const questionMs = 1000;
const triesMax = 2;
/** After so long the system's files are read again. */
const systemMs = 5000;
/** Search domains, and dots, that count (resolv.conf(5)). */
const searchMax = 6;
const dotsMax = 15;

export function createNames({
  hostsPath = '/etc/hosts',
  resolverPath = '/etc/resolv.conf',
  servers,
}: NamesOptions = {}): Names {
  const lookups = new Map<string, { readonly owner: string; readonly found: Promise<readonly string[]> }>();
  let system: Promise<System> | undefined;
  let readAtMs = -Infinity;

  function knownSystem(): Promise<System> {
    if (system !== undefined && performance.now() - readAtMs < systemMs) return system;
    readAtMs = performance.now();
    return (system = readSystem(hostsPath, resolverPath, servers));
  }

  return (host, owner) => {
    const name = host.toLowerCase();
    const known = lookups.get(name);
    if (known !== undefined) return known.found;
    if (lookups.size >= lookupsMax || countOf(lookups, owner) >= ownerLookupsMax)
      return Promise.reject(new Error('Too many names are being looked up'));
    const found = knownSystem()
      .then((read) => addressesOf(name, read))
      .finally(() => lookups.delete(name));
    lookups.set(name, { owner, found });
    return found;
  };
}

function countOf(lookups: ReadonlyMap<string, { readonly owner: string }>, owner: string): number {
  let count = 0;
  for (const lookup of lookups.values()) if (lookup.owner === owner) count += 1;
  return count;
}

/** What the system says of names. */
interface System {
  /** Of the names in the file of hosts. */
  readonly addresses: ReadonlyMap<string, readonly string[]>;
  readonly search: readonly string[];
  /** With as many dots a name is asked for as it is before search domains are put behind it. */
  readonly dotsMin: number;
  /** Made anew each time, so that it asks the servers of the moment. */
  readonly resolver: dns.Resolver;
}

async function readSystem(
  hostsPath: string,
  resolverPath: string,
  servers: readonly string[] | undefined,
): Promise<System> {
  const [hosts, settings] = await Promise.all([linesOf(hostsPath), linesOf(resolverPath)]);
  const resolver = new dns.Resolver({ timeout: questionMs, tries: triesMax });
  if (servers !== undefined) resolver.setServers(servers);
  const addresses = new Map<string, string[]>();
  for (const [address = '', ...names] of hosts) {
    // One with a zone is of a link.
    if (isIP(address) === 0 || address.includes('%')) continue;
    for (const name of names) addresses.set(name, [...(addresses.get(name) ?? []), address]);
  }
  const search = settings.findLast(([word]) => word === 'search' || word === 'domain')?.slice(1, 1 + searchMax) ?? [];
  const dots = settings
    .filter(([word]) => word === 'options')
    .flat()
    .findLast((option) => option.startsWith('ndots:'));
  const dotsMin = Math.min(Number(dots?.slice('ndots:'.length) ?? 1) || 0, dotsMax);
  return { addresses, search, dotsMin, resolver };
}

/** The words of each line without its comment. A file that cannot be read says nothing. */
async function linesOf(path: string): Promise<readonly (readonly string[])[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return text
    .toLowerCase()
    .split('\n')
    .map((line) =>
      line
        .replace(/[#;].*/, '')
        .trim()
        .split(/\s+/),
    );
}

async function addressesOf(name: string, { addresses, search, dotsMin, resolver }: System): Promise<readonly string[]> {
  const plain = name.replace(/\.$/, '');
  const known = addresses.get(plain);
  if (known !== undefined) return known.toSorted((one, other) => isIP(one) - isIP(other));
  // No server is asked for these (RFC 6761, section 6.3).
  if (plain === 'localhost' || plain.endsWith('.localhost')) return ['127.0.0.1', '::1'];
  const searched = name === plain ? search.map((domain) => `${plain}.${domain}`) : [];
  const isAskedFirst = plain.split('.').length > dotsMin;
  for (const candidate of isAskedFirst ? [plain, ...searched] : [...searched, plain]) {
    const found = await asked(resolver, candidate);
    if (found.length > 0) return found;
  }
  throw new Error(`The name '${plain}' has no address`);
}

/** Of both families. Throws where none was found and a server was silent, which is then so for other names as well. */
async function asked(resolver: dns.Resolver, name: string): Promise<readonly string[]> {
  const outcomes = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  const found = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  const silence = outcomes.find((outcome) => outcome.status === 'rejected' && isSilence(outcome.reason));
  if (found.length === 0 && silence !== undefined) throw new Error(`Nobody answered what '${name}' is`);
  return found;
}

function isSilence(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ETIMEOUT' || error.code === 'ECONNREFUSED');
}
