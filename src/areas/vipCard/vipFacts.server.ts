import { sql } from 'drizzle-orm'
import type { PayWay } from '#src/areas/order/order.ts'
import { partOf } from '#src/areas/order/orderMoney.ts'
import type { RefundState } from '#src/areas/refund/refund.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { daysLeft, refundableOf, type OpenedBy } from './subscription.ts'
import type { VipRefundPolicy } from './vipCard.ts'
import { vipOrderState, type VipOrderState } from './vipOrder.ts'

/** A refund of a purchase that is not over: it waits for a person, or for the channel. */
type OpenRefund = {
  id: number
  version: number
  state: RefundState
  amount_cents: number
  first_by: number | null
}
type Read = {
  id: number
  order_id: number | null
  kind: OpenedBy
  days: number
  pay_cents: number
  start_at: number | null
  end_at: number | null
  ended_at: number | null
  refund_policy: VipRefundPolicy
  status: string | null
  refund_state: string | null
  fulfil_state: string | null
  refunded_cents: number
  paid_at: number | null
  units_left: number
  /** What the units that are left are worth (cents). */
  share_left: number
  saved_cents: number
  gift_used_cents: number
  gifts: number
  gifts_given: number
  channel: PayWay | null
  fail_text: string | null
  open_refund: OpenRefund | null
}
/** What decides over the money and the coupons of a purchase, at a moment. */
export type VipOrderFacts = {
  id: number
  order_id: number | null
  has_order: boolean
  state: VipOrderState
  refunded_cents: number
  paid_at: number | null
  /** What may go back of it now (cents), and why it is nothing; whole days that go with it. */
  refundable: { cents: number; why?: Text | undefined }
  days_left: number
  gift_used_cents: number
  gifts: number
  gifts_missing: number
  /** How it was paid; none of what cost nothing. */
  channel: PayWay | null
  /** What the channel said of a refund that it did not pay. */
  refund_error: string
  open_refund: OpenRefund | null
}
const paidStates: readonly VipOrderState[] = ['paid', 'partly_refunded']
const never: Text = ['没有可退的实付金额', 'Nothing that was paid is left']
/** Why nothing goes back of a purchase whose state forbids it. */
const whyNot: Readonly<Partial<Record<VipOrderState, Text>>> = {
  refunding: ['上一笔退款正在处理', 'A refund of it is on its way'],
  unpaid: ['未支付', 'Not paid'],
  closed: ['未支付，已关闭', 'Not paid, and closed'],
}

const factsOf = (row: Read, now: number): VipOrderFacts => {
  const has_order = row.order_id !== null
  const state = vipOrderState(
    has_order
      ? {
          status: row.status!,
          refund_state: row.refund_state!,
          fulfil_state: row.fulfil_state!,
        }
      : null,
  )
  const period = { start_at: row.start_at ?? now, end_at: row.end_at ?? now }
  const left = Math.min(daysLeft(period, now), row.units_left)
  const open = has_order && row.ended_at === null && row.paid_at !== null
  // What may go back whole goes with all its days, used ones too.
  const days_left = row.refund_policy === 'unused_7d' ? row.units_left : left
  const most =
    open && paidStates.includes(state)
      ? refundableOf({ ...row, ...period, paid_at: row.paid_at! }, now)
      : { cents: 0, why: whyNot[state] ?? never }
  const worth = partOf(row.share_left, row.units_left, days_left)
  return {
    id: row.id,
    order_id: row.order_id,
    has_order,
    state,
    refunded_cents: row.refunded_cents,
    paid_at: row.paid_at,
    refundable: most.cents > worth ? { ...most, cents: worth } : most,
    days_left,
    gift_used_cents: row.gift_used_cents,
    gifts: row.gifts,
    gifts_missing: row.gifts - row.gifts_given,
    channel: row.channel,
    refund_error: row.fail_text ?? '',
    open_refund: row.open_refund,
  }
}
const numbers = [
  'id',
  'days',
  'pay_cents',
  'refunded_cents',
  'units_left',
  'share_left',
  'saved_cents',
  'gift_used_cents',
  'gifts',
  'gifts_given',
] as const
const some = ['order_id', 'start_at', 'end_at', 'ended_at', 'paid_at'] as const
/** What a driver answers as text becomes a number; what is null stays so. */
const counted = (row: Read): Read => ({
  ...row,
  ...Object.fromEntries(numbers.map(key => [key, Number(row[key])])),
  ...Object.fromEntries(some.map(key => [key, row[key] === null ? null : Number(row[key])])),
})
/**
 * Reads what decides over purchases, by their ids (`vip_card_order`): one statement for any number
 * of them. Money in cents, times in unix seconds.
 */
export const vipOrderFacts = async (
  db: Db,
  ids: readonly number[],
  now: number,
): Promise<Map<number, VipOrderFacts>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<Read>(sql`
    select v.id, v.order_id, v.kind, v.days, v.pay_cents, v.start_at, v.end_at, v.ended_at,
      v.refund_policy, o.status, o.refund_state, o.fulfil_state,
      coalesce(o.refunded_cents, 0) refunded_cents, o.paid_at,
      coalesce((select sum(i.qty - i.refunded_qty - i.refunding_qty) from order_item i
        where i.order_id = v.order_id), 0) units_left,
      v.pay_cents - coalesce((select sum(x.share_cents) from refund_item x
        join refund r on r.id = x.refund_id where r.order_id = v.order_id
          and r.state not in ('rejected', 'closed')), 0) share_left,
      coalesce(s.saved_cents, 0) saved_cents, coalesce(g.used, 0) gift_used_cents,
      jsonb_array_length(v.gift_coupon_ids) gifts, coalesce(g.n, 0) gifts_given,
      (select p.channel from payment p where p.order_id = v.order_id and p.direction = 'in'
        order by p.id desc limit 1) channel,
      (select p.fail_text from payment p where p.order_id = v.order_id and p.direction = 'out'
        and p.state = 'failed' order by p.id desc limit 1) fail_text,
      (select jsonb_build_object('id', r.id, 'version', r.version, 'state', r.state,
          'amount_cents', r.amount_cents, 'first_by', r.first_by) from refund r
        where r.order_id = v.order_id and r.state in ('applied', 'second_audit', 'paying', 'pay_failed')
        order by r.id desc limit 1) open_refund
    from vip_card_order v left join "order" o on o.id = v.order_id
      left join vip_subscription s on s.id = v.subscription_id
      left join lateral (select count(*) n, sum(c.discount_cents) filter (where c.status = 'used'
          or (c.status = 'locked' and c.order_no is not null)) used
        from jsonb_array_elements_text(v.gift_coupon_ids) e
          join coupon_grant c on c.code = 'VG' || v.id || '-' || e.value) g on true
    where v.id = any(${sql.param([...ids])}::int[])`)
  return new Map(rows.map(row => [Number(row.id), factsOf(counted(row), now)]))
}
