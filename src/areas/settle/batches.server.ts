/**
 * Batches of settlement: what lines they take, what they come to, and how they are posted. Everyone
 * holds in one order: the terms of the merchant or the batch, its lines, the accounts.
 */
import { and, eq, isNull, lt, lte, notInArray, sql, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { merchants } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import type { Text } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { settle_batch } from './batch.table.ts'
import { dayEnd, payableOf, postingOfBatch, type BatchSums } from './batch.ts'
import { settle_line } from './line.table.ts'
import { tellUses } from './orderBooks.server.ts'
import { settle_merchant } from './settleMerchant.table.ts'
import { skipped, usualTerms } from './settleMerchant.ts'

type Batch = typeof settle_batch.$inferSelect
const l = settle_line

/** Gives every merchant that was ever approved its row of terms; answers how many were new. */
export const ensureTerms = async (db: Db): Promise<number> => {
  const { merchant_id: _, pending_change: __, ...usual } = usualTerms(0)
  const missing = await db
    .select({ id: merchant.id })
    .from(merchant)
    .where(
      and(
        notInArray(merchant.status, ['draft', 'auditing']),
        sql`not exists (select 1 from ${settle_merchant} where ${settle_merchant.merchant_id} = ${merchant.id})`,
      ),
    )
  if (missing.length === 0) return 0
  await db
    .insert(settle_merchant)
    .values(missing.map(one => ({ ...usual, merchant_id: one.id })))
    .onConflictDoNothing()
  return missing.length
}

/**
 * True of lines whose order is held up: nothing of a frozen order is settled, nor are tickets that
 * go back (invariant 26 of domain B).
 */
const heldUp = sql`exists (
  select 1 from "order" o where o.id = ${l.order_id}
  and (o.frozen or (${l.order_kind} = 'film' and o.refund_state = 'refunding')))`
/** True of lines that may enter a batch by the end of a day (`maySettle`). */
export const settleable = (period_to: string, now: number): SQL =>
  and(
    eq(l.status, 'freezing'),
    lt(l.freeze_until_at, Math.min(dayEnd(period_to), now + 1)),
    eq(l.held, false),
    isNull(l.batch_id),
    sql`not ${heldUp}`,
    // What is shared at the payment channel is settled with its share.
    sql`not exists (select 1 from dist_split_order s where s.order_id = ${l.order_id})`,
  )!
/** What a line is to a batch: it changes as soon as a refund or a person changes that. */
const counted = sql`${l.id} || ':' || ${l.merchant_cents} || ':' || ${l.gone_merchant_cents}
  || ':' || ${l.held}::int || ':' || ${l.status} || case when ${heldUp} then ':frozen' else '' end`
const hash = sql<string>`encode(sha256(convert_to(coalesce(string_agg(${counted}, ',' order by ${l.id}), ''), 'UTF8')), 'hex')`
const sumOf = (of: SQL | PgColumn) => sql<number>`coalesce(sum(${of}), 0)::bigint`.mapWith(Number)

/** What the lines of a batch are now. */
export const linesHash = async (db: Db, batch_id: number): Promise<string> => {
  const [of] = await db.select({ hash }).from(l).where(eq(l.batch_id, batch_id))
  return of!.hash
}
/** What a merchant owes that no other live batch takes already. */
const debtLeft = async (db: Db, { id, merchant_id }: Pick<Batch, 'id' | 'merchant_id'>) => {
  const owed = await balanceOf(db, merchants('merchant_debt', merchant_id))
  if (owed === 0) return 0
  const [others] = await db
    .select({ cents: sumOf(settle_batch.debt_deduct_cents) })
    .from(settle_batch)
    .where(
      and(
        eq(settle_batch.merchant_id, merchant_id),
        notInArray(settle_batch.status, ['posted', 'void', 'reversed']),
        sql`${settle_batch.id} <> ${id}`,
      ),
    )
  return Math.max(0, owed - others!.cents)
}
/** What a batch comes to by its lines as they are (`batchSums`), and their hash. */
export const calculated = async (
  db: Db,
  batch: Pick<Batch, 'id' | 'merchant_id'>,
): Promise<BatchSums & { lines_hash: string }> => {
  const [of] = await db
    .select({
      line_count: sql<number>`count(*)::int`,
      gross_cents: sumOf(l.price_cents),
      merchant_discount_cents: sumOf(l.merchant_discount_cents),
      subsidy_cents: sumOf(sql`${l.platform_subsidy_cents} + ${l.mall_subsidy_cents}`),
      commission_cents: sumOf(l.commission_cents),
      distributor_cents: sumOf(
        sql`case when ${l.distributor_bearer} = 'merchant' then ${l.distributor_cents} else 0 end`,
      ),
      fee_cents: sumOf(sql`case when ${l.fee_bearer} = 'merchant' then ${l.fee_cents} else 0 end`),
      refund_deduct_cents: sumOf(l.gone_merchant_cents),
      merchant_cents: sumOf(l.merchant_cents),
      lines_hash: hash,
    })
    .from(l)
    .where(eq(l.batch_id, batch.id))
  const { merchant_cents, ...sums } = of!
  const rest = merchant_cents - sums.refund_deduct_cents
  return { ...sums, ...payableOf(rest, await debtLeft(db, batch)) }
}

export type Generated =
  | { batch: Batch }
  | { batch?: undefined; skipped: Text }
  | { batch?: undefined; empty: true }
type Asked = {
  merchant_id: number
  period_from: string
  period_to: string
  maker_id: number
  now: number
}
/**
 * Makes the batch of a merchant for a period of all its lines that may enter one. Two at once wait
 * for each other, and the second finds nothing left.
 */
export const generateBatch = async (tx: Db, { now, ...of }: Asked): Promise<Generated> => {
  const [terms] = await tx
    .select({ status: settle_merchant.status, merchant_status: merchant.status })
    .from(settle_merchant)
    .innerJoin(merchant, eq(merchant.id, settle_merchant.merchant_id))
    .where(eq(settle_merchant.merchant_id, of.merchant_id))
    .for('update', { of: settle_merchant })
  if (!terms) return { empty: true }
  const why = skipped(terms)
  if (why) return { skipped: why }
  const none = { ...payableOf(0, 0), line_count: 0, gross_cents: 0, merchant_discount_cents: 0 }
  const more = {
    subsidy_cents: 0,
    commission_cents: 0,
    distributor_cents: 0,
    fee_cents: 0,
    refund_deduct_cents: 0,
  }
  const [made] = await tx
    .insert(settle_batch)
    .values({ ...of, ...none, ...more, lines_hash: '', status: 'draft', created_at: now })
    .returning({ id: settle_batch.id, merchant_id: settle_batch.merchant_id })
  const taken = await tx
    .update(l)
    .set({ batch_id: made!.id })
    .where(and(eq(l.merchant_id, of.merchant_id), settleable(of.period_to, now)))
    .returning({ id: l.id })
  const its = eq(settle_batch.id, made!.id)
  if (taken.length === 0) {
    await tx.delete(settle_batch).where(its)
    return { empty: true }
  }
  await tellUses(tx, idsOf(taken), now)
  const sums = await calculated(tx, made!)
  const [batch] = await tx.update(settle_batch).set(sums).where(its).returning()
  return { batch: batch! }
}

const idsOf = (rows: readonly { id: number }[]): number[] => rows.map(row => row.id)
/** Lets go of lines of a batch: all, or those that may not be in it any more. */
export const freeLines = async (
  tx: Db,
  batch_id: number,
  { which, now }: { which: 'all' | 'unfit'; now: number },
): Promise<void> => {
  const freed = await tx
    .update(l)
    .set({ batch_id: null })
    .where(
      and(
        eq(l.batch_id, batch_id),
        which === 'all' ? undefined : sql`(${l.held} or ${l.status} <> 'freezing' or ${heldUp})`,
      ),
    )
    .returning({ id: l.id })
  await tellUses(tx, idsOf(freed), now)
}

const changedSince = () =>
  ruled('lines_changed', [
    '批次的明细在计算后有变动（退款或冻结），请先重算，再由商户确认',
    'Its lines changed since it was calculated: calculate it again, and let the merchant confirm',
  ])
type Post = { poster_id: number; place: { city_id: number; mall_id: number }; now: number }
/**
 * Settles the lines of a batch that is held, and moves its money; answers the transaction, null
 * where the batch is of nothing. Throws 422 `lines_changed` where its lines are not those that
 * were calculated, and `debt_changed` where less is owed than it takes.
 */
export const settleBatch = async (
  tx: Db,
  batch: Batch,
  { poster_id, place, now }: Post,
): Promise<number | null> => {
  const its = eq(l.batch_id, batch.id)
  await tx.select({ id: l.id }).from(l).where(its).orderBy(l.id).for('update')
  if ((await linesHash(tx, batch.id)) !== batch.lines_hash) throw changedSince()
  const settled = await tx
    .update(l)
    .set({
      status: 'settled',
      settled_at: now,
      updated_at: now,
      version: sql`${l.version} + 1`,
    })
    .where(its)
    .returning({ id: l.id })
  await tellUses(tx, idsOf(settled), now)
  const posting = postingOfBatch(batch, {
    at: now,
    place,
    maker_id: batch.maker_id,
    checker_id: poster_id,
  })
  if (!posting) return null
  const owed = await balanceOf(tx, merchants('merchant_debt', batch.merchant_id))
  if (owed < batch.debt_deduct_cents)
    throw ruled('debt_changed', [
      '商户欠款已减少，抵扣金额不再成立，请先重算',
      'The merchant owes less than is deducted: calculate it again',
    ])
  return (await post(tx, posting)).id
}

const AT_ONCE = 500
/** Confirms the batches whose merchant said nothing until the deadline; answers how many. */
export const confirmDue = async (tx: Db, now: number): Promise<number> => {
  const due = await tx
    .select({ id: settle_batch.id })
    .from(settle_batch)
    .where(and(eq(settle_batch.status, 'confirming'), lte(settle_batch.confirm_deadline_at, now)))
    .orderBy(settle_batch.id)
    .limit(AT_ONCE)
    .for('update', { skipLocked: true })
  for (const { id } of due)
    await tx
      .update(settle_batch)
      .set({
        status: 'confirmed',
        confirmed_by: 'auto',
        confirmed_at: now,
        updated_at: now,
        version: sql`${settle_batch.version} + 1`,
      })
      .where(eq(settle_batch.id, id))
  return due.length
}
