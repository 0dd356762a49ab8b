import { sql } from 'drizzle-orm'
import { below, isGroup, type Rule, type RuleNode } from '#src/areas/segment/rule.ts'
import { DAY, dateOf } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'

type Order = {
  paid_at: number | null
  used_at: number | null
  refunded: boolean
  mall_id: number
  kind: string
  cents: number
}
/** All that a rule may ask of one member, read without any rule. */
export type Facts = {
  id: number
  level: number
  gender: string
  birthday: string | null
  city_id: number
  register_at: number
  register_source: string
  growth: number
  points: number
  paid: number
  order_count: number
  last_order_at: number | null
  last_visit_at: number | null
  vip_end_at: number | null
  tags: number[]
  orders: Order[]
  friend: string
  wecom_tags: number[]
  ways: string[]
  advisers: number[]
  chats: number[]
  segments: number[]
}
type Row = Record<string, any>
const number = (value: unknown): number | null => (value === null ? null : Number(value))
/** The facts of every member that a segment may have. */
export const factsOf = async ({ db }: Pick<Database, 'db'>): Promise<Facts[]> => {
  const all = async (query: ReturnType<typeof sql>): Promise<Row[]> =>
    (await db.execute(query)).rows
  const people = await all(
    sql`select * from member where account_state in ('normal', 'muted') order by id`,
  )
  const group = (rows: Row[]) => {
    const by = new Map<number, Row[]>()
    for (const row of rows) by.set(row['member_id'], [...(by.get(row['member_id']) ?? []), row])
    return (id: number) => by.get(id) ?? []
  }
  const tags = group(await all(sql`select * from member_tag_of`))
  const orders = group(await all(sql`select * from "order" where member_id is not null`))
  const customers = group(await all(sql`select * from wecom_customer where member_id is not null`))
  const follows = group(
    await all(sql`select c.member_id, f.* from wecom_follow f join wecom_customer c
      on c.id = f.customer_id where f.status = 'following' and c.member_id is not null`),
  )
  const chats = group(
    await all(sql`select c.member_id, g.group_id from wecom_group_member g join wecom_customer c
      on c.id = g.customer_id where g.left_at is null and c.member_id is not null`),
  )
  const lists = group(
    await all(sql`select p.member_id, p.segment_id from segment_person p join segment s
      on s.id = p.segment_id and s.gen = p.gen`),
  )
  return people.map(row => {
    const id = row['id'] as number
    const [customer] = customers(id)
    const friend = { following: 'friend', lost: 'lost' }[customer?.['state'] as string] ?? 'merged'
    return {
      id,
      level: row['level'],
      gender: row['gender'],
      birthday: row['birthday'],
      city_id: row['city_id'],
      register_at: Number(row['register_at']),
      register_source: row['register_source'],
      growth: row['growth'],
      points: row['points'],
      paid: Number(row['total_paid_cents']),
      order_count: row['order_count'],
      last_order_at: number(row['last_order_at']),
      last_visit_at: number(row['last_visit_at']),
      vip_end_at: number(row['vip_end_at']),
      tags: tags(id).map(one => one['tag_id']),
      orders: orders(id).map(one => ({
        paid_at: number(one['paid_at']),
        used_at: number(one['used_at']),
        refunded: one['refund_state'] === 'refunded',
        mall_id: one['mall_id'],
        kind: one['kind'],
        cents: Number(one['paid_cents']) - Number(one['refunded_cents']),
      })),
      friend: customer ? friend : 'none',
      wecom_tags: follows(id).flatMap(one => one['tag_ids']),
      ways: follows(id).map(one => one['add_way']),
      advisers: follows(id).map(one => one['staff_id']),
      chats: chats(id).map(one => one['group_id']),
      segments: lists(id).map(one => one['segment_id']),
    }
  })
}
const inBounds = (n: number, { from, to }: RuleNode): boolean =>
  (from === undefined || n >= from) && (to === undefined || n <= to)
