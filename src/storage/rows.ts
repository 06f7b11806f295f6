import { setImmediate } from 'node:timers/promises';
import type { Stored } from '../engine/store.ts';
import type { Sql } from './connection.ts';
import type { Statement } from './query-sql.ts';

export interface Prepared extends Statement {
  /** Whether the database is to remember the statement. */
  readonly prepare: boolean;
}

export function readRows<T extends object>(sql: Sql, { text, parameters, prepare }: Prepared): PromiseLike<T[]> {
  return sql.unsafe<T[]>(text, parameters, { prepare });
}

/** Runs a statement that gives `storedRows`; those whose documents were too many have none. Documents stay the bytes that came: they are most of a row. */
export async function readStored(sql: Sql, { text, parameters, prepare }: Prepared): Promise<readonly Found[]> {
  const rows = await sql.unsafe(text, parameters, { prepare }).raw();
  return rows.map(storedIn);
}

/** Rows of a group that are looked at between the turns of others: an SKU has a stock in each channel. */
const rowsAtOnce = 2000;

/** The same of a statement that gives `groupedRows`. */
export async function readGrouped(
  sql: Sql,
  { text, parameters, prepare }: Prepared,
): Promise<readonly { readonly group: string; readonly stored: Found }[]> {
  const rows = await sql.unsafe(text, parameters, { prepare }).raw();
  const found: { readonly group: string; readonly stored: Found }[] = [];
  for (const row of rows) {
    found.push({ group: row[5]!.toString('latin1'), stored: storedIn(row) });
    if (found.length % rowsAtOnce === 0) await setImmediate();
  }
  return found;
}

/** A resource of a kind, and what named it. */
export interface NamedRow {
  readonly kind: string;
  /** The id or the key of the document that names it. */
  readonly source: string;
  readonly stored: Found;
}

export async function readNamed(sql: Sql, { text, parameters, prepare }: Prepared): Promise<readonly NamedRow[]> {
  const rows = await sql.unsafe(text, parameters, { prepare }).raw();
  return rows.map((row) => ({
    kind: row[5]!.toString('latin1'),
    source: row[6]!.toString(),
    stored: storedIn(row),
  }));
}

export interface HolderRow {
  /** Of the values that it holds, among those that were asked for, from 1. */
  readonly places: readonly number[];
  readonly stored: Found;
}

export async function readHolderRows(sql: Sql, { text, parameters, prepare }: Prepared): Promise<readonly HolderRow[]> {
  const rows = await sql.unsafe(text, parameters, { prepare }).raw();
  return rows.map((row) => ({ places: JSON.parse(row[5]!.toString('latin1')) as number[], stored: storedIn(row) }));
}

function storedIn([id, key, version, json, internals]: readonly Buffer[]): Found {
  return {
    id: id!.toString('latin1'),
    // A resource need not have one.
    key: (key as Buffer | null)?.toString(),
    version: Number(version!.toString('latin1')),
    json: json ?? undefined,
    ...(internals && { internals: internals.toString() }),
  };
}

export type Found = Omit<Stored, 'json'> & { readonly json: Buffer | undefined };
