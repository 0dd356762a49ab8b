import { eq, inArray, sql } from 'drizzle-orm'
import { lineOf, merchants, ours, type PostingLine } from '#src/areas/ledger/ledger.ts'
import { balanceOf, post } from '#src/areas/ledger/post.server.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { ensureTerms } from '#src/areas/settle/batches.server.ts'
import { settle_line } from '#src/areas/settle/line.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { FIRST } from './counted.ts'
import { freshMerchant } from './merchants.ts'

type Line = typeof settle_line.$inferInsert
let made = FIRST
/** An order of a test's own at a new merchant, which has terms; its lines are made by `freezing`. */
export const freshSale = async (
  database: Database,
  of: Parameters<typeof freshMerchant>[1] = {},
) => {
  const owner = await freshMerchant(database, of)
  await ensureTerms(database.db)
  const [like] = await database.db.select().from(order).limit(1)
  const { id: _, version: __, ...columns } = like!
  const no = `90417${String(++made).padStart(6, '0')}`
  const [sale] = await database.db
    .insert(order)
    .values({
      ...columns,
      frozen: false,
      frozen_by: null,
      freeze_reason: null,
      freeze_hit_id: null,
      order_no: `T${no}`,
      merchant_id: owner.id,
      store_id: owner.store_id,
      city_id: owner.city_id,
      mall_id: 0,
    })
    .returning()
  const [item] = await database.db
    .select()
    .from(order_item)
    .where(eq(order_item.order_id, like!.id))
    .limit(1)
  const { id: ___, version: ____, ...item_columns } = item!
  const [sold] = await database.db
    .insert(order_item)
    .values({ ...item_columns, order_id: sale!.id })
    .returning()
  return { merchant: owner, order: sale!, item: sold! }
}
export type Sale = Awaited<ReturnType<typeof freshSale>>

const moved = (db: Db, key: string, lines: PostingLine[]) =>
  post(db, {
    biz: 'verify',
    biz_id: 1,
    biz_no: 'T',
    idem_key: `test:Q:${key}:${++made}`,
    at: unixNow(),
    lines,
  })
/** Lines of a sale whose freeze is over, with the money that they hold back; the ids. */
export const freezing = (
  database: Database,
  { merchant, order: sale, item }: Sale,
  each: readonly Partial<Line>[],
): Promise<number[]> =>
  database.transaction(async tx => {
    const now = unixNow()
    const rows = await tx
      .insert(settle_line)
      .values(
        each.map(({ merchant_cents = 9000, commission_cents = 1000, ...more }) => ({
          order_id: sale.id,
          item_id: item.id,
          // Above whatever the order's own engine makes of it.
          unit_no: 10_000 + ++made,
          order_kind: 'bulks',
          merchant_id: merchant.id,
          store_id: merchant.store_id,
          city_id: merchant.city_id,
          mall_id: 0,
          price_cents: merchant_cents + commission_cents,
          base_cents: merchant_cents + commission_cents,
          commission_cents,
          fee_cents: 0,
          merchant_cents,
          status: 'freezing' as const,
          paid_at: now - 400_000,
          verified_at: now - 300_000,
          freeze_until_at: now - 100_000,
          ...more,
        })),
      )
      .returning()
    const cents = rows.reduce((sum, row) => sum + row.merchant_cents, 0)
    if (cents > 0)
      await moved(tx, 'verify', [
        ...lineOf(ours('suspense'), cents),
        ...lineOf(merchants('merchant_frozen', merchant.id), -cents),
      ])
    return rows.map(row => row.id)
  })
/**
 * Takes cents of the merchant's part of a line back, as a refund does: from what is on hold, or,
 * once settled, from its balance and as debt. False where no so much is left of it.
 */
export const refundOf = (database: Database, line_id: number, cents: number): Promise<boolean> =>
  database.transaction(async tx => {
    const [line] = await tx
      .select()
      .from(settle_line)
      .where(eq(settle_line.id, line_id))
      .for('update')
    const left = line!.merchant_cents - line!.gone_merchant_cents
    if (cents > left || !['freezing', 'settled'].includes(line!.status)) return false
    const whole = cents === left
    await tx
      .update(settle_line)
      .set({
        gone_merchant_cents: line!.gone_merchant_cents + cents,
        ...(whole && { status: 'refunded' as const }),
        version: sql`${settle_line.version} + 1`,
      })
      .where(eq(settle_line.id, line_id))
    const own = merchants('merchant_balance', line!.merchant_id)
    const there = line!.status === 'settled' ? -(await balanceOf(tx, own)) : 0
    const taken = Math.min(cents, there)
    await moved(tx, 'refund', [
      ...lineOf(ours('suspense'), -cents),
      ...(line!.status === 'settled'
        ? [
            ...lineOf(own, taken),
            ...lineOf(merchants('merchant_debt', line!.merchant_id), cents - taken),
          ]
        : lineOf(merchants('merchant_frozen', line!.merchant_id), cents)),
    ])
    return true
  })
/** Pays money out of a merchant's balance. */
export const paidOut = (database: Database, { merchant }: Pick<Sale, 'merchant'>, cents: number) =>
  database.transaction(tx =>
    moved(tx, 'paid', [
      ...lineOf(merchants('merchant_balance', merchant.id), cents),
      ...lineOf(ours('bank_cash'), -cents),
    ]),
  )
/** A merchant pays what it owes. */
export const repaid = (database: Database, { merchant }: Pick<Sale, 'merchant'>, cents: number) =>
  database.transaction(tx =>
    moved(tx, 'repaid', [
      ...lineOf(ours('bank_cash'), cents),
      ...lineOf(merchants('merchant_debt', merchant.id), -cents),
    ]),
  )
/** Lines as they are. */
export const linesBy = (database: Database, ids: readonly number[]) =>
  database.db
    .select()
    .from(settle_line)
    .where(inArray(settle_line.id, [...ids]))
    .orderBy(settle_line.id)
