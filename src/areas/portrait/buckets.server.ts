import { and, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { members } from '#src/areas/member/members.server.ts'
import { isAddressed } from '#src/areas/segment/compile.server.ts'
import { segment, segment_person } from '#src/areas/segment/segment.table.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { UNKNOWN } from './portrait.ts'

/** A portrait shows the list of a segment, or everybody (0); `lost` adds the lost customers. */
export type Audience = { segment_id: number; lost: boolean }
type Asker = { staff: Pick<Staff, 'scope'>; now: number }
const YEAR = 365 * DAY

/** True of the members of an audience whom the person sees. */
const inAudience = ({ segment_id, lost }: Audience, staff: Pick<Staff, 'scope'>): SQL =>
  and(
    isAddressed,
    members.seen(staff),
    segment_id === 0
      ? undefined
      : sql`exists (select 1 from ${segment_person} p join ${segment} s
          on s.id = p.segment_id and s.gen = p.gen
          where p.member_id = ${member.id} and p.segment_id = ${segment_id})`,
    lost
      ? undefined
      : sql`not exists (select 1 from wecom_customer c
          where c.member_id = ${member.id} and c.state = 'lost')`,
  )!
/** What each person of an audience ordered: most often where, of what, at which hour, for how much. */
const bought = sql`select
    mode() within group (order by o.mall_id) mall,
    mode() within group (order by r.root) category,
    mode() within group (order by (o.paid_at + 28800) % 86400 / 3600) as hour,
    coalesce(sum(o.paid_cents - o.refunded_cents), 0) paid, count(distinct o.id) n
  from "order" o left join order_item i on i.order_id = o.id
    left join product g on g.id = i.product_id left join root r on r.id = g.category_id
  where o.member_id = p.id and o.paid_at is not null`
/** How somebody was first added, by the main adviser if there is one. */
const channel = sql`(select f.add_way from wecom_customer c
  join wecom_follow f on f.customer_id = c.id where c.member_id = p.id
  order by f.id = c.primary_follow_id desc, f.added_at, f.id limit 1)`
/** The first day on which somebody was born who is not yet so old. */
const bornSince = (years: number, now: number): string => {
  const today = dateOf(now)
  return `${String(Number(today.slice(0, 4)) - years).padStart(4, '0')}${today.slice(4)}`
}
const band = (value: SQL, from: readonly number[]): SQL =>
  sql`case ${sql.join(
    from.toReversed().map(one => sql`when ${value} >= ${one} then ${String(one)}`),
    sql` `,
  )} end`
const age = (now: number): SQL =>
  sql`case when p.birthday is null then null ${sql.join(
    [55, 45, 35, 25, 18].map(
      years => sql`when p.birthday <= ${bornSince(years, now)} then ${String(years)}`,
    ),
    sql` `,
  )} else '0' end`
/** Dimensions that are told by what somebody ordered. */
const byOrders = ['mall', 'rfm', 'category', 'price', 'hours', 'stage']
/** Some of an audience, spread evenly and the same each time: one of `every`. */
const drawn = (every: number): SQL =>
  every === 1 ? sql`true` : sql`(hashint4(${member.id})::bigint & 2147483647) % ${every} = 0`
type Asked = Audience & {
  /** This dimension alone; without it all are. */
  dim?: string | undefined
  /** The query looks at every so-many-th person; 1 is everybody. */
  every?: number
}
/** A row for each person and dimension: `member_id`, `dim`, `value`; `UNKNOWN` where it is not known. */
const bucketsOf = (of: Asked, { staff, now }: Asker): SQL => sql`
  with recursive up as (
    select c.id leaf, c.id, c.parent_id from e_category c
    union all select up.leaf, c.id, c.parent_id from up join e_category c on c.id = up.parent_id),
  root as materialized (select leaf id, id root from up where parent_id is null),
  p as materialized (select ${member}.* from ${member}
    where ${inAudience(of, staff)} and ${drawn(of.every ?? 1)}),
  told as (
    select p.*, b.mall, b.category, b.hour, b.paid, b.n,
      ${now} - p.last_order_at as quiet, ${
        of.dim === undefined || of.dim === 'channel' ? channel : sql`null`
      } as channel
    from p left join lateral (${bought}) b
      on ${of.dim === undefined || byOrders.includes(of.dim) ? sql`true` : sql`false`})
  select p.id member_id, d.dim, coalesce(d.value, ${UNKNOWN}) as value from told p cross join lateral (values
    ('gender', nullif(p.gender, 'unknown')),
    ('age', ${age(now)}),
    ('city', p.city_id::text),
    ('mall', nullif(p.mall, 0)::text),
    ('channel', nullif(p.channel, 'unknown')),
    ('level', p.level::text),
    ('rfm', case when p.last_order_at is not null then concat(
      (p.quiet <= ${90 * DAY})::int, (p.n >= 3)::int, (p.paid >= 50000)::int) end),
    ('category', p.category::text),
    ('price', case when p.n > 0 then ${band(sql`p.paid / p.n / 100`, [0, 50, 100, 300, 1000])} end),
    ('hours', ${band(sql`p.hour`, [0, 6, 11, 14, 18, 22])}),
    ('stage', case when p.last_order_at is null then case when p.register_at > ${now - 30 * DAY}
        then 'new' end
      when p.quiet > ${YEAR} then 'gone' when p.quiet > ${90 * DAY} then 'asleep'
      when p.n > 1 then 'repeat' else 'first' end)) d(dim, value)
  union all
  select p.id, 'tag', t.tag_id::text from p join member_tag_of t on t.member_id = p.id
  union all
  select p.id, 'attr:' || a.id, coalesce(v.value, ${UNKNOWN}) from p
    join customer_attr a on a.type = 'choice' and a.status = 'enabled'
    left join wecom_customer c on c.member_id = p.id
    left join customer_attr_value v on v.customer_id = c.id and v.attr_id = a.id`

export type Count = { dim: string; value: string; n: number }
/** Up to so many people each is looked at; of more so many, and the numbers are estimated from them. */
const EXACT_MOST = 5000
const SAMPLE = 4000
/** What is said of numbers: of how many people they were counted; null where of everybody. */
export type Sampled = { people: number; every: number; sampled: number | null }
/** How many people an audience has (as it is counted), and how many of them are looked at. */
export const sampleOfAudience = async (
  db: Db,
  of: Audience,
  { staff }: Pick<Asker, 'staff'>,
): Promise<Sampled> => {
  const people = await db.$count(member, inAudience(of, staff))
  if (people <= EXACT_MOST) return { people, every: 1, sampled: null }
  const every = Math.ceil(people / SAMPLE)
  const sampled = await db.$count(member, and(inAudience(of, staff), drawn(every)))
  return { people, every, sampled }
}
/** How many people of an audience stand in each bar; of a large one it is estimated (`Sampled`). */
export const countBars = async (
  db: Db,
  { sample, ...of }: Audience & { dim?: string; sample: Sampled },
  asker: Asker,
): Promise<Count[]> => {
  const { rows } = await db.execute<Count>(sql`
    select dim, value, count(*)::int n from (${bucketsOf({ ...of, every: sample.every }, asker)}) b
    where ${of.dim === undefined ? sql`true` : sql`dim = ${of.dim}`} group by 1, 2`)
  const { sampled, people } = sample
  if (sampled === null || sampled === 0) return rows
  return rows.map(row => ({ ...row, n: Math.round((row.n * people) / sampled) }))
}
/** The ids of the people behind a bar, the newest first; of those that are looked at. */
export const peopleBehind = async (
  db: Db,
  of: Audience & { dim: string; value: string; every?: number },
  asker: Asker,
): Promise<number[]> => {
  const { rows } = await db.execute<{ id: number }>(sql`
    select member_id id from (${bucketsOf(of, asker)}) b
    where dim = ${of.dim} and value = ${of.value} order by 1 desc`)
  return rows.map(row => row.id)
}
