import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { dist_commission } from '#src/areas/commission/commission.table.ts'
import type { CommissionState } from '#src/areas/commission/commission.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { teamNames } from './sellers.server.ts'
import { dist_adjust, dist_group_member, distributor } from './sellers.table.ts'

const t = dist_commission
/** What a unit was sold for, and what of it was given back: as much as of its commission. */
const gmv = sql<string>`coalesce(sum(base_cents), 0)`
const back = sql<string>`coalesce(sum(case when amount_cents > 0 then round(base_cents::numeric * reversed_cents / amount_cents) when status = 'cancelled' then base_cents else 0 end), 0)`
const direct = sql`role in ('direct', 'guide', 'store')`
export type TrendPoint = { day: string; gmv_cents: number; refunded_cents: number }
export type Step = 'day' | 'week'
const SPAN: Readonly<Record<Step, number>> = { day: 30, week: 84 }
const STEP: Readonly<Record<Step, number>> = { day: DAY, week: 7 * DAY }
/** Sales and refunds by day of thirty days, or by week of twelve; each by when it was paid. */
export const trendOf = async (
  db: Db,
  whose: { distributor_id: number } | { group_id: number },
  { by, now }: { by: Step; now: number },
): Promise<TrendPoint[]> => {
  const from = dayStart(now) - (SPAN[by] - 1) * DAY
  const of =
    'group_id' in whose
      ? eq(t.group_id, whose.group_id)
      : eq(t.distributor_id, whose.distributor_id)
  const { rows } = await db.execute<{ at: number; gmv: string; back: string }>(
    sql`select ((paid_at - ${from}) / ${STEP[by]})::int as at, ${gmv} gmv, ${back} back from dist_commission where ${of} and ${direct} and paid_at >= ${from} and paid_at <= ${now} group by 1`,
  )
  const found = new Map(rows.map(row => [row.at, row]))
  return Array.from({ length: Math.ceil((SPAN[by] * DAY) / STEP[by]) }, (_, at) => ({
    day: dateOf(from + at * STEP[by]),
    gmv_cents: Number(found.get(at)?.gmv ?? 0),
    refunded_cents: Number(found.get(at)?.back ?? 0),
  }))
}
const TOP = 10
/** What sold most through a seller or a team in ninety days. */
export const topProducts = async (
  db: Db,
  whose: { distributor_id: number } | { group_id: number },
  now: number,
) => {
  const of =
    'group_id' in whose
      ? eq(t.group_id, whose.group_id)
      : eq(t.distributor_id, whose.distributor_id)
  const { rows } = await db.execute<{ id: number; title: string; n: number; gmv: string }>(
    sql`select product_id id, coalesce(p.title, '') title, n, gmv from (select product_id, count(*)::int n, ${gmv} gmv from dist_commission where ${of} and ${direct} and product_id is not null and paid_at > ${now - 90 * DAY} group by 1 order by 3 desc, 1 limit ${TOP}) c left join product p on p.id = c.product_id order by gmv desc`,
  )
  return rows.map(({ gmv: cents, ...row }) => ({ ...row, gmv_cents: Number(cents) }))
}
/** Commission of a seller by its state, less what went back. */
export const commissionByState = async (db: Db, distributor_id: number) => {
  const rows = await db
    .select({
      status: t.status,
      count: sql<number>`count(*)::int`,
      cents: sql<string>`sum(amount_cents - reversed_cents)`,
    })
    .from(t)
    .where(eq(t.distributor_id, distributor_id))
    .groupBy(t.status)
  return rows.map(({ cents, ...row }) => ({ ...row, sum_cents: Number(cents) }))
}
const LAST = 10
const settled: readonly CommissionState[] = ['settled', 'clawed_back']
/** What hints at a seller that buys from itself, or whose sales come back after it was paid. */
export const riskSigns = async (
  db: Db,
  row: { id: number; member_id: number | null },
  now: number,
) => {
  const since = now - 90 * DAY
  const bought =
    row.member_id === null
      ? 0
      : await db.$count(order, and(eq(order.member_id, row.member_id), gt(order.paid_at, since)))
  const hits =
    row.member_id === null
      ? 0
      : await db.$count(
          risk_hit,
          and(eq(risk_hit.member_id, row.member_id), gt(risk_hit.hit_at, since)),
        )
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(distinct o.member_id)::int n from "order" own join "order" o on o.device_id = own.device_id and o.member_id <> own.member_id and o.created_at > ${since} where own.member_id = ${row.member_id ?? 0} and own.device_id is not null and own.created_at > ${since}`,
  )
  const late = await db.$count(
    t,
    and(
      eq(t.distributor_id, row.id),
      sql`${t.status} in ${settled}`,
      gt(t.reversed_cents, 0),
      sql`role <> 'adjust'`,
    ),
  )
  return { own_orders: bought, same_device: rows[0]!.n, hits, back_after_settling: late }
}
/** The last withdrawals and adjustments of a seller. */
export const moneyHistory = async (db: Db, distributor_id: number) => ({
  withdrawals: await db
    .select({
      id: withdrawal.id,
      no: withdrawal.no,
      amount_cents: withdrawal.amount_cents,
      status: withdrawal.status,
      applied_at: withdrawal.applied_at,
    })
    .from(withdrawal)
    .where(and(eq(withdrawal.owner_kind, 'distributor'), eq(withdrawal.owner_id, distributor_id)))
    .orderBy(desc(withdrawal.applied_at))
    .limit(LAST),
  adjustments: await db
    .select({
      id: dist_adjust.id,
      amount_cents: dist_adjust.amount_cents,
      reason: dist_adjust.reason,
      state: dist_adjust.state,
      created_at: dist_adjust.created_at,
    })
    .from(dist_adjust)
    .where(eq(dist_adjust.distributor_id, distributor_id))
    .orderBy(desc(dist_adjust.id))
    .limit(LAST),
})
/** When a seller was in which team, and which levels it had; the newest first. */
export const careerOf = async (db: Db, id: number) => {
  const periods = await db
    .select()
    .from(dist_group_member)
    .where(eq(dist_group_member.distributor_id, id))
    .orderBy(desc(dist_group_member.start_at), desc(dist_group_member.id))
    .limit(20)
  const names = await teamNames(
    db,
    periods.map(row => row.group_id),
  )
  const levels = await db
    .select({
      id: op_log.id,
      at: op_log.created_at,
      by: op_log.admin_name,
      before: sql<number | null>`(${op_log.before} ->> 'level_no')::int`,
      after: sql<number | null>`(${op_log.after} ->> 'level_no')::int`,
      reason: op_log.reason,
    })
    .from(op_log)
    .where(
      and(
        eq(op_log.object_type, 'distributor'),
        eq(op_log.object_id, id),
        eq(op_log.result, 'ok'),
        sql`'level_no' = any(${op_log.fields})`,
      ),
    )
    .orderBy(desc(op_log.id))
    .limit(20)
  return {
    periods: periods.map(row => ({
      id: row.id,
      group_name: names.get(row.group_id) ?? '',
      is_leader: row.is_leader,
      start_at: row.start_at,
      end_at: row.end_at,
      reason: row.reason,
    })),
    levels: levels.map(row => ({ ...row, reason: row.reason ?? '' })),
  }
}
/** The seller's own phone is nobody else's of its kind. */
export const phoneIsTaken = async (
  db: Db,
  row: { id: number; kind: 'expert' | 'guide' | 'store' },
  phone: string,
): Promise<boolean> =>
  (await db.$count(
    distributor,
    and(
      eq(distributor.phone, phone),
      eq(distributor.kind, row.kind),
      sql`${distributor.id} <> ${row.id} and ${distributor.status} in ('pending', 'active', 'frozen')`,
    ),
  )) > 0
