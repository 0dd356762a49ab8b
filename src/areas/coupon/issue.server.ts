import { and, asc, eq, inArray, isNull, lte, sql } from 'drizzle-orm'
import { issue_attempt } from '#src/areas/order/issue.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import {
  holdOrder,
  recount,
  type Order,
  type OrderItem,
} from '#src/areas/order/orderFacts.server.ts'
import { points_goods } from '#src/areas/points/points.table.ts'
import { keptAsSaid, keptWords } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { Refusal, ruled } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { claimCoupon } from './claiming.server.ts'
import { coupon_grant } from './coupon.table.ts'
import { issueWords, type IssueAnswer, type IssueChannel } from './issue.channel.ts'

export type Attempt = typeof issue_attempt.$inferSelect
/**
 * Begins to issue an item, under a number of its own; its order is held, and counted anew
 * afterwards. An item that somebody else began to issue first is begun already.
 */
export const beginIssue = async (
  tx: Db,
  item: OrderItem,
  of: { now: number; by?: { admin_id: number; reason: string } },
): Promise<Attempt> => {
  const [{ n } = { n: 0 }] = await tx
    .select({ n: sql<number>`count(*)::int` })
    .from(issue_attempt)
    .where(eq(issue_attempt.item_id, item.id))
  const [made] = await tx
    .insert(issue_attempt)
    .values({
      order_id: item.order_id,
      item_id: item.id,
      out_no: `IS${item.order_id}-${item.id}-${n + 1}`,
      state: 'pending',
      ask_at: of.now,
      asked_by: of.by?.admin_id ?? null,
      reason: of.by?.reason ?? null,
      created_at: of.now,
      updated_at: of.now,
    })
    .onConflictDoNothing()
    .returning()
  if (!made)
    throw ruled('issuing', ['正在发放或已发放，不能重复发放', 'It is being issued, or was issued'])
  await tx
    .update(order_item)
    .set({ issue_state: 'issuing', issue_note: null, version: sql`${order_item.version} + 1` })
    .where(eq(order_item.id, item.id))
  return made
}
/** Begins to issue all that an order has to, once it is paid. */
export const beginIssues = async (tx: Db, order_id: number, now: number): Promise<void> => {
  for (const item of await tx
    .select()
    .from(order_item)
    .where(
      and(
        eq(order_item.order_id, order_id),
        eq(order_item.fulfil, 'virtual'),
        eq(order_item.issue_state, 'none'),
        sql`${order_item.points_goods_id} is not null`,
      ),
    )
    .orderBy(order_item.id))
    await beginIssue(tx, item, { now })
}

/**
 * A coupon is our own to issue: one grant a unit, by the same guard as a claim. The grants' codes
 * come from the number, so that they come once.
 */
const grantCoupons = async (
  tx: Db,
  of: { coupon_id: number; member_id: number; qty: number; out_no: string; now: number },
): Promise<IssueAnswer> => {
  const { out_no, ...claiming } = of
  const codes = Array.from({ length: of.qty }, (_, at) => `${out_no}-${at + 1}`)
  try {
    // A refused claim leaves nothing behind, and the order goes on to say so.
    await tx.transaction(inner => claimCoupon(inner, { ...claiming, kind: 'points', codes }))
    return { state: 'success', channel_no: out_no }
  } catch (error) {
    if (error instanceof Refusal)
      return { state: 'failed', text: keptWords([error.in('zh'), error.in('en')]) }
    throw error
  }
}
type Whose = Pick<Order, 'id' | 'member_id'>
const ofOrder = (row: Whose) =>
  and(
    eq(coupon_grant.member_id, row.member_id ?? 0),
    sql`${coupon_grant.code} like ${`IS${row.id}-%`}`,
  )
/**
 * Holds the coupons that an order issued and answers whether one of them was used, or is being
 * used: such an order is not given back.
 */
export const holdGrants = async (tx: Db, row: Whose): Promise<{ used: boolean }> => {
  const grants = await tx.select().from(coupon_grant).where(ofOrder(row)).for('update')
  return { used: grants.some(one => one.status === 'used' || one.status === 'locked') }
}
/** Locks the coupons that an order issued while it is given back, so that nobody uses them. */
export const lockGrants = (tx: Db, row: Whose, now: number) =>
  tx
    .update(coupon_grant)
    .set({ status: 'locked', locked_at: now })
    .where(and(ofOrder(row), eq(coupon_grant.status, 'unused')))
