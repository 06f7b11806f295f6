import type { AccountTokens } from '../engine/account-tokens.ts';
import type { Database } from './database.ts';
import { hex } from './tokens.ts';

/** Tokens that one customer may have for one purpose. */
const heldMax = 100;
/** Rows that one clean-up deletes. */
const deletedMax = 10_000;

interface Row {
  readonly customer_id: string;
  readonly subject: string;
  readonly expires_at: Date;
}

export function createAccountTokens(database: Database): AccountTokens {
  return {
    insert: async ({ project, purpose, hash, customerId, subject, expiresAt, endsOlder }) => {
      await database.write(
        (sql) => sql`
        with ended as (
          delete from account_tokens where (project, hash) in (
            select project, hash from account_tokens
            where project = ${project} and customer_id = ${customerId}::uuid and purpose = ${purpose}
            order by created_at desc offset ${endsOlder ? 0 : heldMax - 1})
        )
        insert into account_tokens (project, hash, customer_id, purpose, subject, expires_at)
        values (${project}, decode(${hex(hash)}, 'hex'), ${customerId}::uuid, ${purpose},
          decode(${hex(subject)}, 'hex'), ${expiresAt.toISOString()}::text::timestamptz)`,
      );
    },
    find: async (project, { purpose, hash }) => {
      const [row] = await database.read(
        (sql) => sql<Row[]>`
        select customer_id, encode(subject, 'hex') as subject, expires_at from account_tokens
        where project = ${project} and hash = decode(${hex(hash)}, 'hex') and purpose = ${purpose}`,
      );
      if (row === undefined) return undefined;
      return {
        customerId: row.customer_id,
        subject: Buffer.from(row.subject, 'hex'),
        expiresAt: new Date(row.expires_at),
      };
    },
    deleteExpired: async () => {
      await database.write(
        (sql) => sql`delete from account_tokens where (project, hash) in (
        select project, hash from account_tokens where expires_at < now() - interval '1 day'
        order by expires_at limit ${deletedMax})`,
      );
    },
  };
}
