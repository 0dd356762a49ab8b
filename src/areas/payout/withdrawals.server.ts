import { and, eq, inArray, isNull, ne, or, sql, type SQL } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { yuan } from '#src/domain/money.ts'
import { joined } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { staleRow } from '#src/server/call/versions.ts'
import { paidSellerOf } from './applicants.server.ts'
import { needsInvoice, refuseUnbalanced } from './filmChecks.server.ts'
import { offsetDebt } from './sellerDebt.server.ts'
import type { TransferAnswer } from './transfer.channel.ts'
import { withdrawal } from './withdrawal.table.ts'
import {
  asksChannel,
  CONFIRM_S,
  moneyOf,
  nextBillNo,
  noOfBill,
  verbs,
  withdrawalCan,
  withdrawalPosting,
  type RejectReason,
  type WithdrawalOwner,
  type WithdrawalVerb,
} from './withdrawing.ts'

export type Withdrawal = typeof withdrawal.$inferSelect
type Values = Partial<typeof withdrawal.$inferInsert>

/** Somebody acts on a withdrawal as they read it, at a moment. */
export type Step = {
  id: number
  version: number
  by: { id: number }
  now: number
}
const hold = async (tx: Db, where: SQL | undefined): Promise<Withdrawal> => {
  const [row] = await tx.select().from(withdrawal).where(where).for('update')
  if (!row) throw missing()
  return row
}
const nameOf = async (db: Db, id: number | null): Promise<string> => {
  if (id === null) return ''
  const [row] = await db.select({ name: admin.name }).from(admin).where(eq(admin.id, id))
  return row?.name ?? ''
}
/** Refuses what can't be done with it now; of what was decided it says who decided, and when. */
const refuse = async (tx: Db, verb: WithdrawalVerb, row: Withdrawal, me: number): Promise<void> => {
  const seller =
    row.owner_kind === 'distributor'
      ? await paidSellerOf(tx, row.owner_id, { held: true })
      : undefined
  const needs_invoice = await needsInvoice(tx, row)
  const may = withdrawalCan(verb, { ...row, seller: seller ?? null, needs_invoice }, me)
  if (may === true) return refuseUnbalanced(tx, verb, row)
  const decided = row.status !== 'pending' && (verb === 'approve' || verb === 'reject')
  const who = decided ? await nameOf(tx, row.second_reviewer_id ?? row.reviewer_id) : ''
  if (!who) throw ruled('wrong_state', may)
  throw ruled('wrong_state', ['已由{who}于 {at} 处理', '{who} decided it at {at}'], {
    who,
    at: timeFull(row.second_reviewed_at ?? row.reviewed_at ?? row.updated_at),
  })
}
/** The people whom a step excludes, as the database sees it. */
const another = (verb: WithdrawalVerb, me: number): SQL | undefined => {
  const isnt = (column: AnyPgColumn) => or(isNull(column), ne(column, me))
  switch (verb) {
    case 'approve':
    case 'reject':
      return isnt(withdrawal.owner_admin_id)
    case 'secondApprove':
      return and(isnt(withdrawal.owner_admin_id), ne(withdrawal.reviewer_id, me))
    case 'pay':
    case 'markPaid':
    case 'retry':
      return and(isnt(withdrawal.reviewer_id), isnt(withdrawal.second_reviewer_id))
    default:
      return undefined
  }
}
export type Made = { was: Withdrawal; after: Withdrawal }
/**
 * Takes it one step on by a guarded update of the row as it was read. Throws 404, 409 that names who
 * was quicker, 422 `wrong_state` that says why not.
 */
