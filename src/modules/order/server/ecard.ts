import { and, count, eq, gte, inArray, isNotNull, sql, type SQL } from 'drizzle-orm'
import { cardCan, type CardVerb } from '#src/areas/ecard/cardOrder.ts'
import { codeOfSecret, freezeCodes, unfreezeCodes } from '#src/areas/ecard/codeLife.server.ts'
import { ecard, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { recallGifts } from '#src/areas/ecard/gifts.server.ts'
import { tellCards } from '#src/areas/ecard/issuing.server.ts'
import { askFailed, reissueCards } from '#src/areas/ecard/supplier.server.ts'
import type { OrderEvent } from '#src/areas/order/order.ts'
import { noteOrder, type Order } from '#src/areas/order/orderFacts.server.ts'
import { RESEND_MAX } from '#src/areas/order/orderMessages.server.ts'
import { order_message } from '#src/areas/order/trail.table.ts'
import { normalCode } from '#src/areas/secret/secretCode.ts'
import { sealerOf } from '#src/areas/secret/secrets.server.ts'
import { joinedNames, keptWords } from '#src/domain/text.ts'
import { dayStart } from '#src/domain/time.ts'
import { selfLogged, stepwise, type Apart } from '#src/server/call/apart.ts'
import {
  implement,
  type Db,
  type ReadContext,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { cardChoices, ecardOrder } from '../contract/ecard.ts'
import { decideHandlers } from './decide.ts'
import { exportOrders } from './exportOrders.ts'
import { answer, findOrder, heldOrder, logged, staffActor } from './held.ts'
import { enterInvoice } from './invoice.ts'
import { refundBy } from './refundBy.ts'
import { rowsOf } from './rows.ts'
import { orderHandlers } from './shared.ts'

export const kinds = ['ecard'] as const
exportOrders(
  'ecard',
  kinds,
  ['电子卡订单', 'E-card orders'],
  [
    {
      key: 'channel_name',
      title: ['渠道', 'Channel'],
      of: sql`(select h.name from ecard_channel h where h.id = o.ecard_channel_id)`,
    },
    {
      key: 'issued',
      title: ['已发放', 'Issued'],
      kind: 'number',
      of: sql`(select count(*) from ecard_code e where e.order_id = o.id and e.state <> 'held')`,
    },
    {
      key: 'spent_cents',
      title: ['已用金额', 'Spent'],
      kind: 'money',
      of: sql`(select coalesce(sum(e.face_cents - e.balance_cents), 0) from ecard_code e where e.order_id = o.id and e.activated_at is not null)`,
    },
  ],
)
const { freeze: _, unfreeze: __, refund: ___, ...list } = orderHandlers('ecard', kinds)

/** A card's whole number or its secret, found through its hash, becomes the order that it is of. */
const coded = async <I extends { card_code?: string | undefined }>(
  db: Db,
  { install }: Pick<ReadContext, 'install'>,
  input: I,
): Promise<I & { ids?: number[] }> => {
  if (!input.card_code) return input
  const typed = normalCode(input.card_code)
  const [numbered] = await db
    .select({ order_id: ecard_code.order_id })
    .from(ecard_code)
    .where(eq(ecard_code.card_no, typed))
  const found = numbered ?? (await codeOfSecret(db, await sealerOf(install.codeKeys, db), typed))
  return { ...input, ids: [found?.order_id ?? 0] }
}
/** What may be done with the cards of an order as they are now. Throws 422 with why not. */
export const mayCards = async (tx: Db, verb: CardVerb, row: Order): Promise<void> => {
  const said = cardCan(verb, (await rowsOf(tx, [row]))[0]!)
  if (said !== true) throw ruled(`not_${verb}`, said)
}
export const ofOrder = (row: Order, ids: readonly number[] | undefined): SQL =>
  ids
    ? and(eq(ecard_code.order_id, row.id), inArray(ecard_code.id, [...ids]))!
    : eq(ecard_code.order_id, row.id)
/** Notes what was done with cards of an order, in its own log and in the operation log. */
export const noteCards = async (
  { tx, staff, now, log }: Pick<WriteContext, 'tx' | 'staff' | 'now' | 'log'>,
  row: Order,
  of: { event: OrderEvent; codes: readonly { card_no: string }[]; reason: string; after?: object },
): Promise<void> => {
  const tails = of.codes.map(one => one.card_no.slice(-4))
  await noteOrder(tx, {
    order_id: row.id,
    event: of.event,
    actor: staffActor(staff),
    at: now,
    memo: keptWords(
      [`尾号 ${tails.join('、')}：${of.reason}`, `Cards …${tails.join(', ')}: ${of.reason}`],
      1000,
    ),
  })
  log({ ...logged(row), after: { cards: joinedNames(tails), ...of.after }, reason: of.reason })
}
/** Freezes or unfreezes chosen cards, or all that can be; refuses where none can. */
const turn =
  (verb: 'freezeCards' | 'unfreezeCards') =>
  async (
    { id, code_ids, reason }: { id: number; code_ids?: number[] | undefined; reason: string },
    context: WriteContext,
  ) => {
    const { tx, staff, now } = context
    const row = await findOrder(tx, kinds, id, staff)
    await mayCards(tx, verb, row)
    const freezes = verb === 'freezeCards'
    const { done, left } = freezes
      ? await freezeCodes(tx, ofOrder(row, code_ids), { admin_id: staff.id, reason, now })
      : await unfreezeCodes(tx, ofOrder(row, code_ids), { now })
    if (done.length === 0) {
      if (!left[0]) throw missing()
      throw ruled(`not_${verb}`, left[0].text)
    }
    await noteCards(context, row, {
      event: freezes ? 'cards_freeze' : 'cards_unfreeze',
      codes: done,
      reason,
    })
    return { id, done: done.length, left: code_ids ? left.length : 0 }
  }
const reissue = async (
  { id, version, reason }: { id: number; version: number; reason: string },
  context: Apart,
) => {
  const { staff, now, install, keep } = context
  const steps = stepwise(context)
  await steps.transaction(async tx =>
    mayCards(tx, 'reissue', await heldOrder(tx, kinds, { id, version }, staff)),
  )
  const work = {
    database: steps,
    supplier: install.supplier,
    sealer: () => sealerOf(install.codeKeys, steps.db),
    now,
  }
  const issued = await askFailed(work, id)
  return steps.transaction(async tx => {
    const row = await heldOrder(tx, kinds, { id }, staff)
    const said = cardCan('reissue', (await rowsOf(tx, [row]))[0]!)
    // All of it was issued after all: nothing is left to be asked for.
    if (said !== true && issued === 0) throw ruled('not_reissue', said)
    const { after, n } =
      said === true
        ? await reissueCards(tx, row, { admin_id: staff.id, reason, now })
        : { after: row, n: 0 }
    await keep(tx, {
      ...logged(row),
      before: { status: row.status },
      after: { status: after.status, cards_asked: n, cards_issued: issued },
      reason,
    })
    return { ...answer(after), asked: n, issued }
  })
}
const t = ecard_code
/** Which cards may have what they are chosen for. */
export const choices: Record<(typeof cardChoices)[number], SQL> = {
  refund: sql`${t.state} = 'sold' and ${t.shown_at} is null and ${t.holder_id} is null and ${t.gift_state} in ('none', 'returned')`,
  freeze: sql`${t.state} in ('sold', 'active')`,
  unfreeze: sql`${t.state} = 'frozen'`,
  extend: sql`${t.state} in ('sold', 'active', 'expired') and ${t.valid_until} is not null`,
  move: sql`${t.state} = 'active'`,
}
/** The notice of an order goes out again a few times a day. */
const refuseOften = async (tx: Db, row: Order, now: number): Promise<void> => {
  const [sent] = await tx
    .select({ n: count() })
    .from(order_message)
    .where(
      and(
        eq(order_message.order_id, row.id),
        eq(order_message.kind, 'notice'),
        isNotNull(order_message.admin_id),
        gte(order_message.created_at, dayStart(now)),
      ),
    )
  if (sent!.n >= RESEND_MAX)
    throw ruled(
      'too_often',
      ['同一订单每天最多重发 {n} 次，请明天再试', 'At most {n} times a day: try again tomorrow'],
      { n: RESEND_MAX },
    )
}

export const ecardOrderServer = implement(ecardOrder, {
  ...list,
  ...decideHandlers(kinds),
  lst: async (input, context) => list.lst(await coded(context.db, context, input), context),
  counts: async (input, context) => list.counts(await coded(context.db, context, input), context),
  export: async (input, context) => list.export(await coded(context.tx, context, input), context),
  cards: async ({ order_id, keyword, verb, page, pageSize }, { db, staff }) => {
    const row = await findOrder(db, kinds, order_id, staff)
    const where = and(
      eq(ecard_code.order_id, row.id),
      verb && choices[verb],
      keyword ? sql`${ecard_code.card_no} like ${`%${keyword.replace(/\D/g, '')}`}` : undefined,
    )
    const codes = await db
      .select({ id: ecard_code.id, card_no: ecard_code.card_no, state: ecard_code.state })
      .from(ecard_code)
      .where(where)
      .orderBy(ecard_code.id)
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return {
      list: codes.map(({ id, card_no, state }) => ({ id, tail: card_no.slice(-4), state })),
      ...(await countOf(db, ecard_code, where)),
    }
  },
  names: async ({ keyword, page, pageSize }, { db, staff }) => {
    const where = and(
      within(staff.scope, { city: ecard.city_id, mall: ecard.mall_id }),
      keyword ? sql`${ecard.name} ilike ${like(keyword)}` : undefined,
    )
    const cards = await db
      .select({ id: ecard.id, name: ecard.name })
      .from(ecard)
      .where(where)
      .orderBy(ecard.id)
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: cards, ...(await countOf(db, ecard, where)) }
  },
  reissue: selfLogged(ecardOrder.reissue, reissue),
  refund: async ({ id, version, code_ids, reason }, context) => {
    const row = await heldOrder(context.tx, kinds, { id, version }, context.staff)
    const made = await refundBy(context, row, { card_ids: code_ids, reason })
    return {
      id,
      refund_id: made.id,
      refund_no: made.refund_no,
      amount_cents: made.amount_cents,
      state: made.state,
    }
  },
  freezeCards: turn('freezeCards'),
  unfreezeCards: turn('unfreezeCards'),
  recallGift: async ({ id, reason }, { tx, staff, now, log }) => {
    const row = await findOrder(tx, kinds, id, staff)
    const back = await recallGifts(tx, { order_id: id, admin_id: staff.id, reason, now })
    log({ ...logged(row), after: { gifts_recalled: back.length }, reason })
    return { id, recalled: back.length }
  },
  resendNotice: async ({ id }, { tx, staff, now, log }) => {
    const row = await heldOrder(tx, kinds, { id }, staff)
    await mayCards(tx, 'resendNotice', row)
    await refuseOften(tx, row, now)
    if (!(await tellCards(tx, row, { admin_id: staff.id, now })))
      throw ruled('no_phone', ['没有登记手机号，无法发送', 'No phone is on record'])
    await noteOrder(tx, { order_id: id, event: 'message', actor: staffActor(staff), at: now })
    log({ ...logged(row), after: { notice: true } })
    return { id }
  },
  invoice: (input, context) => enterInvoice(context, kinds, input),
})
