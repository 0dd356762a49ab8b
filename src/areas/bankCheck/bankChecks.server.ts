import { randomInt } from 'node:crypto'
import { and, asc, desc, eq, gt, inArray, isNotNull, isNull, lte, ne, sql } from 'drizzle-orm'
import { post } from '#src/areas/ledger/post.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import type { TransferAnswer } from '#src/areas/payout/transfer.channel.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { keptWords, unjoined } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { bank_check } from './bankCheck.table.ts'
import {
  AWAITS_S,
  CENTS_MOST,
  checkPosting,
  CHECKS_A_DAY,
  isWholeAccount,
  TRIES,
} from './bankCheck.ts'

export type BankCheck = typeof bank_check.$inferSelect
type Merchant = typeof merchant.$inferSelect

/** True where the merchant's account is still the one that was paid to. */
const isSameAccount = sql`(
  select (m.bank_kind, m.bank_holder, m.bank_name, m.bank_no) is not distinct from (${bank_check.bank_kind},
    ${bank_check.bank_holder}, ${bank_check.bank_name}, ${bank_check.bank_no})
  from merchant m where m.id = ${bank_check.merchant_id})`
const isReplaced = sql`exists (select 1 from bank_check l where l.merchant_id = ${bank_check.merchant_id} and l.id > ${bank_check.id})`

/**
 * Begins a payment of 1 to 99 cents to the whole account of a merchant that the caller holds;
 * undefined once `CHECKS_A_DAY` were begun today. An earlier payment that awaits its amount is void.
 */
export const startCheck = async (
  tx: Db,
  of: Merchant,
  { by, now }: { by: number; now: number },
): Promise<{ id: number; no: string; nth: number } | undefined> => {
  const day = dateOf(now)
  const { rows } = await tx.execute<{ id: number; no: string; nth: number }>(sql`
    insert into bank_check (created_at, updated_at, merchant_id, day, nth, amount_cents, bank_kind, bank_holder, bank_name, bank_no, asked_by, ask_at)
    select ${now}::bigint, ${now}::bigint, ${of.id}::int, ${day}::text, c.n + 1, ${randomInt(1, CENTS_MOST + 1)}::bigint, ${of.bank_kind}::text, ${of.bank_holder}::text, ${of.bank_name}::text, ${of.bank_no}::text, ${by}::int, ${now}::bigint
    from (select count(*)::int n from bank_check where merchant_id = ${of.id} and day = ${day}) c
    where c.n < ${CHECKS_A_DAY} on conflict (merchant_id, day, nth) do nothing
    returning id, no, nth`)
  const [made] = rows
  if (!made) return undefined
  await tx
    .update(bank_check)
    .set({ state: 'void', void_why: 'replaced', version: sql`${bank_check.version} + 1` })
    .where(
      and(
        eq(bank_check.merchant_id, of.id),
        eq(bank_check.state, 'waiting'),
        ne(bank_check.id, made.id),
      ),
    )
  return made
}

const failedAs = (of: BankCheck, answer: TransferAnswer): string | undefined => {
  if (answer.state !== 'failed' && answer.state !== 'canceled') return undefined
  return of.state === 'sending' ? keptWords(unjoined(answer.text)) : undefined
}

/**
 * Writes down what the bank says of a number, however often it says it. Money that left is posted
 * once the payment has ended (`postEnded`). Answers the row, where it changed.
 */
export const settleCheck = async (
  tx: Db,
  { out_bill_no, answer, now }: { out_bill_no: string; answer: TransferAnswer; now: number },
): Promise<BankCheck | undefined> => {
  // The merchant is held first, as whoever begins one or types an amount holds it.
  const [row] = await tx.select().from(bank_check).where(eq(bank_check.no, out_bill_no))
  if (!row) return undefined
  await tx
    .select({ id: merchant.id })
    .from(merchant)
    .where(eq(merchant.id, row.merchant_id))
    .for('update')
  const next = { ask_at: null, updated_at: now, version: sql`${bank_check.version} + 1` }
  const channel_error = failedAs(row, answer)
  if (channel_error !== undefined) {
    const [failed] = await tx
      .update(bank_check)
      .set({ ...next, state: 'failed', channel_error })
      .where(and(eq(bank_check.id, row.id), eq(bank_check.state, 'sending')))
      .returning()
    return failed
  }
  if (answer.state !== 'success') return undefined
  const [paid] = await tx
    .update(bank_check)
    .set({
      ...next,
      state: sql`case when ${isReplaced} or not ${isSameAccount} then 'void' else 'waiting' end`,
      void_why: sql`case when ${isReplaced} then 'replaced' when not ${isSameAccount} then 'changed' end`,
      channel_no: answer.channel_no,
      channel_error: '',
      sent_at: now,
    })
    .where(
      and(
        eq(bank_check.id, row.id),
        // A bank that first refused and then paid has paid.
        sql`${bank_check.state} in ('sending', 'failed')`,
        eq(bank_check.amount_cents, answer.amount_cents),
      ),
    )
    .returning()
  return paid
}

