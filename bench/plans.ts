/**
 * `npm run bench -- plans`: how Postgres answers representative queries over a million resources of one kind, and over as
 * many orders. Fails
 * when a query that has an index reads the table whole, or looks at more rows than a page of an index can hold.
 * `-- plans --rows N` takes another number.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../src/embedded/postgres.ts';
import { connect, queryConnectionSettings } from '../src/storage/connection.ts';
import { migrate, readMigrations } from '../src/storage/migrate.ts';
import { orders } from './order-plan-cases.ts';
import { documents, executed, type PlanCase, rowsMax, statementsOf, type Subject } from './plan-cases.ts';

const { values: options } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' } },
});

const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-plans-'));
// The user that Postgres runs as has to pass through.
chmodSync(dataDir, 0o711);
const postgres = await startPostgres(dataDir, (error) => process.stderr.write(`${error.message}\n`));
const sql = connect({
  databaseUrl: postgres.url,
  connectionsMax: 1,
  prepare: true,
  // Loading takes minutes.
  settings: queryConnectionSettings(3_600_000),
});
let passed = 0;
let failed = 0;
try {
  await migrate(sql, readMigrations(join(import.meta.dirname, '..', '..', 'migrations')));
  for (const subject of [documents, orders]) {
    process.stdout.write(`\nLoading ${options.rows} resources of the kind ${subject.kind} …\n`);
    await subject.load(sql, Number(options.rows));
    process.stdout.write(
      '\n| query | indexes read | steps | rows looked at | page ms | total ms |\n|---|---|---|---:|---:|---:|\n',
    );
    for (const planCase of subject.cases) {
      const isAsExpected = await show(planCase, subject);
      if (isAsExpected) passed += 1;
      else failed += 1;
    }
  }
} finally {
  await sql.end();
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
process.stdout.write(`\n${passed} plans as expected, ${failed} not\n`);
process.exit(failed === 0 ? 0 : 1);

async function show(planCase: PlanCase, subject: Subject): Promise<boolean> {
  const { page, count } = statementsOf(planCase, subject);
  // The first run brings the pages of the index into memory.
  await executed(sql, page);
  const answer = await executed(sql, page);
  const total = await executed(sql, count);
  const { indexes } = planCase;
  const isAsExpected =
    indexes === undefined ||
    (!answer.isWhole && answer.rows <= rowsMax && indexes.every((name) => answer.indexes.includes(name)));
  const cells = [
    `${isAsExpected ? '' : 'FAILED: '}${planCase.name}`,
    answer.indexes.map((name) => name.replace('documents_', '')).join(', ') || '–',
    answer.steps.join(', '),
    answer.rows,
    answer.milliseconds.toFixed(1),
    total.milliseconds.toFixed(1),
  ];
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
  return isAsExpected;
}
