import { deviceOf } from '#src/areas/log/logs.demo.ts'
import type { order, order_item } from '#src/areas/order/order.table.ts'
import { statusOf } from '#src/areas/order/order.ts'
import { factsOf, type ItemUnits } from '#src/areas/order/orderUnits.ts'
import { feeOf } from '#src/areas/settle/split.ts'
import { joined } from '#src/domain/text.ts'
import { HOUR } from '#src/domain/time.ts'
import type { film_order, film_request, film_seat } from './film.table.ts'
import { profitOf, seatKey } from './film.ts'
import { isAsked, isBack, type Made } from './filmMade.demo.ts'
import { termsAtFirst } from './filmSettings.ts'
import { issuingText, silentText } from './provider.channel.ts'
import { issuedText } from './tickets.server.ts'

const issueStateOf = (plan: Made['plan']): ItemUnits['issue_state'] => {
  if (plan.pay !== 'paid') return 'none'
  if (plan.ticket === 'issuing') return 'issuing'
  const failed = plan.ticket === 'issue_failed' || plan.refund?.kind === 'ticket_failed'
  return failed ? 'failed' : 'issued'
}
type Counted = Omit<ItemUnits, 'codes'>
export const itemOf = (of: Made): typeof order_item.$inferInsert & Counted => {
  const { plan, show, price } = of
  const qty = of.seats.length
  return {
    id: of.item_id,
    order_id: of.id,
    kind: 'film',
    product_id: null,
    snapshot: {
      title: show.film.name,
      cost_cents: price.cost_cents,
      freeze_days: termsAtFirst.freeze_days,
      commission_bp: 0,
      images: [],
    },
    title: show.film.name,
    store_id: show.cinema.owner.store_id,
    qty,
    price_cents: (price.sale_cents + price.service_fee_cents) / qty,
    pay_cents: price.pay_cents,
    platform_cents: price.coupon_cents,
    used_qty: 0,
    refunding_qty: isAsked(of) ? qty : 0,
    refunded_qty: isBack(of) ? qty : 0,
    shipped_qty: of.shown_at !== null && !isBack(of) ? qty : 0,
    received_qty: of.shown_at !== null && !isBack(of) ? qty : 0,
    refunded_cents: isBack(of) ? of.back_cents : 0,
    fulfil: 'virtual',
    issue_state: issueStateOf(plan),
    created_at: plan.at,
    updated_at: plan.at,
  }
}
const closedBy = ({ id }: Made) => (id % 3 === 0 ? ('member' as const) : ('timeout' as const))
const triesOf = ({ plan }: Made): number => (plan.stuck ? 3 : Number(plan.pay === 'paid'))
export const orderOf = (of: Made): typeof order.$inferInsert => {
  const { plan, show, price, paid_at, member_id } = of
  const { owner } = show.cinema
  const facts = factsOf({
    pay_state: plan.pay,
    balance_due: false,
    frozen: plan.frozen ?? false,
    waiting: false,
    items: [{ ...itemOf(of), codes: [] }],
  })
  const closed_at = plan.pay === 'closed' ? plan.at + 600 : null
  const done_at = of.ticketed_at ?? paid_at
  return {
    id: of.id,
    order_no: `FI${plan.at}${String(of.id).padStart(6, '0')}`,
    kind: 'film',
    sub_kind: 'virtual',
    member_id,
    device_id: deviceOf(member_id),
    city_id: owner.city_id,
    mall_id: owner.mall_id,
    merchant_id: owner.merchant_id,
    store_id: owner.store_id,
    source: 'mini_program',
    total_cents: price.sale_cents + price.service_fee_cents,
    platform_discount_cents: price.coupon_cents,
    pay_cents: price.pay_cents,
    paid_cents: plan.pay === 'paid' ? price.pay_cents : 0,
    refunded_cents: isBack(of) ? of.back_cents : 0,
    ...facts,
    status: statusOf(facts),
    freeze_reason: plan.frozen ? '同设备多号购票，核查中' : null,
    frozen_by: plan.frozen ? 'staff' : null,
    cancel_type: closed_at === null ? null : closedBy(of),
    expire_pay_at: plan.at + termsAtFirst.lock_minutes * 60,
    paid_at,
    finished_at: facts.fulfil_state === 'finished' ? done_at : null,
    closed_at,
    deciding: plan.refund?.state === 'applied',
    receive_by: show.end_at,
    created_at: plan.at,
    updated_at: closed_at ?? of.shown_at ?? done_at ?? plan.at,
  }
}
const saidOf = (of: Made): string => {
  const { plan } = of
  if (plan.stuck) return joined(silentText)
  if (plan.ticket === 'issuing') return joined(issuingText)
  if (plan.ticket === 'issue_failed' || plan.refund?.kind === 'ticket_failed')
    return joined(['座位已被影院售出', 'The cinema has sold the seats'])
  return of.ticketed_at === null ? '' : joined(issuedText)
}
const providerAt = (id: number) =>
  id % 4 === 0 ? ('provider_b' as const) : ('provider_a' as const)