const unposted = and(isNotNull(bank_check.sent_at), isNull(bank_check.posted_at))
const SOME = 50
/**
 * Ends payments that awaited their amount for too long, and posts those that ended as a cost of the
 * house, each once. Before that the journal would tell the amount to whoever reads it, in lists, sums,
 * balances and files, and with it anybody could verify the account. Answers how many were posted.
 */
export const postEnded = async (tx: Db, now: number): Promise<number> => {
  await tx
    .update(bank_check)
    .set({
      state: 'void',
      void_why: 'expired',
      updated_at: now,
      version: sql`${bank_check.version} + 1`,
    })
    .where(and(unposted, eq(bank_check.state, 'waiting'), lte(bank_check.sent_at, now - AWAITS_S)))
  const ended = await tx
    .select()
    .from(bank_check)
    .where(and(unposted, inArray(bank_check.state, ['verified', 'void'])))
    .orderBy(asc(bank_check.sent_at))
    .limit(SOME)
    .for('update', { skipLocked: true })
  for (const row of ended) {
    await post(tx, checkPosting({ ...row, sent_at: row.sent_at! }, now))
    await tx.update(bank_check).set({ posted_at: now }).where(eq(bank_check.id, row.id))
  }
  return ended.length
}

/**
 * Takes an amount that a merchant read on its statement, for a merchant that the caller holds: the
 * right one verifies the account, the third wrong one makes the payment void. Undefined where the
 * number awaits no amount.
 */
export const answerCheck = async (
  tx: Db,
  of: { merchant_id: number; no: string; amount_cents: number },
  { by, now }: { by: number; now: number },
): Promise<BankCheck | undefined> => {
  const isRight = sql`${bank_check.amount_cents} = ${of.amount_cents}`
  const isLast = sql`${bank_check.wrong} + 1 >= ${TRIES}`
  const [after] = await tx
    .update(bank_check)
    .set({
      wrong: sql`${bank_check.wrong} + case when ${isRight} then 0 else 1 end`,
      state: sql`case when ${isRight} then 'verified' when ${isLast} then 'void' else 'waiting' end`,
      void_why: sql`case when not (${isRight}) and ${isLast} then 'wrong' end`,
      answered_by: by,
      answered_at: now,
      updated_at: now,
      version: sql`${bank_check.version} + 1`,
    })
    .where(
      and(
        eq(bank_check.merchant_id, of.merchant_id),
        eq(bank_check.no, of.no),
        eq(bank_check.state, 'waiting'),
        isSameAccount,
      ),
    )
    .returning()
  return after
}

/** How the verification of a merchant's account stands; it tells no amount. */
export const bankStateOf = async (
  db: Db,
  of: Merchant,
  { now, isConnected }: { now: number; isConnected: boolean },
) => {
  const nameOf = async (id: number | null): Promise<string> => {
    if (id === null) return ''
    const [person] = await db.select({ name: admin.name }).from(admin).where(eq(admin.id, id))
    return person?.name ?? ''
  }
  const [last] = await db
    .select()
    .from(bank_check)
    .where(eq(bank_check.merchant_id, of.id))
    .orderBy(desc(bank_check.id))
    .limit(1)
  const used = await db.$count(
    bank_check,
    and(eq(bank_check.merchant_id, of.id), eq(bank_check.day, dateOf(now))),
  )
  return {
    verified_at: of.bank_verified_at,
    verified_by: await nameOf(of.bank_verified_by),
    is_whole: isWholeAccount(of),
    is_connected: isConnected,
    left_today: Math.max(0, CHECKS_A_DAY - used),
    check: last
      ? {
          no: last.no,
          state: last.state,
          void_why: last.void_why,
          tries_left: TRIES - last.wrong,
          error: last.channel_error,
          asked_at: last.created_at,
          asked_by: await nameOf(last.asked_by),
          sent_at: last.sent_at,
        }
      : null,
  }
}

const SOON_S = 15
/** Whether a payment was begun a moment ago and the bank's answer may come any second. */
export const awaitsBank = async (db: Db, now: number): Promise<boolean> =>
  (await db.$count(
    bank_check,
    and(eq(bank_check.state, 'sending'), gt(bank_check.created_at, now - SOON_S)),
  )) > 0
