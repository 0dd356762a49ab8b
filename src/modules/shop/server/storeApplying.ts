import { and, eq } from 'drizzle-orm'
import { enqueue } from '#src/areas/application/applying.server.ts'
import {
  sameStore,
  storeBodyOf,
  storeCategory,
  unfitProducts,
} from '#src/areas/application/storeJudge.server.ts'
import { store_facility } from '#src/areas/merchant/facility.table.ts'
import { facility } from '#src/areas/merchant/facility.table.ts'
import { mayHave } from '#src/areas/merchant/facility.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { missingLicenses } from '#src/areas/merchant/merchant.ts'
import {
  allStoreFields,
  changedStore,
  PIN_FAR_M,
  type AuditedStore,
} from '#src/areas/merchant/storeForm.ts'
import { areHours, noHours } from '#src/areas/merchant/storeHours.ts'
import { missingOfStore, storeProofs } from '#src/areas/merchant/storeProofs.ts'
/** What is asked for a store: it itself, or a change of it. */
import { stores, type Store } from '#src/areas/merchant/storeRecord.server.ts'
import { metres, type Pin } from '#src/areas/place/geo.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { comma, say, type Text } from '#src/domain/text.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { faultless } from '#src/server/call/record.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import type { Merchant } from './merchants.ts'
import { floorIn, needMall } from './storePlacing.ts'

/** The merchant of a store, held before the store as everybody does. */
export const heldOwner = async (tx: Db, id: number): Promise<Merchant> => {
  const [row] = await tx.select().from(merchant).where(eq(merchant.id, id)).for('share')
  if (!row) throw missing()
  return row
}
/** The pin that two numbers make; null where one is missing. */
export const pinOf = (of: { lng_e6: number | null; lat_e6: number | null }): Pin | null =>
  of.lng_e6 === null || of.lat_e6 === null ? null : { lng_e6: of.lng_e6, lat_e6: of.lat_e6 }

const inactive: Text = ['商户已冻结、终止或未通过审核', 'Its merchant may not trade now']
const unfit: Text = ['请选择展示中的末级分类', 'Choose a shown category with none below it']
const short: Text = [
  '商户缺少该分类要求的资质或已过期：{names}，请先在商户资料补齐',
  'The merchant lacks its licences: {names}',
]
/** Refuses a category that a store can't be of: no leaf, or its merchant lacks a licence for it. */
const needCategory = async (
  { tx, staff, now }: WriteContext,
  category_id: number,
  owner: Merchant,
): Promise<void> => {
  const category = await storeCategory(tx, category_id)
  faultless(staff, { category_id: category?.is_leaf ? undefined : unfit })
  const names = missingLicenses(category!.need_licenses, owner.licenses, now)
  if (names.length > 0)
    throw invalid({
      category_id: say(short, staff.lang, { names: names.join(say(comma, staff.lang)) }),
    })
}
/** Refuses a merchant that may not trade. */
export const needActive = ({ staff }: WriteContext, owner: Merchant): void =>
  faultless(staff, { merchant_id: owner.status === 'active' ? undefined : inactive })

type Placed = AuditedStore & { city_id: number }
/** Refuses a place that a store can't have; answers the floor that it names. */
export const needPlace = async (context: WriteContext, of: Placed, was?: Store) => {
  await needMall(context, { city_id: of.city_id, mall_id: was?.mall_id ?? -1 }, of.mall_id)
  return floorIn(context, { mid: of.mall_id, floor_id: of.floor_id ?? undefined })
}
/** Asks once more where a pin is far from the mall. */
const needNear = async (
  { tx, staff }: WriteContext,
  of: Pick<AuditedStore, 'mall_id' | 'pin'>,
  confirmed: boolean,
): Promise<void> => {
  if (confirmed || of.mall_id === 0 || !of.pin) return
  const [place] = await tx.select().from(mall).where(eq(mall.id, of.mall_id))
  const there = place && pinOf(place)
  const far = there ? Math.round(metres(there, of.pin)) : 0
  if (far > PIN_FAR_M)
    throw invalid({
      confirm_pin: say(
        [
          '坐标距商场 {m} 米，请核对；确认无误后再提交',
          'The pin is {m} m from the mall: confirm it',
        ],
        staff.lang,
        { m: far },
      ),
    })
}
/** Refuses a second store of a merchant under one name and address. */
export const refuseSame = async (
  { tx, staff }: WriteContext,
  of: { id: number; merchant_id: number; name: string; address: string },
): Promise<void> => {
  const other = of.address === '' ? undefined : await sameStore(tx, of)
  if (!other) return
  const text: Text = [
    '该商户已有同名同址的门店「{name}」（编号 {id}）',
    'The merchant has {name} at this address: {id}',
  ]
  throw ruled('same_store', text, other, { fields: { address: say(text, staff.lang, other) } })
}

