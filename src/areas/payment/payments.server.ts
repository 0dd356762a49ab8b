import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { holdWithGroup } from '#src/areas/group/groups.server.ts'
import { holdPayer } from '#src/areas/order/buyLimit.server.ts'
import { noteOrder, recount, type Order } from '#src/areas/order/orderFacts.server.ts'
import { markPaid } from '#src/areas/order/orderPaid.server.ts'
import { order_log } from '#src/areas/order/trail.table.ts'
import { askBalances } from '#src/areas/raise/raise.server.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { finish } from '#src/areas/refund/refundPay.server.ts'
import { openRefund } from '#src/areas/refund/refunds.server.ts'
import { yuan } from '#src/domain/money.ts'
import { joined, saidIn } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { askAgainIn } from './askAgain.ts'
import type { PayAnswer, PayChannel, PayNotice } from './pay.channel.ts'
import { payment } from './payment.table.ts'

export type Payment = typeof payment.$inferSelect
/** Why money that came too late goes back, in both languages (`joined`). */
const lateReason = ({ over, unwanted }: { over: boolean; unwanted: boolean }): string => {
  if (over) return joined(['订单关闭后到账，自动退回', 'Paid after the order closed: sent back'])
  return joined(
    unwanted
      ? ['退款中到账的尾款，自动退回', 'A balance paid during a refund: sent back']
      : ['改价前的支付到账，自动退回', 'Paid at the price of before: sent back'],
  )
}
type Came = { out_no: string; answer: Extract<PayAnswer, { state: 'success' }>; now: number }
/** The channel may say another amount again and again: its order tells of it once. */
const noteDiffers = async (
  tx: Db,
  order_id: number,
  due_cents: number,
  { out_no, answer, now }: Came,
): Promise<void> => {
  const [told] = await tx
    .select({ id: order_log.id })
    .from(order_log)
    .where(
      and(
        eq(order_log.order_id, order_id),
        eq(order_log.event, 'pay_differs'),
        sql`${order_log.data}->>'channel_no' = ${answer.channel_no}`,
      ),
    )
    .limit(1)
  if (told) return
  await noteOrder(tx, {
    order_id,
    event: 'pay_differs',
    actor: { type: 'channel' },
    at: now,
    memo: joined([
      `应收 ${yuan(due_cents)} 元，渠道报 ${yuan(answer.amount_cents)} 元，未入账，请与渠道核对`,
      `¥${yuan(due_cents)} were due, the channel reports ¥${yuan(answer.amount_cents)}: not booked, check it with the channel`,
    ]),
    data: { out_no, channel_no: answer.channel_no, amount_cents: answer.amount_cents },
  })
}
/** Sends back what came in too late, all of it. */
const giveBackLate = async (
  tx: Db,
  { row, asked }: { row: Order; asked: Payment },
  why: { over: boolean; unwanted: boolean },
  { out_no, answer, now }: Came,
): Promise<void> => {
  const held = await recount(tx, row, {
    event: 'late_pay',
    actor: { type: 'channel' },
    now,
    data: { out_no },
    set: {
      paid_cents: row.paid_cents + answer.amount_cents,
      ...(why.over && row.cancel_type !== 'balance_timeout' && { cancel_type: 'late_pay' }),
    },
  })
  await openRefund(tx, {
    order_id: row.id,
    wanted: 'all',
    source: 'system',
    cause: 'late_pay',
    reason: lateReason(why),
    money: { cents: answer.amount_cents, payment_id: asked.id },
    actor: { type: 'system' },
    idem_key: `late:${out_no}`,
    now,
  })
  // Should that refund come to nothing, the balance is asked for again.
  if (held.balance_due && asked.state !== 'closed') await askBalances(tx, [row], now)
}
/**
 * Money came in, as the channel says: once, however often it says so. Another amount than asked for
 * is not taken for the payment: it stays open, and its order tells of it. An order that was closed
 * meanwhile stays closed and all of it goes back.
 */
