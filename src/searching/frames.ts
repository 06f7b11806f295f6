/** Messages on a socket: four bytes say how long the JSON is that follows. */
import type { Socket } from 'node:net';

const headBytes = 4;

/** Longer than a search with all that it may hold, and than an answer. */
const frameBytesMax = 64 * 1024 * 1024;

export function sendFrame(socket: Socket, message: unknown): void {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.allocUnsafe(headBytes);
  head.writeUInt32BE(text.length);
  socket.cork();
  socket.write(head);
  socket.write(text);
  socket.uncork();
}

/** Calls `take` with each message that arrives; a socket that sends something else is closed. */
export function onFrames(socket: Socket, take: (message: object) => void): void {
  let chunks: Buffer[] = [];
  let bytes = 0;
  let wanted: number | undefined;
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    for (;;) {
      if (wanted === undefined) {
        if (bytes < headBytes) return;
        const all = joined();
        wanted = all.readUInt32BE();
        keep(all.subarray(headBytes));
        if (wanted > frameBytesMax) return void socket.destroy(new Error(`A message of ${wanted} bytes is too long`));
      }
      if (bytes < wanted) return;
      const all = joined();
      const text = all.toString('utf8', 0, wanted);
      keep(all.subarray(wanted));
      wanted = undefined;
      let message: unknown;
      try {
        message = JSON.parse(text);
      } catch (error) {
        return void socket.destroy(error as Error);
      }
      if (typeof message !== 'object' || message === null)
        return void socket.destroy(new Error('A message is no object'));
      take(message);
    }
  });

  function joined(): Buffer {
    return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bytes);
  }

  function keep(rest: Buffer): void {
    chunks = rest.length === 0 ? [] : [rest];
    bytes = rest.length;
  }
}
