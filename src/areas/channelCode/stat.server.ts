import { sql, type SQL } from 'drizzle-orm'
import { DAY, dateOf, dayStart, SHANGHAI } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { KEPT_DAYS, TOUCH_DAYS } from './stat.ts'

const dayOf = (at: SQL): SQL =>
  sql`to_char(to_timestamp(${at} + ${SHANGHAI}::int) at time zone 'UTC', 'YYYY-MM-DD')`
const lostStates = sql`('deleted_by_customer', 'deleted_by_staff')`
type Span = { from: number; to: number }

/** Adds of days, with what became of them; a relation that was handed over is none. */
const added = ({ from, to }: Span): SQL => sql`
  select c.id code_id, f.staff_id, ${dayOf(sql`f.added_at`)} "day", count(*)::int adds,
    (count(*) filter (where exists (select 1 from wecom_follow e
      where e.customer_id = f.customer_id and e.staff_id = f.staff_id
        and e.added_at < f.added_at)))::int re_adds,
    (count(*) filter (where f.status not in ${lostStates}
      or f.lost_at >= f.added_at + ${KEPT_DAYS * DAY}))::int kept_7d,
    (count(*) filter (where v.is_backup))::int backup_used,
    (count(*) filter (where w.member_id is not null))::int bound
  from wecom_follow f join wecom_customer w on w.id = f.customer_id
  left join channel_code c on c.state_key = f.source_state and f.source_state <> ''
  left join lateral (
    select v.body -> 'backup_userids' ? (select s.userid from wecom_staff s where s.id = f.staff_id)
      is_backup from channel_code_version v
    where v.code_id = c.id and v.live_at <= f.added_at order by v.live_at desc, v.rev desc limit 1
  ) v on true
  where f.added_at >= ${from} and f.added_at < ${to} and f.taken_from_id is null
  group by 1, 2, 3`
/** Losses of days; one that was handed over before is lost to the code by which it began. */
const lost = ({ from, to }: Span): SQL => sql`
  select c.id code_id, f.staff_id, ${dayOf(sql`f.lost_at`)} "day", count(*)::int lost,
    (count(*) filter (where ${dayOf(sql`r.added_at`)} = ${dayOf(sql`f.lost_at`)}))::int same_day
  from wecom_follow f cross join lateral (
    with recursive up as (
      select f.id, f.taken_from_id, f.source_state, f.added_at
      union all
      select p.id, p.taken_from_id, p.source_state, p.added_at
      from up join wecom_follow p on p.id = up.taken_from_id)
    select source_state, added_at from up where taken_from_id is null) r
  left join channel_code c on c.state_key = r.source_state and r.source_state <> ''
  where f.lost_at >= ${from} and f.lost_at < ${to} and f.status in ${lostStates}
  group by 1, 2, 3`
/** Orders that were paid, each for the last add of its buyer before it. */
const ordered = ({ from, to }: Span): SQL => sql`
  select c.id code_id, t.staff_id, ${dayOf(sql`o.paid_at`)} "day", count(*)::int orders,
    (count(*) filter (where not exists (select 1 from "order" e
      where e.member_id = o.member_id and e.pay_state = 'paid'
        and (e.paid_at, e.id) < (o.paid_at, o.id))))::int first_orders,
    sum(o.pay_cents)::int8 paid_cents
  from "order" o join wecom_customer w on w.member_id = o.member_id
  cross join lateral (
    select f.staff_id, f.source_state from wecom_follow f
    where f.customer_id = w.id and f.taken_from_id is null and f.added_at <= o.paid_at
      and f.added_at > o.paid_at - ${TOUCH_DAYS * DAY}
    order by f.added_at desc, f.id desc limit 1) t
  left join channel_code c on c.state_key = t.source_state and t.source_state <> ''
  where o.pay_state = 'paid' and o.paid_at >= ${from} and o.paid_at < ${to}
  group by 1, 2, 3`
const none = (n: number): SQL => sql.raw(Array.from({ length: n }, () => '0').join(', '))
/**
 * The rows of days, as they follow from relations, orders, scans and costs; from the beginning of
 * one day to before that of another (unix seconds). Rows of the same facts are the same, whenever
 * they are counted.
 */
const daysCounted = (span: Span): SQL => {
  const [first, end] = [dateOf(span.from), dateOf(span.to)]
  return sql`
    select code_id, staff_id, "day", sum(scans)::int scans, sum(adds)::int adds,
      sum(re_adds)::int re_adds, sum(lost)::int lost, sum(lost_same_day)::int lost_same_day,
      sum(kept_7d)::int kept_7d, sum(backup_used)::int backup_used, sum(bound)::int bound,
      sum(first_orders)::int first_orders, sum(orders)::int orders,
      sum(paid_cents)::int8 paid_cents, sum(cost_cents)::int8 cost_cents
    from (
      select code_id, staff_id, "day", 0 scans, adds, re_adds, 0 lost, 0 lost_same_day, kept_7d,
        backup_used, bound, 0 first_orders, 0 orders, 0::int8 paid_cents, 0::int8 cost_cents
      from (${added(span)}) a
      union all
      select code_id, staff_id, "day", ${none(3)}, lost, same_day, ${none(5)}, 0::int8, 0::int8
      from (${lost(span)}) l
      union all
      select code_id, staff_id, "day", ${none(8)}, first_orders, orders, paid_cents, 0::int8
      from (${ordered(span)}) o
      union all
      select code_id, null::int, ${dayOf(sql`at`)}, n, ${none(9)}, 0::int8, 0::int8
      from channel_scan where at >= ${span.from} and at < ${span.to}
      union all
      select code_id, null::int, "day", ${none(10)}, 0::int8, cost_cents
      from channel_cost where "day" >= ${first} and "day" < ${end}
      union all
      select id, null::int, ${dayOf(sql`created_at`)}, ${none(10)}, 0::int8, cost_cents
      from channel_code where created_at >= ${span.from} and created_at < ${span.to}
        and cost_cents > 0 and rev > 0) parts
    group by code_id, staff_id, "day"`
}
const COLUMNS = sql.raw(
  'code_id, staff_id, "day", scans, adds, re_adds, lost, lost_same_day, kept_7d, backup_used,' +
    ' bound, first_orders, orders, paid_cents, cost_cents',
)
/**
 * Counts days anew, from the beginning of one to before that of another (unix seconds): what stood
 * there goes. Done twice it comes to the same. Answers how many rows there are.
 */
export const rebuildDays = async (tx: Db, span: Span): Promise<number> => {
  // Two counts at once would write a day twice: the second waits.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('channel_stat_daily'))`)
  await tx.execute(sql`delete from channel_stat_daily
    where "day" >= ${dateOf(span.from)} and "day" < ${dateOf(span.to)}`)
  const { rows } = await tx.execute<{ n: number }>(sql`
    with made as (insert into channel_stat_daily (${COLUMNS})
      select ${COLUMNS} from (${daysCounted(span)}) d returning 1)
    select count(*)::int n from made`)
  return rows[0]!.n
}
/** What is kept of days that are over, and today as it stands; the name of the rows is d. */
export const daysOf = ({ from, to }: Span, now: number): SQL => {
  const today = dayStart(now)
  const isLive = to > today
  const kept = sql`
    select ${COLUMNS} from channel_stat_daily
    where "day" >= ${dateOf(from)} and "day" < ${dateOf(Math.min(to, today))}`
  if (!isLive) return kept
  return sql`${kept} union all
    select ${COLUMNS} from (${daysCounted({ from: Math.max(from, today), to: today + DAY })}) t`
}
