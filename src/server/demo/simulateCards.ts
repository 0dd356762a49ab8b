import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import { ecard_gift } from '#src/areas/ecard/cardOrder.table.ts'
import { GIFT_S } from '#src/areas/ecard/cardOrder.ts'
import { activateCode, spendCode } from '#src/areas/ecard/codeLife.server.ts'
import { ecard, ecard_attr, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { receiveGift, sendGift } from '#src/areas/ecard/gifts.server.ts'
import { chosenFace, placeCards } from '#src/areas/ecard/orderPlacing.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import type { KeyFile } from '#src/areas/secret/keyFile.server.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Random } from './random.ts'

type Life = { tx: Db; random: Random; now: number; codeKeys: KeyFile | undefined }
const any = sql`random()`
const someone = async (tx: Db): Promise<number | undefined> =>
  (
    await tx
      .select({ id: member.id })
      .from(member)
      .where(eq(member.account_state, 'normal'))
      .orderBy(any)
      .limit(1)
  )[0]?.id
const buy = async ({ tx, random, now, codeKeys }: Life): Promise<boolean> => {
  const [face] = await tx
    .select({ id: ecard_attr.id, card: ecard })
    .from(ecard_attr)
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(and(eq(ecard.state, 'on'), eq(ecard.named, false), eq(ecard_attr.status, 'on')))
    .orderBy(any)
    .limit(1)
  const member_id = await someone(tx)
  if (!face || !member_id || !codeKeys) return false
  const { custom_min_cents: least, id: card_id, arts } = face.card
  const attr_id =
    least !== null && random.chance(0.5)
      ? await chosenFace(tx, { card_id, face_cents: least })
      : face.id
  const [art] = arts
  const made = await placeCards(tx, await sealerOf(codeKeys, tx), {
    attr_id,
    ...(art && { art }),
    n: random.int(1, 3),
    buyer: { member_id },
    proved: true,
    now,
  })
  if (random.chance(0.9)) await payOrder(tx, made.id, now, `member-${member_id}`)
  return true
}
/** A card that nobody has had is given away, or bound by whoever bought it. */
const begin = async ({ tx, random, now }: Life): Promise<boolean> => {
  const [card] = await tx
    .select({ id: ecard_code.id, member_id: order.member_id, gift: ecard.gift })
    .from(ecard_code)
    .innerJoin(order, eq(order.id, ecard_code.order_id))
    .innerJoin(ecard, eq(ecard.id, ecard_code.card_id))
    .where(
      and(
        eq(ecard_code.state, 'sold'),
        eq(ecard_code.gift_state, 'none'),
        eq(order.frozen, false),
        isNotNull(order.member_id),
      ),
    )
    .orderBy(any)
    .limit(1)
  if (!card) return false
  const code = { code_id: card.id, now }
  await (card.gift && random.chance(0.5)
    ? sendGift(tx, { ...code, from_id: card.member_id! })
    : activateCode(tx, { ...code, member_id: card.member_id! }))
  return true
}
const take = async ({ tx, now }: Life): Promise<boolean> => {
  const [gift] = await tx
    .select({ token: ecard_gift.token })
    .from(ecard_gift)
    .where(and(eq(ecard_gift.state, 'sent'), gt(ecard_gift.sent_at, now - GIFT_S)))
    .orderBy(any)
    .limit(1)
  const member_id = await someone(tx)
  if (!gift || !member_id) return false
  await receiveGift(tx, { token: gift.token, member_id, now })
  return true
}
const spend = async ({ tx, random, now }: Life): Promise<boolean> => {
  const [card] = await tx
    .select({ id: ecard_code.id, left: ecard_code.balance_cents })
    .from(ecard_code)
    .where(and(eq(ecard_code.state, 'active'), gt(ecard_code.balance_cents, 0)))
    .orderBy(any)
    .limit(1)
  if (!card) return false
  await spendCode(tx, {
    code_id: card.id,
    amount_cents: Math.min(card.left, random.int(5, 80) * 100),
    ref: { type: 'demo', id: now },
    now,
  })
  return true
}
/** A shopper buys an e-card, gives it away or binds it, takes a gift, or pays with a card. */
export const actOnCards = (life: Life): Promise<boolean> =>
  life.random.pick([buy, begin, take, spend])(life)
