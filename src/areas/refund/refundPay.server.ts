import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { returnCoupon } from '#src/areas/coupon/coupons.server.ts'
import { endGrants } from '#src/areas/coupon/issue.server.ts'
import { moveBalance } from '#src/areas/ecard/channelLedger.server.ts'
import { awaitsReturn, endTickets } from '#src/areas/filmRefund/tickets.server.ts'
import { freeSeat, loseReward } from '#src/areas/group/groups.server.ts'
import { takeBackGrowth } from '#src/areas/level/growth.server.ts'
import { recount, type Order } from '#src/areas/order/orderFacts.server.ts'
import { payment } from '#src/areas/payment/payment.table.ts'
import { setting } from '#src/areas/people/people.table.ts'
import { returnPoints } from '#src/areas/points/orderPoints.server.ts'
import { leftRaise } from '#src/areas/raise/raise.server.ts'
import { noteUser } from '#src/areas/userLog/noting.server.ts'
import { endPlan } from '#src/areas/vipCard/orderHooks.server.ts'
import { keptAsSaid } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { refund } from './refund.table.ts'
import { overPayments, pointsBack, refundSettings, type RefundSettings } from './refund.ts'
import { linesIn, type Refund, type RefundLine } from './refundFacts.server.ts'
import { refundUnits } from './refundUnits.server.ts'
import { changedCase } from './refundWho.server.ts'

/**
 * Money goes out: one row a payment that it came in by, in proportion to what is left on each. The
 * channel is asked after the commit (`payment/payments.server.ts`). `held`: its order as it is now.
 */
export const pay = async (tx: Db, row: Refund, held: Order, now: number): Promise<Refund> => {
  if (await awaitsReturn(tx, row, held, now)) return row
  // What the channel refused is sent again under its own number, so that it can never be paid
  // twice; only a number that the channel closed needs another.
  await tx
    .update(payment)
    .set({
      state: 'pending',
      fail_code: null,
      fail_text: null,
      tries: 0,
      ask_at: now,
      updated_at: now,
    })
    .where(
      and(
        eq(payment.refund_id, row.id),
        eq(payment.state, 'failed'),
        ne(payment.fail_code, 'CLOSED'),
      ),
    )
  const { parts, mine, next } = await dueOf(tx, row)
  // What a channel of cards took was paid by its balance, and goes back there at once.
  const atOnce = held.ecard_channel_id
  if (parts.length > 0)
    await tx.insert(payment).values(
      parts.map(({ amount_cents, parent }, at) => ({
        ...partOut(row, next(at), now),
        channel: parent.channel,
        amount_cents,
        parent_id: parent.id,
        ...(atOnce
          ? { state: 'success' as const, success_at: now }
          : { state: 'pending' as const, ask_at: now }),
      })),
    )
  if (atOnce) {
    if (row.amount_cents > 0) await toChannel(tx, row, atOnce, now)
    return finish(tx, row, held, now)
  }
  return parts.length === 0 && mine.every(one => one.state === 'success')
    ? finish(tx, row, held, now)
    : row
}

/** Cards that a channel had issued: what it paid for them is in its balance again. */
const toChannel = (tx: Db, row: Refund, channel_id: number, now: number) =>
  moveBalance(tx, {
    channel_id,
    type: 'issue_back',
    amount_cents: row.amount_cents,
    ref: { type: 'refund', id: row.id },
    reason: keptAsSaid(row.reason),
    now,
  })
/**
 * Spreads what is neither paid nor on its way over the payments that a refund goes back to; answers
 * the numbers of new parts too.
 */