const step = async (
  tx: Db,
  verb: WithdrawalVerb,
  { id, version, by, now }: Step,
  set: (was: Withdrawal) => Values,
): Promise<Made> => {
  const was = await hold(tx, eq(withdrawal.id, id))
  await refuse(tx, verb, was, by.id)
  if (was.version !== version) throw await staleRow(tx, 'withdrawal', was)
  const [after] = await tx
    .update(withdrawal)
    .set({ ...set(was), version: sql`${withdrawal.version} + 1` as never, updated_at: now })
    .where(
      and(
        eq(withdrawal.id, id),
        eq(withdrawal.version, version),
        inArray(withdrawal.status, [...verbs[verb]]),
        another(verb, by.id),
      ),
    )
    .returning()
  if (!after) throw await staleRow(tx, 'withdrawal', was)
  return { was, after }
}
/** Posts its end: the whole amount leaves, or goes back with its fee; never both. */
const end = async (
  tx: Db,
  move: 'paid' | 'back',
  row: Withdrawal,
  { at, maker_id }: { at: number; maker_id?: number },
): Promise<void> => {
  const posted = await post(tx, withdrawalPosting(move, row, { at, ...(maker_id && { maker_id }) }))
  if (!posted.fresh) throw new Error(`${row.no} was paid or given back before`)
  if (move === 'back' && row.owner_kind === 'distributor')
    await offsetDebt(tx, {
      distributor_id: row.owner_id,
      amount_cents: row.amount_cents,
      biz_id: row.id,
      biz_no: row.no,
      key: `withdraw:offset:${row.id}`,
      at,
      place: { city_id: row.city_id, mall_id: row.mall_id },
    })
}
/** The first reviewer agrees; above the limit it waits for a second one. */
export const approveWithdrawal = (tx: Db, of: Step): Promise<Made> =>
  step(tx, 'approve', of, was => ({
    reviewer_id: of.by.id,
    reviewed_at: of.now,
    ...(!was.need_second && { status: 'approved' }),
  }))
/** The second reviewer of a large one agrees: never the first. */
export const secondApproveWithdrawal = (tx: Db, of: Step): Promise<Made> =>
  step(tx, 'secondApprove', of, () => ({
    status: 'approved',
    second_reviewer_id: of.by.id,
    second_reviewed_at: of.now,
  }))
type Why = { reason: string }
/** It comes to nothing: the money goes back, and the applicant reads why. */
export const rejectWithdrawal = async (
  tx: Db,
  { reason_code, reason, ...of }: Step & Why & { reason_code: RejectReason },
): Promise<Made> => {
  const made = await step(tx, 'reject', of, was => ({
    status: 'rejected',
    reason_code,
    reason,
    tell_state: 'queued',
    hold: false,
    ended_at: of.now,
    // The first reviewer of a large one stays, and another who rejects it is the second one.
    ...(was.reviewer_id === null
      ? { reviewer_id: of.by.id, reviewed_at: of.now }
      : was.reviewer_id !== of.by.id && {
          second_reviewer_id: of.by.id,
          second_reviewed_at: of.now,
        }),
  }))
  await end(tx, 'back', made.after, { at: of.now, maker_id: of.by.id })
  return made
}
/** The invoice of a film owner, and the amount that it is made out for (cents). */
export const uploadInvoice = (
  tx: Db,
  { image, amount_cents, ...of }: Step & { image: string; amount_cents: number },
): Promise<Made> =>
  step(tx, 'uploadInvoice', of, () => ({ invoice_image: image, invoice_cents: amount_cents }))
const sent = (was: Withdrawal, of: Step): Values => ({
  status: 'paying',
  payer_id: of.by.id,
  ...nextBillNo(was),
  bill_ended: false,
  channel_no: null,
  channel_code: null,
  channel_error: null,
  canceling: false,
  confirm_until_at: null,
  tries: 0,
  ask_at: asksChannel(was.channel) ? of.now : null,
})
/** Hands it to its channel; `sendTransfers` sends it after the commit. */
export const payWithdrawal = (tx: Db, of: Step): Promise<Made> =>
  step(tx, 'pay', of, was => sent(was, of))
/**
 * Tries a failed one again: by the same number unless the channel holds that one as failed for good.
 */
