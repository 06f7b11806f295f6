import { App, us_socket_local_port, _cfg, type us_listen_socket } from 'uWebSockets.js';

/** What the platform answered to a request, for the bare server to answer with the same bytes. */
interface Recorded {
  readonly path: string;
  readonly body: string;
}

/** The least that an answer can cost: the native server with ready bytes. Started as a child, with one recording a path. */
process.once('message', (message) => {
  // The benchmark sends its recordings first.
  const recordings = message as readonly Recorded[];
  _cfg('silent');
  const app = App();
  for (const { path, body } of recordings) {
    const bytes = Buffer.from(body);
    app.any(path, (res) => {
      res.writeHeader('Content-Type', 'application/json; charset=utf-8');
      res.end(bytes);
    });
  }
  app.listen('127.0.0.1', 0, (socket: us_listen_socket | false) => {
    if (socket) process.send?.({ port: us_socket_local_port(socket) });
  });
});
process.on('disconnect', () => process.exit(0));
