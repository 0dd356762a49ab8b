import { and, eq, inArray, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { verify_record } from '#src/areas/code/code.table.ts'
import { ledger_account } from '#src/areas/ledger/ledger.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { OrderStatus } from '#src/areas/order/order.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { DAY } from '#src/domain/time.ts'
import type { Scope } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import type { OverviewFilter } from './overview.server.ts'
import { bucketOf, statusesOf, type Metric, type OrderBucket, type Period } from './overview.ts'

export const inFilter = (
  t: { city_id: AnyPgColumn; mall_id: AnyPgColumn; kind: AnyPgColumn },
  filter: OverviewFilter,
  scope: Scope,
) =>
  and(
    filter.city_id === undefined ? undefined : eq(t.city_id, filter.city_id),
    filter.mid === undefined ? undefined : eq(t.mall_id, filter.mid),
    filter.kind === undefined ? undefined : eq(t.kind, filter.kind),
    within(scope, { city: t.city_id, mall: t.mall_id }),
  )
const bounds = ({ from, to }: Period) => [momentNamed(from)!, momentNamed(to)! + DAY] as const
export const between = (at: AnyPgColumn, period: Period) => {
  const [start, end] = bounds(period)
  return sql`${at} >= ${start} and ${at} < ${end}`
}

const settleFilter = (filter: OverviewFilter, scope: Scope) =>
  inFilter(
    { city_id: settle_line.city_id, mall_id: settle_line.mall_id, kind: settle_line.order_kind },
    filter,
    scope,
  )
const waiting = ['pending', 'approved', 'paying', 'wait_confirm', 'failed'] as const
/** What is left of a line to its merchant: refunds take of it. */
const lineLeft = sql`${settle_line.merchant_cents} - ${settle_line.gone_merchant_cents}`
/**
 * What merchants have and did not ask for yet, by their accounts in the journal, as of now; its own
 * relation `b (id, name, city_id, cents)`.
 */
const balances = (filter: OverviewFilter, scope: Scope) => sql`(
  select ${merchant.id} id, ${merchant.name} "name", ${merchant.city_id} city_id, -${ledger_account.balance_cents} cents from ${ledger_account} join ${merchant} on ${merchant.id} = ${ledger_account.owner_id}
  where ${and(
    eq(ledger_account.kind, 'merchant_balance'),
    eq(ledger_account.owner_kind, 'merchant'),
    sql`${ledger_account.balance_cents} < 0`,
    filter.city_id === undefined ? undefined : eq(merchant.city_id, filter.city_id),
    within(scope, { city: merchant.city_id }),
  )}) b`

/** A row behind a number. `at` is the moment it counts by. */
export type Drill = {
  from: SQL
  id: SQL
  no: SQL
  title: SQL
  state: SQL
  city_id: SQL
  mid: SQL
  cents: SQL
  at: SQL
  where: SQL | undefined
  index: SQL
}
const ofOrder = (at: AnyPgColumn, cents: AnyPgColumn, where: SQL | undefined): Drill => ({
  from: sql`${order}`,
  id: sql`${order.id}`,
  no: sql`${order.order_no}`,
  title: sql`(select i.title from order_item i where i.order_id = ${order.id} order by i.id limit 1)`,
  state: sql`${order.status}`,
  city_id: sql`${order.city_id}`,
  mid: sql`${order.mall_id}`,
  cents: sql`${cents}`,
  at: sql`${at}`,
  where,
  index: sql`${at}`,
})
const ofLine = (at: AnyPgColumn, cents: AnyPgColumn | SQL, where: SQL | undefined): Drill => ({
  from: sql`${settle_line}`,
  id: sql`${settle_line.id}`,
  no: sql`(select o.order_no from "order" o where o.id = ${settle_line.order_id}) || '-' || ${settle_line.unit_no}`,
  title: sql`(select i.title from order_item i where i.id = ${settle_line.item_id})`,
  state: sql`${settle_line.status}`,
  city_id: sql`${settle_line.city_id}`,
  mid: sql`${settle_line.mall_id}`,
  cents: sql`${cents}`,
  at: sql`${at}`,
  where,
  index: sql`${at}`,
})
const ofWithdrawal = (
  at: AnyPgColumn,
  where: SQL | undefined,
  filter: OverviewFilter,
  scope: Scope,
): Drill => ({
  from: sql`${withdrawal} join ${merchant} on ${merchant.id} = ${withdrawal.owner_id}`,
  id: sql`${withdrawal.id}`,
  no: sql`${withdrawal.no}`,
  title: sql`${merchant.name}`,
  state: sql`${withdrawal.status}`,
  city_id: sql`${merchant.city_id}`,
  mid: sql`null::int`,
  cents: sql`${withdrawal.amount_cents}`,
  at: sql`${at}`,
  index: sql`${at}`,
  where: and(
    eq(withdrawal.owner_kind, 'merchant'),
    where,
    filter.city_id === undefined ? undefined : eq(merchant.city_id, filter.city_id),
    within(scope, { city: merchant.city_id }),
  ),
})
/** Figures of merchants as a whole: neither a kind of order nor a mall tells them apart. */
const wholeMerchants = new Set<Metric>(['balance', 'pending', 'withdrawal'])
/** Whether a number can be told for these filters. */
export const tells = (metric: Metric, filter: OverviewFilter): boolean =>
  !(wholeMerchants.has(metric) && (filter.kind !== undefined || filter.mid !== undefined)) &&
  !(metric === 'new_members' && (filter.kind !== undefined || filter.mid !== undefined))

/** What a number is narrowed to. */
type Narrowed = { period: Period; filter: OverviewFilter; scope: Scope }
const ofVerified = ({ period, filter, scope }: Narrowed): Drill => ({
  from: sql`${verify_record}`,
  id: sql`${verify_record.id}`,
  no: sql`(select o.order_no from "order" o where o.id = ${verify_record.order_id})`,
  title: sql`(select p.title from product p where p.id = ${verify_record.product_id})`,
  state: sql`${verify_record.state}`,
  city_id: sql`${verify_record.city_id}`,
  mid: sql`${verify_record.mall_id}`,
  cents: sql`${verify_record.pay_cents} + ${verify_record.platform_cents}`,
  at: sql`${verify_record.verified_at}`,
  index: sql`${verify_record.verified_at}`,
  where: and(
    eq(verify_record.state, 'valid'),
    between(verify_record.verified_at, period),
    inFilter(verify_record, filter, scope),
  ),
})
const ofRefund = ({ period, filter, scope }: Narrowed): Drill => ({
  from: sql`${refund}`,
  id: sql`${refund.id}`,
  no: sql`${refund.refund_no}`,
  title: sql`${refund.reason}`,
  state: sql`${refund.state}`,
  city_id: sql`${refund.city_id}`,
  mid: sql`${refund.mall_id}`,
  cents: sql`${refund.amount_cents}`,
  at: sql`${refund.done_at}`,
  index: sql`${refund.done_at}`,
  where: and(
    eq(refund.state, 'done'),
    between(refund.done_at, period),
    inFilter(
      { city_id: refund.city_id, mall_id: refund.mall_id, kind: refund.order_kind },
      filter,
      scope,
    ),
  ),
})
const ofMember = ({ period, filter, scope }: Narrowed): Drill => ({
  from: sql`${member}`,
  id: sql`${member.id}`,
  no: sql`${member.uid}`,
  title: sql`${member.nickname}`,
  state: sql`${member.account_state}`,
  city_id: sql`${member.city_id}`,
  mid: sql`null::int`,
  cents: sql`0`,
  at: sql`${member.register_at}`,
  index: sql`${member.register_at}`,
  where: and(
    between(member.register_at, period),
    filter.city_id === undefined ? undefined : eq(member.city_id, filter.city_id),
    within(scope, { city: member.city_id }),
  ),
})
const ofBalance = ({ filter, scope }: Narrowed): Drill => ({
  from: balances(filter, scope),
  id: sql`b.id`,
  no: sql`b.id::text`,
  title: sql`b.name`,
  state: sql`''`,
  city_id: sql`b.city_id`,
  mid: sql`null::int`,
  cents: sql`b.cents`,
  at: sql`null::bigint`,
  where: undefined,
  index: sql`b.cents`,
})
const ofSettled = (
  status: 'not_settled' | 'freezing' | 'settled',
  at: AnyPgColumn,
  { period, filter, scope }: Narrowed,
): Drill =>
  ofLine(
    at,
    lineLeft,
    and(eq(settle_line.status, status), between(at, period), settleFilter(filter, scope)),
  )
/** Orders made in the period, in some statuses or in any. */
const ofMade = ({ period, filter, scope }: Narrowed, statuses?: readonly OrderStatus[]): Drill =>
  ofOrder(
    order.created_at,
    order.pay_cents,
    and(
      between(order.created_at, period),
      statuses && inArray(order.status, statuses),
      inFilter(order, filter, scope),
    ),
  )
const isBucket = (metric: Metric): metric is OrderBucket =>
  Object.values<string>(bucketOf).includes(metric)
const drills: Record<Exclude<Metric, OrderBucket>, (of: Narrowed) => Drill> = {
  total: ofMade,
  gmv: ({ period, filter, scope }) =>
    ofOrder(
      order.paid_at,
      order.paid_cents,
      and(between(order.paid_at, period), inFilter(order, filter, scope)),
    ),
  verified: ofVerified,
  refund: ofRefund,
  refunded_flow: ofRefund,
  new_members: ofMember,
  not_settled: of => ofSettled('not_settled', settle_line.paid_at, of),
  freezing_settle: of => ofSettled('freezing', settle_line.paid_at, of),
  settle_done: of => ofSettled('settled', settle_line.settled_at, of),
  wechat_fee: ({ period, filter, scope }) =>
    ofLine(
      settle_line.paid_at,
      settle_line.fee_cents,
      and(
        sql`${settle_line.fee_cents} > 0`,
        between(settle_line.paid_at, period),
        settleFilter(filter, scope),
      ),
    ),
  pending: ({ filter, scope }) =>
    ofWithdrawal(withdrawal.applied_at, inArray(withdrawal.status, [...waiting]), filter, scope),
  withdrawal: ({ period, filter, scope }) =>
    ofWithdrawal(
      withdrawal.paid_at,
      and(eq(withdrawal.status, 'paid'), between(withdrawal.paid_at, period)),
      filter,
      scope,
    ),
  balance: ofBalance,
}
/**
 * What a number counts: its figure and the list behind it are made of this one, so that they can
 * not differ.
 */
export const drillOf = (
  metric: Metric,
  period: Period,
  filter: OverviewFilter,
  scope: Scope,
): Drill => {
  const of = { period, filter, scope }
  return isBucket(metric) ? ofMade(of, statusesOf(metric)) : drills[metric](of)
}
