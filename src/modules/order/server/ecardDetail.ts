import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import {
  ecard_gift,
  ecard_identity,
  ecard_move,
  ecard_request,
} from '#src/areas/ecard/cardOrder.table.ts'
import { cardKept } from '#src/areas/ecard/cardOrder.ts'
import { extendCodes, ledgerOf, showSecret } from '#src/areas/ecard/codeLife.server.ts'
import { ecard, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { askMove, decideMove } from '#src/areas/ecard/holderMove.server.ts'
import { suppliers } from '#src/areas/ecard/suppliers.ts'
import { noteReveal } from '#src/areas/log/reveal.server.ts'
import { member } from '#src/areas/member/member.table.ts'
import { noteOrder, type Order } from '#src/areas/order/orderFacts.server.ts'
import { queryPayment } from '#src/areas/payment/payments.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { grouped } from '#src/domain/grouped.ts'
import { mobileOf } from '#src/domain/phone.ts'
import { headed, joined, say, type Lang } from '#src/domain/text.ts'
import { implement, type Db, type WriteContext } from '#src/server/call/implement.ts'
import { missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { begins } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import {
  ecardOrderDetail,
  type CardsOfOrder,
  type GiftOfOrder,
  type MoveOfOrder,
  type RequestOfOrder,
} from '../contract/ecard.ts'
import { choices, kinds, mayCards, noteCards, ofOrder } from './ecard.ts'
import { findOrder, logged, staffActor } from './held.ts'

const tail = (card_no: string) => card_no.slice(-4)
type Page = { page: number; pageSize: number }
type Paged = Page & { lang: Lang }
/** A page of the cards of an order, each with its holder and all that moved its money. */
const cardsOf = async (
  db: Db,
  row: Order,
  { page, pageSize, lang }: Paged,
): Promise<CardsOfOrder['cards']> => {
  const rows = await db
    .select({ code: ecard_code, rule: ecard.refund_rule, holder: member.nickname, by: admin.name })
    .from(ecard_code)
    .innerJoin(ecard, eq(ecard.id, ecard_code.card_id))
    .leftJoin(member, eq(member.id, ecard_code.holder_id))
    .leftJoin(admin, eq(admin.id, ecard_code.frozen_by))
    .where(eq(ecard_code.order_id, row.id))
    .orderBy(ecard_code.id)
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  const moves = grouped(
    await ledgerOf(
      db,
      rows.map(one => one.code.id),
    ),
    one => one.code_id,
  )
  return rows.map(({ code, rule, holder, by }) => {
    const kept = cardKept(code, rule)
    return {
      id: code.id,
      version: code.version,
      tail: tail(code.card_no),
      card_no: code.card_no,
      state: code.state,
      gift_state: code.gift_state,
      holder: code.holder_id === null ? null : { id: code.holder_id, name: holder ?? '' },
      face_cents: code.face_cents,
      balance_cents: code.balance_cents,
      spent_cents: code.activated_at === null ? 0 : code.face_cents - code.balance_cents,
      shown_at: code.shown_at,
      activated_at: code.activated_at,
      valid_until: code.valid_until,
      kept: kept ? say(kept, lang) : null,
      frozen_by: by,
      frozen_at: code.frozen_at,
      reason: code.reason,
      moves: (moves.get(code.id) ?? []).map(one => ({
        id: one.id,
        type: one.type,
        amount_cents: one.amount_cents,
        balance_after_cents: one.balance_after_cents,
        at: one.created_at,
      })),
    }
  })
}
const [giver, taker] = [alias(member, 'giver'), alias(member, 'taker')]
const giftsOf = async (
  db: Db,
  order_id: number,
  { page, pageSize }: Page,
): Promise<GiftOfOrder[]> =>
  (
    await db
      .select({
        gift: ecard_gift,
        card_no: ecard_code.card_no,
        from: giver.nickname,
        to: taker.nickname,
      })
      .from(ecard_gift)
      .innerJoin(ecard_code, eq(ecard_code.id, ecard_gift.code_id))
      .innerJoin(giver, eq(giver.id, ecard_gift.from_id))
      .leftJoin(taker, eq(taker.id, ecard_gift.to_id))
      .where(eq(ecard_gift.order_id, order_id))
      .orderBy(desc(ecard_gift.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
  ).map(({ gift, card_no, from, to }) => ({
    id: gift.id,
    tail: tail(card_no),
    state: gift.state,
    from_name: from,
    to_name: to,
    greeting: gift.greeting,
    sent_at: gift.sent_at,
    ended_at: gift.received_at ?? gift.returned_at,
    why: gift.reason,
  }))
const q = ecard_request
/** A unit's last request failed and none of it was issued: what `newestOf` finds among all of them. */
const stands = sql`(${q.state} = 'failed' and ${q.id} = max(${q.id}) filter (where ${q.state} <> 'surplus') over (partition by ${q.item_id}, ${q.unit}) and not bool_or(${q.state} = 'success') over (partition by ${q.item_id}, ${q.unit}))`
/** A page of what suppliers were asked for: failures that stand first, then the newest. */
const requestsOf = async (
  db: Db,
  order_id: number,
  { page, pageSize, lang }: Paged,
): Promise<RequestOfOrder[]> =>
  (
    await db
      .select({ one: q, by: admin.name })
      .from(q)
      .leftJoin(admin, eq(admin.id, q.asked_by))
      .where(eq(q.order_id, order_id))
      .orderBy(desc(stands), desc(q.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
  ).map(({ one, by }) => ({
    id: one.id,
    unit: one.unit,
    out_no: one.out_no,
    supplier:
      one.supplier in suppliers
        ? say(suppliers[one.supplier as keyof typeof suppliers], lang)
        : one.supplier,
    state: one.state,
    answer: one.answer,
    supplier_no: one.supplier_no,
    tries: one.tries,
    by: by ?? '',
    reason: one.reason,
    at: one.answered_at ?? one.created_at,
  }))
const [first, second] = [alias(admin, 'first'), alias(admin, 'second')]
const movesOf = async (
  db: Db,
  order_id: number,
  { page, pageSize }: Page,
): Promise<MoveOfOrder[]> =>
  (
    await db
      .select({
        move: ecard_move,
        card_no: ecard_code.card_no,
        from: giver.nickname,
        to: taker.nickname,
        first: first.name,
        second: second.name,
      })
      .from(ecard_move)
      .innerJoin(ecard_code, eq(ecard_code.id, ecard_move.code_id))
      .innerJoin(giver, eq(giver.id, ecard_move.from_id))
      .innerJoin(taker, eq(taker.id, ecard_move.to_id))
      .innerJoin(first, eq(first.id, ecard_move.first_by))
      .leftJoin(second, eq(second.id, ecard_move.second_by))
      .where(eq(ecard_move.order_id, order_id))
      .orderBy(desc(ecard_move.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
  ).map(({ move, card_no, ...names }) => ({
    id: move.id,
    code_id: move.code_id,
    tail: tail(card_no),
    from_name: names.from,
    to_name: names.to,
    from_phone: move.from_phone,
    to_phone: move.to_phone,
    state: move.state,
    first_by: move.first_by,
    first_name: names.first,
    second_name: names.second,
    reason: move.reason,
    second_reason: move.second_reason,
    at: move.decided_at ?? move.created_at,
  }))
const decide =
  (agree: boolean) =>
  async (
    { id, move_id, reason }: { id: number; move_id: number; reason: string },
    { tx, staff, now, log }: WriteContext,
  ) => {
    const row = await findOrder(tx, kinds, id, staff)
    const after = await decideMove(tx, {
      order_id: row.id,
      move_id,
      agree,
      admin_id: staff.id,
      reason,
      now,
    })
    log({
      ...logged(row),
      before: { move_state: 'asked' },
      after: { move_state: after.state },
      reason,
    })
    return { id, move_id }
  }

export const ecardOrderDetailServer = implement(ecardOrderDetail, {
  // The channel is asked outside any transaction, then what it says is taken like its own word.
  queryPay: async ({ id }, { tx, staff, now, install }) => {
    const row = await findOrder(tx, kinds, id, staff)
    return { id, said: await queryPayment(tx, install.pay, row.id, now) }
  },
  cards: async ({ id, ...at }, { db, staff }) => {
    const row = await findOrder(db, kinds, id, staff)
    const [identity] = await db
      .select({ kind: ecard_identity.kind, name: ecard_identity.name, id_no: ecard_identity.id_no })
      .from(ecard_identity)
      .where(eq(ecard_identity.order_id, id))
    const risks = await db
      .select({
        id: risk_hit.id,
        rule: risk_hit.rule,
        score: risk_hit.score,
        state: risk_hit.state,
        at: risk_hit.hit_at,
      })
      .from(risk_hit)
      .where(sql`${risk_hit.order_ids} @> ${JSON.stringify([id])}::jsonb`)
      .orderBy(desc(risk_hit.id))
    return {
      cards: await cardsOf(db, row, { ...at, lang: staff.lang }),
      total: await db.$count(ecard_code, ofOrder(row, undefined)),
      identity: identity ?? null,
      risks,
    }
  },
  requests: async ({ id, ...at }, { db, staff }) => {
    const row = await findOrder(db, kinds, id, staff)
    return {
      list: await requestsOf(db, row.id, { ...at, lang: staff.lang }),
      total: await db.$count(q, eq(q.order_id, row.id)),
    }
  },
  gifts: async ({ id, ...at }, { db, staff }) => {
    const row = await findOrder(db, kinds, id, staff)
    return {
      list: await giftsOf(db, row.id, at),
      total: await db.$count(ecard_gift, eq(ecard_gift.order_id, row.id)),
    }
  },
  moves: async ({ id, ...at }, { db, staff }) => {
    const row = await findOrder(db, kinds, id, staff)
    return {
      list: await movesOf(db, row.id, at),
      total: await db.$count(ecard_move, eq(ecard_move.order_id, row.id)),
    }
  },
  extend: async ({ id, code_ids, until, reason }, context) => {
    const { tx, staff, now } = context
    const row = await findOrder(tx, kinds, id, staff)
    if (!code_ids) await mayCards(tx, 'extend', row)
    const own = await tx
      .select({ id: ecard_code.id })
      .from(ecard_code)
      .where(and(ofOrder(row, code_ids), code_ids ? undefined : choices.extend))
    if (own.length < new Set(code_ids).size) throw missing()
    const codes = await extendCodes(
      tx,
      own.map(one => one.id),
      { until, now },
    )
    await noteCards(context, row, {
      event: 'extend',
      codes,
      reason,
      after: { valid_until: until },
    })
    return { id, done: codes.length, left: 0 }
  },
  members: async ({ keyword, page, pageSize }, { db, staff }) => {
    const typed = keyword?.replace(/[\s-]/g, '') ?? ''
    const phone = mobileOf(typed)
    const where = and(
      inArray(member.account_state, ['normal', 'muted']),
      within(staff.scope, { city: member.city_id }),
      phone
        ? eq(member.phone, phone)
        : sql`(${member.uid} = ${typed.toUpperCase()} or ${member.nickname} like ${begins(keyword ?? '')})`,
    )
    const rows = await db
      .select({ id: member.id, name: member.nickname, uid: member.uid, phone: member.phone })
      .from(member)
      .where(where)
      .orderBy(member.id)
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, member, where)) }
  },
  moveHolder: async ({ id, code_id, member_id, reason }, { tx, staff, now, log }) => {
    const row = await findOrder(tx, kinds, id, staff)
    const [to] = await tx
      .select({ id: member.id })
      .from(member)
      .where(and(eq(member.id, member_id), within(staff.scope, { city: member.city_id })))
    if (!to) throw missing()
    const asked = await askMove(tx, {
      order_id: row.id,
      code_id,
      to_id: to.id,
      admin_id: staff.id,
      reason,
      now,
    })
    log({ ...logged(row), after: { move_state: 'asked', member_id }, reason })
    return { id, move_id: asked.id }
  },
  confirmMove: decide(true),
  refuseMove: decide(false),
  revealSecret: async ({ id, code_id, reason }, context) => {
    const { tx, staff, now, install } = context
    const row = await findOrder(tx, kinds, id, staff)
    if ((await tx.$count(ecard_code, ofOrder(row, [code_id]))) === 0) throw missing()
    const told = await noteReveal(context, 'ecard.secret', logged(row), reason)
    const { code, secret } = await showSecret(tx, await sealerOf(install.codeKeys, tx), {
      code_id,
      now,
    })
    await noteOrder(tx, {
      order_id: id,
      event: 'secret_shown',
      actor: staffActor(staff),
      at: now,
      memo: joined(headed([`尾号 ${tail(code.card_no)}`, `Card …${tail(code.card_no)}`], reason)),
    })
    return { id, code: secret, ...told }
  },
})
