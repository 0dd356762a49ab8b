import { and, asc, eq, inArray, lte, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import { askAgainIn } from '#src/areas/payment/askAgain.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne, type Failed } from '#src/server/db/oneByOne.ts'
import { NEVER_SHARED, type ProfitSharing, type ShareAnswer } from './sharing.channel.ts'
import { dist_split_order } from './split.table.ts'
import { receiversOf, sendSplit, settleSplit, type Split } from './splits.server.ts'

const s = dist_split_order
const HOLD_S = 120
/** Takes what is due for two minutes: one process asks of a number at a time. */
const takeDue = (database: Database, now: number, limit: number) =>
  database.transaction(async tx => {
    const rows = await tx
      .select({ id: s.id, status: s.status })
      .from(s)
      .where(and(lte(s.ask_at, now), inArray(s.status, ['waiting', 'processing'])))
      .orderBy(asc(s.ask_at))
      .limit(limit)
      .for('update', { skipLocked: true })
    for (const row of rows) if (row.status === 'waiting') await sendSplit(tx, row.id, now)
    if (rows.length === 0) return []
    return tx
      .update(s)
      .set({ ask_at: now + HOLD_S, tries: sql`${s.tries} + 1` })
      .where(
        inArray(
          s.id,
          rows.map(row => row.id),
        ),
      )
      .returning()
  })
/**
 * Sends or asks. What was sent before is asked for by its number first, and sent again, the same,
 * only where the channel never heard of it.
 */
const ask = async (db: Db, channel: ProfitSharing, row: Split): Promise<ShareAnswer> => {
  const receivers = await receiversOf(db, row.id)
  const merchant = receivers.find(one => one.role === 'merchant')!
  const { transaction_no } = row
  const of = { sub_mchid: merchant.account, transaction_no, out_no: row.out_no! }
  const back = receivers.find(one => one.id === row.back_receiver_id)
  const send = (): Promise<ShareAnswer> => {
    if (row.doing === 'unfreeze') return channel.unfreeze(of)
    if (row.doing === 'giveBack')
      return channel.giveBack({
        ...of,
        share_no: back!.out_no ?? '',
        account: back!.account,
        amount_cents: row.back_cents,
      })
    const shares = receivers
      .filter(one => one.out_no === row.out_no)
      .map(({ role, account, name, amount_cents }) => ({
        person: role === 'seller' || role === 'leader',
        account,
        name,
        amount_cents,
      }))
    return channel.share({ ...of, shares })
  }
  if (row.tries === 1) return send()
  const said =
    row.doing === 'giveBack'
      ? await channel.queryBack({ ...of, share_no: back!.out_no ?? '' })
      : await channel.query(of)
  return said.state === 'failed' && said.code === NEVER_SHARED ? send() : said
}
type Sending = {
  database: Database
  channel: ProfitSharing
  log: Pick<Logger, 'warn'>
  now: number
  limit?: number
  failed?: Failed
}
/**
 * Sends what is due to the channel and writes down what it says; answers how many. The channel is
 * asked outside any transaction, so a process that ends anywhere leaves a number that is asked for
 * again.
 */
export const sendSplits = async (of: Sending): Promise<number> => {
  const { database, channel, log, now, limit = 50, failed } = of
  const due = await takeDue(database, now, limit)
  await oneByOne(
    due,
    async row => {
      const answer = await ask(database.db, channel, row)
      const out_no = row.out_no!
      await database.transaction(tx => settleSplit(tx, { out_no, answer, now }))
      await database.db
        .update(s)
        .set({ ask_at: now + askAgainIn(row.tries) })
        .where(and(eq(s.out_no, out_no), eq(s.ask_at, now + HOLD_S), eq(s.status, 'processing')))
      if (answer.state === 'unknown')
        log.warn({ out_no, tries: row.tries }, 'the profit sharing kept silent')
    },
    failed,
  )
  return due.length
}
