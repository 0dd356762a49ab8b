import { createHash } from 'node:crypto'
import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { buy_limit_rule, buy_limit_take, type LimitSaid } from './limit.table.ts'
import type { LimitRule } from './limits.ts'
import {
  covers,
  exemptUntil,
  leftOf,
  limitFor,
  windowKey,
  type LimitDimension,
  type LimitLine,
} from './rule.ts'

export type BuyLimit = typeof buy_limit_rule.$inferSelect
/** The buyer as each dimension knows them; a rule by one without a value asks nothing. */
export type LimitBuyer = {
  member_id: number | null
  values: Partial<Record<LimitDimension, string>>
  /** Several receivers of one line, none of them twice; instead of a receiver among the values. */
  receivers?: readonly ReceiverShare[]
}
/** So many units of a line are a receiver's own, from one of them on; the first is 1. */
export type ReceiverShare = { value: string; from: number; n: number }
/** A line of a purchase before the categories above its product are known. */
export type BareLine = Omit<LimitLine, 'categories'> & { category_id: number }
type SoldCard = { id: number; name: string; store_id: number; mall_id: number; city_id: number }
/** So many e-cards as limits see them: of their issuer's store, and of no category. */
export const cardLine = (of: SoldCard, qty: number): BareLine => ({
  product_id: 0,
  card_id: of.id,
  title: of.name,
  kind: 'ecard',
  category_id: 0,
  store_id: of.store_id,
  mall_id: of.mall_id,
  city_id: of.city_id,
  ways: [],
  qty,
})
/** What a rule says of a purchase: how many may be bought, were bought, and are wanted of it. */
export type Standing = {
  rule: BuyLimit
  value: string
  lines: readonly LimitLine[]
  limit: number
  wanted: number
  /** The share of one receiver among several. */
  share?: ReceiverShare
}
/** A limit that a purchase is beyond. `rule` is null for the product's own. */
export type Stop = {
  rule: BuyLimit | null
  /** A card's own limit: its kind, and what its refusal is called and says. */
  own?: { kind: LimitRule; code: string; text: Text }
  lines: readonly LimitLine[]
  dimension: LimitDimension
  value: string
  limit: number
  had: number
  left: number
  wanted: number
  place: number
  share?: ReceiverShare
}
/**
 * The quantity that an order takes of a rule for one product; written down once the order has its
 * items.
 */
export type Taken = Key & { product_id: number; returns: boolean; share?: ReceiverShare }

/** The rule as a block keeps it. */
export const saidOf = (rule: BuyLimit): LimitSaid => ({
  name: rule.name,
  scope_kind: rule.scope_kind,
  dimension: rule.dimension,
  per: rule.per,
  qty: rule.qty,
  return_on_refund: rule.return_on_refund,
  start_at: rule.start_at,
  end_at: rule.end_at,
})
const hashOf = (rule: BuyLimit, value: string): string =>
  createHash('sha256').update(`${rule.id}|${rule.basis}|${rule.dimension}|${value}`).digest('hex')
/** The counting row of a buyer under a rule at a moment. */
export const keyOf = (rule: BuyLimit, value: string, now: number) => ({
  rule_id: rule.id,
  dim_hash: hashOf(rule, value),
  window_key: windowKey(rule.per, now),
})
type Key = ReturnType<typeof keyOf>

/** The rules that hold now for some of these products, by number: everybody asks them in one order. */
export const rulesFor = (db: Db, lines: readonly BareLine[], now: number): Promise<BuyLimit[]> =>
  db
    .select()
    .from(buy_limit_rule)
    .where(
      and(
        eq(buy_limit_rule.status, 'on'),
        lte(buy_limit_rule.start_at, now),
        gt(buy_limit_rule.end_at, now),
        inArray(buy_limit_rule.product_kind, ['all', ...new Set(lines.map(line => line.kind))]),
      ),
    )
    .orderBy(buy_limit_rule.id)

