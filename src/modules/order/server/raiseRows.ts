import { and, eq, inArray, sql } from 'drizzle-orm'
import { payment } from '#src/areas/payment/payment.table.ts'
import { deposit_forfeit } from '#src/areas/raise/forfeit.table.ts'
import { raise_batch } from '#src/areas/raise/raise.table.ts'
import { grouped } from '#src/domain/grouped.ts'
import type { Db } from '#src/server/call/implement.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import type { Answers, Named } from '#src/server/db/together.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { Listed } from './listed.ts'

/** A campaign, as rows of its orders show it. */
export const raiseLookOf = ({
  title,
  state,
  mode,
  target_type,
  target,
  cap_units,
  deposit_cents,
  deposit_rule,
  start_at,
  end_at,
  balance_end_at,
  ship_at,
  promised_ship_at,
  extended,
}: typeof raise_batch.$inferSelect): NonNullable<OrderRow['raise']> => ({
  title,
  state,
  mode,
  target_type,
  target,
  cap_units,
  deposit_cents,
  deposit_rule,
  start_at,
  end_at,
  balance_end_at,
  ship_at,
  promised_ship_at,
  extended,
})
/** Reads the campaigns of orders, and the two parts that their price came in. */
export const raiseReads = (db: Db, { raises, batches }: Named<'raises' | 'batches'>) => ({
  batches: batches && db.select().from(raise_batch).where(oneOf(raise_batch.id, batches)),
  stages:
    raises &&
    db
      .select({
        order_id: payment.order_id,
        stage: payment.stage,
        state: payment.state,
        cents: payment.amount_cents,
      })
      .from(payment)
      .where(and(oneOf(payment.order_id, raises), inArray(payment.stage, ['deposit', 'balance'])))
      .orderBy(payment.id),
  forfeits:
    raises &&
    db
      .select({
        order_id: deposit_forfeit.order_id,
        cents: sql<number>`sum(${deposit_forfeit.amount_cents})`,
      })
      .from(deposit_forfeit)
      .where(and(oneOf(deposit_forfeit.order_id, raises), eq(deposit_forfeit.state, 'valid')))
      .groupBy(deposit_forfeit.order_id),
})
type Stage = { stage: string; state: string; cents: number }
/** What became of a balance: it is due, was paid, lapsed, or never came to be. */
const balanceOf = (
  row: Listed,
  balance: Stage | undefined,
): NonNullable<OrderRow['dues']>['balance'] => {
  if (row.balance_due) return 'due'
  if (balance?.state === 'success') return 'paid'
  return row.cancel_type === 'balance_timeout' ? 'lapsed' : 'none'
}
/** The two parts that the price of an order comes in, in cents. */
const duesOf = (
  row: Listed,
  parts: readonly Stage[],
  kept_cents: number,
): NonNullable<OrderRow['dues']> => {
  const deposit = parts.findLast(one => one.stage === 'deposit')
  const balance = parts.findLast(one => one.stage === 'balance')
  return {
    deposit_cents: deposit?.state === 'success' ? deposit.cents : 0,
    balance_cents: balance?.cents ?? row.pay_cents - (deposit?.cents ?? 0),
    balance: balanceOf(row, balance),
    until: row.balance_due ? row.expire_pay_at : null,
    kept_cents,
  }
}
/** Answers what rows of campaigns show, from what was read. */
export const raisesFrom = ({
  batches,
  stages,
  forfeits,
}: Answers<ReturnType<typeof raiseReads>>): ((row: Listed) => Pick<OrderRow, 'raise' | 'dues'>) => {
  const [batchOf, stagesOf, keptOf] = [
    new Map(batches.map(one => [one.id, one])),
    grouped(stages, one => one.order_id),
    new Map(forfeits.map(one => [one.order_id, one.cents])),
  ]
  return row => {
    const batch = row.raise_batch_id === null ? undefined : batchOf.get(row.raise_batch_id)
    if (!batch) return { raise: null, dues: null }
    const parts = stagesOf.get(row.id) ?? []
    const dues = row.sub_kind === 'deposit' ? duesOf(row, parts, keptOf.get(row.id) ?? 0) : null
    return { raise: raiseLookOf(batch), dues }
  }
}
