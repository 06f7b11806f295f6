/** What shops ask of their orders, of which there are a million. */
import { order } from '../src/resources/order/resource.ts';
import type { Sql } from '../src/storage/connection.ts';
import { hashedId, insertProject, type PlanCase, project, type Subject } from './plan-cases.ts';

/** Each customer has so many orders. */
const perCustomer = 20;

const none: readonly string[] = [];
const data = ['documents_data'] as const;
const created = ['documents_created'] as const;
const newest = ['createdAt desc'];

const cases: readonly PlanCase[] = [
  { name: 'by id', where: [`id = "${hashedId('777')}"`], sort: none, indexes: ['documents_pkey'] },
  { name: 'by number', where: ['orderNumber = "O-777"'], sort: none, indexes: data },
  { name: "a customer's, newest first", where: [`customerId = "${customer(77)}"`], sort: newest, indexes: data },
  {
    name: "a customer's by e-mail, newest first",
    where: ['customerEmail = "77@example.com"'],
    sort: newest,
    indexes: data,
  },
  {
    name: 'open ones of an hour, newest first',
    where: ['orderState = "Open"', 'createdAt >= "2029-02-01T10:00:00Z" and createdAt < "2029-02-01T11:00:00Z"'],
    sort: newest,
    indexes: created,
  },
  {
    name: 'complete ones since a moment, oldest first',
    where: ['orderState = "Complete" and createdAt > "2029-01-01T12:00:00Z"'],
    sort: ['createdAt asc', 'id asc'],
    indexes: created,
  },
  { name: 'the newest complete ones', where: ['orderState = "Complete"'], sort: newest, indexes: created },
  { name: 'the newest confirmed ones', where: ['orderState = "Confirmed"'], sort: newest, indexes: data },
  {
    name: 'paid and not shipped, oldest first',
    where: ['paymentState = "Paid" and shipmentState = "Pending"'],
    sort: ['createdAt asc'],
    indexes: data,
  },
  {
    name: 'in a state of a workflow, newest first',
    where: [`state(id = "${hashedId('state7')}")`],
    sort: newest,
    indexes: data,
  },
  { name: 'with an SKU', where: ['lineItems(variant(sku = "SKU-777"))'], sort: newest, indexes: data },
  {
    name: 'with a code',
    where: [`discountCodes(discountCode(id = "${hashedId('code77')}"))`],
    sort: newest,
    indexes: data,
  },
  {
    name: 'changed since',
    where: ['lastModifiedAt > "2030-12-31T12:00"'],
    sort: ['lastModifiedAt asc'],
    indexes: ['documents_modified'],
  },
];

function customer(number: number): string {
  return hashedId(`customer${number}`);
}

/** The orders of a customer are as far apart as can be. What of an order no index has is a text of 1 kB. */
async function load(sql: Sql, rows: number): Promise<void> {
  await insertProject(sql);
  await sql.unsafe(`
    insert into documents (project, kind, id, version, data, indexed, indexed_version)
    select '${project}', 'order', id, 1, jsonb_build_object(
        'id', id, 'version', 1, 'createdAt', created, 'lastModifiedAt', modified,
        'description', repeat(md5(n::text), 30)) || asked, asked, 1
    from (
      select n, md5(n::text)::uuid as id,
        to_char(timestamp '2029-01-01' + n * interval '7.3 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created,
        to_char(timestamp '2030-01-01' + abs(hashint4(n)) % 31536000 * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as modified,
        jsonb_build_object(
          'orderNumber', 'O-' || n,
          'customerId', md5('customer' || n % greatest(${rows} / ${perCustomer}, 1))::uuid,
          'customerEmail', n % greatest(${rows} / ${perCustomer}, 1) || '@example.com',
          'orderState', case when n % 50 = 0 then 'Open' when n % 200 = 1 then 'Confirmed' else 'Complete' end,
          'paymentState', case when n % 40 = 0 then 'BalanceDue' else 'Paid' end,
          'shipmentState', case when n % 500 = 3 then 'Pending' else 'Shipped' end,
          'state', jsonb_build_object('typeId', 'state', 'id', md5('state' || n % 300)::uuid),
          'cart', jsonb_build_object('typeId', 'cart', 'id', md5('cart' || n)::uuid),
          'country', (array['DE', 'AT', 'CH', 'US'])[1 + n % 4],
          'discountCodes', jsonb_build_array(jsonb_build_object('state', 'MatchesCart',
            'discountCode', jsonb_build_object('typeId', 'discount-code', 'id', md5('code' || n % 1009)::uuid))),
          'lineItems', (
            select jsonb_agg(jsonb_build_object(
              'id', md5('line' || n || line)::uuid, 'productId', md5('product' || (n * 3 + line) % 5003)::uuid,
              'variant', jsonb_build_object('id', 1, 'sku', 'SKU-' || (n * 3 + line) % 5003)))
            from generate_series(1, 3) as line)) as asked
      from generate_series(1, ${rows}) as n
    ) as numbered`);
  // Entries of the index on documents wait in a list of their own until a vacuum.
  await sql.unsafe('vacuum analyze documents');
}

export const orders: Subject = {
  kind: order.kind,
  hasPlainKey: false,
  indexed: order.indexed,
  shape: order.shape,
  load,
  cases,
};
