import { eq, inArray, sql } from 'drizzle-orm'
import { lineOf, ours, type Posting } from '#src/areas/ledger/ledger.ts'
import { post } from '#src/areas/ledger/post.server.ts'
import { order_item, type order } from '#src/areas/order/order.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { HeldSubsidy, Plan } from './holding.server.ts'
import { planAccount, releaseFund } from './planFund.server.ts'
import { subsidy_log, subsidy_plan } from './subsidy.table.ts'
import { partFor } from './subsidy.ts'

export type SubsidyRow = typeof subsidy_log.$inferSelect
type OrderRow = typeof order.$inferSelect
type Values = typeof subsidy_log.$inferInsert
const aboutOrder = (of: OrderRow, now: number) => ({
  created_at: now,
  order_id: of.id,
  member_id: of.member_id,
  merchant_id: of.merchant_id,
  device_id: of.device_id,
  city_id: of.city_id,
  mall_id: of.mall_id,
})
/** Moves a plan's counts, and answers what is used then. The plan is held from here on. */
const movePlan = async (
  tx: Db,
  plan_id: number,
  by: { locked?: number; used?: number; orders?: number; gmv?: number },
): Promise<Plan> => {
  const t = subsidy_plan
  const [after] = await tx
    .update(t)
    .set({
      locked_cents: sql`${t.locked_cents} + ${by.locked ?? 0}`,
      used_cents: sql`${t.used_cents} + ${by.used ?? 0}`,
      orders: sql`${t.orders} + ${by.orders ?? 0}`,
      gmv_cents: sql`${t.gmv_cents} + ${by.gmv ?? 0}`,
    })
    .where(eq(t.id, plan_id))
    .returning()
  return after!
}
const write = async (tx: Db, rows: readonly Values[]): Promise<void> => {
  if (rows.length > 0) await tx.insert(subsidy_log).values([...rows])
}
/** Writes down what an order was promised, by the items that it has now. */
export const keepSubsidies = async (
  tx: Db,
  held: readonly HeldSubsidy[],
  made: OrderRow,
  now: number,
): Promise<void> => {
  if (held.length === 0) return
  const items = await tx
    .select({ id: order_item.id })
    .from(order_item)
    .where(eq(order_item.order_id, made.id))
    .orderBy(order_item.id)
  const plans = await tx
    .select({ id: subsidy_plan.id, used_cents: subsidy_plan.used_cents })
    .from(subsidy_plan)
    .where(
      inArray(
        subsidy_plan.id,
        held.map(one => one.plan_id),
      ),
    )
  const used = new Map(plans.map(plan => [plan.id, plan.used_cents]))
  await write(
    tx,
    held.map(({ at, ...one }) => ({
      ...aboutOrder(made, now),
      ...one,
      kind: 'lock',
      item_id: items[at]!.id,
      used_after_cents: used.get(one.plan_id)!,
    })),
  )
}

type Parts = { platform_cents: number; mall_cents: number; merchant_cents: number }
const negative = (of: Parts): Parts & { amount_cents: number } => {
  const parts = {
    platform_cents: -of.platform_cents,
    mall_cents: -of.mall_cents,
    merchant_cents: -of.merchant_cents,
  }
  return { ...parts, amount_cents: parts.platform_cents + parts.mall_cents + parts.merchant_cents }
}
/**
 * The transaction of a grant (or, with negative parts, of its return): what the order charged to the
 * platform goes to the plan, and to the money that its mall has paid in. The merchant's own share
 * never flows. Undefined where nothing flows.
 */
const postingOf = (
  of: Parts & { plan_id: number },
  about: Pick<Posting, 'biz' | 'biz_id' | 'biz_no' | 'idem_key' | 'at' | 'place'> & {
    order_id: number
  },
): Posting | undefined => {
  const { order_id, ...rest } = about
  const lines = [
    ...lineOf(planAccount('subsidy_expense', of.plan_id), of.platform_cents, { order_id }),
    ...lineOf(planAccount('plan_fund', of.plan_id), of.mall_cents, { order_id }),
    ...lineOf(ours('subsidy_expense'), -(of.platform_cents + of.mall_cents), { order_id }),
  ]
  return lines.length === 0 ? undefined : { ...rest, lines }
}
const postedFor = async (tx: Db, posting: Posting | undefined): Promise<number | null> =>
  posting ? (await post(tx, posting)).id : null
const rowsOf = (tx: Db, order_id: number): Promise<SubsidyRow[]> =>
  tx
    .select()
    .from(subsidy_log)
    .where(eq(subsidy_log.order_id, order_id))
    .orderBy(subsidy_log.plan_id, subsidy_log.id)
const openLocks = (rows: readonly SubsidyRow[]): SubsidyRow[] => {
  const done = new Set(rows.map(row => row.of_id))
  return rows.filter(row => row.kind === 'lock' && !done.has(row.id))
}

/**
 * What was promised to an order is granted once it is paid: from promised to used, each with its
 * transaction. Asked again it grants nothing more. The order must be held.
 */
