import { and, sql, type SQL } from 'drizzle-orm'
import { say, type Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart, SHANGHAI } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { seesAll, within } from '#src/server/call/scope.ts'
import { daysOf } from './stat.server.ts'
import { KEPT_DAYS, TOUCH_DAYS, type ChannelBy, type ChannelSums } from './stat.ts'

export type ChannelAsked = {
  /** Unix seconds: from the beginning of the first day to before the end of the last. */
  from: number
  to: number
  mid?: number | undefined
  group?: string | undefined
  staff_id?: number | undefined
  code_id?: number | undefined
}
export type ChannelStat = ChannelSums & {
  key: string
  name: string
  people: number
  code_id: number | null
}
type Seer = Pick<Staff, 'scope' | 'lang'>
const NATURAL: Text = ['自然添加', 'Without a code']
const NO_STAFF: Text = ['未分配（仅扫码与成本）', 'Nobody (scans and costs)']
const NO_GROUP: Text = ['未分组', 'No group']
const NO_MALL: Text = ['未设置商场', 'No mall']

const keyOf = (by: ChannelBy, day: SQL): SQL =>
  ({
    code: sql`coalesce(c.id, 0)::text`,
    group: sql`case when c.id is null then '0' else '1' || c.group_name end`,
    mall: sql`case when c.id is null then 'n' else coalesce(c.mall_id, 0)::text end`,
    staff: sql`coalesce(d.staff_id, 0)::text`,
    day,
  })[by]
/** Codes that the person sees and the filters match, called c; adds without any are nobody's place. */
const matching = (of: ChannelAsked, { scope }: Pick<Staff, 'scope'>): SQL =>
  and(
    seesAll(scope)
      ? undefined
      : within(scope, {
          mall: sql`c.mall_id`,
          city: sql`(select m.city_id from mall m where m.id = c.mall_id)`,
        }),
    of.mid === undefined ? undefined : sql`coalesce(c.mall_id, 0) = ${of.mid} and c.id is not null`,
    of.group === undefined ? undefined : sql`c.group_name = ${of.group}`,
    of.staff_id === undefined ? undefined : sql`d.staff_id = ${of.staff_id}`,
    of.code_id === undefined ? undefined : sql`c.id = ${of.code_id}`,
  ) ?? sql`true`
/** The words of keys in the reader's language. */
const namesFor = async (db: Db, by: ChannelBy, keys: readonly string[], lang: Staff['lang']) => {
  const ids = keys.flatMap(key => (/^\d+$/.test(key) && key !== '0' ? Number(key) : []))
  const named = async (table: string) =>
    new Map(
      (
        await db.execute<{ id: number; name: string }>(sql`
          select id, name from ${sql.raw(`"${table}"`)}
          where id = any(${sql.param(`{${ids.join()}}`)}::int[])`)
      ).rows.map(one => [String(one.id), one.name]),
    )
  if (by === 'day') return (key: string) => key
  if (by === 'group')
    return (key: string) => (key === '0' ? say(NATURAL, lang) : key.slice(1) || say(NO_GROUP, lang))
  if (by === 'code') {
    const names = await named('channel_code')
    return (key: string) => names.get(key) ?? say(NATURAL, lang)
  }
  if (by === 'mall') {
    const names = await named('mall')
    return (key: string) => names.get(key) ?? say(key === 'n' ? NATURAL : NO_MALL, lang)
  }
  const names = await named('wecom_staff')
  return (key: string) => names.get(key) ?? say(NO_STAFF, lang)
}
const addsAs = (by: ChannelBy): SQL =>
  keyOf(
    by,
    sql`to_char(to_timestamp(d.added_at + ${SHANGHAI}::int) at time zone 'UTC', 'YYYY-MM-DD')`,
  )
/** People who were added, once each; nobody adds them up over rows. */
const peopleBy = async (
  db: Db,
  by: ChannelBy,
  of: ChannelAsked,
  staff: Seer,
): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await db.execute<{ key: string | null; n: number }>(sql`
    select ${addsAs(by)} as "key", count(distinct d.customer_id)::int n
    from wecom_follow d
    left join channel_code c on c.state_key = d.source_state and d.source_state <> ''
    where d.added_at >= ${of.from} and d.added_at < ${of.to} and d.taken_from_id is null
      and ${matching(of, staff)}
    group by rollup (1)`)
  return new Map(rows.map(row => [row.key ?? '', row.n]))
}
const total = (column: string): SQL =>
  sql.raw(`coalesce(sum(d."${column}"), 0)::float8 "${column}"`)