/** Full years between a birthday and the day of `now`. */
const ageOf = (birthday: string, now: number): number => {
  const [y, m, d] = dateOf(now).split('-').map(Number) as [number, number, number]
  const [by, bm, bd] = birthday.split('-').map(Number) as [number, number, number]
  return y - by - (m < bm || (m === bm && d < bd) ? 1 : 0)
}
const agoHolds = (at: number | null, node: RuleNode, now: number): boolean => {
  if (node.op === 'never') return at === null
  if (at === null) return false
  return node.op === 'within' ? at >= now - node.days! * DAY : at < now - node.days! * DAY
}
const vipHolds = (end: number | null, pick: string, now: number): boolean => {
  if (pick === 'never') return end === null
  if (end === null) return false
  if (pick === 'over') return end <= now
  return pick === 'soon' ? end > now && end <= now + 30 * DAY : end > now
}
const ordersOf = (of: Facts, node: RuleNode, now: number): Order[] =>
  of.orders.filter(
    one =>
      one.paid_at !== null &&
      one.paid_at >= now - node.days! * DAY &&
      !one.refunded &&
      (!node.malls?.length || node.malls.includes(one.mall_id)) &&
      (!node.picks?.length || node.picks.includes(one.kind)),
  )
const maxOf = (all: (number | null)[]): number | null =>
  all.reduce<number | null>((max, n) => (n !== null && n > (max ?? -1) ? n : max), null)
const has = (own: readonly number[], { ids = [], op }: RuleNode): boolean =>
  op === 'all' ? ids.every(id => own.includes(id)) : ids.some(id => own.includes(id))
const conditions: Readonly<Record<string, (of: Facts, node: RuleNode, now: number) => boolean>> = {
  level: (of, { picks }) => picks!.includes(String(of.level)),
  gender: (of, { picks }) => picks!.includes(of.gender),
  source: (of, { picks }) => picks!.includes(of.register_source),
  vip: (of, { picks }, now) => picks!.some(pick => vipHolds(of.vip_end_at, pick, now)),
  birth_month: (of, { picks }) =>
    of.birthday !== null && picks!.includes(String(Number(of.birthday.slice(5, 7)))),
  friend: (of, { picks }) => picks!.includes(of.friend),
  add_way: (of, { picks }) => of.ways.some(way => picks!.includes(way)),
  age: (of, node, now) => of.birthday !== null && inBounds(ageOf(of.birthday, now), node),
  growth: (of, node) => inBounds(of.growth, node),
  points: (of, node) => inBounds(of.points, node),
  paid: (of, node) => inBounds(of.paid, node),
  order_count: (of, node) => inBounds(of.order_count, node),
  city: (of, node) => node.ids!.includes(of.city_id),
  member_tag: (of, node) => has(of.tags, node),
  wecom_tag: (of, node) => has(of.wecom_tags, node),
  adviser: (of, node) => has(of.advisers, node),
  chat: (of, node) => has(of.chats, node),
  segment: (of, node) => has(of.segments, node),
  registered: (of, node, now) => agoHolds(of.register_at, node, now),
  last_order: (of, node, now) => agoHolds(of.last_order_at, node, now),
  last_visit: (of, node, now) => agoHolds(of.last_visit_at, node, now),
  last_use: (of, node, now) => agoHolds(maxOf(of.orders.map(one => one.used_at)), node, now),
  orders: (of, node, now) => inBounds(ordersOf(of, node, now).length, node),
  spent: (of, node, now) =>
    inBounds(
      ordersOf(of, node, now).reduce((sum, one) => sum + one.cents, 0),
      node,
    ),
}
/** The conditions that a plain reader knows, by their fields. */
export const plainFields = Object.keys(conditions)
/** Whether a rule holds of a member, worked out without any SQL. */
export const holdsOf = (of: Facts, rule: Rule, now: number): boolean => {
  const node = (one: RuleNode): boolean => {
    const is = isGroup(one)
      ? join(one.is, below(rule, one.key).map(node))
      : conditions[one.is]!(of, one, now)
    return one.not ? !is : is
  }
  const join = (how: 'all' | 'any', all: boolean[]): boolean =>
    how === 'all' || all.length === 0 ? all.every(Boolean) : all.some(Boolean)
  return join(rule.joins, below(rule, null).map(node))
}
