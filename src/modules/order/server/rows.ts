import { voucherRule } from '#src/areas/code/voucher.ts'
import { partStatus, partUnits } from '#src/areas/combo/combo.ts'
import { soldIn } from '#src/areas/combo/comboParts.server.ts'
import { roll_group } from '#src/areas/group/group.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { type OrderRules, type RefundPolicy, promiseOf } from '#src/areas/order/orderRules.ts'
import type { ItemUnits } from '#src/areas/order/orderUnits.ts'
import { grouped } from '#src/domain/grouped.ts'
import { joined } from '#src/domain/joined.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import { type Beside, policyOf, readBeside } from './beside.ts'
import { cardsFrom } from './cardRows.ts'
import type { Listed } from './listed.ts'
import { raisesFrom } from './raiseRows.ts'
import { visitorsFrom } from './visitorRows.ts'

type Waiting = Omit<NonNullable<OrderRow['to_decide']>, 'state' | 'first_name'> & {
  state: string
  first_name: string | null
}
const toDecide = (one: Waiting | undefined): OrderRow['to_decide'] =>
  one
    ? {
        id: one.id,
        version: one.version,
        state: one.state as 'applied',
        type: one.type,
        amount_cents: one.amount_cents,
        first_by: one.first_by,
        first_name: one.first_name ?? '',
        override: one.override,
      }
    : null
/** Whether a merchant stopped trading. */
export const isClosed = (status: (typeof merchant.$inferSelect)['status'] | undefined): boolean =>
  status === 'frozen' || status === 'terminated'
/** A group, as rows of its orders show it. */
export const lookOf = ({
  group_no,
  state,
  end_by,
  joined_n,
  virtual_n,
  need_n,
  expire_at,
}: typeof roll_group.$inferSelect): NonNullable<OrderRow['group']> => ({
  group_no,
  state,
  end_by,
  joined_n,
  virtual_n,
  need_n,
  expire_at,
})
/** A bundle as its list shows it, from its lines with their codes. */
const bundleOf = (
  row: Listed,
  lines: readonly (ItemUnits & { title: string; snapshot: unknown; closed: boolean })[],
): OrderRow['bundle'] => {
  const sold = soldIn(lines)
  return {
    name: sold?.name ?? '',
    policy: sold?.policy ?? 'part',
    parts: lines.map(line => ({
      title: line.title,
      status: partStatus(line, row.pay_state),
      left: partUnits(line).left,
      closed: line.closed,
    })),
  }
}

/** What was read beside orders, found by their ids. */
const lookUpsOf = (read: Beside) => ({
  itemsOf: grouped(read.items, item => item.order_id),
  codeOf: new Map(read.codes.map(one => [one.order_id, one])),
  partCodesOf: grouped(read.partCodes, one => one.item_id),
  placeOf: new Map(read.places.map(one => [one.id, one])),
  memberOf: new Map(read.members.map(one => [one.id, one])),
  groupOf: new Map(read.groups.map(one => [one.id, one])),
  billsOf: grouped(read.bills, one => one.order_id),
  parcelsOf: grouped(read.parcels, one => one.order_id),
  askOf: new Map(read.asks.map(({ order_id, ...ask }) => [order_id, ask])),
  failed: new Set(read.refunds.filter(one => one.state === 'pay_failed').map(one => one.order_id)),
  waitingOf: grouped(
    read.refunds.filter(one => one.state !== 'pay_failed'),
    one => one.order_id,
  ),
  raiseOf: raisesFrom(read),
  visitorOf: visitorsFrom(read),
  cardsOf: cardsFrom(read),
})
type LookUps = ReturnType<typeof lookUpsOf>
type Item = Beside['items'][number]
type CodeSums = Beside['codes'][number]
type Cards = ReturnType<LookUps['cardsOf']>

