import { eq, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { blackOf } from '#src/areas/risk/blacklisting.server.ts'
import { say, type Lang, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import {
  covers,
  exemptUntil,
  leftOf,
  limitDimensions,
  limitFor,
  limitSentence,
  limitWays,
  tightest,
  type LimitLine,
} from './rule.ts'
import { keyOf, levelOf, rulesFor, usedOf, withCategories, type BuyLimit } from './usage.server.ts'

type Member = typeof member.$inferSelect
type Product = typeof product.$inferSelect
/** What a limit says in a trial; `left` is null where it does not hold, or nobody knows yet. */
type Tried = {
  id: number
  name: string
  said: Text
  limit: number
  had: number
  left: number | null
  why: Text
  place: number
}
const none: Text = ['', '']

/** The product as an order of each of its stores would have it. */
const linesOf = async (db: Db, item: Product): Promise<LimitLine[]> => {
  const { id: product_id, title, kind, category_id, mall_id, city_id } = item
  const stores = item.store_ids.length > 0 ? item.store_ids : [0]
  const bare = { product_id, title, kind, category_id, mall_id, city_id, ways: [], qty: 1 }
  return withCategories(
    db,
    stores.map(store_id => ({ ...bare, store_id })),
  )
}
/** Why a rule does not tell how many are left; undefined where it does. */
const silent = (rule: BuyLimit, who: Member, now: number): Text | undefined => {
  const until = exemptUntil(rule.exempt, who.id, now)
  if (until !== undefined)
    return [`会员豁免至 ${timeFull(until)}`, `The member is exempt until ${timeFull(until)}`]
  if (rule.scope_kind === 'activity') {
    const names = rule.ways.map(way => limitWays[way])
    return [
      `仅在${names.map(one => one[0]).join('、')}下单时计算`,
      `Only for orders by: ${names.map(one => one[1].toLowerCase()).join(', ')}`,
    ]
  }
  const [zh, en] = limitDimensions[rule.dimension]
  return rule.dimension === 'member' || rule.dimension === 'phone'
    ? undefined
    : [`${zh}在下单或付款时才知道`, `The ${en.toLowerCase()} is known with the order`]
}
const tryRule = async (
  db: Db,
  rule: BuyLimit,
  of: { who: Member; level: number; now: number },
): Promise<Tried> => {
  const { who, level, now } = of
  const limit = limitFor(rule, level)
  const why = silent(rule, who, now)
  const value = rule.dimension === 'phone' ? who.phone : String(who.id)
  const alone = why !== undefined || rule.per === 'order'
  const had = alone ? 0 : await usedOf(db, keyOf(rule, value, now))
  return {
    id: rule.id,
    name: rule.name,
    said: limitSentence(rule, limit),
    limit,
    had,
    left: why ? null : leftOf(limit, had),
    why: why ?? none,
    place: rule.priority,
  }
}
/** The limit that the product has itself, where it has one. */
const tryOwn = async (db: Db, item: Product, who: Member): Promise<Tried[]> => {
  const limit = item.limit_per_member
  if (limit === null) return []
  const { rows } = await db.execute<{ n: number }>(
    sql`select coalesce(sum(i.qty - i.refunded_qty), 0)::int n from order_item i join "order" o on o.id = i.order_id where o.member_id = ${who.id} and i.product_id = ${item.id} and o.pay_state <> 'closed'`,
  )
  const had = rows[0]!.n
  return [
    {
      id: 0,
      name: '',
      said: [`每人限购 ${limit} 件`, `${limit} for each buyer`],
      limit,
      had,
      left: leftOf(limit, had),
      why: none,
      place: -1,
    },
  ]
}

/**
 * Says how many each limit about a product allows a member at this moment, and which of them
 * decides. Nothing is counted. Throws 404 for a member or product that is not there.
 */
export const tryLimits = async (
  db: Db,
  of: { member_id: number; product_id: number; lang: Lang; now: number },
) => {
  const { lang, now } = of
  const [who] = await db.select().from(member).where(eq(member.id, of.member_id))
  const [item] = await db.select().from(product).where(eq(product.id, of.product_id))
  if (!who || !item) throw missing()
  const lines = await linesOf(db, item)
  const level = await levelOf(db, who.id)
  const rules = await rulesFor(
    db,
    lines.map(({ categories: _, ...line }) => ({ ...line, category_id: item.category_id })),
    now,
  )
  // A rule about activities is told too, though it asks only of orders by them.
  const about = rules.filter(rule => lines.some(line => covers(rule, { ...line, ways: rule.ways })))
  const tried = await tryOwn(db, item, who)
  for (const rule of about) tried.push(await tryRule(db, rule, { who, level, now }))
  const known = tried.flatMap(({ left, ...one }) => (left === null ? [] : [{ ...one, left }]))
  const decides = tightest(known)
  const black = (await blackOf(db, [who], now)).size > 0
  return {
    member: who.nickname,
    product: item.title,
    may_buy: black ? 0 : (decides?.left ?? null),
    black,
    rules: tried.map(one => ({
      ...one,
      name: one.id === 0 ? say(['商品自带限购', 'The product’s own limit'], lang) : one.name,
      said: say(one.said, lang),
      why: say(one.why, lang),
      decides: one.id === decides?.id,
    })),
  }
}