const dueOf = async (tx: Db, row: Refund) => {
  const paid = await tx
    .select()
    .from(payment)
    .where(
      and(
        eq(payment.order_id, row.order_id),
        eq(payment.direction, 'in'),
        eq(payment.state, 'success'),
        row.payment_id === null ? undefined : eq(payment.id, row.payment_id),
      ),
    )
    .orderBy(payment.id)
  const out = await tx
    .select()
    .from(payment)
    .where(
      and(
        eq(payment.order_id, row.order_id),
        eq(payment.direction, 'out'),
        inArray(payment.state, ['pending', 'success']),
      ),
    )
  const mine = out.filter(one => one.refund_id === row.id)
  const due = row.amount_cents - mine.reduce((all, one) => all + one.amount_cents, 0)
  const open = paid.filter(one => !mine.some(part => part.parent_id === one.id))
  const left = open.map(
    one =>
      one.amount_cents -
      out
        .filter(part => part.parent_id === one.id)
        .reduce((all, part) => all + part.amount_cents, 0),
  )
  const parts = overPayments(due, left)
    .map((amount_cents, at) => ({ amount_cents, parent: open[at]! }))
    .filter(part => part.amount_cents > 0)
  const [{ tries } = { tries: 0 }] = await tx
    .select({ tries: sql<number>`count(*)::int` })
    .from(payment)
    .where(eq(payment.refund_id, row.id))
  return {
    parts,
    mine,
    next: (at: number) => `${row.refund_no}${tries + at === 0 ? '' : `-${tries + at + 1}`}`,
  }
}

const partOut = (row: Refund, out_no: string, now: number) => ({
  order_id: row.order_id,
  refund_id: row.id,
  direction: 'out' as const,
  stage: 'refund' as const,
  out_no,
  created_at: now,
  updated_at: now,
})

/**
 * Pays by hand what the channel would not: its refused parts are closed for good, so that nothing
 * asks it again.
 */
export const payByHand = async (tx: Db, row: Refund, held: Order, now: number): Promise<Refund> => {
  await tx
    .update(payment)
    .set({ state: 'closed', updated_at: now })
    .where(
      and(eq(payment.refund_id, row.id), eq(payment.direction, 'out'), eq(payment.state, 'failed')),
    )
  const { parts, next } = await dueOf(tx, row)
  if (parts.length > 0)
    await tx.insert(payment).values(
      parts.map(({ amount_cents, parent }, at) => ({
        ...partOut(row, next(at), now),
        channel: 'offline' as const,
        amount_cents,
        parent_id: parent.id,
        state: 'success' as const,
        success_at: now,
      })),
    )
  return finish(tx, row, held, now)
}

/** Points that go back with a refund; none with money that only came too late, or back to a leader. */
const pointsOf = (row: Refund, held: Order): number => {
  const unpaid = row.type === 'resend' || row.cause === 'late_pay' || row.cause === 'leader_free'
  return unpaid
    ? 0
    : pointsBack(held.points_used, held.paid_cents, held.refunded_cents, row.amount_cents)
}
const closeCase = async (
  tx: Db,
  row: Refund,
  of: { points_back: number; now: number },
): Promise<Refund> => {
  const [done] = await tx
    .update(refund)
    .set({
      state: 'done',
      done_at: of.now,
      points_back: of.points_back,
      version: sql`${refund.version} + 1`,
      updated_at: of.now,
    })
    .where(and(eq(refund.id, row.id), inArray(refund.state, ['paying', 'pay_failed', 'applied'])))
    .returning()
  if (!done) throw await changedCase(tx, row)
  return done
}
/** The coupon comes back with the last unit, whichever case that was in. */
const couponAfter = async (
  tx: Db,
  done: Refund,
  of: { after: Order; lines: readonly RefundLine[]; now: number },
): Promise<boolean> => {
  if (of.lines.length === 0) return done.coupon_back
  const coupon_back =
    of.after.refund_state === 'refunded' && (await returnCoupon(tx, of.after, of.now))
  if (coupon_back !== done.coupon_back)
    await tx.update(refund).set({ coupon_back }).where(eq(refund.id, done.id))
  return coupon_back
}
/** A campaign and a group go on without what was given back. */
const leaveCampaign = async (
  tx: Db,
  row: Refund,
  of: { after: Order; lines: readonly RefundLine[]; now: number },
): Promise<void> => {
  const { after, now } = of
  if (after.raise_batch_id !== null && row.type !== 'resend') {
    const units = of.lines.reduce((all, line) => all + line.qty, 0)
    await leftRaise(tx, after, { refund: row, units, now })
  }
  if (after.roll_group_id !== null && after.refund_state === 'refunded') {
    await freeSeat(tx, after.roll_group_id, now)
    await loseReward(tx, after.roll_group_id, now)
  }
}
/**
 * All of it is back with its payer: the units are refunded, stock returns, the seat of a forming
 * group is free. Order and group must be held; `held` is the order as it is now. Throws 409 where
 * the case is no longer being paid.
 */
