import { and, desc, eq, sql } from 'drizzle-orm'
import { addTimes, decideTimes, recallGift } from '#src/areas/code/cards.server.ts'
import { order_code } from '#src/areas/code/code.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { Order } from '#src/areas/order/orderFacts.server.ts'
import { implement, type WriteContext } from '#src/server/call/implement.ts'
import { card, cardDetail } from '../contract/card.ts'
import { codeDetailHandlers, codeHandlers } from './codes.ts'
import { decideHandlers } from './decide.ts'
import { exportOrders } from './exportOrders.ts'
import { heldOrder, logged, staffActor } from './held.ts'
import { isClosed } from './rows.ts'
import { orderHandlers } from './shared.ts'
import { orderWhere, searched } from './where.ts'

const kinds = ['card'] as const
/** Merchants that are told by name beside the total. */
const MERCHANTS = 20
exportOrders('card', kinds, ['卡券订单', 'Card orders'])

const answer = (row: Order) => ({ id: row.id, status: row.status, version: row.version })
const decide = async (
  { tx, staff, now, log }: WriteContext,
  one: { id: number; version: number },
  reason: string,
  agree: boolean,
) => {
  const row = await heldOrder(tx, kinds, one, staff)
  const {
    order: after,
    ask,
    before,
  } = await decideTimes(tx, row, {
    agree,
    reason,
    by: { id: staff.id, limit_cents: staff.refund_limit_cents },
    permit: card.confirmTimes.permit,
    now,
  })
  log({
    ...logged(row),
    before: { times_state: 'asked', ...(before !== null && { times_bonus: before }) },
    after: { times_state: ask.state, ...(before !== null && { times_bonus: before + ask.times }) },
    reason,
  })
  return answer(after)
}
export const cardServer = implement(card, {
  ...decideHandlers(kinds),
  ...orderHandlers('card', kinds),
  ...codeHandlers(kinds),
  addTimes: async ({ code_id, times, reason, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const {
      order: after,
      code,
      waits,
    } = await addTimes(tx, row, {
      code_id,
      times,
      reason,
      by: { id: staff.id, limit_cents: staff.refund_limit_cents },
      permit: card.confirmTimes.permit,
      now,
    })
    log({
      ...logged(row),
      before: { times_bonus: code.times_bonus },
      after: waits
        ? { times_state: 'asked', times_asked: times }
        : { times_bonus: code.times_bonus + times },
      reason,
    })
    return { ...answer(after), waits }
  },
  confirmTimes: ({ reason, ...one }, context) => decide(context, one, reason, true),
  refuseTimes: ({ reason, ...one }, context) => decide(context, one, reason, false),
  liability: async (filters, { db, staff, now }) => {
    const all = await db
      .select({
        id: merchant.id,
        name: merchant.name,
        status: merchant.status,
        left: sql<string>`sum(${order_code.left_pay_cents})`,
        times: sql<number>`sum(${order_code.left_times})::int`,
        orders: sql<number>`count(distinct ${order.id}) filter (where ${order_code.left_pay_cents} > 0)::int`,
      })
      .from(order)
      .innerJoin(
        order_code,
        and(eq(order_code.order_id, order.id), sql`${order_code.state} <> 'void'`),
      )
      .innerJoin(merchant, eq(merchant.id, order.merchant_id))
      .where(orderWhere(kinds, await searched(db, kinds, filters, now), staff, now))
      .groupBy(merchant.id)
      .orderBy(desc(sql`sum(${order_code.left_pay_cents})`), merchant.id)
    const sum = (of: (one: (typeof all)[number]) => number) =>
      all.reduce((total, one) => total + of(one), 0)
    return {
      left_cents: sum(one => Number(one.left)),
      left_times: sum(one => one.times),
      orders: sum(one => one.orders),
      merchants: all
        .filter(one => one.orders > 0)
        .slice(0, MERCHANTS)
        .map(one => ({
          id: one.id,
          name: one.name,
          closed: isClosed(one.status),
          left_cents: Number(one.left),
          orders: one.orders,
        })),
    }
  },
})
export const cardDetailServer = implement(cardDetail, {
  ...codeDetailHandlers(kinds),
  recallGift: async ({ reason, ...one }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, one, staff)
    const { order: after, recalled } = await recallGift(tx, row.id, {
      actor: staffActor(staff),
      reason,
      now,
    })
    log({ ...logged(row), after: { gifts_recalled: recalled }, reason })
    return answer(after)
  },
})