/** The columns of an order that its row shows as they are stored. */
const storedIn = (row: Listed) => ({
  id: row.id,
  order_no: row.order_no,
  kind: row.kind,
  sub_kind: row.sub_kind,
  source: row.source,
  status: row.status,
  pay_state: row.pay_state,
  balance_due: row.balance_due,
  fulfil_state: row.fulfil_state,
  refund_state: row.refund_state,
  frozen: row.frozen,
  freeze_reason: row.freeze_reason,
  frozen_by: row.frozen_by,
  cancel_type: row.cancel_type,
  claimed_at: row.claimed_at,
  pay_cents: row.pay_cents,
  paid_cents: row.paid_cents,
  refunded_cents: row.refunded_cents,
  platform_discount_cents: row.platform_discount_cents,
  store_discount_cents: row.store_discount_cents,
  adjust_cents: row.adjust_cents,
  points_used: row.points_used,
  tags: row.tags,
  remark: row.remark,
  created_at: row.created_at,
  paid_at: row.paid_at,
  finished_at: row.finished_at,
  closed_at: row.closed_at,
  expire_pay_at: row.expire_pay_at,
  valid_until: row.valid_until,
  promise_at: row.promise_at,
  ready_at: row.ready_at,
  reminded_at: row.reminded_at,
  receive_by: row.receive_by,
  receiver_changed_at: row.receiver_changed_at,
  last_used_at: row.used_at,
  group_id: row.roll_group_id,
  group_role: row.group_role,
  batch_id: row.raise_batch_id,
  combo_id: row.combo_id,
  version: row.version,
})
/** The buyer; a visitor's own phone is a field of its own (`visitor`). */
const buyerIn = (row: Listed, { memberOf }: LookUps) => {
  const buyer = row.member_id === null ? undefined : memberOf.get(row.member_id)
  const phone =
    buyer?.phone ?? (row.kind === 'visitor' ? null : row.visitor_phone) ?? row.receiver?.phone
  return {
    member_id: row.member_id,
    member_name: buyer?.nickname ?? '',
    ...(phone && { phone }),
  }
}
const placeIn = (row: Listed, { placeOf }: LookUps) => {
  const place = placeOf.get(row.store_id)
  return {
    city_name: place?.city ?? '',
    mall_name: place?.mall ?? '',
    store_id: row.store_id,
    store_name: place?.name ?? '',
    store_status: place?.status ?? ('closed' as const),
    merchant_id: row.merchant_id,
    merchant_name: place?.merchant ?? '',
    merchant_closed: isClosed(place?.merchant_status),
  }
}
/** What was bought: units of goods, times of codes. */
const unitsIn = (own: readonly Item[], code: CodeSums | undefined) => {
  const total = (of: readonly Item[], n: (item: Item) => number) =>
    of.reduce((all, item) => all + n(item), 0)
  const goods = own.filter(item => item.fulfil !== 'code' && item.fulfil !== 'pickup')
  const first = own[0]?.snapshot as { images?: string[]; sku?: string } | undefined
  const image = first?.images?.[0]
  return {
    title: own[0]?.title ?? '',
    ...(image && { image }),
    sku: first?.sku ?? null,
    item_count: own.length,
    qty: total(own, item => item.qty),
    units: (code?.units ?? 0) + total(goods, item => item.qty),
    used: code?.used ?? 0,
    refunded: (code?.refunded ?? 0) + total(goods, item => item.refunded_qty),
    refunding: (code?.refunding ?? 0) + total(goods, item => item.refunding_qty),
    shipped: total(own, item => item.shipped_qty),
  }
}
/** What orders with codes show beside. */
const codesIn = (code: CodeSums | undefined, cards: Cards | null) => ({
  left_cents: cards?.left_cents ?? code?.left ?? 0,
  bonus: code?.bonus ?? 0,
  gift: code?.gift ?? ('none' as const),
  code_state: code?.state ?? null,
})
/** What the buyer was promised for what is not used; null where it is no code. */
const promiseIn = (
  row: Listed,
  first: Item | undefined,
  rules: Pick<OrderRules, 'refund_policy'>,
) =>
  first
    ? promiseOf(
        row,
        first.fulfil,
        (first.snapshot as { refund_policy?: RefundPolicy | null }).refund_policy,
        rules,
      )
    : null
/** What orders of one kind show beside: vouchers, cards, groups, bundles, exchanges and so on. */
const kindPartsIn = (row: Listed, own: readonly Item[], look: LookUps) => {
  const group = row.roll_group_id === null ? undefined : look.groupOf.get(row.roll_group_id)
  const lines = () => own.map(line => ({ ...line, codes: look.partCodesOf.get(line.id) ?? [] }))
  return {
    times_ask: look.askOf.get(row.id) ?? null,
    face_cents: (own[0] && voucherRule(own[0].snapshot)?.face_cents) ?? null,
    bill_cents: look.billsOf.get(row.id)?.reduce((all, one) => all + one.cents!, 0) ?? null,
    group: group ? lookOf(group) : null,
    ...look.raiseOf(row),
    visitor: row.kind === 'visitor' ? look.visitorOf(row) : null,
    bundle: row.kind === 'combo' ? bundleOf(row, lines()) : null,
    points_kind: own.find(item => item.points_kind !== null)?.points_kind ?? null,
    issue_note: own.find(item => item.issue_note !== null)?.issue_note ?? null,
    parcels: (look.parcelsOf.get(row.id) ?? []).map(({ courier_name, tracking_no, state }) => ({
      courier_name,
      tracking_no,
      state,
    })),
  }
}
/**
 * Orders with what a list shows of them: all that stands beside them in one query, for a page of
 * any size.
 */
export const rowsOf = async (db: Db, orders: readonly Listed[]): Promise<OrderRow[]> => {
  if (orders.length === 0) return []
  const [read, policyIn] = await Promise.all([readBeside(db, orders), policyOf(db, orders)])
  const look = lookUpsOf(read)
  return orders.map(row => {
    const own = look.itemsOf.get(row.id) ?? []
    const code = look.codeOf.get(row.id)
    const cards = row.kind === 'ecard' ? look.cardsOf(row, own) : null
    return joined(
      storedIn(row),
      buyerIn(row, look),
      placeIn(row, look),
      unitsIn(own, code),
      codesIn(code, cards),
      kindPartsIn(row, own, look),
      {
        promise: promiseIn(row, own[0], policyIn(row)),
        payout_failed: look.failed.has(row.id),
        to_decide: toDecide(look.waitingOf.get(row.id)?.[0]),
        cards: cards?.cards ?? null,
      },
    )
  })
}