export const retryWithdrawal = (tx: Db, of: Step): Promise<Made> =>
  step(tx, 'retry', of, was => sent(was, of))
/** A person has paid it, or the bank's file says so: `channel_no` is the bank's number of it. */
export const markWithdrawalPaid = async (
  tx: Db,
  {
    channel_no,
    proof = '',
    paid_at,
    ...of
  }: Step & {
    channel_no: string
    proof?: string
    paid_at?: number
  },
): Promise<Made> => {
  const made = await step(tx, 'markPaid', of, was => ({
    status: 'paid',
    payer_id: was.status === 'paying' ? was.payer_id : of.by.id,
    channel_no,
    proof,
    channel_code: null,
    channel_error: null,
    paid_at: paid_at ?? of.now,
    ended_at: of.now,
  }))
  await end(tx, 'paid', made.after, { at: of.now, maker_id: of.by.id })
  return made
}
/** The bank could not pay it, as its file or a person says. */
export const markWithdrawalFailed = (tx: Db, { reason, ...of }: Step & Why): Promise<Made> =>
  step(tx, 'markFailed', of, () => ({
    status: 'failed',
    bill_ended: true,
    channel_code: 'BANK',
    channel_error: reason,
  }))
/** Asks the channel at once instead of by the clock. */
export const queryWithdrawal = (tx: Db, of: Step): Promise<Made> =>
  step(tx, 'query', of, () => ({ ask_at: of.now }))
/**
 * It is not to be paid after all. An approved one ends at once; of one that its payee has yet to
 * confirm the channel is asked, and whoever was first there decides.
 */
export const cancelWithdrawal = async (tx: Db, { reason, ...of }: Step & Why): Promise<Made> => {
  const made = await step(tx, 'cancel', of, was =>
    was.status === 'wait_confirm'
      ? { canceling: true, ask_at: of.now, reason }
      : { status: 'canceled', reason, hold: false, ended_at: of.now },
  )
  if (made.after.status === 'canceled')
    await end(tx, 'back', made.after, { at: of.now, maker_id: of.by.id })
  return made
}
/** A failed one comes to nothing: the money goes back to the balance. */
export const backWithdrawal = async (tx: Db, { reason, ...of }: Step & Why): Promise<Made> => {
  const made = await step(tx, 'back', of, () => ({
    status: 'canceled',
    reason,
    hold: false,
    ended_at: of.now,
  }))
  await end(tx, 'back', made.after, { at: of.now, maker_id: of.by.id })
  return made
}
/** Keeps it from being approved or paid until somebody takes it off hold. */
export const holdWithdrawal = (tx: Db, { reason, ...of }: Step & Why): Promise<Made> =>
  step(tx, 'hold', of, () => ({ hold: true, held_by: of.by.id, reason }))
export const unholdWithdrawal = (tx: Db, of: Step): Promise<Made> =>
  step(tx, 'unhold', of, () => ({ hold: false, held_by: null, reason: '' }))

