import { and, or, sql, type SQL } from 'drizzle-orm'
import { member as m } from '#src/areas/member/member.table.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import { below, isGroup, type Rule, type RuleNode } from './rule.ts'
import { fieldOf, type FieldKey } from './ruleFields.ts'
import { segment, segment_person } from './segment.table.ts'

/**
 * `probe`: each member is looked up by itself, for some members of all; else the database is free to
 * begin with whatever of it is rare. `now` in unix seconds.
 */
export type Compiling = { now: number; probe: boolean }
const ints = (ids: readonly number[] = []) => sql`${sql.param(`{${ids.join()}}`)}::int[]`
const texts = (of: readonly string[] = []) => sql`${sql.param([...of])}::text[]`
/** A sub-query with an offset is never taken apart by the planner: it runs for each member asked. */
const some = (from: SQL, { probe }: Compiling): SQL =>
  probe ? sql`exists (select 1 from ${from} offset 0)` : sql`exists (select 1 from ${from})`

const between = (value: SQL, { from, to }: RuleNode): SQL =>
  and(
    from === undefined ? undefined : sql`${value} >= ${from}`,
    to === undefined ? undefined : sql`${value} <= ${to}`,
  ) ?? sql`true`
const ago = (value: SQL, node: RuleNode, { now }: Compiling): SQL => {
  if (node.op === 'never') return sql`${value} is null`
  const since = now - node.days! * DAY
  return node.op === 'within' ? sql`${value} >= ${since}` : sql`${value} < ${since}`
}
/** The last day on which somebody was born who is at least so old on the day of `now`. */
const bornBy = (years: number, now: number): string => {
  const today = dateOf(now)
  return `${String(Number(today.slice(0, 4)) - years).padStart(4, '0')}${today.slice(4)}`
}
const age = ({ from, to }: RuleNode, { now }: Compiling): SQL =>
  and(
    sql`${m.birthday} is not null`,
    from === undefined ? undefined : sql`${m.birthday} <= ${bornBy(from, now)}`,
    to === undefined ? undefined : sql`${m.birthday} > ${bornBy(to + 1, now)}`,
  )!
const vip = (picks: readonly string[], { now }: Compiling): SQL => {
  const end = m.vip_end_at
  const is: Readonly<Record<string, SQL>> = {
    now: sql`${end} > ${now}`,
    soon: sql`(${end} > ${now} and ${end} <= ${now + 30 * DAY})`,
    over: sql`${end} <= ${now}`,
    never: sql`${end} is null`,
  }
  return or(...picks.map(pick => is[pick]))!
}
const orders = (node: RuleNode, { now }: Compiling): SQL => {
  const where = and(
    sql`o.member_id = ${m.id} and o.paid_at >= ${now - node.days! * DAY}`,
    sql`o.refund_state <> 'refunded'`,
    node.malls?.length ? sql`o.mall_id = any(${ints(node.malls)})` : undefined,
    node.picks?.length ? sql`o.kind = any(${texts(node.picks)})` : undefined,
  )
  return node.is === 'spent'
    ? between(
        sql`(select coalesce(sum(o.paid_cents - o.refunded_cents), 0) from "order" o where ${where})`,
        node,
      )
    : between(sql`(select count(*) from "order" o where ${where})`, node)
}
const follows = sql`wecom_customer c join wecom_follow f
  on f.customer_id = c.id and f.status = 'following' where c.member_id = ${m.id}`
const friend = (picks: readonly string[], of: Compiling): SQL => {
  const has = (state: string) =>
    some(sql`wecom_customer c where c.member_id = ${m.id} and c.state = ${state}`, of)
  const is: Readonly<Record<string, () => SQL>> = {
    friend: () => has('following'),
    lost: () => has('lost'),
    none: () => sql`not ${some(sql`wecom_customer c where c.member_id = ${m.id}`, of)}`,
  }
  return or(...picks.map(pick => is[pick]!()))!
}
/** True of members in the list of any of these segments, as it stands now. */
const inSegments = (ids: readonly number[], of: Compiling): SQL =>
  some(
    sql`${segment_person} p join ${segment} s on s.id = p.segment_id and s.gen = p.gen
      where p.member_id = ${m.id} and p.segment_id = any(${ints(ids)})`,
    of,
  )
