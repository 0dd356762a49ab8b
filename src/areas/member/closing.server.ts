import { and, eq, inArray, lte, ne, sql } from 'drizzle-orm'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { openStates } from '#src/areas/payout/withdrawing.ts'
import { forgetPerson } from '#src/areas/personalData/forgetting.server.ts'
import { forfeitPoints } from '#src/areas/points/points.server.ts'
import { noteUser } from '#src/areas/userLog/noting.server.ts'
import { joined, keptWords, type Text } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { member_closing } from './care.table.ts'
import { member } from './member.table.ts'
import { CLOSING_DAYS } from './member.ts'
import { members, type Member } from './members.server.ts'
import { deriveState, refuseOwnAccount } from './sanctions.server.ts'

const t = member_closing
/** What keeps an account from being closed, the first thing of them; undefined where nothing does. */
const closingFault = async (tx: Db, id: number): Promise<Text | undefined> => {
  const { rows } = await tx.execute<Record<'orders' | 'refunds' | 'money' | 'payouts', boolean>>(
    sql`
    select exists (select 1 from "order" o where o.member_id = ${id}
      and o.pay_state in ('unpaid', 'part_paid', 'paid') and o.refund_state <> 'refunded'
      and o.fulfil_state not in ('finished', 'expired')) orders,
      exists (select 1 from refund r join "order" o on o.id = r.order_id where o.member_id = ${id}
        and r.state not in ('done', 'rejected', 'closed')) refunds,
      exists (select 1 from ledger_account a where a.balance_cents <> 0 and ((a.owner_kind = 'member'
        and a.owner_id = ${id}) or (a.owner_kind = 'distributor' and a.owner_id in (select d.id
        from distributor d where d.member_id = ${id})))) money,
      exists (select 1 from withdrawal w where w.status in ${[...openStates]} and ((w.owner_kind = 'member'
        and w.owner_id = ${id}) or (w.owner_kind = 'distributor' and w.owner_id in (select d.id
        from distributor d where d.member_id = ${id})))) payouts`,
  )
  const has = rows[0]!
  const [row] = await tx
    .select({ debt: member.points_debt, frozen: member.points_frozen })
    .from(member)
    .where(eq(member.id, id))
  if (has.orders)
    return [
      '有未完成的订单（待付款、待核销或待收货），请先完成或退款',
      'Some orders are not paid, used or received: finish or refund them first',
    ]
  if (has.refunds) return ['有处理中的退款，请先办结', 'A refund is open: end it first']
  if (has.payouts) return ['有处理中的提现，请先办结', 'A withdrawal is open: end it first']
  if (has.money)
    return [
      '余额或欠款未清，请先提现或结清',
      'There is a balance or a debt: pay it out or settle it first',
    ]
  if (row!.debt > 0) return ['有积分欠账，请先结清', 'Points are owed: settle them first']
  return row!.frozen > 0
    ? ['有被订单占用的积分，请先完成订单', 'Orders hold points: finish them first']
    : undefined
}
/** Takes up a member's wish to close the account: it ends by itself when its days are over. */
export const askClosing = async (
  context: WriteContext,
  was: Member,
  reason: string,
): Promise<Member> => {
  const { tx, staff, now } = context
  await refuseOwnAccount(context, was)
  const fault = await closingFault(tx, was.id)
  if (fault) throw ruled('not_closable', fault)
  const [asked] = await tx
    .insert(t)
    .values({
      member_id: was.id,
      city_id: was.city_id,
      asked_at: now,
      due_at: now + CLOSING_DAYS * DAY,
      by_id: staff.id,
      reason,
    })
    .returning({ id: t.id })
  await noteUser(tx, {
    kind: 'cancel_apply',
    member_id: was.id,
    request_id: `cancel_apply:${asked!.id}`,
    detail: { by: 'staff' },
    at: now,
  })
  return members.save(context, was, { account_state: 'canceling' }, reason)
}
/** Turns a closing down while it can still be taken back. */
export const rejectClosing = async (
  context: WriteContext,
  was: Member,
  reason: string,
): Promise<Member> => {
  const { tx, staff, now } = context
  await tx
    .update(t)
    .set({ state: 'rejected', decided_by: staff.id, decided_at: now, reason })
    .where(and(eq(t.member_id, was.id), eq(t.state, 'cooling')))
  await members.save(context, was, { account_state: 'normal' }, reason)
  await deriveState(tx, was.id, now)
  return members.read(tx, staff, was.id)
}
/** Signs that the reason of a closing has room for. */
const REASON_SIGNS = 200
const accountClosed = joined(['账号注销', 'Account closed'])
/** Nothing of the person is left but what a law keeps (`dataParts`); their points are forfeited. */
const erase = async (
  tx: Db,
  row: Member,
  { closing_id, by_id, now }: { closing_id: number; by_id: number; now: number },
): Promise<void> => {
  await forfeitPoints(tx, {
    member_id: row.id,
    biz_no: `MC${closing_id}`,
    reason: joined(['账号注销，积分作废', 'Account closed: its points are forfeited']),
    operator_id: by_id,
    now,
  })
  await tx
    .update(coupon_grant)
    .set({ status: 'revoked', reason: accountClosed, updated_at: now })
    .where(and(eq(coupon_grant.member_id, row.id), eq(coupon_grant.status, 'unused')))
  await tx
    .update(member)
    .set({
      nickname: '已注销用户',
      phone: '',
      avatar: null,
      gender: 'unknown',
      birthday: null,
      unionid: null,
      account_state: 'canceled',
      version: sql`${member.version} + 1`,
    })
    .where(eq(member.id, row.id))
  await forgetPerson(tx, row.id, now)
  await noteUser(tx, {
    kind: 'cancel_done',
    member_id: row.id,
    request_id: `cancel_done:${closing_id}`,
    detail: { by: 'rule' },
    at: now,
  })
}
/**
 * Closes accounts whose days are over, some at a time; one that something keeps back goes on as it
 * was, and says why. How many were dealt with.
 */
