import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { order_code, verify_record } from '#src/areas/code/code.table.ts'
import type { Distribution } from '#src/areas/commission/selling.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import type { ConfigScope } from '#src/areas/order/configScope.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { rulesAtFirst } from '#src/areas/order/orderRules.ts'
import { order_config } from '#src/areas/order/trail.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { deposit_forfeit } from '#src/areas/raise/forfeit.table.ts'
import { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import type { OrderFacts } from './orderBook.ts'

const COMMISSION_BP = 500
const bpOf = sql<number>`coalesce((${order_item.snapshot}->>'commission_bp')::int, ${COMMISSION_BP}::int)`
const distributionOf = sql<Distribution | null>`${order_item.snapshot}->'distribution'`
const costOf = sql<number | null>`(${order_item.snapshot}->>'cost_cents')::int`
const freezeOf = sql<number | null>`(${order_item.snapshot}->>'freeze_days')::int`
const timesOf = sql<number>`coalesce((${order_item.snapshot}->>'times_total')::int, 1)`

const readOrders = (db: Db, ids: readonly number[]) =>
  db
    .select({
      id: order.id,
      order_no: order.order_no,
      kind: order.kind,
      freight_cents: order.freight_cents,
      member_id: order.member_id,
      city_id: order.city_id,
      mall_id: order.mall_id,
      pay_state: order.pay_state,
      paid_at: order.paid_at,
      finished_at: order.finished_at,
      receive_by: order.receive_by,
      updated_at: order.updated_at,
      channel_id: order.ecard_channel_id,
      config_version: order.config_version,
      batch_id: order.raise_batch_id,
      pay_cents: order.pay_cents,
      paid_cents: order.paid_cents,
      refunded_cents: order.refunded_cents,
      refund_state: order.refund_state,
      created_at: order.created_at,
    })
    .from(order)
    .where(oneOf(order.id, ids))
    .orderBy(order.id)
type OrderRow = Awaited<ReturnType<typeof readOrders>>[number]
const readItems = (db: Db, ids: readonly number[]) =>
  db
    .select({
      order_id: order_item.order_id,
      id: order_item.id,
      fulfil: order_item.fulfil,
      qty: order_item.qty,
      price_cents: order_item.price_cents,
      pay_cents: order_item.pay_cents,
      platform_cents: order_item.platform_cents,
      store_id: order_item.store_id,
      merchant_id: store.merchant_id,
      commission_bp: bpOf,
      product_id: order_item.product_id,
      distribution: distributionOf,
      times: timesOf,
      cost_cents: costOf,
      freeze_days: freezeOf,
      refunded_qty: order_item.refunded_qty,
      received_qty: order_item.received_qty,
      issue_state: order_item.issue_state,
    })
    .from(order_item)
    .innerJoin(store, eq(store.id, order_item.store_id))
    .where(oneOf(order_item.order_id, ids))
    .orderBy(order_item.id)
const readCodes = (db: Db, ids: readonly number[]) =>
  db
    .select({
      item_id: order_code.item_id,
      order_id: order_code.order_id,
      id: order_code.id,
      times_total: order_code.times_total,
      pay_cents: order_code.pay_cents,
      platform_cents: order_code.platform_cents,
      settle_cents: order_code.settle_cents,
      times_used: order_code.times_used,
    })
    .from(order_code)
    .where(and(oneOf(order_code.order_id, ids), ne(order_code.state, 'void')))
    .orderBy(order_code.id)
const readUses = (db: Db, ids: readonly number[]) =>
  db
    .select({
      order_id: verify_record.order_id,
      id: verify_record.id,
      code_id: verify_record.code_id,
      state: verify_record.state,
      paid_times: verify_record.paid_times,
      pay_cents: verify_record.pay_cents,
      verified_at: verify_record.verified_at,
      reversed_at: verify_record.reversed_at,
      hold_until: verify_record.hold_until,
    })
    .from(verify_record)
    .where(oneOf(verify_record.order_id, ids))
    .orderBy(verify_record.id)
const readPayments = (db: Db, ids: readonly number[]) =>
  db
    .select({
      order_id: payment.order_id,
      id: payment.id,
      direction: payment.direction,
      channel: payment.channel,
      amount_cents: payment.amount_cents,
      fee_cents: payment.fee_cents,
      refund_id: payment.refund_id,
      at: sql<number>`coalesce(${payment.success_at}, ${payment.updated_at})`.mapWith(Number),
    })
    .from(payment)
    .where(and(oneOf(payment.order_id, ids), eq(payment.state, 'success')))
    .orderBy(payment.id)
/** Refunds that are done, and those of money that came too late from the moment they are known. */
const readRefunds = async (db: Db, ids: readonly number[]) => {
  const rows =
    ids.length === 0
      ? []
      : await db
          .select({
            order_id: refund.order_id,
            id: refund.id,
            no: refund.refund_no,
            state: refund.state,
            type: refund.type,
            cause: refund.cause,
            payment_id: refund.payment_id,
            freight_cents: refund.freight_cents,
            at: sql<number>`coalesce(${refund.done_at}, ${refund.updated_at})`.mapWith(Number),
          })
          .from(refund)
          .where(
            and(
              oneOf(refund.order_id, ids),
              or(
                eq(refund.state, 'done'),
                and(
                  eq(refund.cause, 'late_pay'),
                  sql`${refund.state} not in ('rejected', 'closed')`,
                ),
              ),
            ),
          )
          .orderBy(refund.id)
  const units =
    rows.length === 0
      ? []
      : await db
          .select()
          .from(refund_item)
          .where(
            oneOf(
              refund_item.refund_id,
              rows.map(row => row.id),
            ),
          )
          .orderBy(refund_item.id)
  const unitsOf = grouped(units, unit => unit.refund_id)
  return rows.map(({ state, ...row }) => ({
    ...row,
    done: state === 'done',
    units: unitsOf.get(row.id) ?? [],
  }))
}
const readForfeits = (db: Db, ids: readonly number[]) =>
  db
    .select({
      order_id: deposit_forfeit.order_id,
      id: deposit_forfeit.id,
      refund_id: deposit_forfeit.refund_id,
      merchant_cents: deposit_forfeit.merchant_cents,
      at: deposit_forfeit.created_at,
    })
    .from(deposit_forfeit)
    .where(oneOf(deposit_forfeit.order_id, ids))
    .orderBy(deposit_forfeit.id)
/** How many days received goods are on hold, by the rules that an order was made under. */
const readHolds = async (db: Db, rows: readonly OrderRow[]): Promise<(row: OrderRow) => number> => {
  if (rows.length === 0) return () => rulesAtFirst.hold_days
  const versions = [...new Set(rows.map(row => row.config_version))]
  const kept = await db
    .select({
      key: sql<string>`${order_config.scope} || '.' || ${order_config.version_no}`,
      days: sql<number | null>`(${order_config.fields}->>'hold_days')::int`,
    })
    .from(order_config)
    .where(
      and(
        inArray(order_config.version_no, versions),
        inArray(order_config.scope, [...new Set(rows.map(row => row.kind as ConfigScope))]),
      ),
    )
  const days = new Map(kept.map(one => [one.key, one.days]))
  return row => days.get(`${row.kind}.${row.config_version}`) ?? rulesAtFirst.hold_days
}
/** When what was sold was received: tickets when their show was over. */
const receivedAt = (row: OrderRow): number =>
  (row.kind === 'film' ? row.receive_by : row.finished_at) ?? row.updated_at
/** Whether an order may have had a refund that is done, or money that came too late. */
const mayBeRefunded = (row: OrderRow): boolean =>
  row.refund_state !== 'none' ||
  row.refunded_cents > 0 ||
  row.paid_cents > row.pay_cents ||
  row.pay_state === 'closed'

/**
 * Reads all that the books of some orders depend on, in a few statements for any number of them; in
 * the order of their ids. `used`: orders whose redemptions are asked for though nothing of them is
 * used now, because one may have been taken back; `all` of them for a whole history.
 */
export const readBookFacts = async (
  db: Db,
  ids: readonly number[],
  used: ReadonlySet<number> | 'all',
): Promise<OrderFacts[]> => {
  const rows = await readOrders(db, ids)
  if (rows.length === 0) return []
  const all = rows.map(row => row.id)
  const some = (is: (row: OrderRow) => boolean) => rows.filter(is).map(row => row.id)
  const items = grouped(await readItems(db, all), one => one.order_id)
  const payments = grouped(await readPayments(db, all), one => one.order_id)
  const codes = grouped(await readCodes(db, all), one => one.item_id)
  const redeemed = some(
    row =>
      used === 'all' ||
      used.has(row.id) ||
      (items.get(row.id) ?? []).some(item =>
        (codes.get(item.id) ?? []).some(code => code.times_used > 0),
      ),
  )
  const uses =
    redeemed.length === 0
      ? new Map<number, never>()
      : grouped(await readUses(db, redeemed), one => one.order_id)
  const refunds = grouped(await readRefunds(db, some(mayBeRefunded)), one => one.order_id)
  const raised = some(row => row.batch_id !== null)
  const forfeits =
    raised.length === 0
      ? new Map<number, never>()
      : grouped(await readForfeits(db, raised), one => one.order_id)
  // Codes say themselves how long their money is on hold.
  const byRules = rows.filter(
    row =>
      mayBeRefunded(row) ||
      (items.get(row.id) ?? []).some(item => item.fulfil !== 'code' && item.fulfil !== 'pickup'),
  )
  const holdOf = await readHolds(db, byRules)
  return rows.map(row => ({
    order: {
      id: row.id,
      order_no: row.order_no,
      kind: row.kind,
      freight_cents: row.freight_cents,
      member_id: row.member_id,
      city_id: row.city_id,
      mall_id: row.mall_id,
      pay_state: row.pay_state,
      paid_at: row.paid_at,
      received_at: receivedAt(row),
      created_at: row.created_at,
      channel: row.channel_id !== null,
    },
    items: (items.get(row.id) ?? []).map(({ issue_state, freeze_days: _, ...item }) => ({
      ...item,
      // A ticket is issued long before its show, and earned when that is over.
      issued: issue_state === 'issued' && row.kind !== 'film',
      codes: codes.get(item.id) ?? [],
    })),
    payments: payments.get(row.id) ?? [],
    uses: uses.get(row.id) ?? [],
    refunds: refunds.get(row.id) ?? [],
    forfeits: forfeits.get(row.id) ?? [],
    hold_s: (items.get(row.id)?.[0]?.freeze_days ?? holdOf(row)) * DAY,
  }))
}
