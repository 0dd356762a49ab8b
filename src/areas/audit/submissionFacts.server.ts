import { and, eq, inArray, isNull, ne, or, sql } from 'drizzle-orm'
import { brandsNow } from '#src/areas/brand/brands.server.ts'
import {
  e_category,
  freight_template,
  merchant,
  return_address,
  shop_category,
  store,
} from '#src/areas/merchant/merchant.table.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { risk_hit } from '#src/areas/risk/risk.table.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { AuditSettings } from './audit.ts'
import type { SubmissionFacts } from './auditFindings.ts'

/** To-store kinds and e-commerce have each their own categories. */
export const categoriesOf = (kind: ProductBody['kind']) =>
  kind === 'elist' ? e_category : shop_category

/** Whether a category is shown: by itself and by all above it. */
const isShown = async (tx: Db, kinds: ReturnType<typeof categoriesOf>, id: number) => {
  const { rows } = await tx.execute<{ shown: boolean }>(
    sql`with recursive up as (select id, parent_id, status, 0 depth from ${kinds} where id = ${id} union all select k.id, k.parent_id, k.status, up.depth + 1 from up join ${kinds} k on k.id = up.parent_id where up.depth < 9) select bool_and(status = 'on') shown from up`,
  )
  return rows[0]!.shown
}
/** A submission, whose it is, and by what numbers it is judged. */
type Submitted = {
  body: ProductBody
  product_id: number
  merchant_id: number
  image_faults: Record<string, string>
  now: number
  settings: AuditSettings
  hold?: boolean
}

const sellerOf = async (
  tx: Db,
  { merchant_id, hold }: Submitted,
): Promise<SubmissionFacts['merchant']> => {
  const sellers = tx.select().from(merchant).where(eq(merchant.id, merchant_id))
  const [seller] = await (hold ? sellers.for('share') : sellers)
  if (!seller) return null
  const { status, license_expire_at, contract_end_at, licenses } = seller
  return { status, license_expire_at, contract_end_at, qualifications: licenses }
}
const storesOf = async (
  tx: Db,
  { body, merchant_id }: Submitted,
): Promise<SubmissionFacts['stores']> => {
  if (body.store_ids.length === 0) return []
  const places = await tx
    .select({
      id: store.id,
      name: store.name,
      merchant_id: store.merchant_id,
      status: store.status,
      mall_name: mall.name,
      mall_status: mall.status,
    })
    .from(store)
    .leftJoin(mall, eq(mall.id, store.mall_id))
    .where(inArray(store.id, [...body.store_ids]))
  return places.map(one => ({
    id: one.id,
    name: one.name,
    own: one.merchant_id === merchant_id,
    status: one.status,
    mall_name: one.mall_name ?? '',
    mall_status: one.mall_status,
  }))
}
const categoryOf = async (
  tx: Db,
  { body, hold }: Submitted,
): Promise<SubmissionFacts['category']> => {
  const kinds = categoriesOf(body.kind)
  const named = tx.select().from(kinds).where(eq(kinds.id, body.category_id))
  const [kind] = await (hold ? named.for('share') : named)
  return kind ? { ...kind, on: await isShown(tx, kinds, kind.id) } : null
}
/** The brand that a submission names, as it stands now. */
export const brandNamed = async (tx: Db, { brand_id }: ProductBody) =>
  brand_id === undefined ? undefined : (await brandsNow(tx, [brand_id])).get(brand_id)
