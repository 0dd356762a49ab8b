import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { askAgainIn } from '#src/areas/payment/askAgain.ts'
import { withdrawalOwners } from '#src/areas/payout/withdrawing.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { NEVER_HEARD, type TransferAnswer, type TransferChannel } from './transfer.channel.ts'
import { withdrawal } from './withdrawal.table.ts'
import { settleTransfer, type Withdrawal } from './withdrawals.server.ts'

const underWay = ['paying', 'wait_confirm'] as const
const neverHeard = joined([
  '渠道没有这笔转账的记录',
  'The channel’s books do not hold the transfer',
])
const HOLD_S = 120
/** Takes what is due for two minutes: one process asks of a number at a time. */
const takeDue = (database: Database, now: number, limit: number) =>
  database.transaction(async tx => {
    const rows = await tx
      .select({ id: withdrawal.id })
      .from(withdrawal)
      .where(and(lte(withdrawal.ask_at, now), inArray(withdrawal.status, [...underWay])))
      .orderBy(asc(withdrawal.ask_at))
      .limit(limit)
      .for('update', { skipLocked: true })
    if (rows.length === 0) return []
    return tx
      .update(withdrawal)
      .set({ ask_at: now + HOLD_S, tries: sql`${withdrawal.tries} + 1` })
      .where(
        inArray(
          withdrawal.id,
          rows.map(row => row.id),
        ),
      )
      .returning()
  })
/**
 * Sends or asks. What was sent before is asked for by its number first, and sent again only where the
 * channel never heard of it; one that is to be canceled, or was not confirmed in time, is canceled
 * and then asked for, so that what the channel did decides.
 */
const ask = async (
  channel: TransferChannel,
  row: Withdrawal,
  now: number,
): Promise<TransferAnswer> => {
  const out_bill_no = row.out_bill_no!
  const send = () =>
    channel.transfer({
      out_bill_no,
      amount_cents: row.net_cents,
      payee_no: row.payee_no,
      payee_name: row.payee_name,
      remark: `${withdrawalOwners[row.owner_kind][0]}提现 ${row.no}`,
    })
  if (row.status === 'paying' && row.tries === 1) return send()
  const overdue = row.confirm_until_at !== null && row.confirm_until_at <= now
  if (row.status === 'wait_confirm' && (row.canceling || overdue)) await channel.cancel(out_bill_no)
  const said = await channel.query(out_bill_no)
  if (said.state !== 'failed' || said.code !== NEVER_HEARD) return said
  return row.status === 'paying' ? send() : { state: 'unknown', text: neverHeard }
}
/**
 * Sends what is due to the channel and writes down what it says; answers how many. The channel is
 * asked outside any transaction, so a process that ends anywhere leaves a number that is asked for
 * again.
 */
export const sendTransfers = async ({
  database,
  channel,
  log,
  now,
  limit = 50,
  failed,
}: {
  database: Database
  channel: TransferChannel
  log: Pick<Logger, 'warn'>
  now: number
  limit?: number
  failed?: Failed
}): Promise<number> => {
  const due = await takeDue(database, now, limit)
  await oneByOne(
    due,
    async row => {
      const answer = await ask(channel, row, now)
      const { out_bill_no } = row
      await database.transaction(tx =>
        settleTransfer(tx, { out_bill_no: out_bill_no!, answer, now }),
      )
      await database.db
        .update(withdrawal)
        .set({ ask_at: now + askAgainIn(row.tries) })
        .where(
          and(
            eq(withdrawal.out_bill_no, out_bill_no!),
            eq(withdrawal.ask_at, now + HOLD_S),
            inArray(withdrawal.status, [...underWay]),
          ),
        )
      if (answer.state === 'unknown')
        log.warn({ out_bill_no, tries: row.tries }, 'the transfer channel kept silent')
    },
    failed,
  )
  return due.length
}

const SOON_S = 15
/** Whether a transfer was sent a moment ago and its answer may come any second. */
export const awaitsTransfer = async (db: Db, now: number): Promise<boolean> =>
  (
    await db
      .select({ id: withdrawal.id })
      .from(withdrawal)
      .where(
        and(
          eq(withdrawal.status, 'paying'),
          eq(withdrawal.tries, 1),
          gt(withdrawal.ask_at, now + askAgainIn(1) - SOON_S),
        ),
      )
      .limit(1)
  ).length > 0
