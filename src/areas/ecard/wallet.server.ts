/** The cards of a member: what they hold, what they bought and nobody has yet, and each one's money. */
import { and, desc, eq, lt, sql, type SQL } from 'drizzle-orm'
import { order } from '#src/areas/order/order.table.ts'
import { noteOrder } from '#src/areas/order/orderFacts.server.ts'
import { groupedCode } from '#src/areas/secret/secretCode.ts'
import type { Sealer } from '#src/areas/secret/secrets.server.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { ecard_gift, ecard_purchase } from './cardOrder.table.ts'
import { GIFT_S } from './cardOrder.ts'
import { activateCode, showSecret } from './codeLife.server.ts'
import { isOver } from './codeLife.ts'
import { ecard, ecard_code, ecard_ledger } from './ecard.table.ts'
import { sendGift, takeGiftBack } from './gifts.server.ts'
import { CARDS_A_PAGE, MOVES_A_PAGE, ownCan, type OwnVerb } from './memberCards.ts'

const t = ecard_code
const forOther = sql<boolean>`exists (select 1 from ${ecard_purchase} p where p.order_id = ${t.order_id} and p.receiver_phone <> '')`
/** The link by which a card that is on its way is taken; null where none is. */
const sentGift = sql<{
  token: string
  sent_at: number
} | null>`(select json_build_object('token', g.token, 'sent_at', g.sent_at) from ${ecard_gift} g where g.code_id = ${t.id} and g.state = 'sent')`
const cardsOf = (db: Db) =>
  db
    .select({ code: t, card: ecard, for_other: forOther, sent: sentGift })
    .from(t)
    .innerJoin(ecard, eq(ecard.id, t.card_id))
/**
 * Held by the member, or bought by them and bound to nobody yet: each of the two is found by an index
 * of its own.
 */
const theirs = (member_id: number): SQL =>
  sql`${t.id} in (
    select h.id from ${t} h where h.holder_id = ${member_id}
    union all
    select b.id from ${order} o join ${t} b on b.order_id = o.id and b.holder_id is null and b.state in ('sold', 'frozen', 'refunding', 'expired')
    where o.member_id = ${member_id} and o.kind = 'ecard' and o.pay_state = 'paid')`
type Read = Awaited<ReturnType<typeof cardsOf>>[number]
/** A card as whoever has it reads it. */
const told = ({ code, card, for_other, sent }: Read, now: number) => {
  const isEnded = ['sold', 'active'].includes(code.state) && isOver(code, now)
  return {
    id: code.id,
    card_id: card.id,
    name: card.name,
    type: card.type,
    cover: card.cover,
    card_no: code.card_no,
    face_cents: code.face_cents,
    balance_cents: code.balance_cents,
    // The clock writes it down later.
    state: isEnded ? ('expired' as const) : code.state,
    gift_state: code.gift_state,
    for_other,
    activated_at: code.activated_at,
    valid_until: code.valid_until,
    gift: sent && { token: sent.token, until: sent.sent_at + GIFT_S },
  }
}
/** A page of a member's cards, the newest first; `next` is where the one after it begins. */
export const cardsOwn = async (
  db: Db,
  of: { member_id: number; before: number | undefined; now: number },
) => {
  const rows = await cardsOf(db)
    .where(and(theirs(of.member_id), of.before === undefined ? undefined : lt(t.id, of.before)))
    .orderBy(desc(t.id))
    .limit(CARDS_A_PAGE + 1)
  const list = rows.slice(0, CARDS_A_PAGE).map(row => told(row, of.now))
  return { list, next: rows.length > CARDS_A_PAGE ? list.at(-1)!.id : null }
}
type Own = { member_id: number; id: number }
const cardIfOwn = async (db: Db, { member_id, id }: Own): Promise<Read | undefined> =>
  (await cardsOf(db).where(and(eq(t.id, id), theirs(member_id))))[0]
