import { eq, inArray, sql } from 'drizzle-orm'
import type { Application } from '#src/areas/application/application.table.ts'
import { isOfShop, isOfStore } from '#src/areas/application/application.ts'
import { openAbout } from '#src/areas/application/applying.server.ts'
import { judgeShop, shopChange, shopWords } from '#src/areas/application/shopJudge.server.ts'
import {
  appliedStore,
  judgeStore,
  storeBodyOf,
  storeCategory,
} from '#src/areas/application/storeJudge.server.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import { mall_floor } from '#src/areas/mall/mall.table.ts'
import { facility } from '#src/areas/merchant/facility.table.ts'
import { merchant, shop_category } from '#src/areas/merchant/merchant.table.ts'
import type { ShopField } from '#src/areas/merchant/onlineShop.ts'
import type { StoreBody, StoreField } from '#src/areas/merchant/storeForm.ts'
import { hoursFrom } from '#src/areas/merchant/storeHours.ts'
/** What the forms of a store begin with, and a store's fields in words. */
import { stores, type Store } from '#src/areas/merchant/storeRecord.server.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { yuan } from '#src/domain/money.ts'
import { comma, say } from '#src/domain/text.ts'
import type { Db, ReadContext, Staff } from '#src/server/call/implement.ts'
import { whole } from '#src/server/db/whole.ts'
import type { StoreProfile } from '../contract/storeForm.ts'
import type { Merchant } from './merchants.ts'

type Named = { id: number; name: string }
/** What a body names by number: its category, brand, mall and floor. */
const namesOf = async (db: Db, of: Partial<StoreBody>) => {
  const find = async (table: typeof brand | typeof mall | typeof mall_floor, id?: number | null) =>
    id
      ? ((await db.select({ name: table.name }).from(table).where(eq(table.id, id)))[0]?.name ?? '')
      : ''
  const [category] = of.category_id
    ? await db
        .select({
          name: sql<string>`concat_ws(' / ', (select u.name from shop_category u where u.id = ${whole(shop_category.parent_id)}), ${shop_category.name})`,
        })
        .from(shop_category)
        .where(eq(shop_category.id, of.category_id))
    : []
  return {
    category: category?.name ?? '',
    brand: await find(brand, of.brand_id),
    mall: await find(mall, of.mall_id),
    floor: await find(mall_floor, of.floor_id),
  }
}
const facilitiesIn = async (db: Db, ids: readonly number[]): Promise<Named[]> =>
  ids.length === 0
    ? []
    : db
        .select({ id: facility.id, name: facility.name })
        .from(facility)
        .where(inArray(facility.id, [...ids]))
        .orderBy(facility.sort, facility.id)
/** Fields of a store in words, by their names; pictures are shown, not said. */
const storeWords = async (
  db: Db,
  of: Partial<StoreBody>,
  { lang }: Pick<Staff, 'lang'>,
): Promise<Record<string, string>> => {
  const names = await namesOf(db, of)
  const marked = await facilitiesIn(db, of.facility_ids ?? [])
  const words: Record<Exclude<StoreField, 'images'>, string> = {
    name: of.name ?? '',
    category_id: names.category,
    brand_id: names.brand,
    mall_id: of.mall_id === 0 ? say(['商场外', 'Outside malls'], lang) : names.mall,
    floor_id: names.floor,
    door_no: of.door_no ?? '',
    address: of.address ?? '',
    pin: of.pin ? `${(of.pin.lng_e6 / 1e6).toFixed(6)}, ${(of.pin.lat_e6 / 1e6).toFixed(6)}` : '',
    phone: of.phone ?? '',
    open_hours: of.open_hours ?? '',
    avg_price_cents: of.avg_price_cents === undefined ? '' : `¥${yuan(of.avg_price_cents)}`,
    facility_ids: marked.map(one => one.name).join(say(comma, lang)),
  }
  return Object.fromEntries(
    Object.entries(words)
      .filter(([field]) => field in of)
      .map(([field, text]) => [field, text || '—']),
  )
}