export const endClosings = async (tx: Db, now: number, most = 100): Promise<number> => {
  const due = await tx
    .select()
    .from(t)
    .where(and(eq(t.state, 'cooling'), lte(t.due_at, now)))
    .orderBy(t.member_id)
    .limit(most)
  for (const one of due) {
    const [row] = await tx.select().from(member).where(eq(member.id, one.member_id)).for('update')
    const fault = await closingFault(tx, one.member_id)
    const [ended] = await tx
      .update(t)
      .set({
        state: fault ? 'rejected' : 'done',
        decided_at: now,
        ...(fault && { reason: keptWords(fault, REASON_SIGNS) }),
      })
      .where(and(eq(t.id, one.id), eq(t.state, 'cooling')))
      .returning({ id: t.id })
    if (!ended || row!.account_state !== 'canceling') continue
    if (fault) {
      await tx.update(member).set({ account_state: 'normal' }).where(eq(member.id, row!.id))
      await deriveState(tx, row!.id, now)
    } else await erase(tx, row!, { closing_id: one.id, by_id: one.by_id!, now })
  }
  return due.length
}
/** A phone that another account in use has can't be given once more. */
export const refuseTakenPhone = async (tx: Db, row: Member, phone: string): Promise<void> => {
  if (row.phone === phone)
    throw ruled('same_phone', ['新手机号与原号相同', 'It is the phone that it has'])
  const [taken] = await tx
    .select({ uid: member.uid })
    .from(member)
    .where(
      and(
        eq(member.phone, phone),
        ne(member.id, row.id),
        inArray(member.account_state, ['normal', 'muted', 'banned', 'canceling']),
      ),
    )
    .limit(1)
  if (taken)
    throw ruled(
      'phone_taken',
      [
        '新手机号已被会员 {uid} 使用：如为同一人，请到会员列表合并重复账号',
        'Member {uid} has this phone: if they are one person, merge the accounts in the list of members',
      ],
      { uid: taken.uid },
    )
}
