import { eq, sql } from 'drizzle-orm'
import { order_code } from '#src/areas/code/code.table.ts'
import { creditCheckSign } from '#src/areas/merchant/identity.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { product, product_store } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { FIRST } from './counted.ts'

let made = FIRST
/** A credit code that nobody has. */
export const freshCredit = (): string => {
  const first = `91310090417${String(900_000 + ++made)}`
  return first + creditCheckSign(first)
}
/** A merchant of a test's own, active, without anything that hangs on it but a store. */
export const freshMerchant = async (
  { db }: Database,
  of: Partial<typeof merchant.$inferInsert> = {},
) => {
  const license_no = freshCredit()
  const now = unixNow()
  const [one] = await db
    .insert(merchant)
    .values({
      merchant_no: `T${license_no}`,
      name: `测试商户${license_no.slice(-6)}`,
      license_no,
      license_image: '',
      legal_name: '王大明',
      contact_name: '李小红',
      contact_phone: '13900001111',
      licenses: [],
      contract_start_at: now - 86_400,
      contract_end_at: now + 90 * 86_400,
      commission_bp: 1000,
      city_id: 1,
      status: 'active',
      ...of,
    })
    .returning()
  const shop = await freshStore({ db } as Database, one!)
  return { ...one!, store_id: shop.id }
}
/** An open store of a merchant, outside any mall. */
export const freshStore = async (
  { db }: Database,
  owner: { id: number; city_id: number },
  of: Partial<typeof store.$inferInsert> = {},
) => {
  const no = freshCredit()
  const [shop] = await db
    .insert(store)
    .values({
      store_no: `T${no}`,
      kind: 'offline',
      merchant_id: owner.id,
      category_id: 1,
      name: `测试门店${no.slice(-6)}`,
      city_id: owner.city_id,
      address: '测试路 1 号',
      phone: '021-55550000',
      open_hours: '10:00-22:00',
      avg_price_cents: 5000,
      status: 'open',
      ...of,
    })
    .returning()
  return shop!
}
/** Something that a merchant offers, in a state of its own. */
export const freshOffer = async (
  { db }: Database,
  of: { merchant_id: number; store_id: number },
  state: (typeof product.$inferSelect)['state'] = 'on_sale',
) => {
  const [like] = await db.select().from(product).where(eq(product.kind, 'bulks')).limit(1)
  const { id: _, version: __, ...columns } = like!
  const now = unixNow()
  const [one] = await db
    .insert(product)
    .values({
      ...columns,
      merchant_id: of.merchant_id,
      store_ids: [of.store_id],
      title: `测试商品${++made}`,
      state,
      taken_off: [],
      off_reason: null,
      sale_start_at: now - 86_400,
      sale_end_at: now + 86_400,
      check_end_at: now + 2 * 86_400,
    })
    .returning()
  return one!
}
/** An approved product of a merchant on sale that these stores take; answers its id. */
export const sellAt = async (
  database: Database,
  { id: merchant_id }: { id: number },
  store_ids: readonly number[],
): Promise<number> => {
  const { id } = await freshOffer(database, { merchant_id, store_id: store_ids[0]! })
  await database.db
    .insert(product_store)
    .values(store_ids.map((store_id, sort) => ({ product_id: id, store_id, sort })))
  await database.db
    .update(product)
    .set({ store_ids: [...store_ids], live_version: 1 })
    .where(eq(product.id, id))
  return id
}
/** A paid code of a product that nobody has used. */
export const soldCode = async ({ db }: Database, product_id: number) => {
  const now = unixNow()
  const {
    rows: [like],
  } = await db.execute<{ id: number }>(
    sql`select c.id from order_code c join "order" o on o.id = c.order_id join order_item i on i.id = c.item_id where c.kind = 'bulks' and c.state = 'unused' and c.left_times > 0 and o.pay_state = 'paid' and not o.frozen and i.snapshot->>'moved_to' is null limit 1`,
  )
  const [found] = await db.select().from(order_code).where(eq(order_code.id, like!.id))
  const { id: _, code, ...columns } = found!
  const [made] = await db
    .insert(order_code)
    .values({
      ...columns,
      product_id,
      code: `${code.slice(0, 6)}${String(product_id).padStart(6, '0')}`,
      valid_from: now - 86_400,
      valid_until: now + 86_400,
    })
    .returning()
  return made!
}
