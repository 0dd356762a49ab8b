/** Taking the posting of a batch back: all of it, or nothing. */
import { eq, sql } from 'drizzle-orm'
import { merchants } from '#src/areas/ledger/ledger.ts'
import { holdAccounts, post } from '#src/areas/ledger/post.server.ts'
import { yuan } from '#src/domain/money.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { settle_batch } from './batch.table.ts'
import { reversalOfBatch } from './batch.ts'
import { settle_line } from './line.table.ts'
import { tellUses } from './orderBooks.server.ts'

type Batch = typeof settle_batch.$inferSelect
type Reverse = { checker_id: number; place: { city_id: number; mall_id: number }; now: number }
const l = settle_line
const refuseChanged = () =>
  ruled('lines_refunded', [
    '批次入账后有明细退款，整批冲销会多扣，请改为逐单处理（扣费或调账）',
    'Lines were refunded since it was posted: correct them one by one, by a charge or an adjustment',
  ])
/** Refuses to take more from a merchant's balance than is there: what was paid out is out. */
const refuseShort = async (tx: Db, { merchant_id, payable_cents }: Batch): Promise<void> => {
  const of = merchants('merchant_balance', merchant_id)
  const [account] = [...(await holdAccounts(tx, [of])).values()]
  const has_cents = -account!.balance_cents
  if (has_cents < payable_cents)
    throw ruled('short_balance', [
      `商户余额 ${yuan(has_cents)} 元，冲销需要 ${yuan(payable_cents)} 元；已提现的部分请登记扣费`,
      `Its balance is ¥${yuan(has_cents)} and ¥${yuan(payable_cents)} are needed: charge what was paid out`,
    ])
}
/**
 * Takes the posting of a batch that is held back: its lines are on hold again and free for another
 * batch, what it took of a debt is owed again. Answers the transaction, null where the batch was of
 * nothing. Throws 422 `lines_refunded` where its lines are not what was posted, and `short_balance`
 * where the merchant's balance does not cover it.
 */
export const reverseBatch = async (
  tx: Db,
  batch: Batch,
  { checker_id, place, now }: Reverse,
): Promise<number | null> => {
  const its = eq(l.batch_id, batch.id)
  const lines = await tx.select().from(l).where(its).orderBy(l.id).for('update')
  const left = lines.reduce((all, one) => all + one.merchant_cents - one.gone_merchant_cents, 0)
  if (
    lines.length !== batch.line_count ||
    lines.some(line => line.status !== 'settled') ||
    left !== batch.payable_cents + batch.debt_deduct_cents
  )
    throw refuseChanged()
  await tx
    .update(l)
    .set({
      status: 'freezing',
      batch_id: null,
      settled_at: null,
      updated_at: now,
      version: sql`${l.version} + 1`,
    })
    .where(its)
  await tellUses(
    tx,
    lines.map(line => line.id),
    now,
  )
  const posting = reversalOfBatch(batch, {
    at: now,
    place,
    maker_id: batch.reverse_by!,
    checker_id,
  })
  if (!posting) return null
  await refuseShort(tx, batch)
  return (await post(tx, posting)).id
}
