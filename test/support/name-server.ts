import { createSocket } from 'node:dgram';
import type { Test } from 'tap';

export interface NameServer {
  /** Address and port. */
  readonly address: string;
  /** Names and types of questions, in the order in which they came. */
  readonly asked: string[];
}

const typeNames = new Map([
  [1, 'A'],
  [28, 'AAAA'],
]);
const headerBytes = 12;
const answered = 0x8180;
const noSuchName = 0x8183;

/** A server that knows these addresses of IPv4, has no other names, and is silent about those that begin so. */
export async function startNameServer(
  t: Test,
  addresses: Readonly<Record<string, readonly string[]>>,
  silentAbout = 'silent',
): Promise<NameServer> {
  const asked: string[] = [];
  const socket = createSocket('udp4');
  socket.on('message', (message, { port, address }) => {
    const { name, type, end } = questionOf(message);
    asked.push(`${name} ${typeNames.get(type)}`);
    if (name.startsWith(silentAbout)) return;
    const found = Object.hasOwn(addresses, name) ? addresses[name]! : undefined;
    const answers = type === 1 ? (found ?? []).map(answerOf) : [];
    const header = Buffer.alloc(headerBytes);
    message.copy(header, 0, 0, 2);
    header.writeUInt16BE(found === undefined ? noSuchName : answered, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(answers.length, 6);
    socket.send(Buffer.concat([header, message.subarray(headerBytes, end), ...answers]), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  t.teardown(() => socket.close());
  return { address: `127.0.0.1:${socket.address().port}`, asked };
}

function questionOf(message: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let index = headerBytes;
  for (let length = message[index]!; length > 0; length = message[index]!) {
    labels.push(message.toString('latin1', index + 1, index + 1 + length));
    index += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(index + 1), end: index + 5 };
}

/** Of the name of the question, which it points to, for a minute. */
function answerOf(address: string): Buffer {
  return Buffer.from([0xc0, headerBytes, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)]);
}
