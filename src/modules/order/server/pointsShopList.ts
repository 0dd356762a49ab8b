import { desc, eq } from 'drizzle-orm'
import { beginIssue, failedForGood } from '#src/areas/coupon/issue.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { issue_attempt } from '#src/areas/order/issue.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { recount, type Order } from '#src/areas/order/orderFacts.server.ts'
import { confirmPickup } from '#src/areas/order/storeGoods.server.ts'
import { closeUnpaid } from '#src/areas/order/trade.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { points_goods, points_ledger } from '#src/areas/points/points.table.ts'
import { exchangeCan, type ExchangeVerb } from '#src/areas/points/points.ts'
import type { ReturnCondition } from '#src/areas/refund/refund.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { joined } from '#src/domain/text.ts'
import { selfLogged, stepwise, type Apart } from '#src/server/call/apart.ts'
import { implement } from '#src/server/call/implement.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal, ruled } from '#src/server/call/refuse.ts'
import { pointsShopDetail, pointsShopList } from '../contract/pointsShopList.ts'
import { decideHandlers } from './decide.ts'
import { exportOrders } from './exportOrders.ts'
import { findOrder, heldOrder, logged, staffActor } from './held.ts'
import { orderHandlers } from './shared.ts'
import { addressHandlers, shipHandlers } from './ship.ts'

const kinds = ['points'] as const
const MOVES = 50
exportOrders('pointsShopList', kinds, ['积分商城订单', 'Points-shop orders'])
const { cancel: _, refund: __, ...shared } = orderHandlers('pointsShopList', kinds)
const { editTracking: ___, ...shipping } = shipHandlers(kinds)

const itemOf = async (tx: Db, row: Order) =>
  (
    await tx
      .select({ item: order_item, goods: points_goods })
      .from(order_item)
      .leftJoin(points_goods, eq(points_goods.id, order_item.points_goods_id))
      .where(eq(order_item.order_id, row.id))
      .orderBy(order_item.id)
  )[0]!
/** Whether an exchange that is held may take a step, or why not. */
const may = async (tx: Db, verb: ExchangeVerb, row: Order): Promise<void> => {
  const { item, goods } = await itemOf(tx, row)
  const said = exchangeCan(verb, {
    ...row,
    points_kind: goods?.kind ?? null,
    shipped: item.shipped_qty,
  })
  if (said !== true) throw ruled(row.frozen ? 'frozen' : `not_${verb}`, said)
}
/**
 * Gives an exchange back. What failed to be issued is asked for once more before, outside any
 * transaction: it may have been issued after all.
 */
const giveBack = async (
  context: Apart,
  verb: 'cancel' | 'refund',
  {
    id,
    version,
    returned,
    reason,
  }: { id: number; version: number; returned?: ReturnCondition | undefined; reason: string },
) => {
  const { staff, now, install, keep, request_id } = context
  const steps = stepwise(context)
  const seen = await steps.transaction(async tx => {
    const row = await heldOrder(tx, kinds, { id, version }, staff)
    await may(tx, verb, row)
    return row
  })
  if (seen.fulfil_state === 'issue_failed') await failedForGood(steps, install.issue, id, now)
  return steps.transaction(async tx => {
    const row = await heldOrder(tx, kinds, { id, version }, staff)
    await may(tx, verb, row)
    if (row.pay_state === 'unpaid') {
      await closeUnpaid(tx, id, now, { type: 'staff', actor: staffActor(staff), reason })
      await keep(tx, {
        ...logged(row),
        before: { status: row.status },
        after: { status: 'cancelled', points_back: row.points_used },
        reason,
      })
      return { id, refund_no: null, amount_cents: 0, points_back: row.points_used, state: null }
    }
    const { item } = await itemOf(tx, row)
    const sent = item.shipped_qty > 0
    if (sent && !returned)
      throw ruled('return_first', [
        '已发货：请先确认收到退货，并选择退货状况',
        'It was sent: confirm that the goods came back, and in what state',
      ])
    const made = await openRefund(tx, {
      order_id: id,
      wanted: 'all',
      source: 'staff',
      type: sent ? 'return_refund' : 'refund_only',
      ...(sent && { returned }),
      reason,
      actor: staffActor(staff),
      by: { id: staff.id, limit_cents: staff.refund_limit_cents },
      idem_key: `${request_id}:${id}`,
      now,
    })
    await keep(tx, {
      ...logged(row),
      before: { refund_state: row.refund_state },
      after: {
        refund_no: made.refund_no,
        amount_cents: made.amount_cents,
        refund_status: made.state,
        points_back: row.points_used,
      },
      reason,
    })
    return {
      id,
      refund_no: made.refund_no,
      amount_cents: made.amount_cents,
      points_back: row.points_used,
      state: made.state,
    }
  })
}
const reissue = async (
  context: Apart,
  one: { id: number; version?: number | undefined },
  reason: string,
): Promise<Order> => {
  const { staff, now, install, keep } = context
  const steps = stepwise(context)
  await steps.transaction(async tx => may(tx, 'reissue', await heldOrder(tx, kinds, one, staff)))
  await failedForGood(steps, install.issue, one.id, now)
  return steps.transaction(async tx => {
    const row = await heldOrder(tx, kinds, one, staff)
    await may(tx, 'reissue', row)
    const { item } = await itemOf(tx, row)
    const attempt = await beginIssue(tx, item, { now, by: { admin_id: staff.id, reason } })
    const after = await recount(tx, row, {
      event: 'issue',
      actor: staffActor(staff),
      now,
      memo: reason,
      data: { out_no: attempt.out_no },
    })
    await keep(tx, {
      ...logged(row),
      before: { status: row.status },
      after: { status: after.status, issue_no: attempt.out_no },
      reason,
    })
    return after
  })
}