const brandOf = async (tx: Db, { body }: Submitted): Promise<SubmissionFacts['brand']> => {
  const label = await brandNamed(tx, body)
  if (!label) return null
  const { name, state, auth_end_at, auth_category_ids } = label
  return { name, on: state === 'on', auth_end_at, auth_category_ids }
}
const hasFreight = async (
  tx: Db,
  { body: { freight_template_id }, merchant_id }: Submitted,
): Promise<boolean> => {
  if (freight_template_id === undefined) return false
  const found = await tx
    .select({ id: freight_template.id })
    .from(freight_template)
    .where(
      and(
        eq(freight_template.id, freight_template_id),
        or(isNull(freight_template.merchant_id), eq(freight_template.merchant_id, merchant_id)),
        eq(freight_template.status, 'on'),
      ),
    )
  return found.length > 0
}
const hasReturns = async (
  tx: Db,
  { body: { return_address_id }, merchant_id }: Submitted,
): Promise<boolean> => {
  if (return_address_id === undefined) return false
  const found = await tx
    .select({ id: return_address.id })
    .from(return_address)
    .where(
      and(
        eq(return_address.id, return_address_id),
        eq(return_address.merchant_id, merchant_id),
        eq(return_address.status, 'on'),
      ),
    )
  return found.length > 0
}
/** Another product of the merchant's under the same title. */
const twinOf = async (
  tx: Db,
  { body, merchant_id, product_id }: Submitted,
): Promise<SubmissionFacts['duplicate']> => {
  const [twin] = await tx
    .select({ id: product.id, title: product.title })
    .from(product)
    .where(
      and(
        eq(product.merchant_id, merchant_id),
        eq(product.kind, body.kind),
        inArray(product.state, ['on_sale', 'auditing']),
        eq(product.title, body.title),
        ne(product.id, product_id),
      ),
    )
    .orderBy(product.id)
    .limit(1)
  return twin ?? null
}
/** Titles of the merchant's other vouchers of the same face value in the same stores. */
const sameFaces = async (
  tx: Db,
  { body, merchant_id, product_id }: Submitted,
): Promise<string[]> => {
  if (body.kind !== 'voucher' || body.face_cents === undefined) return []
  const same = await tx
    .select({ title: product.title, store_ids: product.store_ids })
    .from(product)
    .where(
      and(
        eq(product.merchant_id, merchant_id),
        eq(product.kind, 'voucher'),
        eq(product.state, 'on_sale'),
        eq(product.face_cents, body.face_cents),
        ne(product.id, product_id),
      ),
    )
  return same
    .filter(one => one.store_ids.some(id => body.store_ids.includes(id)))
    .map(one => one.title)
}
/** How often one of a voucher's stores was lately suspected of paying cash out. */
const cashOuts = async (tx: Db, { body, now, settings }: Submitted): Promise<number> => {
  if (body.kind !== 'voucher' || body.store_ids.length === 0) return 0
  const [hits] = await tx
    .select({ n: sql<number>`count(*)::int` })
    .from(risk_hit)
    .where(
      and(
        inArray(risk_hit.store_id, [...body.store_ids]),
        eq(risk_hit.rule, 'cash_out'),
        ne(risk_hit.state, 'released'),
        sql`${risk_hit.hit_at} > ${now - settings.cash_out_days * DAY}`,
      ),
    )
  return hits!.n
}

/** Sold units of a product that may still be used, and until when. */
export const soldOf = async (
  tx: Db,
  product_id: number,
): Promise<{ unused_codes: number; left: number; latest_valid_until: number | null }> => {
  const counted = await tx.execute<{ codes: number; uses: number; until: string | null }>(sql`
    select count(*)::int codes, coalesce(sum(times_total + times_bonus - times_used - times_refunding - times_refunded), 0)::int uses, max(valid_until) until
    from order_code where product_id = ${product_id} and state in ('locked', 'unused', 'part_used')`)
  const row = counted.rows[0]!
  return {
    unused_codes: row.codes,
    left: row.uses,
    latest_valid_until: row.until === null ? null : Number(row.until),
  }
}

/**
 * What the rules need to know of a submission, as it stands now. `hold` keeps merchant and
 * category as they are until the transaction ends, so that an approval can't pass a freeze or a
 * merge that commits at the same moment.
 */
export const factsOf = async (tx: Db, of: Submitted): Promise<SubmissionFacts> => ({
  merchant: await sellerOf(tx, of),
  stores: await storesOf(tx, of),
  category: await categoryOf(tx, of),
  brand: await brandOf(tx, of),
  freight_ok: await hasFreight(tx, of),
  return_ok: await hasReturns(tx, of),
  duplicate: await twinOf(tx, of),
  same_face: await sameFaces(tx, of),
  cash_out_hits: await cashOuts(tx, of),
  image_faults: of.image_faults,
  sold_left: of.body.kind === 'card' ? (await soldOf(tx, of.product_id)).left : 0,
})
