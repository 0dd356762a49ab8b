/** Days of membership that a member is given without money, and that may be taken back. */
import { eq, sql } from 'drizzle-orm'
import { benefitsOf } from '#src/areas/member/member.ts'
import { keptAsSaid } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { daysGoBack, isVip, type BeforeDays } from './subscription.ts'
import {
  holdMembership,
  keepEnd,
  openOrExtend,
  takeBackPeriod,
  type Subscription,
} from './subscriptions.server.ts'
import { vip_card, vip_card_order as v, vip_subscription as s } from './vipCard.table.ts'

type Giving = {
  member_id: number
  card_id: number
  days: number
  /** The period's number, by which it is given once and taken back. */
  order_no: string
  source: string
  now: number
}
const SOURCE_MOST = 255
const standingOf = (sub: Subscription | undefined, vip_end_at: number | null): BeforeDays => {
  if (!sub) return { vip_end_at, membership: null }
  const { card_id, start_at, end_at, saved_cents, paid_cents, charge_fail_count, charge_error } =
    sub
  return {
    vip_end_at,
    membership: {
      card_id,
      start_at,
      end_at,
      saved_cents,
      paid_cents,
      charge_fail_count,
      charge_error,
    },
  }
}
/**
 * Gives days of a plan as a period of their own that cost nothing: behind the membership that runs,
 * which is of the same plan, or from now where none runs. Answers the plan's name. Throws 422 for a
 * member whose benefits are frozen or whose account is off, and for one who has another plan: that
 * one was paid for, and would be over at once.
 */
export const giveDays = async (tx: Db, of: Giving): Promise<string> => {
  const { member_id, card_id, days, now } = of
  const { sub, ...person } = await holdMembership(tx, member_id)
  if (benefitsOf(person) !== true)
    throw ruled('member_off', [
      '会员权益已冻结或账号异常，不能获得会员时长',
      'The member gets no membership now: benefits frozen or account off',
    ])
  const [plan] = await tx.select().from(vip_card).where(eq(vip_card.id, card_id))
  if (!plan) throw missing()
  const runs = sub !== undefined && isVip(sub, now)
  if (runs && sub.card_id !== card_id)
    throw ruled(
      'other_plan',
      [
        '会员正在使用其他卡种，到期后才能获得「{plan}」时长',
        'The member has another plan now, and gets days of “{plan}” after its end',
      ],
      { plan: plan.name },
    )
  const { subscription, ...period } = await openOrExtend(tx, {
    member_id,
    card_id,
    days,
    how: 'code',
    now,
  })
  await tx.insert(v).values({
    order_no: of.order_no,
    member_id,
    card_id,
    subscription_id: subscription.id,
    kind: 'code',
    days,
    pay_cents: 0,
    start_at: period.start_at,
    end_at: period.end_at,
    source: keptAsSaid(of.source, SOURCE_MOST),
    refund_policy: plan.refund_policy,
    before: runs ? null : standingOf(sub, person.vip_end_at),
    created_at: now,
    updated_at: now,
  })
  return plan.name
}
/** What had run out before the days stands there again, unless what was bought since goes on. */
const putBack = async (
  tx: Db,
  of: { id: number; member_id: number; before: BeforeDays; now: number },
): Promise<void> => {
  const { membership, vip_end_at } = of.before
  const [sub] = await tx.select({ status: s.status }).from(s).where(eq(s.id, of.id))
  if (sub!.status !== 'refunded') return
  if (membership)
    await tx
      .update(s)
      .set({
        ...membership,
        status: 'expired',
        version: sql`${s.version} + 1`,
        updated_at: of.now,
      })
      .where(eq(s.id, of.id))
  await keepEnd(tx, of.member_id, vip_end_at)
}
/**
 * Takes given days back whole, by their number, as `daysGoBack` allows: later periods move forward by
 * as much, so that no day that was paid for is lost, and a membership that they began is as it was
 * before. Answers false, and changes nothing, where they may not go back.
 */
export const takeDaysBack = async (
  tx: Db,
  { order_no, now }: { order_no: string; now: number },
): Promise<boolean> => {
  const [known] = await tx
    .select({ id: v.id, member_id: v.member_id })
    .from(v)
    .where(eq(v.order_no, order_no))
  if (!known) return false
  const { sub } = await holdMembership(tx, known.member_id)
  const [given] = await tx.select().from(v).where(eq(v.id, known.id)).for('update')
  const { start_at, end_at, ended_at, subscription_id, before } = given!
  if (!sub || sub.id !== subscription_id || start_at === null || end_at === null) return false
  if (!daysGoBack({ start_at, end_at, ended_at }, sub, now)) return false
  await takeBackPeriod(tx, known.id, now)
  if (before) await putBack(tx, { id: sub.id, member_id: sub.member_id, before, now })
  return true
}
