import { and, eq, gt, inArray, isNotNull, lt, lte, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { deliver, type Delivery } from '#src/areas/notice/notify.server.ts'
import { joined, type Text } from '#src/domain/text.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db, Install } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { holdOrder, noteOrder, type Actor, type Order } from './orderFacts.server.ts'
import { order_message } from './trail.table.ts'

type Message = typeof order_message.$inferSelect
/** What a buyer is to be told, queued in the transaction that it tells of. */
export const queueMessage = (
  tx: Db,
  of: {
    order_id: number
    kind: Message['kind']
    phone: string | null
    text: string
    admin_id?: number
    /** A word by which it is told once, however often it is asked for. */ once?: string
    now: number
  },
) =>
  tx
    .insert(order_message)
    .values({
      order_id: of.order_id,
      kind: of.kind,
      phone: of.phone,
      text: of.text,
      admin_id: of.admin_id ?? null,
      once: of.once ?? null,
      created_at: of.now,
      updated_at: of.now,
    })
    .onConflictDoNothing()

export const RESEND_MAX = 3
const codesText = (row: Pick<Order, 'order_no'>, codes: readonly { code: string }[]): string =>
  `您的券码：${codes.map(one => one.code).join('、')}。订单 ${row.order_no}`
/** A visitor has no page of codes to look at: they come by SMS as soon as the order is paid. */
export const sendFirstCodes = async (tx: Db, row: Order, now: number): Promise<void> => {
  const codes = await tx
    .select({ code: order_code.code })
    .from(order_code)
    .where(and(eq(order_code.order_id, row.id), inArray(order_code.state, ['unused', 'part_used'])))
    .orderBy(order_code.id)
  if (row.visitor_phone && codes.length > 0)
    await queueMessage(tx, {
      order_id: row.id,
      kind: 'code',
      phone: row.visitor_phone,
      text: codesText(row, codes),
      now,
    })
}
/**
 * Sends the codes that can be used to whoever bought them, three times an order and day at most.
 * Answers how many codes.
 */
export const resendCodes = async (
  tx: Db,
  of: { order_id: number; admin_id: number; actor: Actor; now: number },
): Promise<number> => {
  const row = await holdOrder(tx, of.order_id)
  const [sent] = await tx
    .select({ n: sql<number>`count(*)::int` })
    .from(order_message)
    .where(
      and(
        eq(order_message.order_id, row.id),
        eq(order_message.kind, 'code'),
        isNotNull(order_message.admin_id),
        sql`${order_message.created_at} >= ${dayStart(of.now)}`,
      ),
    )
  if (sent!.n >= RESEND_MAX)
    throw ruled(
      'too_often',
      ['同一订单每天最多重发 {n} 次，请明天再试', 'At most {n} times a day: try again tomorrow'],
      { n: RESEND_MAX },
    )
  const codes = await tx
    .select({ code: order_code.code })
    .from(order_code)
    .where(and(eq(order_code.order_id, row.id), inArray(order_code.state, ['unused', 'part_used'])))
    .orderBy(order_code.id)
  if (codes.length === 0)
    throw ruled('no_codes', ['没有可用的券码', 'It has no code that can be used'])
  const phone = await phoneOf(tx, row)
  if (!phone) throw ruled('no_phone', ['没有登记手机号，无法发送', 'No phone is on record'])
  await queueMessage(tx, {
    order_id: row.id,
    kind: 'code',
    phone,
    text: codesText(row, codes),
    admin_id: of.admin_id,
    now: of.now,
  })
  await noteOrder(tx, {
    order_id: row.id,
    event: 'message',
    actor: of.actor,
    at: of.now,
    memo: joined([`重发券码 ${codes.length} 个`, `Codes sent again: ${codes.length}`]),
  })
  return codes.length
}
/** Where the buyer of an order can be reached. */
export const phoneOf = async (
  db: Db,
  row: Pick<Order, 'member_id' | 'visitor_phone'>,
): Promise<string | null> =>
  row.visitor_phone ??
  (row.member_id === null
    ? null
    : ((
        await db.select({ phone: member.phone }).from(member).where(eq(member.id, row.member_id))
      )[0]?.phone ?? null))

const TRIES_MAX = 3
const SOME = 50
const noPhone: Text = ['没有登记手机号', 'No phone is on record']
const tooOld: Text = ['超过一天没有发出', 'Not sent within a day']
/**
 * Ends what could not be sent within a day: it is told as failed and does not wait for ever.
 * Answers how many.
 */
const endOld = async (db: Db, now: number): Promise<number> =>
  (
    await db
      .update(order_message)
      .set({ state: 'failed', answer: sql`coalesce(${order_message.answer}, ${joined(tooOld)})` })
      .where(and(eq(order_message.state, 'queued'), lte(order_message.created_at, now - DAY)))
      .returning({ id: order_message.id })
  ).length
/**
 * Sends what is queued by SMS where a gateway is set up, three tries each; without one it waits for
 * a day, and then has failed. A gateway that says nothing is asked no more in this round: the
 * others wait as they were, and come first the next time. What it can't have heard is no try.
 * Answers how many came to an end.
 */
export const sendMessages = async (
  db: Db,
  install: Pick<Install, 'gateways'>,
  now: number,
): Promise<number> => {
  const ended = await endOld(db, now)
  if (!install.gateways.sms) return ended
  const claimed = await db
    .update(order_message)
    .set({ tries: sql`${order_message.tries} + 1`, updated_at: now })
    .where(
      inArray(
        order_message.id,
        db
          .select({ id: order_message.id })
          .from(order_message)
          .where(
            and(
              eq(order_message.state, 'queued'),
              gt(order_message.created_at, now - DAY),
              lt(order_message.tries, TRIES_MAX),
            ),
          )
          .orderBy(order_message.tries, order_message.id)
          .limit(SOME)
          .for('update', { skipLocked: true }),
      ),
    )
    .returning()
  const left = claimed.sort((a, b) => a.tries - b.tries || a.id - b.id)
  let sent = 0
  for (let one = left.shift(); one; one = left.shift()) {
    const said: Delivery =
      one.phone === null
        ? { ok: false, answer: joined(noPhone) }
        : await deliver(install, { channel: 'sms', target: one.phone }, one.text)
    const tries = said.unheard ? one.tries - 1 : one.tries
    const unsent = tries >= TRIES_MAX ? 'failed' : 'queued'
    await db
      .update(order_message)
      .set({
        state: said.ok ? 'sent' : unsent,
        tries,
        answer: said.answer.slice(0, 255),
        ...(said.ok && { sent_at: now }),
      })
      .where(eq(order_message.id, one.id))
    if (said.ok) sent++
    if (said.silent) break
  }
  if (left.length > 0)
    await db
      .update(order_message)
      .set({ tries: sql`${order_message.tries} - 1` })
      .where(
        inArray(
          order_message.id,
          left.map(one => one.id),
        ),
      )
  return ended + sent
}