/**
 * The figures of codes in a range, told for codes, groups, malls, members or days; `people` counts
 * everybody once over all rows. A code that nobody came by is there while it cost or was scanned.
 */
export const channelStat = async (
  db: Db,
  by: ChannelBy,
  of: ChannelAsked,
  { staff, now }: { staff: Seer; now: number },
): Promise<{ rows: ChannelStat[]; people: number }> => {
  // The seventh day after an add has to be over.
  const due = dateOf(dayStart(now) - (KEPT_DAYS + 1) * DAY)
  const { rows } = await db.execute<ChannelSums & { key: string }>(sql`
    select ${keyOf(by, sql`d."day"`)} as "key", ${total('scans')}, ${total('adds')},
      ${total('re_adds')}, ${total('lost')}, ${total('lost_same_day')},
      coalesce(sum(d.adds) filter (where d."day" <= ${due}), 0)::float8 due_7d,
      coalesce(sum(d.kept_7d) filter (where d."day" <= ${due}), 0)::float8 kept_7d,
      ${total('backup_used')}, ${total('bound')}, ${total('first_orders')}, ${total('orders')},
      ${total('paid_cents')}, ${total('cost_cents')}
    from (${daysOf(of, now)}) d left join channel_code c on c.id = d.code_id
    where ${matching(of, staff)}
    group by 1 order by ${by === 'day' ? sql`1 desc` : sql`sum(d.adds) desc, 1`}`)
  const people = await peopleBy(db, by, of, staff)
  const nameOf = await namesFor(
    db,
    by,
    rows.map(row => row.key),
    staff.lang,
  )
  return {
    people: people.get('') ?? 0,
    rows: rows.map(row => ({
      ...row,
      name: nameOf(row.key),
      people: people.get(row.key) ?? 0,
      code_id: by === 'code' && row.key !== '0' ? Number(row.key) : null,
    })),
  }
}
/** Adds and scans by the hour of the week: day 1 Monday to 7 Sunday, hour 0 to 23. */
export const channelHours = async (db: Db, of: ChannelAsked, staff: Seer) => {
  const hourOf = (at: SQL) => sql`(((${at} + ${SHANGHAI}::int) / 3600 + 72) % 168)::int`
  const { rows } = await db.execute<{ hour: number; adds: number; scans: number }>(sql`
    select hour, sum(adds)::int adds, sum(scans)::int scans from (
      select ${hourOf(sql`d.added_at`)} as hour, 1 adds, 0 scans from wecom_follow d
      left join channel_code c on c.state_key = d.source_state and d.source_state <> ''
      where d.added_at >= ${of.from} and d.added_at < ${of.to} and d.taken_from_id is null
        and ${matching(of, staff)}
      union all
      select ${hourOf(sql`d.at`)}, 0, d.n from (select s.*, null::int staff_id from channel_scan s) d
      join channel_code c on c.id = d.code_id
      where d.at >= ${of.from} and d.at < ${of.to} and ${matching(of, staff)}) one
    group by 1 order by 1`)
  return rows.map(({ hour, ...row }) => ({
    weekday: Math.floor(hour / 24) + 1,
    hour: hour % 24,
    ...row,
  }))
}
/**
 * How far the people went who were added in a range, each step a part of the one before: added,
 * bound to a member, ordered within 30 days, and used what they ordered.
 */
export const channelFunnel = async (db: Db, of: ChannelAsked, staff: Seer) => {
  const { rows } = await db.execute<{
    added: number
    bound: number
    ordered: number
    verified: number
  }>(sql`
    with who as (
      select d.customer_id, min(d.added_at) added_at, max(w.member_id) member_id
      from wecom_follow d join wecom_customer w on w.id = d.customer_id
      left join channel_code c on c.state_key = d.source_state and d.source_state <> ''
      where d.added_at >= ${of.from} and d.added_at < ${of.to} and d.taken_from_id is null
        and ${matching(of, staff)}
      group by 1),
    bought as (
      select who.customer_id, bool_or(exists (
        select 1 from verify_record v where v.order_id = o.id)) verified
      from who join "order" o on o.member_id = who.member_id and o.pay_state = 'paid'
        and o.paid_at >= who.added_at and o.paid_at < who.added_at + ${TOUCH_DAYS * DAY}
      group by 1)
    select count(*)::int added, count(who.member_id)::int bound, count(b.customer_id)::int ordered,
      (count(*) filter (where b.verified))::int verified
    from who left join bought b using (customer_id)`)
  return rows[0]!
}