/** The categories of each line with those above them: goods that are sent have a tree of their own. */
export const withCategories = async (db: Db, lines: readonly BareLine[]): Promise<LimitLine[]> => {
  const above = new Map<string, number[]>()
  for (const tree of ['shop_category', 'e_category'] as const) {
    const ids = lines
      .filter(line => (line.kind === 'elist') === (tree === 'e_category'))
      .map(line => line.category_id)
    if (ids.length === 0) continue
    const { rows } = await db.execute<{ leaf: number; id: number }>(
      sql`with recursive up as (select id leaf, id, parent_id from ${sql.identifier(tree)} where id in ${ids} union all select up.leaf, c.id, c.parent_id from up join ${sql.identifier(tree)} c on c.id = up.parent_id) select leaf, id from up`,
    )
    for (const { leaf, id } of rows)
      above.set(`${tree}${leaf}`, [...(above.get(`${tree}${leaf}`) ?? []), id])
  }
  const treeOf = (line: BareLine) => (line.kind === 'elist' ? 'e_category' : 'shop_category')
  return lines.map(({ category_id, ...line }) => ({
    ...line,
    categories: above.get(`${treeOf({ category_id, ...line })}${category_id}`) ?? [category_id],
  }))
}
/** The level of a member; that of a visitor is 0. */
export const levelOf = async (db: Db, id: number | null): Promise<number> => {
  if (id === null) return 0
  const [of] = await db.select({ level: member.level }).from(member).where(eq(member.id, id))
  return of?.level ?? 0
}

/**
 * The rules that are about a purchase and hold its buyer, each with what it allows and what is
 * wanted of it. `only` keeps those by one dimension: a payer is known later than the others.
 */
export const standings = async (
  db: Db,
  of: { buyer: LimitBuyer; lines: readonly BareLine[]; now: number; only?: LimitDimension },
): Promise<Standing[]> => {
  const { buyer, now, only } = of
  const rules = (await rulesFor(db, of.lines, now)).filter(
    rule => only === undefined || rule.dimension === only,
  )
  if (rules.length === 0) return []
  const lines = rules.some(rule => rule.scope_kind === 'category')
    ? await withCategories(db, of.lines)
    : of.lines.map(({ category_id, ...line }) => ({ ...line, categories: [category_id] }))
  const level = await levelOf(db, buyer.member_id)
  return rules.flatMap(rule => {
    const about = lines.filter(line => covers(rule, line))
    if (about.length === 0) return []
    if (exemptUntil(rule.exempt, buyer.member_id, now) !== undefined) return []
    const asks = { rule, lines: about, limit: limitFor(rule, level) }
    if (rule.dimension === 'receiver' && buyer.receivers)
      return buyer.receivers.map(share => ({ ...asks, value: share.value, wanted: share.n, share }))
    const value = buyer.values[rule.dimension]
    if (value === undefined) return []
    return [{ ...asks, value, wanted: about.reduce((sum, line) => sum + line.qty, 0) }]
  })
}

/** The count under a key; nothing where nobody bought. */
export const usedOf = async (db: Db, key: Key): Promise<number> => {
  const { rows } = await db.execute<{ qty: number }>(
    sql`select qty from buy_limit_usage where rule_id = ${key.rule_id} and dim_hash = ${key.dim_hash} and window_key = ${key.window_key}`,
  )
  return rows[0]?.qty ?? 0
}
type Counted = { one: Standing; key: Key }
/**
 * Adds the pieces of some buyers to their counting rows under one rule, where each sum stays within
 * the limit: of two at once the second waits for the first, and all go in one order. Answers those
 * that were counted, by their hash.
 */
const count = async (
  tx: Db,
  asked: readonly Counted[],
  now: number,
): Promise<ReadonlySet<string>> => {
  const [{ key, one }] = asked as [Counted]
  const hashes = asked.map(each => each.key.dim_hash)
  const wanted = asked.map(each => each.one.wanted)
  const { rows } = await tx.execute<{ dim_hash: string }>(
    sql`insert into buy_limit_usage as u (rule_id, dim_hash, window_key, qty, created_at, updated_at) select ${key.rule_id}::int, a.dim_hash, ${key.window_key}::text, a.n, ${now}::bigint, ${now}::bigint from unnest(${sql.param(hashes)}::text[], ${sql.param(wanted)}::int[]) a (dim_hash, n) where a.n <= ${one.limit}::int order by a.dim_hash on conflict (rule_id, dim_hash, window_key) do update set qty = u.qty + excluded.qty, updated_at = excluded.updated_at where u.qty + excluded.qty <= ${one.limit}::int returning u.dim_hash`,
  )
  return new Set(rows.map(row => row.dim_hash))
}
/** What is counted under some keys of one rule and window, by their hash. */
const usedAmong = async (tx: Db, some: readonly Counted[]): Promise<Map<string, number>> => {
  const [first] = some
  if (!first) return new Map()
  const { rule_id, window_key } = first.key
  const hashes = some.map(({ key }) => key.dim_hash)
  const { rows } = await tx.execute<{ dim_hash: string; qty: number }>(
    sql`select dim_hash, qty from buy_limit_usage where rule_id = ${rule_id} and window_key = ${window_key} and dim_hash = any(${sql.param(hashes)}::text[])`,
  )
  return new Map(rows.map(row => [row.dim_hash, row.qty]))
}
const takenOf = ({ one: { rule, lines, share }, key }: Counted): Taken[] =>
  [...new Set(lines.map(line => line.product_id))].map(product_id => ({
    ...key,
    product_id,
    returns: rule.return_on_refund,
    ...(share && { share }),
  }))
