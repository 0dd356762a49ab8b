import { sql } from 'drizzle-orm'
import { clause, comma, say, type Lang } from '#src/domain/text.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { within } from '#src/server/call/scope.ts'
import type { CodeBody } from './channelCode.ts'
import type { Code } from './codes.server.ts'

export type CodeRange = { from: number; to: number }
type Customer = {
  id: number
  version: number
  customer_id: number
  name: string
  staff_name: string
  status: 'following' | 'deleted_by_customer' | 'deleted_by_staff' | 'transferred'
  added_at: string
  lost_at: string | null
  is_again: boolean
  tags: string
  is_member: boolean
  first_paid_at: string | null
  first_paid_cents: string | null
}
const numberOr = (of: string | null): number | null => (of === null ? null : Number(of))
/** Advisers of the places that a person sees, called s. */
const seen = ({ scope }: Pick<Staff, 'scope'>) =>
  within(scope, {
    mall: { several: sql`select unnest(s.mall_ids)` },
    city: { several: sql`select m.city_id from mall m where m.id = any(s.mall_ids)` },
  }) ?? sql`true`
/** People who came by a code in a range, the last first, after some; and how many there are. */
export const customersOf = async (
  db: Db,
  code: Pick<Code, 'state_key'>,
  {
    range,
    staff,
    after,
    limit,
    ids,
  }: {
    range: CodeRange
    staff: Pick<Staff, 'scope' | 'lang'>
    after: number
    limit: number
    ids?: readonly number[] | undefined
  },
) => {
  const which = sql`f.source_state = ${code.state_key} and f.source_state <> ''
    and f.added_at >= ${range.from} and f.added_at < ${range.to} and f.taken_from_id is null
    and ${ids ? sql`f.id = any(${sql.param(`{${ids.join()}}`)}::int[])` : sql`true`}`
  const { rows } = await db.execute<Customer>(sql`
    select f.id, f.version, f.customer_id, w.name, s.name staff_name, f.status, f.added_at,
      f.lost_at, exists (select 1 from wecom_follow e where e.customer_id = f.customer_id
        and e.staff_id = f.staff_id and e.added_at < f.added_at) is_again,
      coalesce((select string_agg(g.name, ${say(comma, staff.lang)} order by g.sort) from wecom_tag g
        where g.id = any(f.tag_ids)), '') tags,
      w.member_id is not null is_member, o.paid_at first_paid_at, o.pay_cents first_paid_cents
    from wecom_follow f join wecom_customer w on w.id = f.customer_id
    join wecom_staff s on s.id = f.staff_id
    left join lateral (select o.paid_at, o.pay_cents from "order" o
      where o.member_id = w.member_id and o.pay_state = 'paid' and o.paid_at >= f.added_at
      order by o.paid_at, o.id limit 1) o on true
    where ${which} and ${seen(staff)}
    order by f.added_at desc, f.id desc limit ${limit} offset ${after}`)
  const [counted] = (
    await db.execute<{ all: number; seen: number }>(sql`
      select count(*)::int "all", (count(*) filter (where ${seen(staff)}))::int seen
      from wecom_follow f join wecom_staff s on s.id = f.staff_id where ${which}`)
  ).rows
  return {
    total: counted!.seen,
    hidden: counted!.all - counted!.seen,
    list: rows.map(row => ({
      ...row,
      added_at: Number(row.added_at),
      lost_at: numberOr(row.lost_at),
      first_paid_at: numberOr(row.first_paid_at),
      first_paid_cents: numberOr(row.first_paid_cents),
    })),
  }
}
type Member = CodeBody['members'][number]
/** What is known of the members of a code beside its figures, by their ids. */
export const membersOf = async (
  db: Db,
  code: Pick<Code, 'body' | 'state_key'>,
  { range, ids }: { range: CodeRange; ids: readonly number[] },
) => {
  const { rows } = await db.execute<{ id: number; userid: string; reply_rate_bp: number | null }>(
    sql`select id, userid, reply_rate_bp from wecom_staff
      where id = any(${sql.param(`{${ids.join()}}`)}::int[])`,
  )
  const { rows: days } = await db.execute<{ staff_id: number; n: number }>(sql`
    select staff_id, count(*)::int n from wecom_follow
    where source_state = ${code.state_key} and source_state <> '' and added_at >= ${range.from}
      and added_at < ${range.to} and taken_from_id is null
    group by staff_id, (added_at + 28800) / ${DAY}`)
  const memberOf = (userid: string): Member | undefined =>
    code.body.members.find(one => one.userid === userid)
  return new Map(
    rows.map(row => {
      const cap = memberOf(row.userid)?.day_cap ?? null
      return [
        row.id,
        {
          is_gone: !memberOf(row.userid) && !code.body.backup_userids.includes(row.userid),
          silent_bp: row.reply_rate_bp === null ? null : 10_000 - row.reply_rate_bp,
          full_days:
            cap === null ? null : days.filter(d => d.staff_id === row.id && d.n >= cap).length,
        },
      ]
    }),
  )
}
const peopleText = (before: CodeBody | undefined, after: CodeBody, lang: Lang): string => {
  const was = new Set(before?.members.map(one => one.userid) ?? [])
  const is = new Set(after.members.map(one => one.userid))
  const came = [...is].filter(one => !was.has(one)).length
  const went = [...was].filter(one => !is.has(one)).length
  if (!before) return say(['首次发布', 'First published'], lang)
  const parts = [
    ...(came > 0 ? [say(['新增 {n} 名成员', '{n} members came'], lang, { n: came })] : []),
    ...(went > 0 ? [say(['移除 {n} 名成员', '{n} members went'], lang, { n: went })] : []),
    ...(before.welcome_id === after.welcome_id
      ? []
      : [say(['更换欢迎语', 'Another welcome'], lang)]),
    ...(JSON.stringify(before.shifts) === JSON.stringify(after.shifts)
      ? []
      : [say(['调整班次', 'Other shifts'], lang)]),
  ]
  return parts.join(say(clause, lang)) || say(['发布新版本', 'A new version'], lang)
}
/** What happened to a code in a range, day by day: notes, warnings, and versions that began to hold. */
export const eventsOf = async (
  db: Db,
  code_id: number,
  { range, lang }: { range: CodeRange; lang: Lang },
) => {
  const { rows: versions } = await db.execute<{
    live_at: string
    body: CodeBody
    before: CodeBody | null
    by: string | null
  }>(sql`
    select v.live_at, v.body, a.name "by", lag(v.body) over (order by v.live_at, v.rev) "before"
    from channel_code_version v left join admin a on a.id = v.by_id
    where v.code_id = ${code_id} and v.live_at is not null order by v.live_at`)
  const { rows: notes } = await db.execute<{
    day: string
    kind: 'note' | 'full'
    text: string
    by: string | null
  }>(sql`
    select e."day", e.kind, e.text, a.name "by" from channel_event e
    left join admin a on a.id = e.by_id where e.code_id = ${code_id}
      and e."day" >= ${dateOf(range.from)} and e."day" < ${dateOf(range.to)} order by e.id`)
  const held = versions.flatMap(({ live_at, body, before, by }) =>
    Number(live_at) >= range.from && Number(live_at) < range.to
      ? [
          {
            day: dateOf(Number(live_at)),
            text: peopleText(before ?? undefined, body, lang),
            by: by ?? '',
          },
        ]
      : [],
  )
  const full = say(
    ['全部成员已满，由最后一位备用接待', 'All were full: the last backup received'],
    lang,
  )
  return [
    ...held,
    ...notes.map(one => ({
      day: one.day,
      text: one.kind === 'full' ? full : one.text,
      by: one.by ?? '',
    })),
  ].sort((a, b) => (a.day < b.day ? 1 : -1))
}
