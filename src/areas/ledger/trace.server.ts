import { and, asc, eq, gte, inArray, sql } from 'drizzle-orm'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { linesOf, txnsShown } from './journal.server.ts'
import { ledger_entry, ledger_txn } from './ledger.table.ts'

/** The order of a number, where the person sees it; throws 404 otherwise. */
const orderNumbered = async (db: Db, { scope }: Pick<Staff, 'scope'>, order_no: string) => {
  const [row] = await db
    .select({
      id: order.id,
      order_no: order.order_no,
      kind: order.kind,
      status: order.status,
      pay_cents: order.pay_cents,
      refunded_cents: order.refunded_cents,
      paid_at: order.paid_at,
      merchant_id: order.merchant_id,
      merchant: merchant.name,
      store: store.name,
      place: sql<string>`coalesce((select m.name from mall m where m.id = ${order.mall_id}), (select c.city_name from city c where c.id = ${order.city_id}), '')`,
    })
    .from(order)
    .innerJoin(merchant, eq(merchant.id, order.merchant_id))
    .innerJoin(store, eq(store.id, order.store_id))
    .where(
      and(
        eq(order.order_no, order_no),
        within(scope, { city: order.city_id, mall: order.mall_id, owner: merchant.bd_admin_id }),
      ),
    )
  if (!row) throw missing()
  return row
}
const txnsOf = async (db: Db, staff: Pick<Staff, 'scope'>, order_id: number) => {
  const of = db
    .selectDistinct({ id: ledger_entry.txn_id })
    .from(ledger_entry)
    .where(eq(ledger_entry.order_id, order_id))
  const txns = await db
    .select()
    .from(ledger_txn)
    .where(
      and(
        inArray(ledger_txn.id, of),
        within(staff.scope, { city: ledger_txn.city_id, mall: ledger_txn.mall_id }),
      ),
    )
    .orderBy(asc(ledger_txn.created_at), asc(ledger_txn.id))
  const lines = await linesOf(
    db,
    staff,
    txns.map(one => one.id),
  )
  return (await txnsShown(db, txns)).map(one => ({ ...one, lines: lines.get(one.id)! }))
}
/** The first withdrawal that a merchant asked for since a moment: where settled money went next. */
const withdrawalSince = async (db: Db, merchant_id: number, at: number | null) => {
  if (at === null) return null
  const t = withdrawal
  const [row] = await db
    .select({
      id: t.id,
      no: t.no,
      amount_cents: t.amount_cents,
      applied_at: t.applied_at,
      status: t.status,
    })
    .from(t)
    .where(and(eq(t.owner_kind, 'merchant'), eq(t.owner_id, merchant_id), gte(t.applied_at, at)))
    .orderBy(asc(t.applied_at), asc(t.id))
    .limit(1)
  return row ?? null
}

/**
 * Where the money of an order is: what was paid and given back, its sold units, every transaction
 * that moved it, and the withdrawal that came next. Throws 404 for an order the person does not see.
 */
export const traceOrder = async (db: Db, staff: Pick<Staff, 'scope'>, order_no: string) => {
  const of = await orderNumbered(db, staff, order_no.trim())
  const payments = await db
    .select({
      id: payment.id,
      direction: payment.direction,
      channel: payment.channel,
      amount_cents: payment.amount_cents,
      state: payment.state,
      out_no: payment.out_no,
      channel_no: sql<string>`coalesce(${payment.channel_no}, '')`,
      success_at: payment.success_at,
    })
    .from(payment)
    .where(eq(payment.order_id, of.id))
    .orderBy(payment.id)
  const refunds = await db
    .select({
      id: refund.id,
      refund_no: refund.refund_no,
      state: refund.state,
      amount_cents: refund.amount_cents,
      created_at: refund.created_at,
    })
    .from(refund)
    .where(eq(refund.order_id, of.id))
    .orderBy(refund.id)
  const lines = await db
    .select()
    .from(settle_line)
    .where(eq(settle_line.order_id, of.id))
    .orderBy(settle_line.item_id, settle_line.unit_no)
  const settled = lines.flatMap(one => one.settled_at ?? [])
  return {
    order: of,
    payments,
    refunds,
    lines,
    txns: await txnsOf(db, staff, of.id),
    withdrawal: await withdrawalSince(
      db,
      of.merchant_id,
      settled.length > 0 ? Math.max(...settled) : null,
    ),
  }
}
