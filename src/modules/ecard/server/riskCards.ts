/** The cards of a hit: those it counted and those of its orders, and who stands around them. */
import { and, asc, eq, inArray, or, type SQL } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { cardKept } from '#src/areas/ecard/cardOrder.ts'
import { codeCan, codeLabel } from '#src/areas/ecard/codeLife.ts'
import { ecard, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { codeStates } from '#src/areas/ecard/ecard.ts'
import { member } from '#src/areas/member/member.table.ts'
import { store } from '#src/areas/merchant/merchant.table.ts'
import { order } from '#src/areas/order/order.table.ts'
import { cardReason, ordersSeen } from '#src/areas/risk/hits.server.ts'
import type { Hit } from '#src/areas/risk/risk.server.ts'
import { yuan } from '#src/domain/money.ts'
import { say, type Lang } from '#src/domain/text.ts'
import type { Db, Staff } from '#src/server/call/implement.ts'
import type { CardHitDetail } from '../contract/risk.ts'
import { seenByCard } from './codeRecord.ts'

/** A hit shows so many of its cards; a flood is told by its numbers. */
const CARDS_MOST = 200
/** The cards of some hits that the person sees. */
export const cardsWhere = (hits: readonly Hit[], staff: Pick<Staff, 'scope'>): SQL | undefined =>
  and(
    or(
      inArray(ecard_code.id, [0, ...hits.flatMap(hit => hit.code_ids)]),
      inArray(ecard_code.order_id, [0, ...hits.flatMap(hit => hit.order_ids)]),
    ),
    seenByCard(ecard_code.card_id)(staff),
  )
export const isOf = (hit: Hit, code: { id: number; order_id: number | null }): boolean =>
  hit.code_ids.includes(code.id) ||
  (code.order_id !== null && hit.order_ids.includes(code.order_id))
type Code = typeof ecard_code.$inferSelect
/** Whether that very hit froze the card: another freeze says something else. */
const isFrozenBy = (hit: Hit, { state, reason }: Code): boolean =>
  state === 'frozen' && (reason ?? '').startsWith(cardReason(hit.id))
/** A card as it is once what the hit froze is free again. */
const thawed = (hit: Hit, code: Code): Code =>
  isFrozenBy(hit, code) ? { ...code, state: code.before_freeze! } : code
/** Cards of hits with the orders that the person sees, of which they were sold. */
const soldCards = (db: Db, hits: readonly Hit[], staff: Staff) =>
  db
    .select({ code: ecard_code, rule: ecard.refund_rule, order })
    .from(ecard_code)
    .innerJoin(ecard, eq(ecard.id, ecard_code.card_id))
    .leftJoin(order, and(eq(order.id, ecard_code.order_id), ordersSeen(staff)))
    .where(cardsWhere(hits, staff))
    .orderBy(asc(ecard_code.id))
/**
 * The cards of a confirmed hit that can go back, by its orders: they were never shown, bound, given
 * or spent; those among them count that the hit itself froze.
 */
const refundableIn = (hit: Hit, sold: Awaited<ReturnType<typeof soldCards>>) => {
  const found = new Map<number, { order_no: string; cards: number[]; frozen: number[] }>()
  if (hit.state !== 'confirmed') return found
  for (const { code, rule, order: of } of sold) {
    if (!of || of.pay_state !== 'paid' || of.frozen) continue
    if (cardKept(thawed(hit, code), rule)) continue
    const own = found.get(of.id) ?? { order_no: of.order_no, cards: [], frozen: [] }
    own.cards.push(code.id)
    if (isFrozenBy(hit, code)) own.frozen.push(code.id)
    found.set(of.id, own)
  }
  return found
}
/** The cards of the hit that can go back now, by its orders. */
export const refundableOf = async (db: Db, hit: Hit, staff: Staff) =>
  refundableIn(hit, await soldCards(db, [hit], staff))
/** The cards of each hit, and how many of them can be frozen or go back now. */
export const cardsOfHits = async (
  db: Db,
  hits: readonly Hit[],
  { staff, now }: { staff: Staff; now: number },
) => {
  const codes = await soldCards(db, hits, staff).limit(CARDS_MOST * 10)
  return new Map(
    hits.map(hit => {
      const sold = codes.filter(({ code }) => isOf(hit, code))
      const own = sold.map(({ code }) => code)
      const back = [...refundableIn(hit, sold)].slice(0, CARDS_MOST)
      const free = hit.state === 'released' ? [] : own
      return [
        hit.id,
        {
          cards: own.length,
          freezable_cards: free
            .filter(code => codeCan('freeze', code, now) === true)
            .slice(0, CARDS_MOST)
            .map(code => ({ id: code.id, name: codeLabel(code) })),
          refundable_orders: back.map(([id, { order_no }]) => ({ id, name: order_no })),
        },
      ]
    }),
  )
}
const payer = alias(member, 'payer')
const holder = alias(member, 'holder')
const found = (db: Db, hit: Hit, staff: Staff) =>
  db
    .select({
      code: ecard_code,
      payer: { id: payer.id, name: payer.nickname },
      holder: { id: holder.id, name: holder.nickname },
      store: { id: store.id, name: store.name },
    })
    .from(ecard_code)
    .innerJoin(ecard, eq(ecard.id, ecard_code.card_id))
    .innerJoin(store, eq(store.id, ecard.store_id))
    .leftJoin(order, eq(order.id, ecard_code.order_id))
    .leftJoin(payer, eq(payer.id, order.member_id))
    .leftJoin(holder, eq(holder.id, ecard_code.holder_id))
    .where(cardsWhere([hit], staff))
    .orderBy(asc(ecard_code.id))
    .limit(CARDS_MOST)
type Detail = Pick<CardHitDetail, 'nodes' | 'links' | 'cards'>
/** Cards of a hit with their payers, holders and stores: as a table and as a graph. */
export const graphOf = async (
  db: Db,
  hit: Hit,
  { staff, lang }: { staff: Staff; lang: Lang },
): Promise<Detail> => {
  const rows = await found(db, hit, staff)
  const nodes = new Map<string, Detail['nodes'][number]>()
  const links: Detail['links'] = []
  const add = (
    kind: Detail['nodes'][number]['kind'],
    of: { id: number; name: string },
    note = '',
  ) => {
    const id = `${kind}:${of.id}`
    nodes.set(id, { id, kind, name: of.name || `#${of.id}`, note })
    return id
  }
  for (const row of rows) {
    const note = `${say(codeStates[row.code.state], lang)} ${yuan(row.code.balance_cents)}`
    const card = add('card', { id: row.code.id, name: codeLabel(row.code) }, note)
    if (row.payer)
      links.push({ from: add('payer', row.payer), to: card, what: say(['购买', 'bought'], lang) })
    if (row.holder)
      links.push({
        from: card,
        to: add('holder', row.holder),
        what: say(['持有', 'held by'], lang),
      })
    links.push({ from: card, to: add('store', row.store), what: say(['发卡', 'issued by'], lang) })
  }
  return {
    nodes: [...nodes.values()],
    links,
    cards: rows.map(row => ({
      id: row.code.id,
      name: codeLabel(row.code),
      state: row.code.state,
      face_cents: row.code.face_cents,
      balance_cents: row.code.balance_cents,
      payer: row.payer?.name ?? '',
      holder: row.holder?.name ?? '',
      store: row.store.name,
      frozen_here: hit.froze_codes.includes(row.code.id) && row.code.state === 'frozen',
    })),
  }
}
