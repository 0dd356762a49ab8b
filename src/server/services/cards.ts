import { and, eq, inArray } from 'drizzle-orm'
import { codeStateOf, orderCan } from '#src/domain/order.ts'
import { yuan } from '#src/domain/money.ts'
import type { Db } from '../implement.ts'
import { checker } from '../permissions.ts'
import { missing, ruled } from '../refuse.ts'
import { order_code } from '../tables/order.ts'
import { role } from '../tables/people.ts'
import { holdOrder, recount, type Actor, type Order, type OrderCode } from './orderFacts.ts'

/** What times given on top would cost at the price of the others, in cents: nobody gives away more than they may refund alone. */
export const worthOf = (code: Pick<OrderCode, 'pay_cents' | 'platform_cents' | 'times_total'>, times: number): number => Math.ceil(((code.pay_cents + code.platform_cents) * times) / code.times_total)
/** Roles whose holders may do what is worth so much, for whoever may not. */
const rolesFor = async (tx: Db, permit: string, cents: number): Promise<string[]> =>
  (await tx.select().from(role).where(eq(role.status, 'on')).orderBy(role.refund_limit_cents)).filter(one => one.refund_limit_cents >= cents && checker(one.perms)(permit)).map(one => one.name)

type Given = { code: OrderCode; before: number }
/**
 * Gives uses of a card on top, which are worth nothing: never more than were bought, and all that was given counts against the limit of whoever gives it, so that
 * several small gifts are not a way round. Of an order with several cards the one must be named.
 */
export const addTimes = async (tx: Db, row: Order, of: { code_id?: number | undefined; times: number; reason: string; by: { id: number; limit_cents: number; permit: string }; now: number }): Promise<{ order: Order; given: Given }> => {
  const { times, now, by } = of
  const may = orderCan('addTimes', row)
  if (may !== true) throw ruled(row.frozen ? 'frozen' : 'no_more_times', may)
  if (row.refund_state === 'refunding') throw ruled('refunding', ['有未完结的退款，请先处理退款', 'A refund is open: decide it first'])
  const codes = await tx.select().from(order_code).where(and(eq(order_code.order_id, row.id), inArray(order_code.state, ['unused', 'part_used', 'used', 'expired']))).orderBy(order_code.id)
  if (of.code_id === undefined && codes.length > 1) throw ruled('which_code', ['本单有 {n} 张卡，请到详情页选中一张再补偿', 'It has {n} cards: choose one on its page'], { n: codes.length })
  const code = of.code_id === undefined ? codes[0] : codes.find(one => one.id === of.code_id)
  if (!code) throw of.code_id === undefined ? ruled('no_card', ['没有可补偿的卡', 'It has no card that can get more']) : missing()
  if (code.state === 'expired') throw ruled('expired', ['卡已过期，请先延长有效期', 'It expired: extend its validity first'])
  const room = code.times_total - code.times_bonus
  if (times > room) throw ruled('too_many', ['补偿不能超过购买的 {all} 次，还可补偿 {n} 次', 'No more than the {all} that were bought: {n} can still be given'], { all: code.times_total, n: room })
  const worth = worthOf(code, code.times_bonus + times)
  if (worth > by.limit_cents) {
    const who = await rolesFor(tx, by.permit, worth)
    throw ruled('above_limit', ['连同已补偿的共值 {worth} 元，超过你的额度 {limit} 元。请由额度足够的同事办理：{who}', 'With what was given before it is worth {worth} yuan, above your limit of {limit}. Ask: {who}'], { worth: yuan(worth), limit: yuan(by.limit_cents), who: who.slice(0, 4).join('、') || '—' })
  }
  const times_bonus = code.times_bonus + times
  await tx.update(order_code).set({ times_bonus, state: codeStateOf({ ...code, times_bonus }, now), version: code.version + 1, updated_at: now }).where(and(eq(order_code.id, code.id), eq(order_code.version, code.version)))
  const after = await recount(tx, row, { event: 'add_times', actor: { type: 'staff', id: by.id }, now, memo: of.reason, data: { code_id: code.id, times, worth_cents: worth } })
  return { order: after, given: { code, before: code.times_bonus } }
}

/** Takes gifts back that nobody received yet: the buyer holds the codes again. Answers how many. */
export const recallGift = async (tx: Db, order_id: number, of: { actor: Actor; reason: string; now: number }): Promise<{ order: Order; recalled: number }> => {
  const row = await holdOrder(tx, order_id)
  const back = await tx.update(order_code).set({ gift_state: 'none', holder_id: null, updated_at: of.now }).where(and(eq(order_code.order_id, order_id), eq(order_code.gift_state, 'sent'))).returning({ id: order_code.id })
  if (back.length === 0) throw ruled('no_gift', ['没有转赠中的券码：可能已被领取', 'Nothing is being given away: it may have been received'])
  return { order: await recount(tx, row, { event: 'gift', actor: of.actor, now: of.now, memo: of.reason, data: { recalled: back.map(one => one.id) } }), recalled: back.length }
}
