import { and, asc, eq, ilike, isNull, sql } from 'drizzle-orm'
import {
  isLeafCategory,
  sameStore,
  storeCategory,
} from '#src/areas/application/storeJudge.server.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import { facility } from '#src/areas/merchant/facility.table.ts'
import { mayHave } from '#src/areas/merchant/facility.ts'
import { merchant, shop_category } from '#src/areas/merchant/merchant.table.ts'
import { missingLicenses } from '#src/areas/merchant/merchant.ts'
import { hoursFault, hoursWords, withoutPast } from '#src/areas/merchant/storeHours.ts'
import { heldFor, stores, type Store } from '#src/areas/merchant/storeRecord.server.ts'
import { storeTwins } from '#src/areas/merchant/storeSearch.server.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { needCity } from '#src/areas/place/places.server.ts'
import { implement, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { faultless, holding } from '#src/server/call/record.ts'
import { invalid, missing } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { like } from '#src/server/db/like.ts'
import { countOf } from '#src/server/db/paging.ts'
import { whole } from '#src/server/db/whole.ts'
import { storeAdd as contract } from '../contract/storeAdd.ts'
import {
  heldOwner,
  needActive,
  needPlace,
  pinOf,
  refuseSame,
  setFacilities,
  submitStore,
} from './storeApplying.ts'
import { profileOf } from './storeForms.ts'
import { mallsOf } from './storePlacing.ts'

export type DraftFields = Parameters<Handler<typeof contract.saveDraft>>[0]
type Fields = Omit<DraftFields, 'id' | 'version'>
/** The fields of a draft as columns, where they agree with each other. */
const columnsOf = async (context: WriteContext, of: Fields) => {
  const { mid, floor_id, door_no, hours, phone = '', facility_ids: _, ...same } = of
  const placed = { ...same, mall_id: mid, floor_id, door_no, pin: pinOf(of) }
  const floor = await needPlace(context, placed)
  const now = withoutPast(hours, context.now)
  faultless(context.staff, { hours: hoursFault(now) })
  return {
    ...same,
    mall_id: mid,
    floor_id: floor.id,
    floor: floor.name,
    door_no: door_no || null,
    phone,
    hours: now,
    open_hours: hoursWords(now),
    logo: of.images[0] ?? '',
  }
}
const addDraft = async (context: WriteContext, fields: Fields): Promise<Store> => {
  const values = await columnsOf(context, fields)
  const { rows } = await context.tx.execute<{ id: number }>(
    sql`select nextval(pg_get_serial_sequence('store', 'id'))::int id`,
  )
  const { id } = rows[0]!
  await refuseSame(context, { ...fields, id })
  return stores.add(context, {
    ...values,
    id,
    store_no: `S${200_000 + id}`,
    kind: 'offline',
    status: 'draft',
  })
}
const changeDraft = async (
  context: WriteContext,
  one: { id: number; version: number },
  fields: Fields,
): Promise<Store> => {
  const was = await heldFor(context, 'fill', one)
  await refuseSame(context, { ...fields, id: was.id })
  return stores.save(context, was, await columnsOf(context, fields))
}
/** The draft as it is to be, its merchant held. */
export const keepDraft = async (context: WriteContext, input: DraftFields) => {
  const { id, version, ...fields } = input
  needCity(context.staff, fields.city_id)
  const owner = await heldOwner(context.tx, fields.merchant_id)
  needActive(context, owner)
  if (id !== undefined && version === undefined)
    throw invalid({ version: ['缺少版本', 'It needs the version that was read'] })
  const row =
    id === undefined
      ? await addDraft(context, fields)
      : await changeDraft(context, { id, version: version! }, fields)
  await setFacilities(context, row, fields.facility_ids)
  return { row, owner }
}

type Picks = 'merchants' | 'leaves' | 'brands' | 'facilities' | 'malls'
const picks = {
  merchants: async ({ page, pageSize, keyword }, { db, staff }) => {
    const where = and(
      eq(merchant.status, 'active'),
      holding(keyword, [merchant.name], merchant.id),
      within(staff.scope, { city: merchant.city_id, owner: merchant.bd_admin_id }),
    )
    const rows = await db
      .select({ id: merchant.id, name: merchant.name })
      .from(merchant)
      .where(where)
      .orderBy(asc(merchant.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, merchant, where)) }
  },
  leaves: async ({ page, pageSize, keyword }, { db }) => {
    const where = and(
      isLeafCategory,
      keyword
        ? sql`(${ilike(shop_category.name, like(keyword))} or exists (select 1 from shop_category u where u.id = ${shop_category.parent_id} and u.name ilike ${like(keyword)}))`
        : undefined,
    )
    const rows = await db
      .select({
        id: shop_category.id,
        name: sql<string>`concat_ws(' / ', (select u.name from shop_category u where u.id = ${whole(shop_category.parent_id)}), ${shop_category.name})`,
      })
      .from(shop_category)
      .where(where)
      .orderBy(asc(shop_category.parent_id), asc(shop_category.sort), asc(shop_category.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, shop_category, where)) }
  },
  brands: async ({ page, pageSize, keyword }, { db }) => {
    const where = and(eq(brand.state, 'on'), holding(keyword, [brand.name, brand.en_name]))
    const rows = await db
      .select({ id: brand.id, name: brand.name })
      .from(brand)
      .where(where)
      .orderBy(asc(brand.sort), asc(brand.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return { list: rows, ...(await countOf(db, brand, where)) }
  },
  facilities: async (_, { db }) => {
    const rows = await db
      .select()
      .from(facility)
      .where(and(isNull(facility.merged_into), eq(facility.status, 'on')))
      .orderBy(asc(facility.sort), asc(facility.id))
    return { list: rows.filter(row => mayHave(row.scope, 'store')) }
  },
  malls: async (asked, context) => {
    const { rows, total, none } = await mallsOf(context, asked)
    if (asked.keyword) return { list: rows, total }
    return { list: asked.page === 1 ? [none, ...rows] : rows, total: total + 1 }
  },
} satisfies { [K in Picks]: Handler<(typeof contract)[K]> }

const handlers = {
  ...picks,
  detail: async ({ id }, { db, staff }) => profileOf(db, await stores.read(db, staff, id), staff),
  standing: async ({ city_id, mid, merchant_id, category_id }, { db, now }) => {
    const [place] = await db.select().from(city).where(eq(city.id, city_id))
    if (!place) throw missing()
    const [at] = mid ? await db.select().from(mall).where(eq(mall.id, mid)) : []
    const [owner] = merchant_id
      ? await db.select().from(merchant).where(eq(merchant.id, merchant_id))
      : []
    const category = category_id === undefined ? undefined : await storeCategory(db, category_id)
    const needed = category?.need_licenses ?? []
    const lacks = missingLicenses(needed, owner?.licenses ?? [], now)
    const pin = at && pinOf(at)
    return {
      licences: needed.map(name => ({ name, held: !lacks.includes(name) })),
      centre: {
        lng_e6: Math.round(Number(place.lng) * 1e6),
        lat_e6: Math.round(Number(place.lat) * 1e6),
      },
      mall: at && pin ? { name: at.name, ...pin } : null,
    }
  },
  checkDuplicate: async ({ but, merchant_id, city_id, name, address, ...at }, { db }) => {
    const pin = pinOf(at)
    const list = await storeTwins(db, { but, city_id, name, ...(pin && { pin }) })
    const same =
      merchant_id && name && address
        ? await sameStore(db, { id: but ?? 0, merchant_id, name, address })
        : undefined
    return { list, same: same ?? null }
  },
  saveDraft: async (input, context) => (await keepDraft(context, input)).row,
  submit: async ({ confirm_pin, ...input }, context) => {
    const { row, owner } = await keepDraft(context, input)
    return submitStore(context, row, owner, confirm_pin)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

export const storeAddServer = implement(contract, handlers)
