/**
 * `node --import ./src/source.mjs tests/e2e/shopRows.server.ts SOCKET ASKED`: merchants of a
 * journey's own and what hangs on them, and what their app alone submits; the answer as JSON.
 */
import { and, eq, sql } from 'drizzle-orm'
import { submitOffer } from '#src/areas/audit/decision.server.ts'
import { bd_assignment } from '#src/areas/merchant/bd.table.ts'
import { facility, store_facility } from '#src/areas/merchant/facility.table.ts'
import { merchant, shop_category, store } from '#src/areas/merchant/merchant.table.ts'
import type { MerchantState } from '#src/areas/merchant/merchant.ts'
import { hoursWords } from '#src/areas/merchant/storeHours.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { product, product_store, product_version } from '#src/areas/product/product.table.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { gramsOf, searchable } from '#src/domain/search.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { journeyMerchant } from './journeyMerchant.ts'
import { openOfServer } from './rowsDatabase.ts'

type Merchant = typeof merchant.$inferSelect
type Store = typeof store.$inferSelect
let made = 0
/** Eleven digits that no other run of a journey has. */
const own = () => `${String(Date.now() + process.pid).slice(-9)}${String(++made).padStart(2, '0')}`

/** A category with none below it that asks for no licence and takes every kind of product. */
const aCategory = async (tx: Db) => {
  const [one] = await tx
    .insert(shop_category)
    .values({
      level: 1,
      name: `旅${own().slice(-8)}`,
      commission_min_bp: 0,
      commission_max_bp: 5000,
      floor_bp: 1000,
      need_licenses: [],
    })
    .returning()
  return one!
}
/** A merchant whose application is whole but for the picture of its licence. */
const aMerchant = async (tx: Db, status: MerchantState, category_id: number): Promise<Merchant> => {
  const no = own()
  const [one] = await tx
    .insert(merchant)
    .values({
      ...journeyMerchant(no),
      license_expire_at: unixNow() + 900 * DAY,
      legal_id_no: '110101199003077213',
      contact_phone: `138${no.slice(-8)}`,
      category_ids: [category_id],
      contract_no: `HT${no}`,
      bank_kind: 'company',
      bank_holder: `旅程商户${no}`,
      bank_name: '招商银行',
      bank_no: `6225${no}1`,
      status,
    })
    .returning()
  return one!
}
/** An open store of a merchant, outside any mall. */
const aStore = async (tx: Db, of: Merchant, category_id: number): Promise<Store> => {
  const no = own()
  const hours = {
    week: [{ weekdays: [1, 2, 3, 4, 5, 6, 7], from: '10:00', to: '22:00' }],
    holidays: [],
  }
  const [one] = await tx
    .insert(store)
    .values({
      store_no: `S9${no}`,
      kind: 'offline',
      merchant_id: of.id,
      category_id,
      name: `旅程门店${no}`,
      city_id: of.city_id,
      address: `旅程路 ${no} 号`,
      phone: '021-60001234',
      hours,
      open_hours: hoursWords(hours),
      avg_price_cents: 8800,
      status: 'open',
    })
    .returning()
  return one!
}
const bodyFor = (at: Store): ProductBody => {
  const now = unixNow()
  return {
    kind: 'bulks',
    title: `旅程双人餐${own()}`,
    category_id: at.category_id,
    store_ids: [at.id],
    images: at.images.slice(0, 1),
    tags: [],
    list_price_cents: 20_000,
    price_cents: 12_800,
    settle_price_cents: 11_520,
    commission_bp: 1000,
    stock: 50,
    sale_start_at: now - DAY,
    sale_end_at: now + 60 * DAY,
    check_start_at: now - DAY,
    check_end_at: now + 90 * DAY,
    refund_policy: 'anytime',
  }
}
/** A product as its merchant drafts it, or as it sells. */
const aProduct = async (tx: Db, at: Store, state: 'draft' | 'on_sale') => {
  const body = bodyFor(at)
  const sells = state === 'on_sale'
  const { tags: _, ...columns } = body
  const [one] = await tx
    .insert(product)
    .values({
      ...columns,
      merchant_id: at.merchant_id,
      city_id: at.city_id,
      mall_id: at.mall_id,
      grams: gramsOf(searchable(body.title)),
      state,
      live_version: sells ? 1 : 0,
    })
    .returning()
  if (sells) {
    await tx
      .insert(product_version)
      .values({ product_id: one!.id, no: 1, body, changed: [], state: 'live' })
    await tx.insert(product_store).values({ product_id: one!.id, store_id: at.id })
  }
  return { id: one!.id, body }
}
const trading = async (tx: Db) => {
  const { id: category_id } = await aCategory(tx)
  const owner = await aMerchant(tx, 'active', category_id)
  const at = await aStore(tx, owner, category_id)
  await aProduct(tx, at, 'on_sale')
  return { name: owner.name, store: at.name, store_id: at.id }
}
const makes: Record<string, (tx: Db, of: { merchant?: string }) => Promise<object>> = {
  trading,
  draft: async tx => {
    const category = await aCategory(tx)
    const { name } = await aMerchant(tx, 'draft', category.id)
    return { name, category: category.name }
  },
  offer: async (tx, { merchant: name }) => {
    const [row] = await tx
      .select({ at: store })
      .from(store)
      .innerJoin(merchant, eq(merchant.id, store.merchant_id))
      .where(and(eq(merchant.name, name!), eq(store.status, 'open')))
    const { id: product_id, body } = await aProduct(tx, row!.at, 'draft')
    await submitOffer(tx, { product_id, body, submit_type: 'new', now: unixNow() })
    return { title: body.title }
  },
  left: async tx => {
    const of = await trading(tx)
    const no = own()
    const [person] = await tx
      .insert(admin)
      .values({ account: `lc${no}`, name: `离职${no}`, password_hash: '-', status: 'left' })
      .returning()
    await tx
      .insert(bd_assignment)
      .values({ store_id: of.store_id, admin_id: person!.id, start_at: unixNow() - DAY })
    return { name: person!.name, store: of.store }
  },
  facility: async tx => {
    const of = await trading(tx)
    const last = sql<number>`(select coalesce(max(sort), 0) + 1 from facility)`
    const [one] = await tx
      .insert(facility)
      .values({
        name: `设施${own().slice(-8)}`,
        icon: '',
        group: 'other',
        scope: 'both',
        sort: last,
      })
      .returning()
    await tx.insert(store_facility).values({ store_id: of.store_id, facility_id: one!.id })
    return { name: one!.name, store: of.store }
  },
}

const [socket, asked] = process.argv.slice(2) as [string, string]
const database = await openOfServer(socket)
const of = JSON.parse(asked) as { what: string; merchant?: string }
const answer = await database.transaction(tx => makes[of.what]!(tx, of))
await database.close()
process.stdout.write(JSON.stringify(answer))
