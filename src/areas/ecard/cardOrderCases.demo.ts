import { and, asc, eq, sql } from 'drizzle-orm'
import { noteOrder, type Order } from '#src/areas/order/orderFacts.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { World } from '#src/server/demo/step.ts'
import { spendCode } from './codeLife.server.ts'
import { ecard, ecard_attr, ecard_code } from './ecard.table.ts'
import { receiveGift, sendGift } from './gifts.server.ts'
import { askMove } from './holderMove.server.ts'
import { placeCards, type BuyingCards } from './orderPlacing.server.ts'

type Face = { face: typeof ecard_attr.$inferSelect; card: typeof ecard.$inferSelect }
type By = { db: Db; sealer: Sealer; now: number }
const person = { kind: 'person', name: '林知夏', id_no: '11010519491231002X' } as const
const place = ({ db, sealer }: By, of: BuyingCards): Promise<Order> =>
  placeCards(db, sealer, { proved: true, ...of })
const buy = async (by: By, of: BuyingCards): Promise<Order> => {
  const row = await place(by, of)
  await payOrder(by.db, row.id, of.now + 20)
  return row
}
const firstCode = async (db: Db, order_id: number) =>
  (
    await db
      .select()
      .from(ecard_code)
      .where(eq(ecard_code.order_id, order_id))
      .orderBy(asc(ecard_code.id))
      .limit(1)
  )[0]!
/** Gives an order back as its buyer asks, or as staff do beyond their limit. */
const giveBack = (
  db: Db,
  row: Order,
  of: { by?: { id: number; limit_cents: number }; at: number },
) =>
  openRefund(db, {
    order_id: row.id,
    wanted: 'all',
    source: of.by ? 'staff' : 'member',
    reason: '买错了，还没有使用',
    actor: of.by ? { type: 'staff', id: of.by.id } : { type: 'member', id: row.member_id },
    ...(of.by && { by: of.by }),
    now: of.at,
  })
/** A refund that the channel would not pay. */
const refusedPayout = async (db: Db, row: Order, at: number): Promise<void> => {
  const made = await giveBack(db, row, { by: { id: 2, limit_cents: 10_000_000 }, at })
  await db.update(refund).set({ state: 'pay_failed' }).where(eq(refund.id, made.id))
  await db
    .update(payment)
    .set({
      state: 'failed',
      fail_code: 'NOT_ENOUGH',
      fail_text: '商户账户余额不足',
      fails: 1,
      tries: 1,
    })
    .where(and(eq(payment.refund_id, made.id), eq(payment.direction, 'out')))
  await noteOrder(db, {
    order_id: row.id,
    event: 'refund_failed',
    actor: { type: 'channel' },
    at: at + 30,
    memo: '商户账户余额不足',
  })
}
/** A large order of a named card, with its buyer's identity. */
const bulk = async (by: By): Promise<void> => {
  const { db, now } = by
  const [named] = await db
    .select({ face: ecard_attr })
    .from(ecard_attr)
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(and(eq(ecard.named, true), eq(ecard.state, 'on'), eq(ecard_attr.status, 'on')))
    .orderBy(sql`${ecard_attr.face_cents} desc`)
    .limit(1)
  if (named)
    await buy(by, {
      attr_id: named.face.id,
      n: Math.max(2, Math.ceil(1_000_000 / named.face.price_cents)),
      buyer: { member_id: 11 },
      identity: person,
      now: now - 2 * DAY,
    })
}
/**
 * A card that was given away and spent twice, with others of its order that nobody has had; its
 * holder is to be another, which waits for a second person.
 */
const toMove = async (by: By, attr_id: number): Promise<void> => {
  const { db, now } = by
  const row = await buy(by, { attr_id, n: 3, buyer: { member_id: 12 }, now: now - 5 * DAY })
  const code = await firstCode(db, row.id)
  const gift = await sendGift(db, {
    code_id: code.id,
    from_id: 12,
    greeting: '生日快乐，天天开心！',
    now: now - 4 * DAY - HOUR,
  })
  await receiveGift(db, { token: gift.token, member_id: 14, now: now - 4 * DAY })
  for (const [nth, part] of [0.2, 0.3].entries())
    await spendCode(db, {
      code_id: code.id,
      amount_cents: Math.round(code.face_cents * part),
      ref: { type: 'demo', id: row.id * 10 + nth },
      now: now - 3 * DAY + nth * HOUR,
    })
  await askMove(db, {
    order_id: row.id,
    code_id: code.id,
    to_id: 13,
    admin_id: 3,
    reason: '持卡人更换手机号后无法登录，已核对购卡凭证',
    now: now - 2 * HOUR,
  })
}
/** Orders that stand before somebody's work: each action of the two pages has its row. */
export const placeSome = async (
  db: Db,
  sealer: Sealer,
  { faces, world }: { faces: readonly Face[]; world: World },
): Promise<void> => {
  const by = { db, sealer, now: world.now }
  const { now } = world
  const stored = faces.filter(({ card }) => card.gift && card.type === 'stored')
  const face = stored[0]
  if (!face || world.memberCount < 20) return
  const attr_id = face.face.id
  const of = (member_id: number, at: number, n = 2): BuyingCards => ({
    attr_id,
    n,
    buyer: { member_id },
    now: at,
  })
  await place(by, of(14, now - 200))
  const given = await buy(by, of(15, now - 3 * HOUR))
  await sendGift(db, {
    code_id: (await firstCode(db, given.id)).id,
    from_id: 15,
    greeting: '节日快乐，阖家幸福！',
    now: now - 2 * HOUR,
  })
  await buy(by, {
    ...of(16, now - DAY),
    invoice: { kind: 'company', title: '杭州知行文化传媒有限公司', tax_no: '91330100MA2H0000X1' },
  })
  await giveBack(db, await buy(by, of(17, now - DAY)), { at: now - 5 * HOUR })
  await giveBack(db, await buy(by, of(18, now - DAY)), {
    by: { id: 4, limit_cents: 0 },
    at: now - 4 * HOUR,
  })
  await refusedPayout(db, await buy(by, of(19, now - DAY)), now - 3 * HOUR)
  await toMove(by, attr_id)
  // Three at once that nobody has had yet: what risk control asks about.
  await buy(by, of(10, now - 2 * DAY, 3))
  await bulk(by)
}
