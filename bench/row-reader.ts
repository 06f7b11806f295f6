import { connect } from '../src/storage/connection.ts';

interface Given {
  readonly databaseUrl: string;
  readonly ids: readonly string[];
  readonly concurrency: number;
  readonly seconds: number;
}

/** Reads rows by id with postgres.js alone, on two connections, which is its fastest. Tells how many it read a second. */
process.on('message', (message) => {
  // The benchmark sends what to read.
  const { databaseUrl, ids, concurrency, seconds } = message as Given;
  void run({ databaseUrl, ids, concurrency, seconds }).then((perSecond) => process.send?.({ perSecond }));
});
process.on('disconnect', () => process.exit(0));

async function run({ databaseUrl, ids, concurrency, seconds }: Given): Promise<number> {
  const sql = connect({ databaseUrl, connectionsMax: 2, prepare: true });
  const endMs = performance.now() + seconds * 1000;
  let count = 0;
  const read = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const id = ids[Math.floor(Math.random() * ids.length)]!;
      await sql`select id, key, version, data::text as text from documents
        where project = 'bench' and kind = 'product' and id = ${id}`;
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, read));
  await sql.end();
  return count / seconds;
}