export const endGrants = (tx: Db, row: Whose, to: 'revoked' | 'unused') =>
  tx
    .update(coupon_grant)
    .set({ status: to, locked_at: null })
    .where(and(ofOrder(row), eq(coupon_grant.status, 'locked'), isNull(coupon_grant.order_no)))

type Item = typeof order_item.$inferSelect
/** An attempt as it is settled, with what it is of and what the channel said. */
type Settled = { attempt: Attempt; item: Item; row: Order; now: number }
const keepAttempt = (
  tx: Db,
  { attempt, now }: Settled,
  set: Partial<typeof issue_attempt.$inferInsert>,
) =>
  tx
    .update(issue_attempt)
    .set({ ...set, version: attempt.version + 1, updated_at: now })
    .where(eq(issue_attempt.id, attempt.id))
const keepIssued = async (tx: Db, of: Settled, channel_no: string): Promise<void> => {
  const { attempt, item, row, now } = of
  await keepAttempt(tx, of, {
    state: 'success',
    channel_no,
    answer: issueWords.issued,
    answered_at: now,
    ask_at: null,
  })
  await tx
    .update(order_item)
    .set({ issue_state: 'issued', issue_note: null, version: item.version + 1 })
    .where(eq(order_item.id, item.id))
  await recount(tx, row, {
    event: 'issue',
    actor: { type: 'channel' },
    now,
    memo: channel_no,
    data: { out_no: attempt.out_no },
  })
}
const keepFailed = async (tx: Db, of: Settled, said: string): Promise<void> => {
  const { attempt, item, row, now } = of
  await keepAttempt(tx, of, { state: 'failed', answer: said, answered_at: now, ask_at: null })
  await tx
    .update(order_item)
    .set({ issue_state: 'failed', issue_note: said, version: item.version + 1 })
    .where(eq(order_item.id, item.id))
  await recount(tx, row, {
    event: 'issue_failed',
    actor: { type: 'channel' },
    now,
    memo: said,
    data: { out_no: attempt.out_no },
  })
}
/**
 * Settles a number by the channel's answer: an item is issued once, whether the channel says so at
 * once or late. Silence changes nothing but what the channel said last. Answers the attempt as it
 * is then.
 */
const settleIssue = async (
  tx: Db,
  of: { out_no: string; answer: IssueAnswer | 'own'; now: number },
): Promise<Attempt['state'] | undefined> => {
  const { now } = of
  const [known] = await tx
    .select({ order_id: issue_attempt.order_id })
    .from(issue_attempt)
    .where(eq(issue_attempt.out_no, of.out_no))
  if (!known) return undefined
  const row = await holdOrder(tx, known.order_id)
  const [held] = await tx
    .select()
    .from(issue_attempt)
    .where(eq(issue_attempt.out_no, of.out_no))
    .for('update')
  const attempt = held!
  const [found] = await tx
    .select({ item: order_item, coupon_id: points_goods.coupon_id })
    .from(order_item)
    .leftJoin(points_goods, eq(points_goods.id, order_item.points_goods_id))
    .where(eq(order_item.id, attempt.item_id))
  const { item, coupon_id } = found!
  if (attempt.state === 'success') return 'success'
  const answer =
    of.answer !== 'own'
      ? of.answer
      : await grantCoupons(tx, {
          coupon_id: coupon_id!,
          member_id: row.member_id!,
          qty: item.qty,
          out_no: of.out_no,
          now,
        })
  const settled = { attempt, item, row, now }
  switch (answer.state) {
    case 'success':
      await keepIssued(tx, settled, answer.channel_no)
      return 'success'
    case 'failed':
      if (attempt.state !== 'failed') await keepFailed(tx, settled, keptAsSaid(answer.text))
      return 'failed'
    default:
      await keepAttempt(tx, settled, {
        answer:
          answer.state === 'pending'
            ? issueWords.waits
            : keptAsSaid(answer.text) || issueWords.silent,
      })
      return attempt.state
  }
}

