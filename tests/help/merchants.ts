import { eq } from 'drizzle-orm'
import { creditCheckSign } from '#src/areas/merchant/identity.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'

let made = 0
/** A credit code that nobody has. */
export const freshCredit = (): string => {
  const first = `9131${String(process.pid % 10_000_000).padStart(7, '0')}${String(900_000 + ++made)}`
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
  const [shop] = await db
    .insert(store)
    .values({
      store_no: `T${license_no}`,
      kind: 'offline',
      merchant_id: one!.id,
      category_id: 1,
      name: `测试门店${license_no.slice(-6)}`,
      city_id: one!.city_id,
      address: '测试路 1 号',
      phone: '021-55550000',
      open_hours: '10:00-22:00',
      avg_price_cents: 5000,
      status: 'open',
    })
    .returning()
  return { ...one!, store_id: shop!.id }
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
