import { and, eq, sql } from 'drizzle-orm'
import type { AuditTask } from '#src/areas/audit/audit.table.ts'
import { submitOffer } from '#src/areas/audit/decision.server.ts'
import { product, product_sku, product_version } from '#src/areas/product/product.table.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { FIRST } from './counted.ts'

let made = FIRST
/** A number in letters: a title with digits would be found by another product's number. */
const inLetters = (n: number): string =>
  String(n).replace(/\d/g, digit => 'abcdefghij'[Number(digit)]!)
/** A product of a test's own that sells: a copy of one that does, clean by every rule. */
export const freshProduct = async (tx: Db, kind: ProductBody['kind'] = 'bulks') => {
  const now = unixNow()
  const [like] = await tx
    .select()
    .from(product)
    .where(
      and(
        eq(product.kind, kind),
        eq(product.state, 'on_sale'),
        // Sold yesterday too, as its orders may be placed before now.
        sql`${product.sale_start_at} < ${now - 86_400} and ${product.sale_end_at} > ${now + 86_400}`,
        sql`${product.stock} > 20`,
        sql`not exists (select 1 from risk_hit h join product_store s on s.store_id = h.store_id where s.product_id = ${product.id})`,
        sql`exists (select 1 from merchant m where m.id = ${product.merchant_id} and m.status = 'active' and (m.contract_end_at is null or m.contract_end_at > ${product.check_end_at} + 30 * 86400))`,
      ),
    )
    .orderBy(product.id)
    .limit(1)
  const [live] = await tx
    .select()
    .from(product_version)
    .where(and(eq(product_version.product_id, like!.id), eq(product_version.state, 'live')))
  const title = `测试商品Q第${inLetters(++made)}号`
  const { id: _, version: __, ...columns } = like!
  const [item] = await tx
    .insert(product)
    .values({ ...columns, title, live_version: 1, in_activity: false })
    .returning()
  const body = { ...live!.body, title }
  await tx
    .insert(product_version)
    .values({ product_id: item!.id, no: 1, body, changed: [], state: 'live' })
  if (body.skus)
    await tx.insert(product_sku).values(body.skus.map(sku => ({ product_id: item!.id, ...sku })))
  return { item: item!, body }
}
/** A submission of it; `edit` changes the body. */
export const freshTask = (
  database: Database,
  edit: (body: ProductBody) => ProductBody = body => ({ ...body, stock: body.stock + 7 }),
  kind: ProductBody['kind'] = 'bulks',
  by?: number,
): Promise<AuditTask> =>
  database.transaction(async tx => {
    const { item, body } = await freshProduct(tx, kind)
    return submitOffer(tx, {
      product_id: item.id,
      body: edit(body),
      submit_type: 'edit',
      now: unixNow(),
      ...(by ? { by } : {}),
    })
  })
