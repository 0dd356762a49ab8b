import { sql } from 'drizzle-orm'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { orderKinds } from '#src/areas/order/order.ts'
import { momentNamed } from '#src/domain/calendar.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { say, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import { findStaff } from '#src/server/sessions/sessions.ts'
import { countMetric, figuresBy, storeRanking } from './overview.server.ts'
import { moneyFigures, refundRate, type MoneyFigure } from './overview.ts'
import type { report_sub, ReportBody } from './stat.table.ts'

type Sub = typeof report_sub.$inferSelect
const hidden: Text = ['（无权限）', '(hidden)']

/**
 * What of the owner's own places a subscription tells: its cities and malls within the owner's
 * scope.
 */
const narrowed = (staff: Staff, scope: Sub['scope']): Staff['scope'] => {
  const own = staff.scope
  if (scope.city_ids.length === 0 && scope.mids.length === 0) return own
  const among = (all: 'all' | readonly number[], wanted: readonly number[]) =>
    all === 'all' ? wanted : wanted.filter(one => all.includes(one))
  return {
    cities: among(own.cities, scope.city_ids),
    malls: among(own.malls, scope.mids),
    owners: [],
  }
}
/** What a report is made of, and how it says it to its owner. */
type Asked = {
  db: Db
  period: { from: string; to: string }
  scope: Staff['scope']
  now: number
  t: (text: Text) => string
  money: (cents: number) => string
}
type Table = Pick<ReportBody, 'figures' | 'columns' | 'rows'>
const daysOf = (asked: Asked) => figuresBy(asked, 'date', asked.period, {})
type Day = Awaited<ReturnType<typeof daysOf>>[number]
const total = (days: readonly Day[], of: (row: Day) => number): number =>
  days.reduce((sum, row) => sum + of(row), 0)
const rate = (refunded: number, gmv: number): string => {
  const bp = refundRate(refunded, gmv)
  return bp === undefined ? '—' : percent(bp)
}

