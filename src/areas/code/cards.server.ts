import { and, eq, inArray } from 'drizzle-orm'
import {
  holdOrder,
  recount,
  type Actor,
  type Order,
  type OrderCode,
} from '#src/areas/order/orderFacts.server.ts'
import { codeStateOf } from '#src/areas/order/orderUnits.ts'
import { orderCan } from '#src/areas/order/orderVerbs.ts'
import { role } from '#src/areas/people/people.table.ts'
import { yuan } from '#src/domain/money.ts'
import { joinedNames } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { checker } from '#src/server/call/permissions.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { order_code, times_ask } from './code.table.ts'

/**
 * What times given on top would cost at the price of the others, in cents: nobody gives away more
 * than they may refund alone.
 */
const worthOf = (
  code: Pick<OrderCode, 'pay_cents' | 'platform_cents' | 'times_total'>,
  times: number,
): number => Math.ceil(((code.pay_cents + code.platform_cents) * times) / code.times_total)
/** Some roles whose holders may agree to what is worth so much, for whoever may not. */
const rolesFor = async (tx: Db, permit: string, cents: number): Promise<string[]> =>
  (await tx.select().from(role).where(eq(role.status, 'on')).orderBy(role.refund_limit_cents))
    .filter(one => one.refund_limit_cents >= cents && checker(one.perms)(permit))
    .map(one => one.name)
    .slice(0, 4)

type By = { id: number; limit_cents: number }
type Meant = { code_id?: number | undefined; times: number }
export type TimesAsk = typeof times_ask.$inferSelect

/** Uses that wait for another person's word, if there are any. */
const askedOf = async (tx: Db, order_id: number): Promise<TimesAsk | undefined> =>
  (
    await tx
      .select()
      .from(times_ask)
      .where(and(eq(times_ask.order_id, order_id), eq(times_ask.state, 'asked')))
  )[0]
/**
 * The card that is meant, and what all that was given of it would be worth: never more than were
 * bought. Of an order with several cards the one must be named.
 */
const cardFor = async (
  tx: Db,
  row: Order,
  { code_id, times }: Meant,
): Promise<{ code: OrderCode; worth: number }> => {
  const may = orderCan('addTimes', row)
  if (may !== true) throw ruled(row.frozen ? 'frozen' : 'no_more_times', may)
  if (row.refund_state === 'refunding')
    throw ruled('refunding', ['有未完结的退款，请先处理退款', 'A refund is open: decide it first'])
  const codes = await tx
    .select()
    .from(order_code)
    .where(
      and(
        eq(order_code.order_id, row.id),
        inArray(order_code.state, ['unused', 'part_used', 'used', 'expired']),
      ),
    )
    .orderBy(order_code.id)
  if (code_id === undefined && codes.length > 1)
    throw ruled(
      'which_code',
      ['本单有 {n} 张卡，请到详情页选中一张再补偿', 'It has {n} cards: choose one on its page'],
      { n: codes.length },
    )
  const code = code_id === undefined ? codes[0] : codes.find(one => one.id === code_id)
  if (!code)
    throw code_id === undefined
      ? ruled('no_card', ['没有可补偿的卡', 'It has no card that can get more'])
      : missing()
  if (code.state === 'expired')
    throw ruled('expired', ['卡已过期，请先延长有效期', 'It expired: extend its validity first'])
  const room = code.times_total - code.times_bonus
  if (times > room)
    throw ruled(
      'too_many',
      [
        '补偿不能超过购买的 {all} 次，还可补偿 {n} 次',
        'No more than the {all} that were bought: {n} can still be given',
      ],
      { all: code.times_total, n: room },
    )
  return { code, worth: worthOf(code, code.times_bonus + times) }
}
const give = async (
  tx: Db,
  row: Order,
  { code, worth }: { code: OrderCode; worth: number },
  of: { times: number; by: Pick<By, 'id'>; reason: string; now: number },
): Promise<Order> => {
  const times_bonus = code.times_bonus + of.times
  await tx
    .update(order_code)
    .set({
      times_bonus,
      state: codeStateOf({ ...code, times_bonus }, of.now),
      version: code.version + 1,
      updated_at: of.now,
    })
    .where(and(eq(order_code.id, code.id), eq(order_code.version, code.version)))
  return recount(tx, row, {
    event: 'add_times',
    actor: { type: 'staff', id: of.by.id },
    now: of.now,
    memo: of.reason,
    data: { code_id: code.id, times: of.times, worth_cents: worth },
  })
}
/**
 * What became of a wish to give uses: given, or waiting for one of those who may agree to so much.
 */