const stopOf = (one: Standing, had: number): Stop => ({
  ...one,
  dimension: one.rule.dimension,
  had,
  left: leftOf(one.limit, had),
  place: one.rule.priority,
})
/** Counts what is asked of one rule; of one by order nothing is added up. */
const countRule = async (
  tx: Db,
  asked: readonly Standing[],
  now: number,
): Promise<{ taken: Taken[]; stops: Stop[] }> => {
  const [{ rule, limit }] = asked as [Standing]
  if (rule.per === 'order')
    return {
      taken: [],
      stops: asked.filter(one => one.wanted > limit).map(one => stopOf(one, 0)),
    }
  const keyed = asked.map(one => ({ one, key: keyOf(rule, one.value, now) }))
  const counted = await count(tx, keyed, now)
  const over = keyed.filter(({ key }) => !counted.has(key.dim_hash))
  const had = await usedAmong(tx, over)
  return {
    taken: keyed.filter(({ key }) => counted.has(key.dim_hash)).flatMap(takenOf),
    stops: over.map(({ one, key }) => stopOf(one, had.get(key.dim_hash) ?? 0)),
  }
}
/**
 * Counts a purchase under every rule that is about it. Answers what it takes and the rules that it is
 * beyond; where there are some, the caller refuses it and all of this is taken back.
 */
export const countUnder = async (
  tx: Db,
  standing: readonly Standing[],
  now: number,
): Promise<{ taken: Taken[]; stops: Stop[] }> => {
  const taken: Taken[] = []
  const stops: Stop[] = []
  for (const asked of grouped(standing, one => one.rule.id).values()) {
    const done = await countRule(tx, asked, now)
    taken.push(...done.taken)
    stops.push(...done.stops)
  }
  return { taken, stops }
}

/** Writes down what an order took, by the items that it has now. */
export const keepTaken = async (
  tx: Db,
  order_id: number,
  taken: readonly Taken[],
): Promise<void> => {
  if (taken.length === 0) return
  const items = await tx
    .select({ id: order_item.id, product_id: order_item.product_id, qty: order_item.qty })
    .from(order_item)
    .where(eq(order_item.order_id, order_id))
  await tx.insert(buy_limit_take).values(
    taken.flatMap(({ product_id, share, ...one }) =>
      items
        .filter(item => (item.product_id ?? 0) === product_id)
        .map(item => ({
          ...one,
          order_id,
          item_id: item.id,
          qty: share?.n ?? item.qty,
          unit_from: share?.from ?? null,
        })),
    ),
  )
}
/**
 * Gives back what an order took: all of it when it was closed, else what was refunded, under rules
 * that say so; a card's part to whoever that card was for. Asked again it gives nothing more. The
 * order must be held; its counting rows are held in the order in which others count.
 */
export const giveBack = async (
  tx: Db,
  of: { order_id: number; closed: boolean; now: number },
): Promise<void> => {
  const { order_id, closed, now } = of
  const ofItem = sql`least(t.qty, (select i.refunded_qty from order_item i where i.id = t.item_id))`
  const ofShare = sql`(select count(*) from gone g where g.at between t.unit_from and t.unit_from + t.qty - 1)`
  const refunded = sql`case when t.unit_from is null then ${ofItem} else ${ofShare} end`
  await tx.execute(sql`
    with gone as (select c.at from (select state, row_number() over (order by id) at from ecard_code where order_id = ${order_id}) c where c.state = 'refunded'),
    due as (select t.id, ${closed ? sql`t.qty` : refunded}::int - t.returned n from buy_limit_take t where t.order_id = ${order_id} and ${closed ? sql`true` : sql`t.returns`}),
    given as (update buy_limit_take t set returned = t.returned + due.n, updated_at = ${now} from due where due.id = t.id and due.n > 0 returning t.rule_id, t.dim_hash, t.window_key, due.n),
    summed as (select rule_id, dim_hash, window_key, sum(n)::int n from given group by 1, 2, 3),
    held as (select u.id, s.n from buy_limit_usage u join summed s using (rule_id, dim_hash, window_key) order by u.rule_id, u.dim_hash, u.window_key for update of u)
    update buy_limit_usage u set qty = u.qty - held.n, updated_at = ${now} from held where held.id = u.id`)
}