const tradeTable = async (asked: Asked): Promise<Table> => {
  const { t, money } = asked
  const all = await daysOf(asked)
  const kinds = await figuresBy(asked, 'kind', asked.period, {})
  return {
    figures: [
      { label: t(['成交额', 'Sales']), value: money(total(all, row => row.gmv_cents)) },
      { label: t(['支付订单', 'Paid orders']), value: String(total(all, row => row.paid_orders)) },
      { label: t(['退款额', 'Refunded']), value: money(total(all, row => row.refunded_cents)) },
      { label: t(['新增会员', 'New members']), value: String(total(all, row => row.new_members)) },
    ],
    columns: [t(['订单类型', 'Kind']), t(['支付订单', 'Paid orders']), t(['成交额', 'Sales'])],
    rows: kinds
      .filter(row => row.paid_orders > 0)
      .sort((a, b) => b.gmv_cents - a.gmv_cents)
      .map(row => [
        t(orderKinds[row.key as keyof typeof orderKinds] ?? [row.key, row.key]),
        String(row.paid_orders),
        money(row.gmv_cents),
      ]),
  }
}
const verifyTable = async (asked: Asked): Promise<Table> => {
  const { t, money } = asked
  const all = await daysOf(asked)
  return {
    figures: [
      { label: t(['核销额', 'Redeemed']), value: money(total(all, row => row.verified_cents)) },
      {
        label: t(['核销次数', 'Redemptions']),
        value: String(total(all, row => row.verified_count)),
      },
    ],
    columns: [t(['日期', 'Day']), t(['核销次数', 'Redemptions']), t(['核销额', 'Redeemed'])],
    rows: all.map(row => [row.key, String(row.verified_count), money(row.verified_cents)]),
  }
}
const refundTable = async (asked: Asked): Promise<Table> => {
  const { t, money } = asked
  const all = await daysOf(asked)
  const refunded = total(all, row => row.refunded_cents)
  const gmv = total(all, row => row.gmv_cents)
  return {
    figures: [
      { label: t(['退款额', 'Refunded']), value: money(refunded) },
      { label: t(['退款笔数', 'Refunds']), value: String(total(all, row => row.refunded_count)) },
      { label: t(['退款率', 'Refund rate']), value: rate(refunded, gmv) },
    ],
    columns: [
      t(['日期', 'Day']),
      t(['退款笔数', 'Refunds']),
      t(['退款额', 'Refunded']),
      t(['退款率', 'Rate']),
    ],
    rows: all.map(row => [
      row.key,
      String(row.refunded_count),
      money(row.refunded_cents),
      rate(row.refunded_cents, row.gmv_cents),
    ]),
  }
}
const rankTable = async (asked: Asked): Promise<Table> => {
  const { t, money } = asked
  const rows = await storeRanking(asked, asked.period, {}, 20)
  return {
    figures: [{ label: t(['上榜门店', 'Stores']), value: String(rows.length) }],
    columns: [
      t(['名次', 'Rank']),
      t(['门店', 'Store']),
      t(['支付订单', 'Paid orders']),
      t(['成交额', 'Sales']),
    ],
    rows: rows.map((row, i) => [
      String(i + 1),
      row.name,
      String(row.paid_orders),
      money(row.gmv_cents),
    ]),
  }
}
const auditTable = async ({ db, period, scope, t }: Asked): Promise<Table> => {
  const { rows } = await db.execute<{
    name: string
    n: number
    rejected: number
    minutes: number
  }>(sql`
        select case when ${audit_task.decided_by} is null then ${t(['系统', 'System'])} else ${audit_task.decider_name} end "name", count(*)::int n, count(*) filter (where ${audit_task.state} = 'rejected')::int rejected, round(percentile_cont(0.5) within group (order by (${audit_task.decided_at} - ${audit_task.submitted_at}) / 60.0))::int minutes
        from ${audit_task} where ${audit_task.decided_at} >= ${momentNamed(period.from)!} and ${audit_task.decided_at} < ${momentNamed(period.to)! + DAY} and ${audit_task.decider_name} is not null and ${within(scope, { city: audit_task.city_id, mall: audit_task.mall_id }) ?? sql`true`} group by 1 order by 2 desc, 1`)
  return {
    figures: [
      {
        label: t(['审核总数', 'Decided']),
        value: String(rows.reduce((sum, row) => sum + row.n, 0)),
      },
    ],
    columns: [
      t(['审核人', 'Person']),
      t(['审核数', 'Decided']),
      t(['驳回率', 'Rejected']),
      t(['处理时长中位数', 'Median time']),
    ],
    rows: rows.map(row => [
      row.name,
      String(row.n),
      percent(Math.round((row.rejected * 10_000) / row.n)),
      t([`${row.minutes} 分钟`, `${row.minutes} min`]),
    ]),
  }
}
const settleTable = async (asked: Asked): Promise<Table> => {
  const { t, money } = asked
  const found = await Promise.all(
    (Object.keys(moneyFigures) as MoneyFigure[]).map(
      async key => [key, await countMetric(asked, key, asked.period, {})] as const,
    ),
  )
  return {
    figures: found.flatMap(([key, one]) =>
      one ? [{ label: t(moneyFigures[key]), value: money(one.cents) }] : [],
    ),
    columns: [t(['项目', 'Item']), t(['笔数', 'Rows']), t(['金额', 'Amount'])],
    rows: found.flatMap(([key, one]) =>
      one ? [[t(moneyFigures[key]), String(one.count), money(one.cents)]] : [],
    ),
  }
}
const tables: Record<Sub['template'], (asked: Asked) => Promise<Table>> = {
  trade: tradeTable,
  verify: verifyTable,
  refund: refundTable,
  store_rank: rankTable,
  audit: auditTable,
  settle: settleTable,
}
/**
 * A report on whole days, as its owner may see it: figures outside the owner's scope are not in it,
 * amounts the owner may not see are not told.
 */
export const compose = async (
  { db, now }: { db: Db; now: number },
  sub: Pick<Sub, 'template' | 'scope'>,
  owner: Staff,
  period: { from: string; to: string },
): Promise<ReportBody> => {
  const { lang } = owner
  const money = (cents: number) =>
    owner.field('stat.amount_cents') === 'show' ? `¥${yuan(cents)}` : say(hidden, lang)
  const t = (text: Text) => say(text, lang)
  const scope = narrowed(owner, sub.scope)
  return { ...period, ...(await tables[sub.template]({ db, period, scope, now, t, money })) }
}
/** True of people who may have reports made of what they see. */
export const seesReports = ({ can }: Pick<Staff, 'can'>): boolean =>
  can('system.report.view') && can('system.dataIndex.view')
/** The owner as they are now, or why no report may go out in their name. */
export const ownerOf = async (db: Db, sub: Pick<Sub, 'owner_id'>): Promise<Staff | undefined> => {
  const owner = await findStaff(db, sub.owner_id, 'zh')
  return owner && seesReports(owner.staff) ? owner.staff : undefined
}
