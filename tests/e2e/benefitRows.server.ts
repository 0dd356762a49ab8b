/**
 * `node --import ./src/source.mjs tests/e2e/benefitRows.server.ts SOCKET ASKED`: what no page
 * does and the journeys of coupons, e-cards and risk need: goods of a shop of theirs, people, what
 * these buy, give away and spend, and what a rule finds of it. It is written by the functions that the server calls, into the
 * database of the server whose pages the journey opens.
 */
import { dirname } from 'node:path'
import { and, asc, eq } from 'drizzle-orm'
import { coupon, coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { spendCode } from '#src/areas/ecard/codeLife.server.ts'
import { ecard, ecard_attr, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { receiveGift, sendGift } from '#src/areas/ecard/gifts.server.ts'
import { placeCards } from '#src/areas/ecard/orderPlacing.server.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { placeOrder } from '#src/areas/order/trade.server.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { product, product_version } from '#src/areas/product/product.table.ts'
import { risk_hit, risk_rule } from '#src/areas/risk/risk.table.ts'
import { codeKeysIn, openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { gramsOf } from '#src/domain/search.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { journeyMerchant } from './journeyMerchant.ts'
import { accountLikeAdmin, journeyMember, runNumber } from './journeyPeople.ts'
import { openOfServer } from './rowsDatabase.ts'

/** What the journeys ask for, each with the numbers that an earlier answer told. */
type Asked =
  | { what: 'goods' }
  | { what: 'buy'; member_id: number; product_id: number; coupon: string }
  | { what: 'cards' }
  | { what: 'give'; order_id: number; from_id: number; to_id: number }
  | { what: 'spend'; code_id: number; cents: number }
  | { what: 'hits' }

const [socket, asked] = process.argv.slice(2) as [string, string]
const database = await openOfServer(socket)
const { db } = database
const no = runNumber()
const now = unixNow()
const aMember = (as: string) => journeyMember(db, no, as)

/** A merchant who trades, with an open store that is like one of the demo's. */
const aShop = async () => {
  const [own] = await db.insert(merchant).values(journeyMerchant(no)).returning()
  const [like] = await db
    .select()
    .from(store)
    .where(eq(store.kind, 'offline'))
    .orderBy(asc(store.id))
    .limit(1)
  const { id: _, version: __, name_pairs: ___, ...columns } = like!
  const [shop] = await db
    .insert(store)
    .values({
      ...columns,
      store_no: `LC${no}`,
      merchant_id: own!.id,
      name: `旅程门店${no}`,
      city_id: 1,
      status: 'open',
    })
    .returning()
  return shop!
}
/** Something of 120 yuan that is bought at a shop of its own, is given back any time, and earns. */
const aProduct = async () => {
  const shop = await aShop()
  const [like] = await db
    .select({ product, version: product_version })
    .from(product)
    .innerJoin(product_version, eq(product_version.product_id, product.id))
    .where(and(eq(product.kind, 'bulks'), eq(product_version.state, 'live')))
    .orderBy(asc(product.id))
    .limit(1)
  const { id: _, version: __, ...columns } = like!.product
  const title = `旅程套餐${no}`
  const [item] = await db
    .insert(product)
    .values({
      ...columns,
      title,
      merchant_id: shop.merchant_id,
      store_ids: [shop.id],
      city_id: shop.city_id,
      mall_id: shop.mall_id,
      list_price_cents: 150_00,
      price_cents: 120_00,
      settle_price_cents: 80_00,
      stock: 50,
      held: 0,
      sold: 0,
      sale_start_at: now - DAY,
      sale_end_at: now + 90 * DAY,
      check_start_at: now - DAY,
      check_end_at: now + 180 * DAY,
      valid_days: 60,
      refund_policy: 'anytime',
      group_need: null,
      group_price_cents: null,
      limit_per_member: null,
      grams: gramsOf(title),
      state: 'on_sale',
      off_reason: null,
      taken_off: [],
      live_version: 1,
      in_activity: false,
    })
    .returning()
  const body = { ...like!.version.body, title }
  await db
    .insert(product_version)
    .values({ product_id: item!.id, no: 1, body, changed: [], state: 'live' })
  return item!
}
const goods = async () => {
  const { id: product_id, title } = await aProduct()
  const { id: member_id, nickname } = await aMember('A')
  return { maker: await accountLikeAdmin(db, no), product_id, title, member_id, nickname }
}
/** A member's order of one unit, paid, with the piece that they hold of a coupon. */
const buy = ({ member_id, product_id, coupon: name }: Extract<Asked, { what: 'buy' }>) =>
  database.transaction(async tx => {
    const [piece] = await tx
      .select({ id: coupon_grant.id })
      .from(coupon_grant)
      .innerJoin(coupon, eq(coupon.id, coupon_grant.coupon_id))
      .where(and(eq(coupon.name, name), eq(coupon_grant.member_id, member_id)))
    const { id, order_no } = await placeOrder(tx, {
      member_id,
      product_id,
      qty: 1,
      coupon_grant_id: piece!.id,
      proved: true,
      now,
    })
    await payOrder(tx, id, now)
    return order_no
  })
/** Three cards of 100 yuan each, sold to a member who may give them away. */
const cards = async () => {
  const shop = await aShop()
  const [buyer, friend] = [await aMember('A'), await aMember('B')]
  const [card] = await db
    .insert(ecard)
    .values({
      name: `旅程卡${no}`,
      type: 'stored',
      merchant_id: shop.merchant_id,
      store_id: shop.id,
      city_id: shop.city_id,
      mall_id: shop.mall_id,
      source: 'generate',
      valid_type: 'none',
      scope: { mall_ids: [], store_ids: [shop.id], category_ids: [] },
      limits: { order: null, day: null, person: null },
      refund_rule: 'unused',
      agreement: '购卡协议',
      gift: true,
      state: 'on',
    })
    .returning()
  const [face] = await db
    .insert(ecard_attr)
    .values({ card_id: card!.id, face_cents: 100_00, price_cents: 100_00, status: 'on' })
    .returning()
  return database.transaction(async tx => {
    const sealer = await sealerOf(openKeyFile(codeKeysIn(dirname(socket))), tx)
    const { id: order_id, order_no } = await placeCards(tx, sealer, {
      attr_id: face!.id,
      n: 3,
      buyer: { member_id: buyer.id },
      proved: true,
      now,
    })
    await payOrder(tx, order_id, now)
    return { order_id, order_no, from_id: buyer.id, to_id: friend.id, friend: friend.nickname }
  })
}
/** Gives the first card of an order to a friend and takes it for the friend; answers the card's id. */
const give = ({ order_id, from_id, to_id }: Extract<Asked, { what: 'give' }>) =>
  database.transaction(async tx => {
    const [code] = await tx
      .select({ id: ecard_code.id })
      .from(ecard_code)
      .where(eq(ecard_code.order_id, order_id))
      .orderBy(asc(ecard_code.id))
      .limit(1)
    const { token } = await sendGift(tx, { code_id: code!.id, from_id, now })
    await receiveGift(tx, { token, member_id: to_id, now })
    return code!.id
  })
const spend = ({ code_id, cents }: Extract<Asked, { what: 'spend' }>) =>
  database.transaction(async tx => {
    const { balance_after_cents } = await spendCode(tx, {
      code_id,
      amount_cents: cents,
      ref: { type: 'order', id: Number(no.slice(-9)) },
      now,
    })
    return balance_after_cents
  })
/** A rule that is off, so that nothing adds to it, with three hits of one paid order each. */
const hits = async () => {
  const { id: product_id, city_id } = await aProduct()
  const members = [await aMember('A'), await aMember('B'), await aMember('C')]
  return database.transaction(async tx => {
    const condition = { metric: 'member_orders' } as const
    const [rule] = await tx
      .insert(risk_rule)
      .values({
        scene: 'order',
        name: `旅程规则${no}`,
        condition,
        threshold: 1,
        window_s: DAY,
        action: 'mark',
        status: 'off',
      })
      .returning()
    for (const { id: member_id } of members) {
      const { id } = await placeOrder(tx, { member_id, product_id, qty: 1, proved: true, now })
      await payOrder(tx, id, now)
      await tx.insert(risk_hit).values({
        domain: 'platform',
        rule: condition.metric,
        rule_id: rule!.id,
        scene: rule!.scene,
        level: 'mid',
        score: 60,
        action: rule!.action,
        city_id,
        member_id,
        order_ids: [id],
        value: 1,
        amount_cents: 120_00,
        note: '旅程命中',
        state: 'open',
        hit_at: now,
        last_at: now,
      })
    }
    return rule!.id
  })
}

const doing: { [K in Asked['what']]: (of: Extract<Asked, { what: K }>) => Promise<unknown> } = {
  goods,
  buy,
  cards,
  give,
  spend,
  hits,
}
const wanted = JSON.parse(asked) as Asked
const answer = await doing[wanted.what](wanted as never)
await database.close()
process.stdout.write(JSON.stringify(answer))