type Gift = { order: Order; code: OrderCode; waits: { worth_cents: number; who: string[] } | null }
/**
 * Gives uses of a card on top, which are worth nothing. All that was given counts against the limit
 * of whoever gives it, so that several small gifts are not a way round; above it they are asked
 * for, and another person must agree (`permit`). While that waits nobody gives more.
 */
export const addTimes = async (
  tx: Db,
  row: Order,
  of: Meant & { reason: string; by: By; permit: string; now: number },
): Promise<Gift> => {
  const { times, reason, by, now } = of
  if (await askedOf(tx, row.id))
    throw ruled('asked', [
      '已有待复核的补偿，请先同意或不同意',
      'Uses were asked for already: agree to them or refuse them first',
    ])
  const card = await cardFor(tx, row, of)
  const { code, worth } = card
  if (worth <= by.limit_cents) return { order: await give(tx, row, card, of), code, waits: null }
  const [ask] = await tx
    .insert(times_ask)
    .values({
      order_id: row.id,
      ordered_at: row.created_at,
      code_id: code.id,
      times,
      worth_cents: worth,
      state: 'asked',
      first_by: by.id,
      reason,
      created_at: now,
      updated_at: now,
    })
    .returning()
  const after = await recount(tx, row, {
    event: 'times_ask',
    actor: { type: 'staff', id: by.id },
    now,
    memo: reason,
    data: { ask_id: ask!.id, code_id: code.id, times, worth_cents: worth },
  })
  return {
    order: after,
    code,
    waits: { worth_cents: worth, who: await rolesFor(tx, of.permit, worth) },
  }
}
/**
 * The second person agrees, within their own limit and to what it is worth by now; or not. Whoever
 * asked may take it back.
 */
export const decideTimes = async (
  tx: Db,
  row: Order,
  of: { agree: boolean; reason: string; by: By; permit: string; now: number },
): Promise<{ order: Order; ask: TimesAsk; before: number | null }> => {
  const { agree, by, now } = of
  const open = await askedOf(tx, row.id)
  if (!open) throw ruled('nothing_asked', ['没有待复核的补偿', 'No added uses await approval'])
  if (agree && open.first_by === by.id)
    throw ruled('same_person', [
      '须由申请人以外的另一人复核',
      'Another person than who asked must agree',
    ])
  const card = agree ? await cardFor(tx, row, open) : undefined
  if (card && card.worth > by.limit_cents)
    throw ruled(
      'above_limit',
      [
        '连同已补偿的合计 {worth} 元，超过你的额度 {limit} 元。请由额度足够的同事办理：{who}',
        'With what was given before it is worth ¥{worth}, above your limit of ¥{limit}. Ask: {who}',
      ],
      {
        worth: yuan(card.worth),
        limit: yuan(by.limit_cents),
        who: joinedNames(await rolesFor(tx, of.permit, card.worth)) || '—',
      },
    )
  const [ask] = await tx
    .update(times_ask)
    .set({
      state: agree ? 'given' : 'refused',
      ...(open.first_by !== by.id && { second_by: by.id, second_reason: of.reason }),
      version: open.version + 1,
      updated_at: now,
    })
    .where(and(eq(times_ask.id, open.id), eq(times_ask.state, 'asked')))
    .returning()
  const after = card
    ? await give(tx, row, card, { times: open.times, by, reason: of.reason, now })
    : await recount(tx, row, {
        event: 'times_refuse',
        actor: { type: 'staff', id: by.id },
        now,
        memo: of.reason,
        data: { ask_id: open.id },
      })
  return { order: after, ask: ask!, before: card?.code.times_bonus ?? null }
}

/** Takes gifts back that nobody received yet: the buyer holds the codes again. Answers how many. */
export const recallGift = async (
  tx: Db,
  order_id: number,
  of: { actor: Actor; reason: string; now: number },
): Promise<{ order: Order; recalled: number }> => {
  const row = await holdOrder(tx, order_id)
  const back = await tx
    .update(order_code)
    .set({ gift_state: 'none', holder_id: null, updated_at: of.now })
    .where(and(eq(order_code.order_id, order_id), eq(order_code.gift_state, 'sent')))
    .returning({ id: order_code.id })
  if (back.length === 0)
    throw ruled('no_gift', [
      '没有转赠中的券码：可能已被领取',
      'Nothing is being given away: it may have been received',
    ])
  return {
    order: await recount(tx, row, {
      event: 'gift',
      actor: of.actor,
      now: of.now,
      memo: of.reason,
      data: { recalled: back.map(one => one.id) },
    }),
    recalled: back.length,
  }
}
