import type { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import { joined } from '#src/domain/text.ts'
import { HOUR } from '#src/domain/time.ts'
import type { film_refund } from './film.table.ts'
import type { Made } from './filmMade.demo.ts'

const whys = {
  ticket_failed: '出票失败自动退款',
  user: '行程有变',
  show_canceled: '影院取消场次',
  complaint: '放映设备故障，观影中断',
} as const
/** What the provider said to the tickets of an order that goes back. */
const returnOf = ({ plan, ticketed_at, cost_return_cents }: Made) => {
  const { state } = plan.refund!
  const issued = ticketed_at !== null
  const answered = issued && (state === 'done' || state === 'pay_failed')
  if (!answered)
    return { provider_state: 'none' as const, cost_return_cents: issued ? 0 : cost_return_cents }
  return cost_return_cents === 0
    ? {
        provider_state: 'refused' as const,
        provider_answer: joined(['影片已放映，不支持退票', 'It was shown: no tickets go back']),
        cost_return_cents,
      }
    : { provider_state: 'returned' as const, cost_return_cents }
}
const moreOf = (of: Made, row: typeof refund.$inferInsert): typeof film_refund.$inferInsert => {
  const answer = returnOf(of)
  return {
    refund_id: row.id!,
    order_id: of.id,
    city_id: row.city_id,
    mall_id: row.mall_id,
    kind: of.plan.refund!.kind,
    charge_cents: of.charge_cents,
    provider_answer: '',
    ...answer,
    loss_cents: of.back_cents - answer.cost_return_cents,
    show_at: of.show.start_at,
    answered_at: answer.provider_state === 'none' ? null : row.created_at! + 400,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }
}
/** What an order of the demo gives back: the refund, its line and what tickets add to it. */
export const refundOf = (of: Made, id: number) => {
  const { plan, show, price, paid_at, now } = of
  const { kind, state } = plan.refund!
  const { owner } = show.cinema
  const after = kind === 'complaint' ? show.end_at + HOUR : paid_at! + 15 * 60
  const opened_at = Math.max(paid_at! + 60, Math.min(now - 300, after))
  const done_at = state === 'done' ? Math.min(now - 60, opened_at + 900) : null
  const bySystem = kind === 'ticket_failed' || kind === 'show_canceled'
  const row: typeof refund.$inferInsert = {
    id,
    refund_no: `RF${opened_at}${String(id).padStart(5, '0')}`,
    order_id: of.id,
    order_kind: 'film',
    city_id: owner.city_id,
    mall_id: owner.mall_id,
    merchant_id: owner.merchant_id,
    member_id: of.member_id,
    type: 'refund_only',
    source: bySystem ? 'system' : 'member',
    cause: 'apply',
    reason: whys[kind],
    amount_cents: of.back_cents,
    cap_cents: price.pay_cents,
    state,
    first_by: bySystem || state === 'applied' ? null : 3,
    decided_at: state === 'applied' ? null : opened_at + 300,
    deadline_at: opened_at + 48 * HOUR,
    done_at,
    created_at: opened_at,
    updated_at: done_at ?? opened_at,
  }
  const line: typeof refund_item.$inferInsert = {
    refund_id: id,
    item_id: of.item_id,
    qty: of.seats.length,
    share_cents: price.pay_cents,
    amount_cents: of.back_cents,
    platform_cents: price.coupon_cents,
    created_at: opened_at,
    updated_at: opened_at,
  }
  return { row, line, more: moreOf(of, row) }
}
