import { fastify } from 'fastify';
import { mercurius } from 'mercurius';

/** The schema of the platform, and what it answered to a query, for Mercurius to answer the same from memory. */
interface Given {
  readonly sdl: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Mercurius with its compiler on Fastify. Started as a child. */
process.once('message', (message) => {
  // The benchmark sends its data first.
  const { sdl, data } = message as Given;
  const query = Object.fromEntries(Object.entries(data).map(([field, value]) => [field, () => value]));
  const app = fastify();
  app.register(mercurius, { schema: sdl, resolvers: { Query: query }, jit: 1 });
  void app.listen({ host: '127.0.0.1', port: 0 }).then((address) => {
    process.send?.({ port: Number(new URL(address).port) });
  });
});
process.on('disconnect', () => process.exit(0));
