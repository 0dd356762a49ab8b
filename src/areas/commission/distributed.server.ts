/** Goods that are distributed: one row of `dist_product` says so, and the product keeps its rate. */
import { and, eq, inArray, lte, notInArray, or, sql } from 'drizzle-orm'
import { product } from '#src/areas/product/product.table.ts'
import { joined } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { dist_product } from './commission.table.ts'
import { termsFault } from './margin.ts'

const noTerms = { fixed_cents: 0, level_plus: {}, leader_bp: null, guide_bp: 0, waiver: '' }
type Row = typeof dist_product.$inferSelect
/** Lets a product say what its row does: the rate while it is distributed, else nothing. */
export const tellProduct = async (tx: Db, row: Row): Promise<void> => {
  if (row.ref_kind !== 'product') return
  await tx
    .update(product)
    .set({ distribution_bp: row.status === 'on' ? row.rate_bp : null })
    .where(eq(product.id, row.ref_id))
}
/**
 * Has a product distributed at a rate (basis points), or by nobody any more (null): the row that
 * says so is made, changed or put off. The product itself is the caller's to save. Throws 422
 * `margin` where that leaves nothing of its price.
 */
export const setDistributed = async (
  tx: Db,
  of: typeof product.$inferSelect,
  rate_bp: number | null,
  now: number,
): Promise<void> => {
  const its = and(eq(dist_product.ref_kind, 'product'), eq(dist_product.ref_id, of.id))
  if (rate_bp === null) {
    await tx
      .update(dist_product)
      .set({
        status: 'off',
        reason: joined(['商品页取消分销', 'Turned off on the page of the product']),
        updated_at: now,
        version: sql`version + 1`,
      })
      .where(and(its, eq(dist_product.status, 'on')))
    return
  }
  const [was] = await tx.select().from(dist_product).where(its).for('update')
  const wrong = termsFault(of, { ...(was ?? noTerms), commission_kind: 'rate', rate_bp })
  if (wrong) throw ruled('margin', wrong.fault)
  await tx
    .insert(dist_product)
    .values({
      ref_kind: 'product',
      ref_id: of.id,
      city_id: of.city_id,
      mall_id: of.mall_id,
      rate_bp,
      start_at: now,
      status: 'on',
      created_at: now,
    })
    .onConflictDoUpdate({
      target: [dist_product.ref_kind, dist_product.ref_id],
      set: {
        commission_kind: 'rate',
        rate_bp,
        end_at: null,
        reason: '',
        status: 'on',
        updated_at: now,
        version: sql`${dist_product.version} + 1`,
      },
    })
}
/** Ends what is distributed past its time, or is sold no more; answers how many. */
export const endDistributed = async (tx: Db, now: number): Promise<number> => {
  const gone = tx
    .select({ id: product.id })
    .from(product)
    .where(notInArray(product.state, ['on_sale', 'off_sale']))
  const ended = await tx
    .update(dist_product)
    .set({ status: 'ended', updated_at: now, version: sql`version + 1` })
    .where(
      and(
        eq(dist_product.status, 'on'),
        or(
          lte(dist_product.end_at, now),
          and(eq(dist_product.ref_kind, 'product'), inArray(dist_product.ref_id, gone)),
        ),
      ),
    )
    .returning()
  for (const row of ended) await tellProduct(tx, row)
  return ended.length
}