const providerNoOf = ({ id }: Made): string => `GY${String(10_000_000_000_000 + id * 7919)}`
export const ticketOf = (of: Made): typeof film_order.$inferInsert => {
  const { plan, show, price, paid_at } = of
  const issued = of.ticketed_at !== null
  const wechat_fee_cents = plan.pay === 'paid' ? feeOf(price.pay_cents) : 0
  const back = isBack(of)
  return {
    id: of.id,
    order_id: of.id,
    show_id: show.id,
    cinema_id: show.cinema.id,
    film_id: show.film.id,
    member_id: of.member_id,
    city_id: show.cinema.owner.city_id,
    mall_id: show.cinema.owner.mall_id,
    cinema_name: show.cinema.name,
    film_name: show.film.name,
    hall: show.hall,
    show_at: show.start_at,
    show_end_at: show.end_at,
    seats: of.seats,
    seat_count: of.seats.length,
    origin_cents: price.origin_cents,
    sale_cents: price.sale_cents,
    service_fee_cents: price.service_fee_cents,
    coupon_cents: price.coupon_cents,
    points_cents: 0,
    subsidy_cents: price.subsidy_cents,
    cost_cents: price.cost_cents,
    wechat_fee_cents,
    profit_cents:
      plan.pay === 'paid'
        ? profitOf({
            pay_cents: price.pay_cents,
            cost_cents: price.cost_cents,
            wechat_fee_cents,
            refunded_cents: back ? of.back_cents : 0,
            cost_return_cents:
              back || plan.refund?.state === 'pay_failed' ? of.cost_return_cents : 0,
          })
        : 0,
    provider: providerAt(of.id),
    provider_no: issued ? providerNoOf(of) : null,
    provider_status: saidOf(of),
    ticket_state: plan.ticket,
    ticket_code: issued
      ? `${String(30_000_000 + of.id * 7919).slice(-8)} ${String(100_000 + of.id * 37).slice(-6)}`
      : null,
    lock_expire_at: plan.at + termsAtFirst.lock_minutes * 60,
    waiting_since: plan.pay === 'paid' && !issued ? paid_at : null,
    try_count: triesOf(of),
    ticketed_at: of.ticketed_at,
    code_sent_at: of.ticketed_at && of.ticketed_at + 2,
    code_sent_n: issued ? 1 : 0,
    shown_at: of.shown_at,
    terms: termsAtFirst,
    created_at: plan.at,
    updated_at: of.ticketed_at ?? plan.at,
  }
}
export const requestOf = (of: Made): (typeof film_request.$inferInsert)[] => {
  const { plan, paid_at, now } = of
  if (paid_at === null) return []
  const waits = plan.ticket === 'issuing'
  const issued = of.ticketed_at !== null
  const ended = issued ? ('success' as const) : ('failed' as const)
  return [
    {
      order_id: of.id,
      provider: providerAt(of.id),
      out_no: `FT${of.id}-1`,
      state: waits ? 'pending' : ended,
      answer: saidOf(of),
      provider_no: issued ? providerNoOf(of) : null,
      tries: plan.stuck ? 3 : 1,
      // A demo that stands still keeps what waits.
      ask_at: waits ? now + HOUR : null,
      answered_at: waits ? null : (of.ticketed_at ?? paid_at + 20),
      created_at: paid_at,
      updated_at: of.ticketed_at ?? paid_at,
    },
  ]
}
const freedAt = ({ plan, show, paid_at, now }: Made): number | null => {
  if (plan.pay === 'closed') return plan.at + 600
  if (plan.ticket !== 'released') return null
  return Math.min(now - 60, show.start_at, (paid_at ?? plan.at) + HOUR)
}
export const seatRows = (of: Made): (typeof film_seat.$inferInsert)[] =>
  of.seats.map(seat => ({
    show_id: of.show.id,
    order_id: of.id,
    seat: seatKey(seat),
    freed_at: freedAt(of),
    created_at: of.plan.at,
    updated_at: of.plan.at,
  }))
