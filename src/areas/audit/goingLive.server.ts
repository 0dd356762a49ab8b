import { and, eq, not, sql } from 'drizzle-orm'
import { brandsNow } from '#src/areas/brand/brands.server.ts'
import { settleOffers } from '#src/areas/merchant/sales.server.ts'
import {
  product,
  product_sku,
  product_store,
  product_version,
} from '#src/areas/product/product.table.ts'
import type { ProductBody } from '#src/contract/product.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { AuditTask } from './audit.table.ts'

/** Whether an edit leaves the stock of a variant as it was: what was sold meanwhile stays sold. */
export const isStockKept = (task: AuditTask, of: { code: string; stock: number }): boolean =>
  task.live_snapshot?.skus?.find(sku => sku.code === of.code)?.stock === of.stock

const columnsOf = (body: ProductBody) => ({
  title: body.title,
  store_ids: [...body.store_ids],
  category_id: body.category_id,
  images: [...body.images],
  list_price_cents: body.list_price_cents,
  price_cents: body.price_cents,
  settle_price_cents: body.settle_price_cents,
  commission_bp: body.commission_bp,
  sale_start_at: body.sale_start_at,
  sale_end_at: body.sale_end_at,
  check_start_at: body.check_start_at,
  check_end_at: body.check_end_at,
  valid_days: body.valid_days ?? null,
  refund_policy: body.refund_policy,
  times_total: body.times_total ?? null,
  face_cents: body.face_cents ?? null,
  min_spend_cents: body.min_spend_cents ?? null,
  per_bill_limit: body.per_bill_limit ?? null,
  group_need: body.group_need ?? null,
  group_price_cents: body.group_price_cents ?? null,
  group_leader_free: body.group_leader_free ?? false,
  // Orders of other kinds count no limit.
  ...(body.kind === 'elist' && { limit_per_member: body.limit_per_member || null }),
})

/** The brand that a submission names, as it stands now; what the platform gave it where it names none. */
const brandKept = async (tx: Db, { brand_id }: ProductBody) => {
  if (brand_id === undefined) return sql`${product.brand_id}`
  return (await brandsNow(tx, [brand_id])).get(brand_id)?.id ?? brand_id
}
/**
 * Makes the task's version the live one: the old retires, the product takes its values and goes on
 * sale, stores and SKUs follow.
 */
export const goLive = async (
  tx: Db,
  task: AuditTask,
  body: ProductBody,
  now: number,
): Promise<void> => {
  const of = eq(product_version.product_id, task.product_id)
  await tx
    .update(product_version)
    .set({ state: 'retired' })
    .where(and(of, eq(product_version.state, 'live')))
  const [live] = await tx
    .update(product_version)
    .set({ state: 'live' })
    .where(
      and(of, eq(product_version.no, task.product_version), eq(product_version.state, 'auditing')),
    )
    .returning({ no: product_version.no })
  // The task and its version change together; a version in any other state is a fault of ours, and
  // nothing may go live.
  if (!live)
    throw new Error(`Version ${task.product_version} of product ${task.product_id} is not in audit`)
  // What members hold in unpaid orders stays covered by stock.
  await tx
    .update(product)
    .set({
      ...columnsOf(body),
      brand_id: await brandKept(tx, body),
      // An edit that leaves the stock as it was must not bring back what was sold meanwhile.
      stock:
        task.live_snapshot?.stock === body.stock
          ? product.stock
          : sql`greatest(${body.stock}::int, ${product.held})`,
      state: 'on_sale',
      off_reason: null,
      taken_off: [],
      live_version: task.product_version,
      version: sql`${product.version} + 1`,
      grams: task.grams,
      updated_at: now,
    })
    .where(eq(product.id, task.product_id))
  await linkStores(tx, task.product_id, body.store_ids)
  await settleOffers(tx, [task.product_id])
  const skus = body.skus ?? []
  await tx
    .update(product_sku)
    .set({ status: 'off' })
    .where(
      and(
        eq(product_sku.product_id, task.product_id),
        skus.length ? sql`${product_sku.code} not in ${skus.map(sku => sku.code)}` : undefined,
      ),
    )
  for (const sku of skus) {
    await tx
      .insert(product_sku)
      .values({ product_id: task.product_id, ...sku, image: sku.image ?? null })
      .onConflictDoUpdate({
        target: [product_sku.product_id, product_sku.code],
        set: {
          name: sku.name,
          price_cents: sku.price_cents,
          stock: isStockKept(task, sku)
            ? product_sku.stock
            : sql`greatest(${sku.stock}::int, ${product_sku.held})`,
          image: sku.image ?? null,
          status: 'on',
          version: sql`${product_sku.version} + 1`,
        },
      })
  }
}
export const linkStores = async (
  tx: Db,
  product_id: number,
  store_ids: readonly number[],
): Promise<void> => {
  const supplied = sql`exists (select 1 from store s join product p on p.id = ${product_id} where s.id = ${product_store.store_id} and s.merchant_id <> p.merchant_id)`
  await tx
    .update(product_store)
    .set({ status: 'off' })
    .where(and(eq(product_store.product_id, product_id), not(supplied)))
  // A merchant says nothing of the shops of others that the platform lets sell it.
  await tx.execute(
    sql`update product set store_ids = store_ids || coalesce((select jsonb_agg(${product_store.store_id} order by ${product_store.store_id}) from product_store where ${product_store.product_id} = ${product_id} and ${product_store.status} = 'on' and ${supplied} and not product.store_ids @> to_jsonb(${product_store.store_id})), '[]') where id = ${product_id}`,
  )
  if (store_ids.length === 0) return
  await tx
    .insert(product_store)
    .values(store_ids.map(store_id => ({ product_id, store_id })))
    .onConflictDoUpdate({
      target: [product_store.product_id, product_store.store_id],
      set: { status: 'on' },
    })
}
