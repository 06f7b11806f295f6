import { backlog } from '../administration.ts';
import type { Config } from '../config.ts';
import { parseCommand, usageError } from './arguments.ts';
import { withBorrowedDatabase } from './database.ts';

const usage = 'Usage: npm run backlog';

/** Prints what was written and has not reached those whom it is carried to. */
export async function runBacklogCommand(config: Config, args: readonly string[]): Promise<void> {
  if (parseCommand(args, {}, usage).positionals.length > 0) throw usageError('The command takes no arguments.', usage);
  await withBorrowedDatabase(config, async (connected) => {
    const rows = (await backlog(connected)).map(({ topic, project, count, of, oldestSeconds }) => [
      topic,
      project,
      `${count} ${of}`,
      `${Math.round(oldestSeconds)} s`,
    ]);
    const lines = rows.length === 0 ? ['Nothing waits.'] : table([['TOPIC', 'PROJECT', 'WAITING', 'OLDEST'], ...rows]);
    process.stdout.write(`${lines.join('\n')}\n`);
  });
}

function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}