const LATE = 'PAID_AFTER_BACK'
const paidLate = [
  '渠道称已打款，而款项已退回余额，请向收款人追回',
  'The channel says it is paid, yet the money is back in the balance: ask the payee for it',
] as const
/** What an answer makes of a transfer under way; undefined where it changes nothing. */
const madeOf = (row: Withdrawal, answer: TransferAnswer, now: number): Values | undefined => {
  switch (answer.state) {
    case 'success':
      return answer.amount_cents === row.net_cents
        ? {
            status: 'paid',
            channel_no: answer.channel_no,
            channel_code: null,
            channel_error: null,
            canceling: false,
            paid_at: answer.at,
            ended_at: now,
            ask_at: null,
          }
        : {
            // Its money stays aside: a person compares it with the channel.
            channel_code: 'AMOUNT',
            channel_error: joined([
              `应付 ${yuan(row.net_cents)} 元，渠道报 ${yuan(answer.amount_cents)} 元`,
              `¥${yuan(row.net_cents)} was to be paid, the channel says ¥${yuan(answer.amount_cents)}`,
            ]),
          }
    case 'wait':
      return row.status === 'wait_confirm'
        ? undefined
        : { status: 'wait_confirm', confirm_until_at: answer.until_at ?? now + CONFIRM_S }
    case 'pending':
      return row.status === 'wait_confirm' && !row.canceling ? { status: 'paying' } : undefined
    case 'canceled':
      return {
        status: 'canceled',
        reason: row.reason || answer.text.slice(0, 200),
        canceling: false,
        bill_ended: true,
        ended_at: now,
        ask_at: null,
      }
    case 'failed':
      return {
        status: 'failed',
        channel_code: answer.code.slice(0, 64),
        channel_error: answer.text.slice(0, 255),
        bill_ended: answer.ended,
        canceling: false,
        ask_at: null,
      }
    case 'unknown':
      return undefined
  }
}
const underWay = new Set<Withdrawal['status']>(['paying', 'wait_confirm'])
/**
 * The channel paid what was taken for failed: it is paid. What was given back meanwhile can't be
 * undone here: it says so where people look.
 */
const lateSuccess = (row: Withdrawal, answer: TransferAnswer, now: number): Values | undefined => {
  if (answer.state !== 'success' || row.channel_code === LATE) return undefined
  if (row.status === 'failed') return madeOf(row, answer, now)
  return row.status === 'canceled'
    ? { channel_code: LATE, channel_error: joined(paidLate) }
    : undefined
}
/**
 * A number that was given up was paid after all: an alarm where people look. It moves nothing, as
 * another number may be paid too.
 */
const otherNumber = async (
  tx: Db,
  { out_bill_no, now }: { out_bill_no: string; now: number },
): Promise<Withdrawal | undefined> => {
  const [after] = await tx
    .update(withdrawal)
    .set({
      channel_code: 'OTHER_NUMBER',
      channel_error: joined([
        `渠道称旧打款单号 ${out_bill_no} 已打款，请核对是否重复付款`,
        `The channel says that the old number ${out_bill_no} is paid: check for a double payment`,
      ]),
      version: sql`${withdrawal.version} + 1` as never,
      updated_at: now,
    })
    .where(and(eq(withdrawal.no, noOfBill(out_bill_no)), ne(withdrawal.out_bill_no, out_bill_no)))
    .returning()
  return after
}
/**
 * Writes down what a channel says of a number: it may come twice, late, or of a number that was
 * replaced, and moves money once. Undefined for a number that is nobody's now.
 */
export const settleTransfer = async (
  tx: Db,
  { out_bill_no, answer, now }: { out_bill_no: string; answer: TransferAnswer; now: number },
): Promise<Withdrawal | undefined> => {
  const [row] = await tx
    .select()
    .from(withdrawal)
    .where(eq(withdrawal.out_bill_no, out_bill_no))
    .for('update')
  if (!row) return answer.state === 'success' ? otherNumber(tx, { out_bill_no, now }) : undefined
  const set = underWay.has(row.status) ? madeOf(row, answer, now) : lateSuccess(row, answer, now)
  if (!set) return row
  const [after] = await tx
    .update(withdrawal)
    .set({ ...set, version: sql`${withdrawal.version} + 1` as never, updated_at: now })
    .where(and(eq(withdrawal.id, row.id), eq(withdrawal.status, row.status)))
    .returning()
  if (after!.status === 'paid') await end(tx, 'paid', after!, { at: now })
  if (after!.status === 'canceled' && row.status !== 'canceled')
    await end(tx, 'back', after!, { at: now })
  return after
}

/** What an owner may ask for now (cents). */
export const withdrawable = async (
  db: Db,
  owner: { owner_kind: WithdrawalOwner; owner_id: number },
): Promise<number> => 0 - (await balanceOf(db, moneyOf(owner).balance))