export const finish = async (tx: Db, row: Refund, held: Order, now: number): Promise<Refund> => {
  const points_back = pointsOf(row, held)
  const done = await closeCase(tx, row, { points_back, now })
  const lines = row.type === 'resend' ? [] : await linesIn(tx, row)
  await refundUnits(tx, lines, { refund: row, held, now })
  if (points_back > 0)
    await returnPoints(tx, { order_id: held.id, points: points_back, biz_no: row.refund_no, now })
  if (held.kind === 'points') await endGrants(tx, held, 'revoked')
  const after = await recount(tx, held, {
    event: 'refund_done',
    actor: { type: 'channel' },
    now,
    data: { refund_id: row.id, amount_cents: row.amount_cents },
    set: {
      refunded_cents: held.refunded_cents + row.amount_cents,
      ...(held.balance_due && lines.length > 0 && { balance_due: false }),
    },
  })
  await takeBackGrowth(tx, {
    order: after,
    refund_no: row.refund_no,
    refunded_cents: after.refunded_cents,
    now,
  })
  const coupon_back = await couponAfter(tx, done, { after, lines, now })
  await leaveCampaign(tx, row, { after, lines, now })
  await endTickets(tx, done, after, now)
  const days = lines.reduce((all, line) => all + line.qty, 0)
  await endPlan(tx, after, { days, amount_cents: row.amount_cents, now })
  await noteUser(tx, {
    kind: 'refund',
    member_id: held.member_id,
    request_id: `refund:${row.refund_no}`,
    detail: { no: row.refund_no, cents: row.amount_cents },
    from: { device_id: held.device_id },
    at: now,
  })
  return { ...done, coupon_back }
}

export const readRefundSettings = async (db: Db): Promise<RefundSettings> => {
  const [row] = await db
    .select({ value: setting.value })
    .from(setting)
    .where(eq(setting.key, 'refund'))
  return { ...refundSettings, ...(row?.value as Partial<RefundSettings> | undefined) }
}

export type Payout = {
  fails: number
  pending: boolean
  paid_at: number
  parts: number
  fail_code: string | null
  fail_text: string | null
}

/**
 * How the channel took the refunds named: how often it refused, whether it still owes an answer,
 * and what it said last.
 */
export const payoutsOf = async (
  db: Db,
  refunds: readonly Pick<Refund, 'id' | 'order_id'>[],
): Promise<ReadonlyMap<number, Payout>> => {
  if (refunds.length === 0) return new Map()
  const { rows } = await db.execute<
    Record<'id' | 'fails' | 'parts' | 'paid_at', number> & {
      pending: boolean
      fail: { code: string; text: string } | null
    }
  >(sql`
    select r.id, (select coalesce(sum(p.fails), 0)::int from payment p where p.refund_id = r.id) fails, exists (select 1 from payment p where p.refund_id = r.id and p.state = 'pending') pending,
      (select coalesce(min(p.success_at), 0)::bigint from payment p where p.order_id = r.order_id and p.direction = 'in' and p.state = 'success') paid_at, (select count(*)::int from payment p where p.order_id = r.order_id and p.direction = 'out' and p.state = 'success') parts,
      (select jsonb_build_object('code', p.fail_code, 'text', p.fail_text) from payment p where p.refund_id = r.id and p.state = 'failed' order by p.id desc limit 1) fail
    from refund r where r.id in ${refunds.map(one => one.id)}`)
  return new Map(
    rows.map(row => [
      row.id,
      {
        fails: row.fails,
        pending: row.pending,
        paid_at: Number(row.paid_at),
        parts: row.parts,
        fail_code: row.fail?.code ?? null,
        fail_text: row.fail?.text ?? null,
      },
    ]),
  )
}
