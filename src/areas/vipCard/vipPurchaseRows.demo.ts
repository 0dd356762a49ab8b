/** The rows of a purchase of the demo: its order, its line, its money in and back. */
import type { order, order_item } from '#src/areas/order/order.table.ts'
import { statusOf } from '#src/areas/order/order.ts'
import { factsOf } from '#src/areas/order/orderUnits.ts'
import type { channel_contract } from '#src/areas/payment/channel.table.ts'
import type { payment } from '#src/areas/payment/payment.table.ts'
import type { refund, refund_item } from '#src/areas/refund/refund.table.ts'
import { feeOf } from '#src/areas/settle/split.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { vip_charge } from './renewal.table.ts'
import type { vip_card_order, vip_contract, vip_subscription } from './vipCard.table.ts'
import type { DemoPerson, DemoPlan, DemoPurchase } from './vipPurchasePlans.demo.ts'

/** The last id of each table: the next row takes the one after. */
export type Ids = Record<
  'order' | 'item' | 'pay' | 'refund' | 'bought' | 'sub' | 'contract' | 'charge',
  number
>
/** The rows of all purchases, table by table. */
export const newRows = () => ({
  orders: [] as (typeof order.$inferInsert)[],
  items: [] as (typeof order_item.$inferInsert)[],
  pays: [] as (typeof payment.$inferInsert)[],
  refunds: [] as (typeof refund.$inferInsert)[],
  lines: [] as (typeof refund_item.$inferInsert)[],
  bought: [] as (typeof vip_card_order.$inferInsert)[],
  subs: [] as (typeof vip_subscription.$inferInsert)[],
  contracts: [] as (typeof vip_contract.$inferInsert)[],
  signed: [] as (typeof channel_contract.$inferInsert)[],
  charges: [] as (typeof vip_charge.$inferInsert)[],
})
export type Rows = ReturnType<typeof newRows>
export type Sale = {
  person: DemoPerson
  plan: DemoPlan
  kind: 'buy' | 'renew'
  at: number
  pay: 'paid' | 'unpaid' | 'closed'
  pay_cents: number
  refund?: DemoPurchase['refund']
  source: string
  period?: { start_at: number; end_at: number; subscription_id: number }
  contract_id?: number | null
  gifts?: number[]
}
const moneyOut = (rows: Rows, ids: Ids, sale: Sale & { order_id: number; parent_id: number }) => {
  const { refund: back, person, pay_cents, plan } = sale
  if (!back) return
  const id = ++ids.refund
  const done_at = back.stuck ? null : back.at + 900
  rows.refunds.push({
    id,
    refund_no: `RF${back.at}${String(id).padStart(5, '0')}`,
    order_id: sale.order_id,
    order_kind: 'vip_card',
    city_id: person.city_id,
    mall_id: 0,
    merchant_id: 0,
    member_id: person.id,
    type: 'refund_only',
    source: 'staff',
    cause: 'apply',
    reason: back.reason,
    amount_cents: back.cents,
    cap_cents: Math.max(back.cents, Math.ceil((pay_cents * back.days) / plan.days)),
    state: back.stuck || 'done',
    first_by: 3,
    decided_at: back.stuck === 'second_audit' ? null : back.at,
    deadline_at: back.at + 48 * HOUR,
    done_at,
    created_at: back.at,
    updated_at: done_at ?? back.at,
  })
  rows.lines.push({
    refund_id: id,
    item_id: ids.item,
    qty: back.days,
    share_cents: Math.max(back.cents, Math.ceil((pay_cents * back.days) / plan.days)),
    amount_cents: back.cents,
    created_at: back.at,
    updated_at: back.at,
  })
  if (back.stuck === 'second_audit') return
  rows.pays.push({
    id: ++ids.pay,
    order_id: sale.order_id,
    refund_id: id,
    direction: 'out',
    stage: 'refund',
    channel: 'embedded',
    amount_cents: back.cents,
    fee_cents: 0,
    out_no: `RF${back.at}${String(id).padStart(5, '0')}`,
    channel_no: back.stuck ? null : `503${String(id * 7919).padStart(18, '0')}`,
    parent_id: sale.parent_id,
    state: back.stuck ? 'failed' : 'success',
    fail_code: back.stuck ? 'NOT_ENOUGH' : null,
    fail_text: back.stuck ? '商户账户余额不足' : null,
    tries: 1,
    fails: back.stuck ? 1 : 0,
    success_at: done_at,
    created_at: back.at,
    updated_at: done_at ?? back.at,
  })
}
const itemOf = ({ plan, pay, refund: back }: Sale) => ({
  qty: plan.days,
  used_qty: 0,
  refunding_qty: back?.stuck ? back.days : 0,
  refunded_qty: back && !back.stuck ? back.days : 0,
  shipped_qty: 0,
  received_qty: 0,
  fulfil: 'virtual' as const,
  issue_state: pay === 'paid' ? ('issued' as const) : ('none' as const),
})
type Numbered = { order_id: number; order_no: string }
const backOf = ({ refund: back }: Sale): number => (back && !back.stuck ? back.cents : 0)
const orderRow = (sale: Sale, { order_id, order_no }: Numbered): typeof order.$inferInsert => {
  const { person, at, pay, pay_cents, refund: back } = sale
  const facts = factsOf({
    pay_state: pay,
    balance_due: false,
    frozen: false,
    waiting: false,
    items: [{ ...itemOf(sale), codes: [] }],
  })
  const refunded_cents = backOf(sale)
  const paid = pay === 'paid'
  return {
    id: order_id,
    order_no,
    kind: 'vip_card',
    sub_kind: 'virtual',
    member_id: person.id,
    city_id: person.city_id,
    mall_id: 0,
    merchant_id: 0,
    store_id: 0,
    source: sale.kind === 'renew' ? 'api' : 'mini_program',
    total_cents: pay_cents,
    pay_cents,
    paid_cents: paid ? pay_cents : 0,
    refunded_cents,
    ...facts,
    status: statusOf(facts),
    deciding: back?.stuck === 'second_audit',
    cancel_type: pay === 'closed' ? 'timeout' : null,
    expire_pay_at: at + (sale.kind === 'renew' ? DAY : 1800),
    paid_at: paid ? at + 30 : null,
    finished_at: paid && facts.fulfil_state === 'finished' ? at + 30 : null,
    closed_at: pay === 'closed' ? at + 1800 : null,
    created_at: at,
    updated_at: at + 30,
  }
}
const itemRow = (
  sale: Sale,
  { item_id, order_id }: { item_id: number; order_id: number },
): typeof order_item.$inferInsert => {
  const { plan, at, pay_cents } = sale
  const [item, refunded_cents] = [itemOf(sale), backOf(sale)]
  return {
    id: item_id,
    order_id,
    kind: 'vip_card',
    snapshot: { title: plan.name, commission_bp: 0, images: [] },
    title: plan.name,
    store_id: 0,
    price_cents: Math.round(pay_cents / plan.days),
    pay_cents,
    refunded_cents,
    ...item,
    created_at: at,
    updated_at: at,
  }
}
const payRow = (
  { at, pay, pay_cents }: Sale,
  { parent_id, order_id, order_no }: Numbered & { parent_id: number },
): typeof payment.$inferInsert => {
  const paid = pay === 'paid'
  return {
    id: parent_id,
    order_id,
    refund_id: null,
    direction: 'in',
    stage: 'full',
    channel: 'embedded',
    amount_cents: pay_cents,
    fee_cents: paid ? feeOf(pay_cents) : 0,
    out_no: order_no,
    channel_no: paid ? `420${String(order_id * 7919).padStart(18, '0')}` : null,
    parent_id: null,
    state: { paid: 'success' as const, unpaid: 'pending' as const, closed: 'closed' as const }[pay],
    fail_code: null,
    fail_text: null,
    tries: 0,
    fails: 0,
    success_at: paid ? at + 30 : null,
    created_at: at,
    updated_at: at + 30,
  }
}
/** Writes an order with its line, its payment, its refund and the purchase. Answers its ids. */
export const sell = (
  rows: Rows,
  ids: Ids,
  sale: Sale,
): { order_id: number; vip_order_id: number } => {
  const { person, plan, at, pay_cents, refund: back } = sale
  const [order_id, item_id, parent_id] = [++ids.order, ++ids.item, ++ids.pay]
  const order_no = `VC${at}${String(order_id).padStart(6, '0')}`
  rows.orders.push(orderRow(sale, { order_id, order_no }))
  rows.items.push(itemRow(sale, { item_id, order_id }))
  rows.pays.push(payRow(sale, { parent_id, order_id, order_no }))
  const over = back && !back.stuck && back.days >= Math.floor(plan.days / 2) ? back.at : null
  const vip_order_id = ++ids.bought
  rows.bought.push({
    id: vip_order_id,
    order_no,
    order_id,
    member_id: person.id,
    card_id: plan.id,
    subscription_id: sale.period?.subscription_id ?? null,
    kind: sale.kind,
    days: plan.days,
    pay_cents,
    start_at: sale.period?.start_at ?? null,
    end_at: sale.period?.end_at ?? null,
    source: sale.source,
    refund_policy: plan.refund_policy,
    gift_coupon_ids: sale.gifts ?? [],
    ended_at: over,
    contract_id: sale.contract_id ?? null,
    created_at: at,
    updated_at: at,
  })
  moneyOut(rows, ids, { ...sale, order_id, parent_id })
  return { order_id, vip_order_id }
}
