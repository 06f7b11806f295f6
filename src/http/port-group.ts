/**
 * The listeners of all processes on one port, among which the system spreads new connections (SO_REUSEPORT). When one of
 * them is closed, Linux resets the connections that wait for it, so none may come to it by then.
 */
import { open, readdir, readlink } from 'node:fs/promises';

interface Listener {
  readonly inode: string;
  /** Address and port, as the system writes them. */
  readonly address: string;
}

/** Of <sys/socket.h>; the same numbers on all architectures for which there is the native server. */
const SOL_SOCKET = 1;
const SO_ATTACH_REUSEPORT_CBPF = 51;
/** The instruction of a classic socket filter that returns a constant. */
const BPF_RET_K = 0x06;
/** In the tables of the system: the columns, and the state of a listener. */
const localAddressColumn = 1;
const stateColumn = 3;
const inodeColumn = 9;
const listening = '0A';

/**
 * Has the system give every new connection to the port to the listener that joined last, until one leaves. False where
 * that cannot be done: on other systems than Linux, and where there are not as many `members` as there are once the
 * successor of the one that is about to be closed is there. Otherwise the last could be the very one that leaves.
 */
export async function yieldToNewest(port: number, members: number): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const listeners = await listenersOn(port);
  const own = await ownSocket(listeners);
  if (own === undefined) return false;
  if (members < 2 || listeners.filter(({ address }) => address === own.address).length !== members) return false;
  // The system gives a listener that joins the next number, and the place of one that leaves to the last. The program
  // stays; while there are no more than one listener for each process, nobody has its number, and connections are spread
  // as ever. At the next restart the new listener has it from the beginning.
  return attachProgram(own.fd, members - 1);
}

async function listenersOn(port: number): Promise<readonly Listener[]> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = await Promise.all(['/proc/self/net/tcp', '/proc/self/net/tcp6'].map(listenersIn));
  return tables.flat().filter(({ address }) => address.endsWith(suffix));
}

/** Listeners come first in a table, after the heading; connections, of which there may be very many, follow. */
async function listenersIn(table: string): Promise<readonly Listener[]> {
  // A machine without IPv6 has no table of it.
  const file = await open(table).catch(() => undefined);
  if (file === undefined) return [];
  const found: Listener[] = [];
  try {
    for await (const line of file.readLines()) {
      const row = line.trim().split(/\s+/);
      if (row[stateColumn] === listening) found.push({ inode: row[inodeColumn]!, address: row[localAddressColumn]! });
      else if (row[0] !== 'sl') break;
    }
  } finally {
    await file.close();
  }
  return found;
}

/** The native server does not tell which of the descriptors of this process is its listener. */
async function ownSocket(listeners: readonly Listener[]): Promise<{ fd: number; address: string } | undefined> {
  const links = new Map(listeners.map(({ inode, address }) => [`socket:[${inode}]`, address]));
  for (const fd of await readdir('/proc/self/fd')) {
    const address = links.get(await readlink(`/proc/self/fd/${fd}`).catch(() => ''));
    if (address !== undefined) return { fd: Number(fd), address };
  }
  return undefined;
}

async function attachProgram(fd: number, result: number): Promise<boolean> {
  // Loaded by those that leave only.
  const { load, pointer, sizeof, struct } = await import('koffi');
  const instruction = Buffer.alloc(8);
  instruction.writeUInt16LE(BPF_RET_K, 0);
  instruction.writeUInt32LE(result, 4);
  const program = struct({ len: 'uint16_t', filter: 'void *' });
  const setsockopt = load(null).func('setsockopt', 'int', ['int', 'int', 'int', pointer(program), 'uint32_t']);
  return setsockopt(fd, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, { len: 1, filter: instruction }, sizeof(program)) === 0;
}