/** Members who have any of some rows. */
const refs: Readonly<Partial<Record<FieldKey, (ids: readonly number[], of: Compiling) => SQL>>> = {
  city: ids => sql`${m.city_id} = any(${ints(ids)})`,
  member_tag: (ids, of) =>
    some(sql`member_tag_of g where g.member_id = ${m.id} and g.tag_id = any(${ints(ids)})`, of),
  wecom_tag: (ids, of) => some(sql`${follows} and f.tag_ids && ${ints(ids)}`, of),
  adviser: (ids, of) => some(sql`${follows} and f.staff_id = any(${ints(ids)})`, of),
  chat: (ids, of) =>
    some(
      sql`wecom_customer c join wecom_group_member gm on gm.customer_id = c.id and gm.left_at is null
        where c.member_id = ${m.id} and gm.group_id = any(${ints(ids)})`,
      of,
    ),
  segment: inSegments,
}
const picked: Readonly<
  Partial<Record<FieldKey, (picks: readonly string[], of: Compiling) => SQL>>
> = {
  level: picks => sql`${m.level} = any(${ints(picks.map(Number))})`,
  gender: picks => sql`${m.gender} = any(${texts(picks)})`,
  source: picks => sql`${m.register_source} = any(${texts(picks)})`,
  birth_month: picks =>
    sql`substr(${m.birthday}, 6, 2) = any(${texts(picks.map(one => one.padStart(2, '0')))})`,
  vip,
  friend,
  add_way: (picks, of) => some(sql`${follows} and f.add_way = any(${texts(picks)})`, of),
}
const numbers: Readonly<Partial<Record<FieldKey, SQL>>> = {
  growth: sql`${m.growth}`,
  points: sql`${m.points}`,
  paid: sql`${m.total_paid_cents}`,
  order_count: sql`${m.order_count}`,
}
const moments: Readonly<Partial<Record<FieldKey, SQL>>> = {
  registered: sql`${m.register_at}`,
  last_order: sql`${m.last_order_at}`,
  last_visit: sql`${m.last_visit_at}`,
  last_use: sql`(select max(o.used_at) from "order" o where o.member_id = ${m.id})`,
}
const condition = (node: RuleNode, of: Compiling): SQL => {
  const key = node.is as FieldKey
  const field = fieldOf(key)
  if (field.kind === 'picks') return picked[key]!(node.picks ?? [], of)
  if (field.kind === 'refs') {
    const has = (ids: readonly number[]) => refs[key]!(ids, of)
    const ids = node.ids ?? []
    return node.op === 'all' ? and(...ids.map(id => has([id])))! : has(ids)
  }
  if (field.kind === 'ago') return ago(moments[key]!, node, of)
  if (field.kind === 'orders') return orders(node, of)
  return key === 'age' ? age(node, of) : between(numbers[key]!, node)
}
const node = (rule: Rule, one: RuleNode, of: Compiling): SQL => {
  const inside = isGroup(one)
    ? joined(
        one.is,
        below(rule, one.key).map(part => node(rule, part, of)),
      )
    : condition(one, of)
  // What is not known of a member holds of nobody, and its opposite of everybody.
  return one.not ? sql`((${inside}) is not true)` : sql`(${inside})`
}
const joined = (how: 'all' | 'any', parts: readonly SQL[]): SQL =>
  (how === 'all' ? and(...parts) : or(...parts)) ?? sql`true`

/** Members that a segment may have: whoever left or went into another account is none. */
export const isAddressed: SQL = sql`${m.account_state} in ('normal', 'muted')`
/**
 * The members that a rule means, but for those of the segments in `without`, as a condition on
 * `member`. Every value is bound; the rule is sound (`ruleFault`).
 */
export const ruleWhere = (rule: Rule, without: readonly number[], of: Compiling): SQL =>
  and(
    isAddressed,
    joined(
      rule.joins,
      below(rule, null).map(one => node(rule, one, of)),
    ),
    without.length > 0 ? sql`not ${inSegments(without, of)}` : undefined,
  )!
