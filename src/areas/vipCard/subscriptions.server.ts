import { and, asc, desc, eq, gte, inArray, isNull, lte, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { vip_charge as c } from './renewal.table.ts'
import { CHARGE_AGAIN } from './renewal.ts'
import {
  CHARGED_BEFORE,
  GRACE,
  isVip,
  periodOf,
  restOf,
  type OpenedBy,
  type Period,
} from './subscription.ts'
import { vip_card_order, vip_subscription } from './vipCard.table.ts'

export type Subscription = typeof vip_subscription.$inferSelect
type Person = Pick<typeof member.$inferSelect, 'account_state' | 'benefits_frozen' | 'vip_end_at'>

const s = vip_subscription
/**
 * Holds a member's membership: whoever changes it holds its member first, then its row, so that two
 * purchases, or a refund and a renewal, come one after the other. Answers the one that runs or has
 * run out; one that was refunded is over. Throws 404 where there is no such member.
 */
export const holdMembership = async (
  tx: Db,
  member_id: number,
): Promise<Person & { sub: Subscription | undefined }> => {
  const { account_state, benefits_frozen, vip_end_at } = member
  const [person] = await tx
    .select({ account_state, benefits_frozen, vip_end_at })
    .from(member)
    .where(eq(member.id, member_id))
    .for('no key update')
  if (!person) throw missing()
  const [sub] = await tx
    .select()
    .from(s)
    .where(and(eq(s.member_id, member_id), inArray(s.status, ['active', 'grace', 'expired'])))
    .orderBy(desc(s.id))
    .limit(1)
    .for('update')
  return { sub, ...person }
}
/** The membership that a member has at a moment; null where it is over, or there was none. */
export const vipNow = async (
  tx: Db,
  member_id: number,
  now: number,
): Promise<Subscription | null> => {
  const [sub] = await tx
    .select()
    .from(s)
    .where(and(eq(s.member_id, member_id), inArray(s.status, ['active', 'grace'])))
  return sub && isVip(sub, now) ? sub : null
}
/** The member's row says until when it was paid, in the same transaction. */
export const keepEnd = (tx: Db, member_id: number, end_at: number | null) =>
  tx.update(member).set({ vip_end_at: end_at }).where(eq(member.id, member_id))

/** What renews by itself: its contract, and when it is charged first. */
type Contract = { contract_no: string; next_charge_at: number }
type Opening = {
  member_id: number
  card_id: number
  days: number
  how: OpenedBy | 'extend'
  paid_cents?: number
  contract?: Contract
  now: number
}
/**
 * Opens a membership or makes it longer, and answers the period that was added. A membership that
 * runs goes on; one that ran out is opened again from now; after a refund there is a new one. Throws
 * 404 where there is no such member, 422 where the account is closed.
 */
export const openOrExtend = async (
  tx: Db,
  of: Opening,
): Promise<Period & { subscription: Subscription }> => {
  const { member_id, card_id, now } = of
  const { sub, account_state } = await holdMembership(tx, member_id)
  if (account_state === 'canceled' || account_state === 'merged')
    throw ruled('account_closed', [
      '该账号已注销或已合并，不能开通会员',
      'The account is closed or merged: no membership is opened for it',
    ])
  const { reopens, ...period } = periodOf(sub, of)
  const paid_cents = of.paid_cents ?? 0
  const renews = of.contract
    ? { auto_renew: true, ...of.contract }
    : await renewing(tx, reopens ? undefined : sub, period.end_at)
  const set = {
    card_id,
    end_at: period.end_at,
    ...renews,
    // What is given says nothing of charges that failed before: they stand until money comes in.
    ...((reopens || of.how === 'buy' || of.how === 'renew') && {
      charge_fail_count: 0,
      charge_error: '',
    }),
    status: 'active' as const,
    updated_at: now,
  }
  const [subscription] = sub
    ? await tx
        .update(s)
        .set({
          ...set,
          ...(reopens
            ? { start_at: period.start_at, saved_cents: 0, paid_cents }
            : { paid_cents: sql`${s.paid_cents} + ${paid_cents}` }),
          version: sql`${s.version} + 1`,
        })
        .where(eq(s.id, sub.id))
        .returning()
    : await tx
        .insert(s)
        .values({ ...set, member_id, start_at: period.start_at, paid_cents, created_at: now })
        .returning()
  await keepEnd(tx, member_id, period.end_at)
  return { ...period, subscription: subscription! }
}
/** What a membership says that does not renew by itself. */
export const notRenewing = { auto_renew: false, contract_no: '', next_charge_at: null }
/** When a membership whose charge failed, or waits for its answer, may be charged again at the soonest. */
const chargedAgain = async (tx: Db, subscription_id: number): Promise<number> => {
  const tried = sql<number>`coalesce(max(coalesce(${c.ended_at}, ${c.created_at})), 0)`
  const [last] = await tx
    .select({ at: tried.mapWith(Number) })
    .from(c)
    .where(and(eq(c.subscription_id, subscription_id), inArray(c.state, ['failed', 'pending'])))
  return last!.at + CHARGE_AGAIN
}
/**
 * A membership that renews by itself is charged a day before its new end, and no sooner after a
 * failure than it would have been.
 */
const renewing = async (tx: Db, sub: Subscription | undefined, end_at: number) =>
  sub?.auto_renew
    ? {
        auto_renew: true,
        contract_no: sub.contract_no,
        next_charge_at: Math.max(end_at - CHARGED_BEFORE, await chargedAgain(tx, sub.id)),
      }
    : notRenewing

/**
 * Takes whole days of a bought period back, or all its rest where none are named, because its money
 * goes back or pays a dearer plan: the membership ends that much earlier, later periods move
 * forward, and what ends by it is refunded. What is less than a day goes with the last of them.
 */
export const takeBackPeriod = async (
  tx: Db,
  vip_order_id: number,
  now: number,
  days?: number,
): Promise<void> => {
  const o = vip_card_order
  const [known] = await tx.select().from(o).where(eq(o.id, vip_order_id))
  if (!known) throw missing()
  await holdMembership(tx, known.member_id)
  const [bought] = await tx.select().from(o).where(eq(o.id, vip_order_id)).for('update')
  const { start_at, end_at, subscription_id } = bought!
  if (bought!.ended_at !== null || start_at === null || end_at === null) return
  const all = restOf({ start_at, end_at }, now)
  const asked = days === undefined ? all : days * DAY
  const rest = all - asked < DAY ? all : asked
  await tx
    .update(o)
    .set({
      end_at: end_at - rest,
      ended_at: rest === all ? now : null,
      version: sql`${o.version} + 1`,
      updated_at: now,
    })
    .where(eq(o.id, vip_order_id))
  if (rest === 0) return
  await tx
    .update(o)
    .set({
      start_at: sql`${o.start_at} - ${rest}`,
      end_at: sql`${o.end_at} - ${rest}`,
      updated_at: now,
    })
    .where(
      and(
        eq(o.subscription_id, subscription_id!),
        gte(o.start_at, end_at),
        isNull(o.ended_at),
        sql`${o.id} <> ${vip_order_id}`,
      ),
    )
  await shorten(tx, { subscription_id: subscription_id!, rest, now })
}
const shorten = async (
  tx: Db,
  of: { subscription_id: number; rest: number; now: number },
): Promise<void> => {
  const { subscription_id, rest, now } = of
  const [sub] = await tx.select().from(s).where(eq(s.id, subscription_id)).for('update')
  const end_at = Math.max(sub!.start_at, sub!.end_at - rest)
  const over = end_at <= now
  await tx
    .update(s)
    .set({
      end_at,
      ...(over ? { ...notRenewing, status: 'refunded' as const } : await renewing(tx, sub, end_at)),
      version: sql`${s.version} + 1`,
      updated_at: now,
    })
    .where(eq(s.id, subscription_id))
  await keepEnd(tx, sub!.member_id, end_at)
}

/**
 * Writes down what time has done to memberships: at their end they are in grace while they renew by
 * themselves, and over seven days later. Answers how many changed.
 */
export const turnMemberships = async (tx: Db, now: number, most = 2000): Promise<number> => {
  const due = await tx
    .select({ id: s.id, status: s.status, auto_renew: s.auto_renew, end_at: s.end_at })
    .from(s)
    .where(
      sql`(${s.status} = 'active' and ${s.end_at} <= ${now}) or (${s.status} = 'grace' and ${s.end_at} <= ${now - GRACE})`,
    )
    .orderBy(asc(s.id))
    .limit(most)
    .for('update', { skipLocked: true })
  const isOver = (one: (typeof due)[number]) => !one.auto_renew || one.end_at + GRACE <= now
  const some = (over: boolean) => due.filter(one => isOver(one) === over).map(one => one.id)
  const [over, waiting] = [some(true), some(false)]
  const set = { version: sql`${s.version} + 1`, updated_at: now }
  if (over.length > 0)
    await tx
      .update(s)
      .set({ ...set, ...notRenewing, status: 'expired' })
      .where(and(inArray(s.id, over), lte(s.end_at, now)))
  if (waiting.length > 0)
    await tx
      .update(s)
      .set({ ...set, status: 'grace' })
      .where(inArray(s.id, waiting))
  return due.length
}