export const pointsShopServer = implement(pointsShopList, {
  ...shared,
  ...shipping,
  ...decideHandlers(kinds),
  cancel: selfLogged(pointsShopList.cancel, (input, context) => giveBack(context, 'cancel', input)),
  refund: selfLogged(pointsShopList.refund, (input, context) => giveBack(context, 'refund', input)),
  reissue: selfLogged(pointsShopList.reissue, async ({ reason, ...one }, context) => {
    const { id, status, version } = await reissue(context, one, reason)
    return { id, status, version }
  }),
  // Each by itself, as the channel is asked between its steps.
  batchReissue: selfLogged(pointsShopList.batchReissue, async ({ ids }, context) => {
    const done: { ok: number[]; failed: { id: number; code: string; msg: string }[] } = {
      ok: [],
      failed: [],
    }
    for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
      try {
        await reissue(context, { id }, joined(['批量重新发放', 'Issued again in a batch']))
        done.ok.push(id)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        done.failed.push({
          id,
          code: String(error.data['rule'] ?? error.status),
          msg: error.in(context.staff.lang),
        })
      }
    }
    return done
  }),
  confirmPickup: async ({ code, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const record = await confirmPickup(tx, row, { code, admin_id: staff.id, now })
    log({ ...logged(row), after: { redeemed_times: record.times, record_id: record.id } })
    return { id: row.id, record_id: record.id, units: record.times }
  },
})

const moved = ({
  id,
  kind,
  delta,
  balance_after,
  biz_no,
  at,
}: typeof points_ledger.$inferSelect) => ({ id, kind, delta, balance_after, biz_no, at })
const balanceOf = async (db: Db, row: Order) =>
  row.member_id === null
    ? 0
    : (
        await db.select({ points: member.points }).from(member).where(eq(member.id, row.member_id))
      )[0]!.points
export const pointsShopDetailServer = implement(pointsShopDetail, {
  ...addressHandlers(kinds),
  exchange: async ({ id }, { db, staff }) => {
    const row = await findOrder(db, kinds, id, staff)
    const { goods } = await itemOf(db, row)
    const moves = await db
      .select()
      .from(points_ledger)
      .where(eq(points_ledger.order_id, id))
      .orderBy(points_ledger.id)
    const attempts = await db
      .select({ one: issue_attempt, by: admin.name })
      .from(issue_attempt)
      .leftJoin(admin, eq(admin.id, issue_attempt.asked_by))
      .where(eq(issue_attempt.order_id, id))
      .orderBy(issue_attempt.id)
    return {
      goods: goods
        ? {
            kind: goods.kind,
            points_price: goods.points_price,
            cash_cents: goods.cash_cents,
            free: goods.stock - goods.held,
            limit_per_member: goods.limit_per_member,
          }
        : null,
      points_used: row.points_used,
      points_returned: moves.reduce((sum, one) => sum + (one.kind === 'back' ? one.delta : 0), 0),
      balance: await balanceOf(db, row),
      moves: moves.map(moved),
      attempts: attempts.map(({ one, by }) => ({
        id: one.id,
        out_no: one.out_no,
        state: one.state,
        answer: one.answer,
        channel_no: one.channel_no,
        by: by ?? '',
        reason: one.reason,
        tries: one.tries,
        at: one.created_at,
        answered_at: one.answered_at,
      })),
    }
  },
  ledger: async ({ id }, { db, staff }) => {
    const row = await findOrder(db, kinds, id, staff)
    return {
      balance: await balanceOf(db, row),
      moves:
        row.member_id === null
          ? []
          : (
              await db
                .select()
                .from(points_ledger)
                .where(eq(points_ledger.member_id, row.member_id))
                .orderBy(desc(points_ledger.id))
                .limit(MOVES)
            ).map(moved),
    }
  },
})
