import { createHash } from 'node:crypto'
import { and, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { order_item } from '#src/areas/order/order.table.ts'
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
}
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
}
/**
 * The quantity that an order takes of a rule for one product; written down once the order has its
 * items.
 */
export type Taken = Key & { product_id: number; returns: boolean }

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
    const value = buyer.values[rule.dimension]
    const about = lines.filter(line => covers(rule, line))
    if (value === undefined || about.length === 0) return []
    if (exemptUntil(rule.exempt, buyer.member_id, now) !== undefined) return []
    const wanted = about.reduce((sum, line) => sum + line.qty, 0)
    return [{ rule, value, lines: about, limit: limitFor(rule, level), wanted }]
  })
}

/** The count under a key; nothing where nobody bought. */
export const usedOf = async (db: Db, key: Key): Promise<number> => {
  const { rows } = await db.execute<{ qty: number }>(
    sql`select qty from buy_limit_usage where rule_id = ${key.rule_id} and dim_hash = ${key.dim_hash} and window_key = ${key.window_key}`,
  )
  return rows[0]?.qty ?? 0
}
/**
 * Adds pieces to a counting row where the sum stays within the limit: of two at once the second waits
 * for the first. False where it does not.
 */
const count = async (tx: Db, key: Key, of: { n: number; limit: number; now: number }) => {
  const { n, limit, now } = of
  const { rows } = await tx.execute(
    sql`insert into buy_limit_usage as u (rule_id, dim_hash, window_key, qty, created_at, updated_at) select ${key.rule_id}::int, ${key.dim_hash}::text, ${key.window_key}::text, ${n}::int, ${now}::bigint, ${now}::bigint where ${n}::int <= ${limit}::int on conflict (rule_id, dim_hash, window_key) do update set qty = u.qty + ${n}::int, updated_at = ${now}::bigint where u.qty + ${n}::int <= ${limit}::int returning u.id`,
  )
  return rows.length > 0
}
const takenOf = ({ rule, lines }: Standing, key: Key): Taken[] =>
  [...new Set(lines.map(line => line.product_id))].map(product_id => ({
    ...key,
    product_id,
    returns: rule.return_on_refund,
  }))
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
  for (const one of standing) {
    const { rule, value, limit, wanted } = one
    const key = keyOf(rule, value, now)
    const alone = rule.per === 'order'
    if (alone ? wanted <= limit : await count(tx, key, { n: wanted, limit, now })) {
      if (!alone) taken.push(...takenOf(one, key))
      continue
    }
    const had = alone ? 0 : await usedOf(tx, key)
    stops.push({
      ...one,
      dimension: rule.dimension,
      had,
      left: leftOf(limit, had),
      place: rule.priority,
    })
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
  await tx
    .insert(buy_limit_take)
    .values(
      taken.flatMap(({ product_id, ...one }) =>
        items
          .filter(item => (item.product_id ?? 0) === product_id)
          .map(item => ({ ...one, order_id, item_id: item.id, qty: item.qty })),
      ),
    )
}
/**
 * Gives back what an order took: all of it when it was closed, else what was refunded, under rules
 * that say so. Asked again it gives nothing more. The order must be held.
 */
export const giveBack = async (
  tx: Db,
  of: { order_id: number; closed: boolean; now: number },
): Promise<void> => {
  const { order_id, closed, now } = of
  const refunded = sql`least(t.qty, (select i.refunded_qty from order_item i where i.id = t.item_id))`
  await tx.execute(sql`
    with due as (select t.id, ${closed ? sql`t.qty` : refunded}::int - t.returned n from buy_limit_take t where t.order_id = ${order_id} and ${closed ? sql`true` : sql`t.returns`}),
    given as (update buy_limit_take t set returned = t.returned + due.n, updated_at = ${now} from due where due.id = t.id and due.n > 0 returning t.rule_id, t.dim_hash, t.window_key, due.n),
    summed as (select rule_id, dim_hash, window_key, sum(n)::int n from given group by 1, 2, 3)
    update buy_limit_usage u set qty = u.qty - s.n, updated_at = ${now} from summed s where (u.rule_id, u.dim_hash, u.window_key) = (s.rule_id, s.dim_hash, s.window_key)`)
}