export const grantSubsidies = async (tx: Db, paid: OrderRow, now: number): Promise<void> => {
  const locks = openLocks(await rowsOf(tx, paid.id))
  for (const [plan_id, mine] of grouped(locks, row => row.plan_id)) {
    const sum = mine.reduce((all, row) => all + row.amount_cents, 0)
    const after = await movePlan(tx, plan_id, {
      locked: -sum,
      used: sum,
      orders: 1,
      gmv: paid.pay_cents,
    })
    let used = after.used_cents - sum
    for (const lock of mine) {
      const txn_id = await postedFor(
        tx,
        postingOf(lock, {
          biz: 'subsidy',
          biz_id: lock.id,
          biz_no: paid.order_no,
          idem_key: `subsidy:${lock.id}`,
          at: now,
          place: { city_id: paid.city_id, mall_id: paid.mall_id },
          order_id: paid.id,
        }),
      )
      used += lock.amount_cents
      const { id: of_id, item_id, qty, amount_cents, platform_cents, mall_cents } = lock
      await write(tx, [
        {
          ...aboutOrder(paid, now),
          plan_id,
          kind: 'grant',
          of_id,
          item_id,
          qty,
          amount_cents,
          platform_cents,
          mall_cents,
          merchant_cents: lock.merchant_cents,
          used_after_cents: used,
          txn_id,
        },
      ])
    }
  }
}
/** Promises of an order that is closed unpaid go back to their budgets. */
const freeLocks = async (tx: Db, rows: readonly SubsidyRow[], of: OrderRow, now: number) => {
  for (const lock of openLocks(rows)) {
    const after = await movePlan(tx, lock.plan_id, { locked: -lock.amount_cents })
    await write(tx, [
      {
        ...aboutOrder(of, now),
        plan_id: lock.plan_id,
        kind: 'unlock',
        of_id: lock.id,
        item_id: lock.item_id,
        qty: lock.qty,
        ...negative(lock),
        used_after_cents: after.used_cents,
      },
    ])
    if (after.status === 'ended') await releaseFund(tx, after, { now, key: `u${lock.id}` })
  }
}
const sumOf = (rows: readonly SubsidyRow[], key: keyof Parts): number =>
  rows.reduce((sum, row) => sum + row[key], 0)
/** What a grant still gives back for so many refunded units, less what was taken back before. */
const dueOf = (grant: SubsidyRow, before: readonly SubsidyRow[], refunded: number): Parts => {
  const part = (key: keyof Parts) => {
    const taken = -sumOf(before, key)
    const left = grant[key] - taken
    return Math.max(0, Math.min(left, partFor(grant[key], grant.qty, refunded) - taken))
  }
  return {
    platform_cents: part('platform_cents'),
    mall_cents: part('mall_cents'),
    merchant_cents: part('merchant_cents'),
  }
}
const reverseGrant = async (
  tx: Db,
  of: { grant: SubsidyRow; due: Parts; refunded: number; row: OrderRow; now: number },
): Promise<void> => {
  const { grant, row, now } = of
  const back = negative(of.due)
  const after = await movePlan(tx, grant.plan_id, { used: back.amount_cents })
  const txn_id = await postedFor(
    tx,
    postingOf(
      { ...back, plan_id: grant.plan_id },
      {
        biz: 'subsidy_back',
        biz_id: grant.id,
        biz_no: row.order_no,
        idem_key: `subsidy_back:${grant.id}:${of.refunded}`,
        at: now,
        place: { city_id: row.city_id, mall_id: row.mall_id },
        order_id: row.id,
      },
    ),
  )
  await write(tx, [
    {
      ...aboutOrder(row, now),
      plan_id: grant.plan_id,
      kind: 'reverse',
      of_id: grant.id,
      item_id: grant.item_id,
      qty: of.refunded,
      ...back,
      used_after_cents: after.used_cents,
      txn_id,
    },
  ])
  if (after.status === 'ended')
    await releaseFund(tx, after, { now, key: `r${grant.id}:${of.refunded}` })
}
/**
 * Takes back what an order no longer earns: all that was promised where it was closed, and of what
 * was granted exactly the share of its refunded units. Asked again it takes nothing more. The order
 * must be held.
 */
export const returnSubsidies = async (
  tx: Db,
  row: OrderRow,
  of: { closed: boolean; now: number },
): Promise<void> => {
  const rows = await rowsOf(tx, row.id)
  if (rows.length === 0) return
  if (of.closed) await freeLocks(tx, rows, row, of.now)
  const grants = rows.filter(one => one.kind === 'grant')
  if (grants.length === 0) return
  const items = await tx
    .select({ id: order_item.id, refunded: order_item.refunded_qty })
    .from(order_item)
    .where(eq(order_item.order_id, row.id))
  const refundedOf = new Map(items.map(item => [item.id, item.refunded]))
  for (const grant of grants) {
    const before = rows.filter(one => one.of_id === grant.id)
    const refunded = refundedOf.get(grant.item_id!) ?? 0
    const due = dueOf(grant, before, refunded)
    if (due.platform_cents + due.mall_cents + due.merchant_cents > 0)
      await reverseGrant(tx, { grant, due, refunded, row, now: of.now })
  }
}