/** Gives a store these facilities and no others; the log says which came and went. */
export const setFacilities = async (
  context: WriteContext,
  row: Store,
  ids: readonly number[],
): Promise<void> => {
  const { tx, staff } = context
  const { facility_ids } = await storeBodyOf(tx, row)
  const wanted = [...new Set(ids)]
  const gone = facility_ids.filter(id => !wanted.includes(id))
  const fresh = wanted.filter(id => !facility_ids.includes(id))
  if (gone.length === 0 && fresh.length === 0) return
  const known = await tx.select().from(facility)
  const isThere = (id: number) =>
    known.some(one => one.id === id && one.merged_into === null && mayHave(one.scope, 'store'))
  const none: Text = ['有设施已删除或不适用于门店', 'A facility is gone or not for stores']
  faultless(staff, { facility_ids: fresh.every(isThere) ? undefined : none })
  for (const id of gone)
    await tx
      .delete(store_facility)
      .where(and(eq(store_facility.store_id, row.id), eq(store_facility.facility_id, id)))
  if (fresh.length > 0)
    await tx
      .insert(store_facility)
      .values(fresh.map(facility_id => ({ store_id: row.id, facility_id })))
      .onConflictDoNothing()
  const named = (some: readonly number[]) =>
    known.filter(one => some.includes(one.id)).map(one => one.name)
  stores.log(context, row, {
    before: { facilities: named(facility_ids) },
    after: { facilities: named(wanted) },
  })
}

/** Submits a draft as it stands; it is in audit from then on. */
export const submitStore = async (
  context: WriteContext,
  was: Store,
  owner: Merchant,
  confirmed: boolean,
): Promise<Store> => {
  const { tx, staff } = context
  const body = await storeBodyOf(tx, was)
  const lacks = missingOfStore({ ...body, has_hours: areHours(was.hours ?? noHours) })
  if (lacks.length > 0) {
    const names = lacks
      .map(proof => say(storeProofs[proof], staff.lang))
      .join(say(comma, staff.lang))
    const text: Text = ['资料不全，请先补齐：{names}', 'Complete it first: {names}']
    throw ruled('incomplete', text, { names })
  }
  needActive(context, owner)
  await needCategory(context, body.category_id, owner)
  await refuseSame(context, { ...body, id: was.id, merchant_id: owner.id })
  await needNear(context, body, confirmed)
  const after = await stores.save(context, was, { status: 'auditing', status_reason: null })
  await enqueue(context, owner, {
    kind: 'store',
    title: was.name,
    snapshot: { store: body },
    changed: allStoreFields,
    of: was,
  })
  return after
}

/** Submits what is to be otherwise of a store in trade; it stays as it is until then. */
export const submitStoreChange = async (
  context: WriteContext,
  was: Store,
  owner: Merchant,
  { next, confirmed }: { next: AuditedStore; confirmed: boolean },
): Promise<void> => {
  const { tx, staff } = context
  const body = await storeBodyOf(tx, was)
  const changed = changedStore(body, next)
  if (changed.length === 0)
    throw invalid({ name: say(['没有修改任何内容', 'Nothing was changed'], staff.lang) })
  needActive(context, owner)
  await needPlace(context, { ...next, city_id: was.city_id }, was)
  if (changed.includes('category_id')) {
    await needCategory(context, next.category_id, owner)
    const products = await unfitProducts(tx, was.id, next.category_id)
    if (products.length > 0) {
      const text: Text = [
        '{n} 件在售商品不能在新分类销售：{names}，请先下架或取消关联',
        '{n} products on sale may not be sold in it: {names}',
      ]
      const names = products
        .slice(0, 3)
        .map(one => one.title)
        .join(say(comma, staff.lang))
      throw invalid({ category_id: say(text, staff.lang, { n: products.length, names }) })
    }
  }
  await refuseSame(context, { ...next, id: was.id, merchant_id: owner.id })
  if (changed.includes('pin') || changed.includes('mall_id'))
    await needNear(context, next, confirmed)
  await enqueue(context, owner, {
    kind: 'store_change',
    title: next.name,
    snapshot: { store: Object.fromEntries(changed.map(field => [field, next[field]])) },
    changed,
    of: was,
  })
}
