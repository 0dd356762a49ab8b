import { getTableName, sql, type SQL } from 'drizzle-orm'
import { getTableConfig, type PgTable } from 'drizzle-orm/pg-core'
import { order_code, times_ask, verify_record } from '#src/areas/code/code.table.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { countBought } from '#src/areas/member/bought.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
import { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import { shipment } from '#src/areas/shipping/shipment.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { afterIds } from '#src/server/demo/insert.ts'
import { order, order_item } from './order.table.ts'
import { order_bind, order_log } from './trail.table.ts'

/** Orders a step: large enough to be quick, small enough to tell how far it is. */
const STEP = 20_000
const TIMES = [
  'created_at',
  'updated_at',
  'paid_at',
  'finished_at',
  'closed_at',
  'expire_pay_at',
  'valid_until',
  'valid_from',
  'valid_before_use',
  'promise_at',
  'ready_at',
  'receive_by',
  'receiver_changed_at',
  'dispatched_at',
  'reminded_at',
  'verified_at',
  'ordered_at',
  'reversed_at',
  'hold_until',
  'done_at',
  'decided_at',
  'deadline_at',
  'success_at',
  'shipped_at',
  'signed_at',
  'traced_at',
  'expire_at',
  'ended_at',
  'used_at',
  'reviewed_at',
  'at',
]

/** Copies are spread over so many seconds before the demo's. */
const AGO = 700 * DAY

/**
 * Twelve digits, no leading zero, the last a check digit, from a number: as `newCode` makes them
 * (orderCodes.server.ts).
 */
const codeOf = (n: SQL): SQL =>
  sql`(select b || (select sum(substr(b, g, 1)::int * case when g % 2 = 0 then 3 else 1 end) % 10 from generate_series(1, 11) g) from (select (10000000000 + ((${n})::bigint * 7368787) % 89999999993)::text b) body)`

/** A phone of the same network, another one each round, from one of the demo's. */
const phoneOf = (phone: SQL, round: number): SQL =>
  sql`left(${phone}, 3) || lpad(((right(${phone}, 8)::bigint + ${round * 1_234_577}) % 100000000)::text, 8, '0')`

/**
 * Copies of rows under new ids; `over` says what is not a copy. Whatever is a time moves by `shift`
 * seconds with its order.
 */
const copy = async (
  tx: Db,
  table: PgTable,
  of: { from: SQL; over: Record<string, SQL>; shift: SQL },
): Promise<number> => {
  const names = getTableConfig(table).columns.map(column => column.name)
  const value = (name: string) =>
    of.over[name] ??
    (TIMES.includes(name)
      ? sql`t.${sql.identifier(name)} + ${of.shift}`
      : sql`t.${sql.identifier(name)}`)
  const done = await tx.execute(
    sql`insert into ${table} (${sql.join(
      names.map(name => sql.identifier(name)),
      sql`, `,
    )}) select ${sql.join(names.map(value), sql`, `)} from ${of.from}`,
  )
  return done.rowCount ?? 0
}

/**
 * Grows the table of orders to `orders` rows by copying the demo's, with those who bought, their
 * items, codes, redemptions, refunds, payments and parcels: every figure and state stays sound,
 * times spread over two more years. Members grow as orders do, so that each has as many orders as
 * in the demo. What is still under way is copied as it is, so that queues grow too. Needs the demo
 * data. Tells how far it is. All or nothing: one transaction, in which nobody else reads orders.
 */
export const generateOrders = async (
  database: Database,
  { orders, progress = () => {} }: { orders: number; progress?: (made: number) => void },
): Promise<void> => {
  const max = async (table: PgTable) =>
    Number(
      (await database.db.execute<{ n: string }>(sql`select coalesce(max(id), 0) n from ${table}`))
        .rows[0]!.n,
    )
  const tables = {
    member,
    order,
    order_bind,
    order_item,
    order_code,
    order_log,
    verify_record,
    refund,
    refund_item,
    payment,
    shipment,
    times_ask,
    roll_group,
    raise_batch,
  }
  const base = Object.fromEntries(
    await Promise.all(
      Object.entries(tables).map(async ([name, table]) => [name, await max(table)]),
    ),
  ) as Record<keyof typeof tables, number>
  if (base.order === 0)
    throw new Error('There are no orders to grow from: start once with demo data')
  await database.transaction(
    async tx => {
      await tx.execute(sql`set local statement_timeout = 0`)
      const indexes = await withoutIndexes(tx, Object.values(tables))
      let made = base.order
      for (let round = 1; made < orders; round++) {
        const off = (name: keyof typeof tables) => sql`${round * base[name]}::int`
        const shift = sql`(case when o.status in ('finished', 'expired', 'refunded', 'cancelled') then -((o.id::bigint * 7919 + ${round * 104_729}) % ${AGO}::int) else 0 end)`
        await copy(tx, member, {
          from: sql`member t where t.id <= ${base.member}`,
          over: {
            id: sql`t.id + ${off('member')}`,
            uid: sql`t.uid || '-' || ${String(round)}`,
            phone: phoneOf(sql`t.phone`, round),
            register_at: sql`t.register_at - ${AGO}::int`,
            points: sql`0`,
            points_frozen: sql`0`,
            points_debt: sql`0`,
            growth: sql`0`,
            total_paid_cents: sql`0`,
            order_count: sql`0`,
            last_order_at: sql`null`,
          },
          shift: sql`${-AGO}::int`,
        })
        await copy(tx, roll_group, {
          from: sql`roll_group t where t.id <= ${base.roll_group}`,
          over: {
            id: sql`t.id + ${off('roll_group')}`,
            group_no: sql`'PT' || t.created_at || lpad((t.id + ${off('roll_group')})::text, 8, '0')`,
          },
          shift: sql`0`,
        })
        await copy(tx, raise_batch, {
          from: sql`raise_batch t where t.id <= ${base.raise_batch}`,
          over: { id: sql`t.id + ${off('raise_batch')}` },
          shift: sql`0`,
        })
        for (let from = 0; from < base.order && made < orders; from += STEP) {
          const to = Math.min(from + STEP, base.order, from + orders - made)
          const some = sql`o.id > ${from} and o.id <= ${to}`
          await copy(tx, order, {
            from: sql`(select o.*, ${shift} shift from "order" o where ${some}) t`,
            shift: sql`t.shift`,
            over: {
              id: sql`t.id + ${off('order')}`,
              order_no: sql`left(t.order_no, 2) || (t.created_at + t.shift) || lpad((t.id + ${off('order')})::text, 8, '0')`,
              roll_group_id: sql`t.roll_group_id + ${off('roll_group')}`,
              raise_batch_id: sql`t.raise_batch_id + ${off('raise_batch')}`,
              freeze_hit_id: sql`null`,
              member_id: sql`t.member_id + ${off('member')}`,
              visitor_phone: phoneOf(sql`t.visitor_phone`, round),
              visitor_openid: sql`t.visitor_openid || '-' || ${String(round)}`,
              device_id: sql`t.device_id || '-' || ${String(round)}`,
              receiver: sql`t.receiver || jsonb_build_object('phone', ${phoneOf(sql`t.receiver->>'phone'`, round)})`,
              reissue_of: sql`null`,
              coupon_grant_id: sql`null`,
              points_used: sql`0`,
              version: sql`0`,
            },
          })
          const joined = (table: string, over: Record<string, SQL>) => ({
            from: sql`(select t.*, ${shift} shift from ${sql.identifier(table)} t join "order" o on o.id = t.order_id where ${some}) t`,
            shift: sql`t.shift`,
            over,
          })
          await copy(
            tx,
            order_bind,
            joined('order_bind', {
              id: sql`t.id + ${off('order_bind')}`,
              order_id: sql`t.order_id + ${off('order')}`,
              member_id: sql`t.member_id + ${off('member')}`,
            }),
          )
          await copy(
            tx,
            order_item,
            joined('order_item', {
              id: sql`t.id + ${off('order_item')}`,
              order_id: sql`t.order_id + ${off('order')}`,
              sku_id: sql`null`,
              store_stock_id: sql`null`,
              points_goods_id: sql`null`,
            }),
          )
          await copy(
            tx,
            order_code,
            joined('order_code', {
              id: sql`t.id + ${off('order_code')}`,
              order_id: sql`t.order_id + ${off('order')}`,
              item_id: sql`t.item_id + ${off('order_item')}`,
              holder_id: sql`t.holder_id + ${off('member')}`,
              code: codeOf(sql`t.id + ${off('order_code')}`),
            }),
          )
          await copy(
            tx,
            times_ask,
            joined('times_ask', {
              id: sql`t.id + ${off('times_ask')}`,
              order_id: sql`t.order_id + ${off('order')}`,
              code_id: sql`t.code_id + ${off('order_code')}`,
            }),
          )
          await copy(
            tx,
            verify_record,
            joined('verify_record', {
              id: sql`t.id + ${off('verify_record')}`,
              order_id: sql`t.order_id + ${off('order')}`,
              item_id: sql`t.item_id + ${off('order_item')}`,
              code_id: sql`t.code_id + ${off('order_code')}`,
              bill_no: sql`t.bill_no || '-' || ${String(round)}`,
            }),
          )
          await copy(
            tx,
            refund,
            joined('refund', {
              id: sql`t.id + ${off('refund')}`,
              order_id: sql`t.order_id + ${off('order')}`,
              refund_no: sql`'RF' || (t.created_at + t.shift) || lpad((t.id + ${off('refund')})::text, 8, '0')`,
              idem_key: sql`null`,
              payment_id: sql`t.payment_id + ${off('payment')}`,
            }),
          )
          await copy(tx, refund_item, {
            from: sql`(select t.*, ${shift} shift from refund_item t join refund r on r.id = t.refund_id join "order" o on o.id = r.order_id where ${some}) t`,
            shift: sql`t.shift`,
            over: {
              id: sql`t.id + ${off('refund_item')}`,
              refund_id: sql`t.refund_id + ${off('refund')}`,
              item_id: sql`t.item_id + ${off('order_item')}`,
              code_id: sql`t.code_id + ${off('order_code')}`,
            },
          })
          await copy(
            tx,
            payment,
            joined('payment', {
              id: sql`t.id + ${off('payment')}`,
              order_id: sql`t.order_id + ${off('order')}`,
              refund_id: sql`t.refund_id + ${off('refund')}`,
              parent_id: sql`t.parent_id + ${off('payment')}`,
              out_no: sql`'G' || (t.id + ${off('payment')})`,
              channel_no: sql`null`,
            }),
          )
          await copy(
            tx,
            order_log,
            joined('order_log', {
              id: sql`t.id + ${off('order_log')}`,
              order_id: sql`t.order_id + ${off('order')}`,
              data: sql`nullif(t.data - 'coupon', '{}')`,
            }),
          )
          await copy(
            tx,
            shipment,
            joined('shipment', {
              id: sql`t.id + ${off('shipment')}`,
              order_id: sql`t.order_id + ${off('order')}`,
              tracking_no: sql`left(t.tracking_no, 2) || lpad(((t.id + ${off('shipment')})::bigint * 104729 % 10000000000000)::text, 13, '0')`,
              items: sql`(select jsonb_agg(jsonb_set(i, '{item_id}', to_jsonb((i->>'item_id')::int + ${off('order_item')}))) from jsonb_array_elements(t.items) i)`,
            }),
          )
          made += to - from
          progress(made)
        }
      }
      // What they bought was there to be bought: what is not paid yet is held, the rest was sold.
      await tx.execute(sql`
      update product p set held = p.held + s.held, stock = p.stock + s.held, sold = p.sold + s.sold
      from (select i.product_id, coalesce(sum(i.qty) filter (where o.pay_state = 'unpaid'), 0)::int held, coalesce(sum(i.qty) filter (where o.paid_cents > 0), 0)::int sold from order_item i join "order" o on o.id = i.order_id where o.id > ${base.order} group by 1) s where s.product_id = p.id`)
      // The last round may have left a group without some of its orders.
      await tx.execute(
        sql`update roll_group g set joined_n = n from (select g.id, count(o.id)::int n from roll_group g left join "order" o on o.roll_group_id = g.id and o.pay_state = 'paid' and o.refund_state <> 'refunded' where g.state <> 'failed' group by g.id) s where s.id = g.id`,
      )
      await tx.execute(
        sql`update raise_batch b set taken_units = n from (select b.id, coalesce(sum(i.qty - i.refunded_qty), 0)::int n from raise_batch b left join "order" o on o.raise_batch_id = b.id and o.pay_state <> 'closed' left join order_item i on i.order_id = o.id group by b.id) s where s.id = b.id`,
      )
      // Orders whose vouchers paid one bill may lie on different days now.
      await tx.execute(sql`
      update verify_record v set bill_many = s.many from (select id, count(*) filter (where state = 'valid') over (partition by store_id, bill_no, (verified_at + 28800) / 86400) > 1 many from verify_record where bill_no is not null) s
      where s.id = v.id and v.bill_many <> s.many`)
      await countBought(tx)
      await afterIds(tx)
      for (const { make } of indexes) await tx.execute(sql.raw(make))
    },
    { deadlineMs: 6 * 3_600_000 },
  )
  await vacuum(database, Object.values(tables))
}
/**
 * Drops the indexes that the copying needs neither to find rows nor to keep them apart: kept in
 * step with each row, at ten million they take four fifths of the time. Answers how to make them
 * again.
 */
const withoutIndexes = async (tx: Db, tables: readonly PgTable[]) => {
  const { rows } = await tx.execute<{ name: string; make: string }>(sql`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as make from pg_index
    where indrelid = any(${sql.param(tables.map(table => `"${getTableName(table)}"`))}::regclass[]) and not indisunique and pg_get_indexdef(indexrelid, 1, true) not in ('order_id', 'refund_id')`)
  for (const { name } of rows) await tx.execute(sql`drop index ${sql.raw(name)}`)
  return rows
}
/** Outside any transaction, and for as long as it takes. */
const vacuum = async (database: Database, tables: readonly PgTable[]) => {
  const client = await database.pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    for (const table of tables) await client.query(`vacuum (analyze) "${getTableName(table)}"`)
  } finally {
    client.release(true)
  }
}
