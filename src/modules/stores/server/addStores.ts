import { and, asc, eq, ne, sql, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { brand } from '#src/areas/brand/brand.table.ts'
import { freight_template, merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { missingLicenses } from '#src/areas/merchant/merchant.ts'
import {
  sameShop,
  selfRunOf,
  shopCategories,
  shopLeaves,
  shopsCalled,
  templatesFor,
} from '#src/areas/merchant/onlineShops.server.ts'
import { hoursFrom } from '#src/areas/merchant/storeHours.ts'
import { stores, type Store } from '#src/areas/merchant/storeRecord.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { needCity } from '#src/areas/place/places.server.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { holding } from '#src/server/call/record.ts'
import { invalid, missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { countOf } from '#src/server/db/paging.ts'
import { shopAdd as contract } from '../contract/addStores.ts'
import { heldOwner, liveColumns, needActive, orTaken, refuseTaken, submitShop } from './applying.ts'
import { profileOf } from './forms.ts'
import { heldShop, saveShop, shops } from './rows.ts'

export type SentDraft = Parameters<Handler<typeof contract.saveDraft>>[0]
type Sent = SentDraft
/** The fields of a draft as columns, where they agree with each other. */
const columnsOf = async (
  context: WriteContext,
  id: number,
  { mid, logo, phone, hours, ship_area, freight_template_id, return_to, invoice, ...of }: Sent,
) => {
  const mall_id = of.shop_type === 'flagship' ? 0 : mid
  const { merchant_id, city_id, shop_type, name, category_ids, brand_id } = of
  await refuseTaken(context, { id, merchant_id, name, brand_id }, { shop_type, city_id, mall_id })
  const live = { logo, phone, hours, ship_area, freight_template_id, return_to, invoice }
  return {
    merchant_id,
    city_id,
    shop_type,
    mall_id,
    name,
    category_ids,
    category_id: category_ids[0]!,
    brand_id,
    ...(of.commission_bp !== undefined && { commission_bp: of.commission_bp }),
    commission_reason: of.commission_reason || null,
    ...(await liveColumns(context, merchant_id, live)),
  }
}
const addDraft = async (context: WriteContext, of: Sent): Promise<Store> => {
  const values = await columnsOf(context, 0, of)
  const { rows } = await context.tx.execute<{ id: number }>(
    sql`select nextval(pg_get_serial_sequence('store', 'id'))::int id`,
  )
  const { id } = rows[0]!
  return orTaken(
    stores.add(context, {
      ...values,
      id,
      store_no: `S${200_000 + id}`,
      kind: 'online',
      address: '',
      avg_price_cents: 0,
      status: 'draft',
      draft_by: context.staff.id,
    }),
  )
}
const keepDraft = async (context: WriteContext, id: number, of: Sent): Promise<Store> => {
  if (of.version === undefined)
    throw invalid({ version: ['缺少版本', 'It needs the version that was read'] })
  const was = await heldShop(context, 'fill', { id, version: of.version })
  return orTaken(saveShop(context, was, await columnsOf(context, id, of)))
}
/** The draft as it is to be, its merchant held. */
export const keptDraft = async (context: WriteContext, of: Sent) => {
  needCity(context.staff, of.city_id)
  const owner = await heldOwner(context, of.merchant_id)
  needActive(context, owner)
  const row =
    of.id === undefined ? await addDraft(context, of) : await keepDraft(context, of.id, of)
  return { row, owner }
}

type Paged = { page: number; pageSize: number; keyword?: string | undefined }
/** A page of rows to choose from. */
const pickOf = async (
  db: Db,
  table: PgTable & { id: PgColumn; name: PgColumn },
  { page, pageSize }: Paged,
  where: SQL | undefined,
) => {
  const list = await db
    .select({ id: table.id, name: table.name })
    .from(table as PgTable)
    .where(where)
    .orderBy(asc(table.id))
    .limit(pageSize)
    .offset((page - 1) * pageSize)
  return { list: list as { id: number; name: string }[], ...(await countOf(db, table, where)) }
}
const picks = {
  pickMerchant: async (asked, { db, staff }) =>
    pickOf(
      db,
      merchant,
      asked,
      and(
        eq(merchant.status, 'active'),
        holding(asked.keyword, [merchant.name], merchant.id),
        within(staff.scope, { city: merchant.city_id, owner: merchant.bd_admin_id }),
      ),
    ),
  leaves: async ({ page, pageSize, keyword }, { db }) => {
    const all = await shopLeaves(db, keyword)
    return { list: all.slice((page - 1) * pageSize, page * pageSize), total: all.length }
  },
  brands: async (asked, { db }) =>
    pickOf(
      db,
      brand,
      asked,
      and(eq(brand.state, 'on'), holding(asked.keyword, [brand.name, brand.en_name])),
    ),
  malls: async (asked, { db, staff }) =>
    pickOf(
      db,
      mall,
      asked,
      and(
        eq(mall.city_id, asked.city_id),
        ne(mall.status, 'closed'),
        holding(asked.keyword, [mall.name, mall.pinyin]),
        within(staff.scope, { city: mall.city_id, mall: mall.id }),
      ),
    ),
  templates: async (asked, { db, staff }) => {
    const theirs = within(staff.scope, { city: merchant.city_id, owner: merchant.bd_admin_id })
    const [owner] = await db
      .select({ id: merchant.id })
      .from(merchant)
      .where(and(eq(merchant.id, asked.merchant_id), theirs))
    if (!owner) throw missing()
    const typed = holding(asked.keyword, [freight_template.name])
    return pickOf(db, freight_template, asked, and(templatesFor(owner.id), typed))
  },
  sources: async (asked, { db, staff }) =>
    pickOf(
      db,
      store,
      asked,
      and(
        stores.seen(staff),
        eq(store.kind, 'offline'),
        ne(store.status, 'draft'),
        asked.merchant_id === undefined ? undefined : eq(store.merchant_id, asked.merchant_id),
        holding(asked.keyword, [store.name], store.id),
      ),
    ),
} satisfies Pick<
  { [K in keyof typeof contract]: Handler<(typeof contract)[K]> },
  'pickMerchant' | 'leaves' | 'brands' | 'malls' | 'templates' | 'sources'
>

const handlers = {
  ...picks,
  detail: async ({ id }, { db, staff }) => profileOf(db, await shops.read(db, staff, id), staff),
  importFromStore: async ({ store_id }, { db, staff }) => {
    const row = await stores.read(db, staff, store_id)
    const [owner] = await db.select().from(merchant).where(eq(merchant.id, row.merchant_id))
    const [own] = row.brand_id
      ? await db.select().from(brand).where(eq(brand.id, row.brand_id))
      : []
    return {
      ...row,
      merchant_name: owner!.name,
      brand_name: own?.name ?? '',
      hours: row.hours ?? hoursFrom(row.open_hours),
    }
  },
  standing: async ({ merchant_id, category_ids, mid, but }, { db, now }) => {
    const [owner] = merchant_id
      ? await db.select().from(merchant).where(eq(merchant.id, merchant_id))
      : []
    const found = await shopCategories(db, category_ids)
    const needed = [...new Set(found.flatMap(one => one.need_licenses))]
    const lacks = missingLicenses(needed, owner?.licenses ?? [], now)
    const other = mid ? await selfRunOf(db, { id: but ?? 0, mall_id: mid }) : undefined
    return {
      is_active: owner?.status === 'active',
      licences: needed.map(name => ({ name, held: !lacks.includes(name) })),
      rate_bp: found[0]?.rate_bp ?? null,
      self_run: other ?? null,
    }
  },
  checkName: async ({ name, merchant_id, but }, { db }) => {
    const id = but ?? 0
    const same = merchant_id ? await sameShop(db, { id, merchant_id, name }) : undefined
    const others = await shopsCalled(db, { id, name })
    return { same: same ?? null, others: others.filter(one => one.id !== same?.id) }
  },
  saveDraft: async (of, context) => (await keptDraft(context, of)).row,
  submit: async (of, context) => {
    const { row, owner } = await keptDraft(context, of)
    return submitShop(context, row, owner)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const shopAddServer = implement(contract, handlers)
