import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { askAgainIn } from '#src/areas/payment/askAgain.ts'
import type { BankChannel } from '#src/areas/payout/bank.channel.ts'
import { NEVER_HEARD, type TransferAnswer } from '#src/areas/payout/transfer.channel.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { bank_check } from './bankCheck.table.ts'
import { settleCheck, type BankCheck } from './bankChecks.server.ts'

const HOLD_S = 120
const SOME = 50
/** Takes what is due for two minutes: one process asks of a number at a time. */
const takeDue = (database: Database, now: number) =>
  database.transaction(async tx => {
    const rows = await tx
      .select({ id: bank_check.id })
      .from(bank_check)
      .where(and(lte(bank_check.ask_at, now), eq(bank_check.state, 'sending')))
      .orderBy(asc(bank_check.ask_at))
      .limit(SOME)
      .for('update', { skipLocked: true })
    if (rows.length === 0) return []
    const ids = rows.map(row => row.id)
    return tx
      .update(bank_check)
      .set({ ask_at: now + HOLD_S, tries: sql`${bank_check.tries} + 1` })
      .where(inArray(bank_check.id, ids))
      .returning()
  })
/** Sends, or asks for what was sent before; it is sent again only where the bank never heard of it. */
const ask = async (channel: BankChannel, of: BankCheck): Promise<TransferAnswer> => {
  const send = () =>
    channel.transfer({
      out_bill_no: of.no,
      amount_cents: of.amount_cents,
      payee_no: of.bank_no,
      payee_name: of.bank_holder,
      bank_name: of.bank_name,
      remark: `账户验证 ${of.no}`,
    })
  if (of.tries === 1) return send()
  const said = await channel.query(of.no)
  return said.state === 'failed' && said.code === NEVER_HEARD ? send() : said
}

type Sending = {
  database: Database
  channel: BankChannel
  log: Pick<Logger, 'warn'>
  now: number
  failed?: Failed
}
/**
 * Hears what the bank tells by itself, sends what is due and writes down what it says; answers how
 * many. The bank is asked outside any transaction, so a process that ends anywhere leaves a number
 * that is asked for again.
 */
export const sendChecks = async ({ database, channel, log, now, failed }: Sending) => {
  const settle = (out_bill_no: string, answer: TransferAnswer) =>
    database.transaction(tx => settleCheck(tx, { out_bill_no, answer, now }))
  const heard = await channel.due(now)
  for (const { out_bill_no, answer } of heard) await settle(out_bill_no, answer)
  const due = await takeDue(database, now)
  await oneByOne(
    due,
    async row => {
      const answer = await ask(channel, row)
      await settle(row.no, answer)
      await database.db
        .update(bank_check)
        .set({ ask_at: now + askAgainIn(row.tries) })
        .where(and(eq(bank_check.id, row.id), eq(bank_check.state, 'sending')))
      if (answer.state === 'unknown')
        log.warn({ no: row.no, tries: row.tries }, 'the bank kept silent')
    },
    failed,
  )
  return heard.length + due.length
}