const HOLD_S = 120
const wait = (tries: number) => Math.min(3600, 15 * 2 ** Math.min(tries, 8))
/**
 * Asks for what is due, each taken for two minutes by one process; the channel is asked outside any
 * transaction. What it kept silent about is asked for by its number before it is sent again.
 * Answers how many.
 */
export const sendIssues = async ({
  database,
  channel,
  now,
  limit = 50,
  failed,
}: {
  database: Pick<Database, 'db' | 'transaction'>
  channel: IssueChannel
  now: number
  limit?: number
  failed?: Failed
}): Promise<number> => {
  const due = await database.transaction(async tx => {
    const rows = await tx
      .select({ id: issue_attempt.id })
      .from(issue_attempt)
      .innerJoin(order, eq(order.id, issue_attempt.order_id))
      .where(
        and(
          eq(issue_attempt.state, 'pending'),
          lte(issue_attempt.ask_at, now),
          eq(order.frozen, false),
        ),
      )
      .orderBy(asc(issue_attempt.ask_at), asc(issue_attempt.id))
      .limit(limit)
      .for('update', { of: issue_attempt, skipLocked: true })
    return rows.length === 0
      ? []
      : tx
          .update(issue_attempt)
          .set({ ask_at: now + HOLD_S, tries: sql`${issue_attempt.tries} + 1` })
          .where(
            inArray(
              issue_attempt.id,
              rows.map(row => row.id),
            ),
          )
          .returning()
  })
  await oneByOne(
    due,
    async one => {
      const [of] = await database.db
        .select({ title: order_item.title, qty: order_item.qty, coupon_id: points_goods.coupon_id })
        .from(order_item)
        .leftJoin(points_goods, eq(points_goods.id, order_item.points_goods_id))
        .where(eq(order_item.id, one.item_id))
      const answer = await (async () => {
        if (of!.coupon_id !== null) return 'own' as const
        if (one.tries > 1) {
          const said = await channel.query(one.out_no)
          if (said.state !== 'failed') return said
        }
        return channel.issue({ out_no: one.out_no, name: of!.title, qty: of!.qty })
      })()
      const state = await database.transaction(tx =>
        settleIssue(tx, { out_no: one.out_no, answer, now }),
      )
      if (state === 'pending')
        await database.db
          .update(issue_attempt)
          .set({ ask_at: now + wait(one.tries) })
          .where(and(eq(issue_attempt.id, one.id), eq(issue_attempt.state, 'pending')))
    },
    failed,
  )
  return due.length
}

/**
 * Asks the channel once more for every number of an order that failed, outside any transaction: it
 * may have been issued after all, and is then taken as issued. Refuses where it was, and where the
 * channel keeps silent, for nobody knows then. Returns without a word where all of them failed for
 * good.
 */
export const failedForGood = async (
  database: Pick<Database, 'transaction'> & { db: Db },
  channel: IssueChannel,
  order_id: number,
  now: number,
): Promise<void> => {
  const failed = await database.db
    .select({ out_no: issue_attempt.out_no, coupon_id: points_goods.coupon_id })
    .from(issue_attempt)
    .innerJoin(order_item, eq(order_item.id, issue_attempt.item_id))
    .leftJoin(points_goods, eq(points_goods.id, order_item.points_goods_id))
    .where(and(eq(issue_attempt.order_id, order_id), eq(issue_attempt.state, 'failed')))
    .orderBy(issue_attempt.id)
  for (const { out_no, coupon_id } of failed) {
    if (coupon_id !== null) continue
    const answer = await channel.query(out_no)
    if (answer.state === 'failed') continue
    if (answer.state !== 'success')
      throw new Refusal(
        422,
        [
          '渠道没有应答，不能确定上次是否已发放，请稍后再试',
          'The channel is silent: whether it was issued is not known, try again later',
        ],
        {},
        { rule: 'channel_silent' },
      )
    await database.transaction(tx => settleIssue(tx, { out_no, answer, now }))
    throw new Refusal(
      409,
      [
        '上次发放其实已成功（渠道号 {no}），已更新状态，没有重复发放',
        'It was issued after all ({no}): that is noted now, nothing was issued twice',
      ],
      { no: answer.channel_no },
      { rule: 'issued_before' },
    )
  }
}
