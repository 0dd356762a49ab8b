import { and, eq, gte, sql } from 'drizzle-orm'
import { yuan } from '#src/domain/money.ts'
import type { Db } from '#src/server/call/implement.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { ecard_channel, ecard_ledger } from './ecard.table.ts'

export type LedgerRow = typeof ecard_ledger.$inferSelect
export type ChannelMove = {
  channel_id: number
  type: 'recharge' | 'adjust' | 'issue' | 'issue_back'
  /** Signed cents, seen from the channel: an issue takes, a recharge and what comes back give. */
  amount_cents: number
  /** The thing that it is for; the same once more changes nothing. */
  ref: { type: string; id: number }
  now: number
  proof?: string
  admin_id?: number | null
  second_by?: number | null
  reason?: string
}
/** Which way each kind of row may move a balance. */
const fits = ({ type, amount_cents }: ChannelMove): boolean => {
  if (type === 'adjust') return amount_cents !== 0
  return type === 'issue' ? amount_cents <= 0 : amount_cents > 0
}

/** The channel, held until the transaction ends: whoever moves its money waits for this one. */
export const holdChannel = async (
  tx: Db,
  id: number,
): Promise<typeof ecard_channel.$inferSelect> => {
  const [row] = await tx.select().from(ecard_channel).where(eq(ecard_channel.id, id)).for('update')
  if (!row) throw missing()
  return row
}
const short = (of: { balance_cents: number; credit_cents: number }, amount_cents: number) =>
  ruled(
    'balance_short',
    [
      '需 {need} 元，渠道可用 {have} 元（余额 {balance} 元，授信 {credit} 元）；请先充值或减少数量',
      '¥{need} are needed and ¥{have} are there (balance ¥{balance}, credit ¥{credit}): top the channel up, or take less',
    ],
    {
      need: yuan(-amount_cents),
      have: yuan(of.balance_cents + of.credit_cents),
      balance: yuan(of.balance_cents),
      credit: yuan(of.credit_cents),
    },
  )

/**
 * Moves a channel's balance, which changes by this alone. Writes the ledger row in the same
 * transaction; refuses (422 `balance_short`) what would leave the channel owing more than its
 * credit. A move for a `ref` that was there before is answered as it stands, and nothing moves.
 */
export const moveBalance = async (tx: Db, move: ChannelMove): Promise<LedgerRow> => {
  const { channel_id, type, amount_cents, ref, now } = move
  if (!fits(move)) throw new RangeError(`A row ${type} does not move ${amount_cents}`)
  const held = await holdChannel(tx, channel_id)
  const [before] = await tx
    .select()
    .from(ecard_ledger)
    .where(
      and(
        eq(ecard_ledger.channel_id, channel_id),
        eq(ecard_ledger.type, type),
        eq(ecard_ledger.ref_type, ref.type),
        eq(ecard_ledger.ref_id, ref.id),
      ),
    )
  if (before) return before
  const next = sql`${ecard_channel.balance_cents} + ${amount_cents}::bigint`
  const [after] = await tx
    .update(ecard_channel)
    .set({ balance_cents: next as never, updated_at: now })
    .where(and(eq(ecard_channel.id, channel_id), gte(next, sql`-${ecard_channel.credit_cents}`)))
    .returning({ balance_cents: ecard_channel.balance_cents })
  if (!after) throw short(held, amount_cents)
  const [row] = await tx
    .insert(ecard_ledger)
    .values({
      created_at: now,
      owner: 'channel',
      channel_id,
      type,
      amount_cents,
      balance_after_cents: after.balance_cents,
      ref_type: ref.type,
      ref_id: ref.id,
      proof: move.proof ?? '',
      admin_id: move.admin_id ?? null,
      second_by: move.second_by ?? null,
      reason: move.reason ?? '',
    })
    .returning()
  return row!
}
