import { App, us_socket_local_port, _cfg, type us_listen_socket } from 'uWebSockets.js';

/** Takes all that it is sent, and says how much that is when it is asked. Started as a child. */
process.once('message', () => {
  _cfg('silent');
  let taken = 0;
  const app = App();
  app.post('/*', (res) => {
    res.onAborted(() => {});
    res.onData((_, isLast) => {
      if (!isLast) return;
      taken += 1;
      res.writeStatus('204 No Content').endWithoutBody();
    });
  });
  process.on('message', () => process.send?.({ taken }));
  app.listen('127.0.0.1', 0, (socket: us_listen_socket | false) => {
    if (socket) process.send?.({ port: us_socket_local_port(socket) });
  });
});
process.on('disconnect', () => process.exit(0));
