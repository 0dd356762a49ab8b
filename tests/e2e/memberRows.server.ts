/**
 * `node --import ./src/source.mjs tests/e2e/memberRows.server.ts SOCKET ASKED`: what no page does
 * and the journeys of points, levels and audiences need: members, what they bought and are called.
 * It is written by the functions that the server calls, into the database of the server whose pages
 * the journey opens.
 */
import { asc, eq } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { redeem } from '#src/areas/code/redemption.server.ts'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { bookGrowth } from '#src/areas/level/growth.server.ts'
import { liveRules } from '#src/areas/level/ladder.server.ts'
import { level_ladder } from '#src/areas/level/level.table.ts'
import { member_tag, member_tag_of } from '#src/areas/member/care.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { earnPoints } from '#src/areas/points/points.server.ts'
import { settleOrder } from '#src/areas/points/settling.server.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { accountLikeAdmin, journeyMember, runNumber } from './journeyPeople.ts'
import { openOfServer } from './rowsDatabase.ts'

/** What the journeys ask for, each with what an earlier answer told. */
type Asked =
  | { what: 'capped'; member_id: number; product_id: number }
  | { what: 'nearly' }
  | { what: 'earned' }
  | { what: 'audience' }
  | { what: 'joins'; tag: string }

const [socket, asked] = process.argv.slice(2) as [string, string]
const database = await openOfServer(socket)
const no = runNumber()
const now = unixNow()

/** A mall of the journey's own with a rule of spending that gives few points a day. */
const cappedMall = async (tx: Db): Promise<number> => {
  const [like] = await tx.select().from(mall).orderBy(asc(mall.id)).limit(1)
  const { id: _, version: __, ...columns } = like!
  const [own] = await tx
    .insert(mall)
    .values({ ...columns, name: `旅程商场${no}` })
    .returning()
  await tx.insert(points_rule).values({
    kind: 'buy',
    name: `旅程消费积分${no}`,
    config: {
      kinds: ['bulks'],
      at: 'paid',
      exclude: { shop_category: [], e_category: [], store: [] },
    },
    daily_cap: 5000,
    mids: [own!.id],
    start_at: now - DAY,
    status: 'on',
  })
  return own!.id
}
/** A member's order of 30000 yuan, paid and used, whose points a day's cap has cut. */
const capped = ({ member_id, product_id }: Extract<Asked, { what: 'capped' }>) =>
  database.transaction(async tx => {
    const mall_id = await cappedMall(tx)
    const [item] = await tx
      .update(product)
      .set({
        mall_id,
        list_price_cents: 40_000_00,
        price_cents: 30_000_00,
        settle_price_cents: 20_000_00,
      })
      .where(eq(product.id, product_id))
      .returning()
    await tx.update(store).set({ mall_id }).where(eq(store.id, item!.store_ids[0]!))
    const { id, order_no } = await placeOrder(tx, {
      member_id,
      product_id,
      qty: 1,
      proved: true,
      now,
    })
    await payOrder(tx, id, now)
    const [code] = await tx.select().from(order_code).where(eq(order_code.order_id, id))
    await redeem(tx, { code_id: code!.id, store_id: item!.store_ids[0]!, now })
    const [row] = await tx.select().from(order).where(eq(order.id, id))
    await settleOrder(tx, row!, { now })
    return order_no
  })
/**
 * A member who lacks one growth for the level above; no version but the one in force is under way.
 * Somebody may write the next one, and `admin` approve it.
 */
const nearly = () =>
  database.transaction(async tx => {
    await tx.delete(level_ladder).where(eq(level_ladder.state, 'draft'))
    await tx
      .update(level_ladder)
      .set({ state: 'rejected', reject_reason: '改由旅程发布' })
      .where(eq(level_ladder.state, 'waiting'))
    const { levels } = await liveRules(tx)
    const at = levels.findIndex(level => level.no === 3)
    const { name, growth_min } = levels[at]!
    const { id, nickname } = await journeyMember(tx, no, 'A')
    const biz_no = `LC${no}`
    await bookGrowth(tx, { member_id: id, delta: growth_min - 1, kind: 'admin', biz_no, now })
    return { maker: await accountLikeAdmin(tx, no), nickname, at, name, growth_min }
  })
/** A member who earned points by signing in for the day, of which nothing was spent. */
const earned = () =>
  database.transaction(async tx => {
    const { id: member_id, uid } = await journeyMember(tx, no, 'A')
    await earnPoints(tx, {
      member_id,
      points: 12,
      biz_kind: 'clocked',
      biz_no: `LC${no}`,
      title: '旅程签到',
      now,
    })
    return uid
  })
const tagged = async (tx: Db, tag_id: number, as: string): Promise<string> => {
  const { id: member_id, nickname } = await journeyMember(tx, no, as)
  await tx.insert(member_tag_of).values({ member_id, tag_id, at: now })
  return nickname
}
/** Two members who are called the same by a tag, and a coupon that is given out. */
const audience = () =>
  database.transaction(async tx => {
    const name = `旅程${no.slice(-9)}`
    const [tag] = await tx.insert(member_tag).values({ name }).returning()
    const nicknames = [await tagged(tx, tag!.id, 'A'), await tagged(tx, tag!.id, 'B')]
    const [given] = await tx
      .insert(coupon)
      .values({
        coupon_no: `LC${no}`,
        name: `旅程群发券${no}`,
        scope: 'local',
        kind: 'full_reduce',
        face_cents: 10_00,
        threshold_cents: 100_00,
        apply_kind: 'all',
        apply_ids: [],
        exclude_ids: [],
        city_ids: [],
        weekdays: [],
        level_ids: [],
        total: 100,
        claim_kind: 'admin',
        claim_start_at: now - DAY,
        claim_end_at: now + 30 * DAY,
        valid_kind: 'days_after',
        valid_days: 30,
        platform_share_bp: 10_000,
        merchant_share_bp: 0,
        status: 'active',
      })
      .returning()
    return { tag: name, nicknames, coupon: given!.name, coupon_id: given!.id }
  })
/** Gives the tag to one more member, after it was used. */
const joins = ({ tag: name }: Extract<Asked, { what: 'joins' }>) =>
  database.transaction(async tx => {
    const [tag] = await tx.select().from(member_tag).where(eq(member_tag.name, name))
    return tagged(tx, tag!.id, 'C')
  })

const doing: { [K in Asked['what']]: (of: Extract<Asked, { what: K }>) => Promise<unknown> } = {
  capped,
  nearly,
  earned,
  audience,
  joins,
}
const wanted = JSON.parse(asked) as Asked
const answer = await doing[wanted.what](wanted as never)
await database.close()
process.stdout.write(JSON.stringify(answer))