export const receivePayment = async (
  tx: Db,
  of: Came,
): Promise<'paid' | 'before' | 'late' | 'mismatch' | 'unknown'> => {
  const { answer, now } = of
  const [known] = await tx
    .select({ order_id: payment.order_id })
    .from(payment)
    .where(and(eq(payment.out_no, of.out_no), eq(payment.direction, 'in')))
  if (!known) return 'unknown'
  const { row } = await holdWithGroup(tx, known.order_id)
  const [found] = await tx.select().from(payment).where(eq(payment.out_no, of.out_no)).for('update')
  const asked = found!
  if (asked.state === 'success') return 'before'
  if (asked.amount_cents !== answer.amount_cents) {
    await noteDiffers(tx, row.id, asked.amount_cents, of)
    return 'mismatch'
  }
  await tx
    .update(payment)
    .set({
      state: 'success',
      channel_no: answer.channel_no,
      fee_cents: answer.fee_cents ?? 0,
      success_at: answer.at,
      version: asked.version + 1,
      updated_at: now,
    })
    .where(eq(payment.id, asked.id))
  // Closed with its order, or because the price has changed; a balance that comes while its order
  // is given back: what still comes in by it goes back.
  const over = row.pay_state === 'closed'
  const unwanted = asked.stage === 'balance' && (!row.balance_due || row.refund_state !== 'none')
  if (over || unwanted || asked.state === 'closed') {
    await giveBackLate(tx, { row, asked }, { over, unwanted }, of)
    return 'late'
  }
  await markPaid(tx, row.id, {
    cents: answer.amount_cents,
    deposit: asked.stage === 'deposit',
    now,
  })
  return 'paid'
}

/**
 * A buyer pays what is asked for an order, through the embedded channel: the demo's shoppers, and
 * tests. False when there is nothing to pay. Throws 422 where `payer`, the account that pays, is
 * beyond a limit.
 */
export const payOrder = async (
  tx: Db,
  order_id: number,
  now: number,
  payer?: string,
): Promise<boolean> => {
  if (payer !== undefined) await holdPayer(tx, { order_id, payer, now })
  const [asked] = await tx
    .select()
    .from(payment)
    .where(
      and(
        eq(payment.order_id, order_id),
        eq(payment.direction, 'in'),
        eq(payment.state, 'pending'),
      ),
    )
  return (
    asked !== undefined &&
    (await receivePayment(tx, {
      out_no: asked.out_no,
      answer: {
        state: 'success',
        channel_no: `E${asked.id}`,
        at: now,
        amount_cents: asked.amount_cents,
      },
      now,
    })) === 'paid'
  )
}

/**
 * What the channel says of money that went out. The refund is done when all its parts are back; a
 * part that failed is told in words and can be paid again. Silence changes nothing.
 */
const settleOut = async (
  tx: Db,
  of: { out_no: string; answer: PayAnswer; now: number },
): Promise<Payment['state'] | undefined> => {
  const { answer, now } = of
  const [known] = await tx
    .select({ order_id: payment.order_id, refund_id: payment.refund_id })
    .from(payment)
    .where(and(eq(payment.out_no, of.out_no), eq(payment.direction, 'out')))
  if (!known) return undefined
  const { row: held } = await holdWithGroup(tx, known.order_id)
  const [row] = await tx.select().from(refund).where(eq(refund.id, known.refund_id!)).for('update')
  if (answer.state === 'pending' || answer.state === 'unknown') return 'pending'
  const [part] = await tx
    .update(payment)
    .set(
      answer.state === 'success'
        ? {
            state: 'success',
            channel_no: answer.channel_no,
            success_at: answer.at,
            updated_at: now,
          }
        : {
            state: 'failed',
            fails: sql`${payment.fails} + 1`,
            fail_code: answer.code,
            fail_text: answer.text.slice(0, 255),
            updated_at: now,
          },
    )
    .where(and(eq(payment.out_no, of.out_no), eq(payment.state, 'pending')))
    .returning()
  if (!part)
    return (
      await tx.select({ state: payment.state }).from(payment).where(eq(payment.out_no, of.out_no))
    )[0]!.state
  const parts = await tx
    .select()
    .from(payment)
    .where(and(eq(payment.refund_id, row!.id), inArray(payment.state, ['pending', 'success'])))
  const paid = parts
    .filter(one => one.state === 'success')
    .reduce((all, one) => all + one.amount_cents, 0)
  if (part.state === 'failed') {
    await tx
      .update(refund)
      .set({ state: 'pay_failed', version: row!.version + 1, updated_at: now })
      .where(and(eq(refund.id, row!.id), eq(refund.state, 'paying')))
    await noteOrder(tx, {
      order_id: held.id,
      event: 'refund_failed',
      actor: { type: 'channel' },
      at: now,
      memo: part.fail_text ?? '',
      data: { refund_id: row!.id, code: part.fail_code },
    })
  } else if (paid === row!.amount_cents) await finish(tx, row!, held, now)
  return part.state
}

