/** What stands behind an application of an online shop, and what the rules say of it. */
import { eq, sql } from 'drizzle-orm'
import type { FindingLevel } from '#src/areas/audit/audit.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import {
  freight_template,
  return_address,
  type merchant,
  type store,
} from '#src/areas/merchant/merchant.table.ts'
import { missingLicenses } from '#src/areas/merchant/merchant.ts'
import {
  auditedShopFields,
  invoices,
  rateFault,
  shopTypes,
  type ShopBody,
  type ShopField,
} from '#src/areas/merchant/onlineShop.ts'
import {
  sameShop,
  selfRunOf,
  shopCategories,
  shopsCalled,
  soldIn,
} from '#src/areas/merchant/onlineShops.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { percent } from '#src/domain/money.ts'
import { comma, joinedNames, say, type Lang } from '#src/domain/text.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Application } from './application.table.ts'
import type { StoreRule } from './storeFindings.ts'
import { storeRules } from './storeFindings.ts'

type Store = typeof store.$inferSelect
type Merchant = typeof merchant.$inferSelect

/** An online shop's own data as it stands. */
export const shopBodyOf = (row: Store): ShopBody => ({
  name: row.name,
  shop_type: row.shop_type ?? 'flagship',
  mall_id: row.mall_id,
  category_ids: row.category_ids,
  brand_id: row.brand_id,
  commission_bp: row.commission_bp,
  commission_reason: row.commission_reason ?? '',
  logo: row.logo,
  phone: row.phone,
  open_hours: row.open_hours,
  ship_area: row.ship_area ?? '',
  freight_template_id: row.freight_template_id,
  return_address_id: row.return_address_id,
  invoice: row.invoice ?? 'none',
})
/** What an application asks for, as columns of the store. */
export const shopColumns = (asked: Partial<ShopBody>): Partial<Store> => ({
  ...Object.fromEntries(
    auditedShopFields.filter(field => field in asked).map(field => [field, asked[field]]),
  ),
  ...(asked.category_ids && { category_id: asked.category_ids[0]! }),
})

/** What a row that is named by its number is called. */
const named = async (
  db: Db,
  table: typeof brand | typeof mall | typeof freight_template,
  id: number | null | undefined,
): Promise<string> =>
  id
    ? ((await db.select({ name: table.name }).from(table).where(eq(table.id, id)))[0]?.name ?? '')
    : ''
/** A return address in one line. */
const returnWords = async (db: Db, id: number | null | undefined): Promise<string> => {
  if (!id) return ''
  const line = sql<string>`concat_ws(' ', ${return_address.area} || ${return_address.address}, ${return_address.name}, ${return_address.phone})`
  const [row] = await db.select({ line }).from(return_address).where(eq(return_address.id, id))
  return row?.line ?? ''
}
/** Fields of a shop in words, by their names; its logo is shown, not said. */
export const shopWords = async (
  db: Db,
  of: Partial<ShopBody>,
  lang: Lang,
): Promise<Record<string, string>> => {
  const categories = await shopCategories(db, of.category_ids ?? [])
  const rate =
    of.commission_bp == null
      ? say(['按分类默认', 'As its category'], lang)
      : percent(of.commission_bp)
  const words: Record<Exclude<ShopField, 'logo'>, string> = {
    name: of.name ?? '',
    shop_type: of.shop_type ? say(shopTypes[of.shop_type], lang) : '',
    mall_id: await named(db, mall, of.mall_id),
    category_ids: categories.map(one => one.name).join(say(comma, lang)),
    brand_id: await named(db, brand, of.brand_id),
    commission_bp: rate,
    commission_reason: of.commission_reason ?? '',
    phone: of.phone ?? '',
    open_hours: of.open_hours ?? '',
    ship_area: of.ship_area ?? '',
    freight_template_id: await named(db, freight_template, of.freight_template_id),
    return_address_id: await returnWords(db, of.return_address_id),
    invoice: of.invoice ? say(invoices[of.invoice], lang) : '',
  }
  return Object.fromEntries(
    Object.entries(words)
      .filter(([field]) => field in of)
      .map(([field, text]) => [field, text || '—']),
  )
}
/** What an application would make otherwise, and what stands, or stood, there; in words. */
export const shopChange = async (db: Db, task: Application, row: Store, lang: Lang) => {
  const live: Partial<ShopBody> = { ...shopBodyOf(row), ...task.replaced?.eshop }
  const was = Object.fromEntries(task.changed.map(field => [field, live[field as ShopField]]))
  return {
    body: await shopWords(db, task.snapshot.eshop ?? {}, lang),
    live: task.kind === 'eshop' ? {} : await shopWords(db, was, lang),
  }
}

type Asking = Pick<Application, 'kind' | 'snapshot' | 'changed'>
type Found = {
  rule: StoreRule
  level: FindingLevel
  field: ShopField
  values: Record<string, string>
}
const rank: Record<FindingLevel, number> = { block: 0, second: 1, flag: 2, warn: 3 }
/** What the rules say of a shop's application as things stand, the forbidding ones first. */
export const judgeShop = async (
  db: Db,
  of: Asking,
  { row, owner, now }: { row: Store; owner: Merchant; now: number },
) => {
  const body: ShopBody = { ...shopBodyOf(row), ...of.snapshot.eshop }
  const found: Found[] = []
  const add = (rule: StoreRule, field: ShopField, values: Record<string, string> = {}) =>
    found.push({ rule, level: storeRules[rule][0], field, values })
  const touches = (field: ShopField) =>
    of.kind === 'eshop' || (of.changed as readonly string[]).includes(field)
  const isDue =
    of.kind === 'eshop'
      ? row.status === 'auditing'
      : row.status === 'open' || row.status === 'resting'
  if (owner.status !== 'active') add('merchant_inactive', 'name', { name: owner.name })
  if (!isDue) add('store_state', 'name', { state: row.status })
  const categories = await shopCategories(db, body.category_ids)
  if (touches('category_ids')) {
    const unfit = categories.find(one => !one.is_leaf)
    if (unfit || categories.length < body.category_ids.length)
      add('category_unfit', 'category_ids', { name: unfit?.name ?? '—' })
    const needed = categories.flatMap(one => one.need_licenses)
    const missing = missingLicenses(needed, owner.licenses, now)
    if (missing.length > 0) add('licences_short', 'category_ids', { names: joinedNames(missing) })
  }
  const gone = row.category_ids.filter(id => !body.category_ids.includes(id))
  const sold = await soldIn(db, row.id, gone)
  if (sold.length > 0)
    add('products_unfit', 'category_ids', {
      n: String(sold.length),
      names: joinedNames(sold.slice(0, 3)),
    })
  const about = { id: row.id, merchant_id: row.merchant_id, name: body.name }
  const same = await sameShop(db, about)
  if (same) add('shop_called', 'name', { id: String(same.id) })
  const other =
    body.shop_type === 'self_run' ? await selfRunOf(db, { ...body, id: row.id }) : undefined
  if (other) add('self_run_taken', 'mall_id', { name: other.name })
  const rate = categories[0]?.rate_bp ?? null
  if (touches('commission_bp') && rateFault({ ...body, commission_reason: '' }, rate))
    add('rate_below', 'commission_bp', { rate: percent(rate!), why: body.commission_reason || '—' })
  return {
    found: found.sort((a, b) => rank[a.level] - rank[b.level]),
    near: await shopsCalled(db, about),
    body,
    needed: [...new Set(categories.flatMap(one => one.need_licenses))],
  }
}