const cardOwn = async (db: Db, of: Own): Promise<Read> => {
  const found = await cardIfOwn(db, of)
  if (!found) throw missing()
  return found
}
/** A page of the moves of a card's money, the newest first; undefined where the card is not theirs. */
export const movesOwn = async (db: Db, of: Own & { before: number | undefined; now: number }) => {
  const found = await cardIfOwn(db, of)
  if (!found) return undefined
  const rows = await db
    .select({
      id: ecard_ledger.id,
      type: ecard_ledger.type,
      amount_cents: ecard_ledger.amount_cents,
      balance_after_cents: ecard_ledger.balance_after_cents,
      at: ecard_ledger.created_at,
    })
    .from(ecard_ledger)
    .where(
      and(
        eq(ecard_ledger.code_id, of.id),
        of.before === undefined ? undefined : lt(ecard_ledger.id, of.before),
      ),
    )
    .orderBy(desc(ecard_ledger.id))
    .limit(MOVES_A_PAGE + 1)
  const moves = rows.slice(0, MOVES_A_PAGE)
  return {
    card: told(found, of.now),
    moves,
    next: rows.length > MOVES_A_PAGE ? moves.at(-1)!.id : null,
  }
}

/** The card as it stands under its lock. Throws 404 where it is not theirs, 422 where it can't have that. */
const heldFor = async (tx: Db, verb: OwnVerb, of: Own & { now: number }): Promise<Read> => {
  await tx.select({ id: t.id }).from(t).where(eq(t.id, of.id)).for('update')
  const found = await cardOwn(tx, of)
  const { code, card, for_other } = found
  const may = ownCan(verb, { ...code, gift: card.gift, for_other }, of.now)
  if (may !== true) throw ruled(`card_${verb}`, may)
  return found
}
type Doing = Own & { now: number }
/** A buyer binds a card of their own without typing its secret: its money is theirs from now on. */
export const activateOwn = async (tx: Db, of: Doing) => {
  const { code } = await heldFor(tx, 'activate', of)
  await activateCode(tx, { code_id: code.id, member_id: of.member_id, now: of.now })
  return told(await cardOwn(tx, of), of.now)
}
const noteShown = async (tx: Db, { code }: Read, { member_id, now }: Doing): Promise<void> => {
  if (code.order_id === null || code.shown_at !== null) return
  const tail = code.card_no.slice(-4)
  await noteOrder(tx, {
    order_id: code.order_id,
    event: 'secret_shown',
    actor: { type: 'member', id: member_id },
    at: now,
    memo: joined([`尾号 ${tail}`, `Card …${tail}`]),
  })
}
/**
 * Shows the secret of a card to whoever bought it for themselves or holds it; from the first time on
 * the card is neither refunded nor given away, and its order tells of it.
 */
export const showOwn = async (tx: Db, sealer: Sealer, of: Doing): Promise<string> => {
  const found = await heldFor(tx, 'show', of)
  const { secret } = await showSecret(tx, sealer, { code_id: of.id, now: of.now })
  await noteShown(tx, found, of)
  return groupedCode(secret)
}
/** Gives a card away; the greeting is one of those that its issuer wrote, or none. */
export const giveOwn = async (tx: Db, of: Doing & { greeting: string }) => {
  const { code, card } = await heldFor(tx, 'give', of)
  if (of.greeting !== '' && !card.greetings.includes(of.greeting))
    throw ruled('card_greeting', ['请从卡片的祝福语中选择', 'Choose one of the card’s greetings'])
  const { greeting, now } = of
  const gift = await sendGift(tx, { code_id: code.id, from_id: of.member_id, greeting, now })
  return { token: gift.token, until: gift.sent_at + GIFT_S }
}
/** A giver takes a card back that nobody took yet. */
export const takeBackOwn = async (tx: Db, of: Doing): Promise<void> => {
  await takeGiftBack(tx, { code_id: of.id, from_id: of.member_id, now: of.now })
}
/** A gift as whoever opens its link reads it; undefined where there is none of that name. */
export const giftAt = async (db: Db, token: string, now: number) => {
  const [found] = await db
    .select({ gift: ecard_gift, code: t, card: ecard, for_other: forOther })
    .from(ecard_gift)
    .innerJoin(t, eq(t.id, ecard_gift.code_id))
    .innerJoin(ecard, eq(ecard.id, t.card_id))
    .where(eq(ecard_gift.token, token))
  if (!found) return undefined
  const { gift, code, card, for_other } = found
  const until = gift.sent_at + GIFT_S
  return {
    // The clock takes it back later.
    state: gift.state === 'sent' && until <= now ? ('returned' as const) : gift.state,
    name: card.name,
    cover: card.cover,
    face_cents: code.face_cents,
    greeting: gift.greeting,
    for_other,
    until,
  }
}
/** A card as its new holder reads it, once it is theirs. */
export const cardTold = async (db: Db, of: Doing) => told(await cardOwn(db, of), of.now)
