import { and, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { members } from '#src/areas/member/members.server.ts'
import { isAddressed } from '#src/areas/segment/compile.server.ts'
import { drawnIds } from '#src/areas/segment/drawing.ts'
import { segment, segment_person } from '#src/areas/segment/segment.table.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import { UNKNOWN } from './portrait.ts'

/** A portrait shows the list of a segment, or everybody (0); `lost` adds the lost customers. */
export type Audience = { segment_id: number; lost: boolean }
type Asker = { staff: Pick<Staff, 'scope'>; now: number }
const YEAR = 365 * DAY

const isLost = sql`select 1 from wecom_customer c where c.member_id = ${member.id} and c.state = 'lost'`
/** The list of a segment as it stands now, as what follows `from`; more conditions may follow it. */
const listOf = (segment_id: number): SQL =>
  sql`${segment_person} p where p.segment_id = ${segment_id}
    and p.gen = (select gen from ${segment} where id = ${segment_id})`
/** True of the members of an audience whom the person sees. */
const inAudience = ({ segment_id, lost }: Audience, staff: Pick<Staff, 'scope'>): SQL =>
  and(
    isAddressed,
    members.seen(staff),
    segment_id === 0
      ? undefined
      : sql`exists (select 1 from ${listOf(segment_id)} and p.member_id = ${member.id})`,
    lost ? undefined : sql`not exists (${isLost})`,
  )!
const arrayOf = (ids: readonly number[]): SQL => sql`${sql.param(`{${ids.join()}}`)}::int[]`
const isOneOf = (ids: readonly number[]): SQL => sql`${member.id} = any(${arrayOf(ids)})`
/**
 * The same of those who are drawn. Each is looked up by itself (`offset 0`): statistics know nothing
 * of a list that was just counted, and the planner would read all of it.
 */
const drawnOf = (
  { segment_id, lost }: Audience,
  ids: readonly number[],
  staff: Pick<Staff, 'scope'>,
): SQL =>
  and(
    segment_id === 0
      ? isOneOf(ids)
      : sql`${member.id} = any(array(select d.id from unnest(${arrayOf(ids)}) d(id)
          where exists (select 1 from ${listOf(segment_id)} and p.member_id = d.id offset 0)))`,
    isAddressed,
    members.seen(staff),
    lost ? undefined : sql`not exists (${isLost} offset 0)`,
  )!
/** What each person of an audience ordered: most often where, of what, at which hour, for how much. */
const bought = sql`select
    mode() within group (order by o.mall_id) mall,
    mode() within group (order by ((select ids from root) ->> g.category_id::text)::int) category,
    mode() within group (order by (o.paid_at + 28800) % 86400 / 3600) as hour,
    coalesce(sum(o.paid_cents - o.refunded_cents), 0) paid, count(distinct o.id) n
  from "order" o left join order_item i on i.order_id = o.id
    left join product g on g.id = i.product_id
  where o.member_id = p.id and o.paid_at is not null`
/** How somebody was first added, by the main adviser if there is one. */
const channel = sql`(select f.add_way from wecom_follow f where f.customer_id = p.customer_id
  order by f.id = p.primary_follow_id desc, f.added_at, f.id limit 1)`
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
type Asked = Audience & {
  /** This dimension alone; without it all are. */
  dim?: string | undefined
  /** The people who are looked at; null or left out: all of the audience. */
  ids?: readonly number[] | null
}
/** A row for each person and dimension: `member_id`, `dim`, `value`; `UNKNOWN` where it is not known. */
const bucketsOf = (of: Asked, { staff, now }: Asker): SQL => sql`
  with recursive up as (
    select c.id leaf, c.id, c.parent_id from e_category c
    union all select up.leaf, c.id, c.parent_id from up join e_category c on c.id = up.parent_id),
  root as materialized (select jsonb_object_agg(leaf, id) ids from up where parent_id is null),
  p as materialized (select ${member}.*, c.id as customer_id, c.primary_follow_id from ${member}
    left join lateral (select id, primary_follow_id from wecom_customer
      where member_id = ${member.id} offset 0) c on true
    where ${of.ids ? isOneOf(of.ids) : inAudience(of, staff)}),
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
    left join customer_attr_value v on v.customer_id = p.customer_id and v.attr_id = a.id`

export type Count = { dim: string; value: string; n: number }
/** Up to so many people each is looked at; of more so many, and the numbers are estimated from them. */
const EXACT_MOST = 5000
const SAMPLE = 4000
/** Up to so many members an audience is counted; of more, it is drawn from their ids. */
const COUNTED_MOST = 100_000
/** So many ids are drawn at most. An audience of which they find too few is small enough to count. */
const DRAWN_MOST = 40_000
const FOUND_LEAST = 1000
/** What is said of numbers: `ids` of whom they are told, null where of everybody. */
export type Sampled = {
  people: number
  /** The number of people is an estimate, too. */
  estimated: boolean
  ids: readonly number[] | null
}
/** An audience as it is counted; of a large one, one of so many is looked at, the same each time. */
const counted = async (db: Db, all: SQL): Promise<Sampled> => {
  const {
    rows: [found],
  } = await db.execute<{ people: number; ids: number[] | null }>(sql`
    with a as materialized (select ${member.id} as id from ${member} where ${all}),
      c as (select count(*)::int n from a)
    select n people, case when n > ${EXACT_MOST} then (select array_agg(id) from a
      where (hashint4(id)::bigint & 2147483647) % ceil(n / ${SAMPLE}::float8)::int = 0) end ids from c`)
  return { people: found!.people, estimated: false, ids: found!.ids }
}
/**
 * An audience as ids that are drawn of all members tell it. Undefined where they would find too few
 * people.
 */
const estimated = async (
  db: Db,
  of: Audience & { last: number },
  staff: Pick<Staff, 'scope'>,
): Promise<Sampled | undefined> => {
  const { last } = of
  // Rounded up, so that a new member does not change who is drawn.
  const step = 2 ** (Math.floor(Math.log2(last)) - 4)
  const top = Math.ceil(last / step) * step
  const draw = async (n: number): Promise<Sampled> => {
    const ids = drawnIds(top, n)
    const { rows } = await db.execute<{ id: number }>(
      sql`select ${member.id} as id from ${member} where ${drawnOf(of, ids, staff)}`,
    )
    const people = Math.round((rows.length * top) / ids.length)
    return { people, estimated: true, ids: rows.map(row => row.id) }
  }
  const first = await draw(SAMPLE)
  const share = first.ids!.length / SAMPLE
  if (share >= 0.5) return first
  if (share * DRAWN_MOST < FOUND_LEAST) return undefined
  return draw(Math.min(DRAWN_MOST, Math.ceil(SAMPLE / share)))
}
/** How many people an audience has, and who of them are looked at. */
export const sampleOfAudience = async (
  db: Db,
  of: Audience,
  { staff }: Pick<Asker, 'staff'>,
): Promise<Sampled> => {
  const { rows } = await db.execute<{ last: number }>(
    sql`select coalesce(max(${member.id}), 0)::int as last from ${member}`,
  )
  const { last } = rows[0]!
  const drawn = last > COUNTED_MOST ? await estimated(db, { ...of, last }, staff) : undefined
  return drawn ?? counted(db, inAudience(of, staff))
}
/** So many of those who are looked at, told for all people of the audience. */
export const toldOf = (n: number, { people, ids }: Sampled): number =>
  ids === null ? n : Math.round((n * people) / (ids.length || 1))
/** How many people of an audience stand in each bar; of a large one it is estimated (`Sampled`). */
export const countBars = async (
  db: Db,
  { sample, ...of }: Audience & { dim?: string; sample: Sampled },
  asker: Asker,
): Promise<Count[]> => {
  const { rows } = await db.execute<Count>(sql`
    select dim, value, count(*)::int n from (${bucketsOf({ ...of, ids: sample.ids }, asker)}) b
    where ${of.dim === undefined ? sql`true` : sql`dim = ${of.dim}`} group by 1, 2`)
  return rows.map(row => ({ ...row, n: toldOf(row.n, sample) }))
}
/** The ids of the people behind a bar, the newest first; of those that are looked at. */
export const peopleBehind = async (
  db: Db,
  of: Audience & { dim: string; value: string; sample: Sampled },
  asker: Asker,
): Promise<number[]> => {
  const { rows } = await db.execute<{ id: number }>(sql`
    select member_id id from (${bucketsOf({ ...of, ids: of.sample.ids }, asker)}) b
    where dim = ${of.dim} and value = ${of.value} order by 1 desc`)
  return rows.map(row => row.id)
}