const HOLD_S = 120
/** Takes what is due to be sent, for as long as one process may need. */
const takeDue = async (tx: Db, now: number, limit: number): Promise<Payment[]> => {
  const rows = await tx
    .select({ id: payment.id })
    .from(payment)
    .where(
      and(eq(payment.state, 'pending'), eq(payment.direction, 'out'), lte(payment.ask_at, now)),
    )
    .orderBy(asc(payment.ask_at))
    .limit(limit)
    .for('update', { skipLocked: true })
  if (rows.length === 0) return []
  return tx
    .update(payment)
    .set({ ask_at: now + HOLD_S, tries: sql`${payment.tries} + 1` })
    .where(
      inArray(
        payment.id,
        rows.map(row => row.id),
      ),
    )
    .returning()
}
/** What the channel says of a payout: sent once, then asked for by its number. */
const answerTo = async (
  { db }: Pick<Database, 'db'>,
  channel: PayChannel,
  part: Payment,
  now: number,
): Promise<PayAnswer> => {
  const [parent] = await db.select().from(payment).where(eq(payment.id, part.parent_id!))
  const [of] = await db
    .select({ reason: refund.reason })
    .from(refund)
    .where(eq(refund.id, part.refund_id!))
  const send = () =>
    channel.refund({
      out_no: part.out_no,
      payment_no: parent!.out_no,
      amount_cents: part.amount_cents,
      paid_cents: parent!.amount_cents,
      reason: saidIn(of!.reason, 'zh'),
    })
  // Points, balances and money by hand are ours to give back: nobody is asked.
  if (part.channel !== 'wechat' && part.channel !== 'embedded')
    return { state: 'success', channel_no: part.out_no, at: now, amount_cents: part.amount_cents }
  if (part.tries === 1) return send()
  const said = await channel.queryRefund(part.out_no)
  return said.state === 'failed' && said.code === 'RESOURCE_NOT_EXISTS' ? send() : said
}
/**
 * Sends what is due to the channel and writes down what it says; answers how many. Each is taken
 * for two minutes by one process; the channel is asked outside any transaction. What it kept silent
 * about is asked for by its number before it is sent again, and only sent when the channel says
 * that it never heard of it.
 */
export const sendPayouts = async ({
  database,
  channel,
  log,
  now,
  limit = 50,
  failed,
}: {
  database: Database
  channel: PayChannel
  log: Pick<Logger, 'warn'>
  now: number
  limit?: number
  failed?: Failed
}): Promise<number> => {
  const due = await database.transaction(tx => takeDue(tx, now, limit))
  await oneByOne(
    due,
    async part => {
      const answer = await answerTo(database, channel, part, now)
      const state = await database.transaction(tx =>
        settleOut(tx, { out_no: part.out_no, answer, now }),
      )
      if (state === 'pending')
        await database.db
          .update(payment)
          .set({ ask_at: now + askAgainIn(part.tries) })
          .where(and(eq(payment.id, part.id), eq(payment.state, 'pending')))
      if (answer.state === 'unknown')
        log.warn({ out_no: part.out_no, tries: part.tries }, 'the payment channel kept silent')
    },
    failed,
  )
  return due.length
}

const SOON_S = 15
/**
 * Whether a payout was sent a moment ago and its answer may come any second. What a channel takes
 * longer over is asked for by the clock.
 */
export const awaitsAnswer = async (db: Db, now: number): Promise<boolean> =>
  (
    await db
      .select({ id: payment.id })
      .from(payment)
      .where(
        and(
          eq(payment.state, 'pending'),
          eq(payment.direction, 'out'),
          eq(payment.tries, 1),
          gt(payment.ask_at, now + askAgainIn(1) - SOON_S),
        ),
      )
      .limit(1)
  ).length > 0

/** What a channel told by itself, already verified. Answers whether it is ours and settled. */
export const heardFromChannel = async (tx: Db, notice: PayNotice, now: number) => {
  const { kind, out_no, answer } = notice
  if (kind === 'refund') return settleOut(tx, { out_no, answer, now })
  return answer.state === 'success' ? receivePayment(tx, { out_no, answer, now }) : undefined
}

/**
 * Asks the channel whether an order was paid: it may turn out to be paid, never the other way
 * round. Answers what the channel said.
 */
export const queryPayment = async (
  db: Db,
  channel: PayChannel,
  order_id: number,
  now: number,
): Promise<PayAnswer['state'] | 'none'> => {
  const open = await db
    .select()
    .from(payment)
    .where(
      and(
        eq(payment.order_id, order_id),
        eq(payment.direction, 'in'),
        inArray(payment.state, ['pending', 'closed']),
      ),
    )
    .orderBy(asc(payment.id))
  let said: PayAnswer['state'] | 'none' = 'none'
  for (const one of open) {
    const answer = await channel.queryPayment(one.out_no)
    if (answer.state === 'success')
      await db.transaction(tx => receivePayment(tx, { out_no: one.out_no, answer, now }))
    if (said !== 'success') said = answer.state
  }
  return said
}