/** What an application would make otherwise, and what stands, or stood, there; in words. */
export const changeInWords = async (
  db: Db,
  task: Application,
  row: Store,
  staff: Pick<Staff, 'lang'>,
) => {
  const live = { ...(await storeBodyOf(db, row)), ...task.replaced?.store }
  const was = Object.fromEntries(
    task.changed.map(field => [field, live[field as StoreField]]),
  ) as Partial<StoreBody>
  return {
    body: await storeWords(db, task.snapshot.store ?? {}, staff),
    live: task.kind === 'store' ? {} : await storeWords(db, was, staff),
  }
}
/** An online shop's application in full; shops that are called the same stand beside it. */
const shopBeside = async (
  { db, staff, now }: ReadContext,
  task: Application,
  owner: Merchant,
  row: Store,
) => {
  const { near, body, needed } = await judgeShop(db, task, { row, owner, now })
  const whole = { ...body, ...task.snapshot.eshop }
  const { live } = await shopChange(db, task, row, staff.lang)
  const before = Object.entries(task.last_snapshot?.eshop ?? {}).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(whole[field as ShopField]),
  )
  return {
    body: await shopWords(db, whole, staff.lang),
    live,
    last: await shopWords(db, Object.fromEntries(before), staff.lang),
    images: whole.logo ? [whole.logo] : [],
    metres: null,
    near: near.map(one => ({ ...one, metres: null })),
    needed,
  }
}
/** A store's application in full: as it would be, what stands there, and what stands near it. */
export const storeBeside = async (context: ReadContext, task: Application, owner: Merchant) => {
  const { db, staff, now } = context
  const [row] = await db
    .select()
    .from(stores.table)
    .where(eq(stores.table.id, task.store_id ?? 0))
  if (isOfShop(task.kind)) return shopBeside(context, task, owner, row!)
  const { near, body, metres } = await judgeStore(db, task, { row: row!, owner, now })
  // What a decided one asked for is told as it was asked, whatever the store has become since.
  const whole = { ...body, ...task.snapshot.store }
  const { live } = await changeInWords(db, task, row!, staff)
  const before = Object.entries(task.last_snapshot?.store ?? {}).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify(whole[field as StoreField]),
  )
  const category = await storeCategory(db, whole.category_id)
  return {
    body: await storeWords(db, whole, staff),
    live,
    last: await storeWords(db, Object.fromEntries(before), staff),
    images: whole.images,
    metres,
    near,
    needed: category?.need_licenses ?? [],
  }
}
/** A store as its forms begin with it. */
export const profileOf = async (
  db: Db,
  row: Store,
  staff: Pick<Staff, 'lang'>,
): Promise<StoreProfile> => {
  const open = await openAbout(db, { merchant_id: row.merchant_id, store_id: row.id })
  const isAsked = open?.kind === 'store_change' && open.state === 'need_more'
  const body = isAsked ? await appliedStore(db, row, open) : await storeBodyOf(db, row)
  const names = await namesOf(db, body)
  const [beside] = await db
    .select({
      merchant_name: merchant.name,
      merchant_status: merchant.status,
      city_name: city.city_name,
    })
    .from(merchant)
    .innerJoin(city, eq(city.id, row.city_id))
    .where(eq(merchant.id, row.merchant_id))
  const { pin, mall_id, ...own } = body
  return {
    ...row,
    ...beside!,
    ...own,
    mid: mall_id,
    lng_e6: pin?.lng_e6 ?? null,
    lat_e6: pin?.lat_e6 ?? null,
    category_name: names.category,
    brand_name: names.brand,
    mall_name: names.mall,
    floor_name: names.floor,
    hours: row.hours ?? hoursFrom(row.open_hours),
    status_reason: row.status_reason ?? '',
    application:
      open && isOfStore(open.kind)
        ? {
            kind: open.kind,
            state: open.state,
            reason: open.reason ?? '',
            asked: open.asked,
            submitted_at: open.submitted_at,
            changed: open.changed,
            ...(await changeInWords(db, open, row, staff)),
          }
        : null,
  }
}
