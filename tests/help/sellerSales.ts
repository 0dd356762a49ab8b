import { and, eq, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { releaseDue, settleCommissions } from '#src/areas/commission/settling.server.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { receive, ship } from '#src/areas/shipping/shipping.server.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { aBuyer } from './cardOrders.ts'
import { finishPayouts } from './orders.ts'
import { bind, commissionOf, distribute, freshSeller, freshTeam } from './sellers.ts'
import { freshProduct } from './trade.ts'

/** Goods and coupons of a test's own that sellers bring customers for, and what happens to them. */
export const openSales = async (database: Database) => {
  let parcel = 0
  const coupons = (await database.transaction(tx => freshProduct(tx, 'bulks'))).item
  const goods = (await database.transaction(tx => freshProduct(tx, 'elist'))).item
  await distribute(database, { ref_id: coupons.id, rate_bp: 500, guide_bp: 100 })
  await distribute(database, { ref_id: goods.id, rate_bp: 300, guide_bp: 100 })
  const receiver = {
    name: '王芳',
    phone: '13900000001',
    area: '上海市徐汇区',
    address: '漕溪路1号',
  }
  const placed = (member_id: number, item = coupons, qty = 2, now = unixNow() - 3600) =>
    database.transaction(tx =>
      placeOrder(tx, {
        proved: true,
        member_id,
        product_id: item.id,
        qty,
        ...(item.kind === 'elist' && { receiver, freight_cents: 800 }),
        now,
      }),
    )
  /** An order that is paid; the platform's own part is 20 % of its price, whatever is agreed. */
  const bought = async (member_id: number, item = coupons, qty = 2) => {
    const { id } = await placed(member_id, item, qty)
    await database.db
      .update(order_item)
      .set({ snapshot: sql`jsonb_set(snapshot, '{commission_bp}', '2000')` })
      .where(eq(order_item.order_id, id))
    await database.transaction(tx => payOrder(tx, id, unixNow() - 3600))
    return id
  }
  const used = async (order_id: number, n = 1) => {
    const codes = await database.db
      .select()
      .from(order_code)
      .where(and(eq(order_code.order_id, order_id), eq(order_code.times_used, 0)))
      .orderBy(order_code.id)
    const records = []
    for (const code of codes.slice(0, n))
      records.push(
        await database.transaction(tx =>
          redeem(tx, { code_id: code.id, store_id: coupons.store_ids[0]!, now: unixNow() }),
        ),
      )
    return records
  }
  const received = (order_id: number) =>
    database.transaction(async tx => {
      const now = unixNow()
      await ship(tx, {
        order_id,
        courier: 'shunfeng',
        tracking_no: `SF${String(8_000_000_000_000 + ++parcel)}`,
        actor: { type: 'staff', id: 1 },
        now,
      })
      await receive(tx, { order_id, actor: { type: 'member' }, now })
    })
  const givenBack = async (order_id: number, returned = true) => {
    await database.transaction(tx =>
      openRefund(tx, {
        order_id,
        wanted: 'all',
        ...(returned
          ? { type: 'return_refund' as const, returned: 'good' as const }
          : { type: 'refund_only' as const }),
        source: 'staff',
        cause: 'compensate',
        reason: '退货',
        actor: { type: 'staff', id: 1 },
        by: { id: 1, limit_cents: 1e9 },
        now: unixNow(),
      }),
    )
    await finishPayouts(database, unixNow())
  }
  /** What settles of an order as if its hold were over. */
  const settled = async (order_id: number) => {
    const rows = await commissionOf(database, order_id)
    const now = Math.max(unixNow(), ...rows.map(row => row.frozen_until ?? 0))
    await database.transaction(tx => releaseDue(tx, now))
    return database.transaction(tx =>
      settleCommissions(
        tx,
        rows.map(row => row.id),
        { now },
      ),
    )
  }
  /** An expert with a team and a customer. */
  const team = async () => {
    const [leader, expert] = [
      await freshSeller(database),
      await freshSeller(database, { level_no: 2, plus_bp: 20 }),
    ]
    await freshTeam(database, { leader_bp: 150, leader, members: [expert] })
    const { id: member_id } = await aBuyer(database)
    await bind(database, { member_id, distributor_id: expert.id, role: 'expert' })
    return { leader, expert, member_id }
  }
  return { coupons, goods, placed, bought, used, received, givenBack, settled, team }
}
export type Sales = Awaited<ReturnType<typeof openSales>>
