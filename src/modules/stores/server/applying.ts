/** What is asked for an online shop: it itself, or a change of it. */
import { and, eq } from 'drizzle-orm'
import { enqueue } from '#src/areas/application/applying.server.ts'
import { shopBodyOf } from '#src/areas/application/shopJudge.server.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import { freight_template, merchant } from '#src/areas/merchant/merchant.table.ts'
import { missingLicenses } from '#src/areas/merchant/merchant.ts'
import {
  allShopFields,
  changedShop,
  missingOfShop,
  rateFault,
  returnFaults,
  shopProofs,
  type ReturnTo,
  type ShopBody,
} from '#src/areas/merchant/onlineShop.ts'
import {
  isDistrict,
  returnAddressOf,
  sameShop,
  selfRunOf,
  shopCategories,
  soldIn,
  templatesFor,
} from '#src/areas/merchant/onlineShops.server.ts'
import {
  areHours,
  hoursFault,
  hoursWords,
  noHours,
  withoutPast,
  type StoreHours,
} from '#src/areas/merchant/storeHours.ts'
import type { Store } from '#src/areas/merchant/storeRecord.server.ts'
import { mall } from '#src/areas/place/place.table.ts'
import { regionOf } from '#src/areas/place/regions.server.ts'
import { isCallable } from '#src/domain/phone.ts'
import { comma, say, type Text } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { faultless, unlessTaken } from '#src/server/call/record.ts'
import { missing, invalid, ruled } from '#src/server/call/refuse.ts'
import { saveShop } from './rows.ts'

type Merchant = typeof merchant.$inferSelect
type Sent = {
  logo: string
  phone: string
  hours: StoreHours
  ship_area: string
  freight_template_id: number | null
  return_to: ReturnTo | null
  invoice: ShopBody['invoice']
}

/** The merchant of a shop, held before the shop as everybody does. */
export const heldOwner = async ({ tx }: WriteContext, id: number): Promise<Merchant> => {
  const [row] = await tx.select().from(merchant).where(eq(merchant.id, id)).for('share')
  if (!row) throw missing()
  return row
}
/** Refuses a merchant that may not trade. */
export const needActive = ({ staff }: WriteContext, owner: Merchant): void =>
  faultless(staff, {
    merchant_id:
      owner.status === 'active'
        ? undefined
        : ['商户已冻结、终止或未通过审核', 'Its merchant may not trade now'],
  })
/** The faults of a return address at its fields, `return_to.area` and so on. */
const returnFaultsAt = (to: ReturnTo | null): Record<string, Text | undefined> =>
  to
    ? Object.fromEntries(
        Object.entries(returnFaults(to, isDistrict)).map(([key, fault]) => [
          `return_${key}`,
          fault,
        ]),
      )
    : {}
/** What holds at once, as columns; a shop in trade must have all of it. */
export const liveColumns = async (
  context: WriteContext,
  merchant_id: number,
  { hours, return_to, ...same }: Sent,
) => {
  const { tx, staff, now } = context
  const kept = withoutPast(hours, now)
  const [template] = same.freight_template_id
    ? await tx
        .select({ id: freight_template.id })
        .from(freight_template)
        .where(and(eq(freight_template.id, same.freight_template_id), templatesFor(merchant_id)))
    : []
  faultless(staff, {
    hours: hoursFault(kept),
    phone:
      same.phone === '' || isCallable(same.phone)
        ? undefined
        : ['请填写手机号或带区号的座机', 'A mobile, or a landline with its area code'],
    ship_area:
      same.ship_area === '' || regionOf(same.ship_area) !== undefined
        ? undefined
        : ['请从省市中选择发货地', 'Choose a province and a city'],
    freight_template_id:
      same.freight_template_id === null || template
        ? undefined
        : ['模板已停用或属于其他商户', 'The template is off or another merchant’s'],
    ...returnFaultsAt(return_to),
  })
  return {
    ...same,
    hours: kept,
    open_hours: hoursWords(kept),
    return_address_id: return_to && (await returnAddressOf(tx, merchant_id, return_to)),
  }
}
/** Refuses what lacks something that buyers need. */
export const needWhole = ({ staff }: WriteContext, row: Store): void => {
  const lacks = missingOfShop({
    ...row,
    ship_area: row.ship_area ?? '',
    has_hours: areHours(row.hours ?? noHours),
    has_return_address: row.return_address_id !== null,
  })
  if (lacks.length === 0) return
  const names = lacks.map(proof => say(shopProofs[proof], staff.lang)).join(say(comma, staff.lang))
  throw ruled('incomplete', ['资料不全，请先补齐：{names}', 'Complete it first: {names}'], {
    names,
  })
}

type Asked = Pick<
  ShopBody,
  'name' | 'category_ids' | 'brand_id' | 'commission_bp' | 'commission_reason'
>
/** Refuses categories that a shop can't be of, and a rate that asks for its reason. */
const needCategories = async (context: WriteContext, owner: Merchant, of: Asked): Promise<void> => {
  const { tx, staff, now } = context
  const found = await shopCategories(tx, of.category_ids)
  const isSound =
    found.length === of.category_ids.length &&
    new Set(of.category_ids).size === found.length &&
    found.every(one => one.is_leaf)
  const names = missingLicenses(
    found.flatMap(one => one.need_licenses),
    owner.licenses,
    now,
  )
  const lacks: Text = [
    `商户缺少分类要求的资质或已过期：${names.join('、')}，请先在商户资料补齐`,
    `The merchant lacks its licences: ${names.join(', ')}`,
  ]
  const short = names.length > 0 ? lacks : undefined
  faultless(staff, {
    category_ids: isSound
      ? short
      : ['请选择展示中的末级分类', 'Choose shown categories with none below them'],
    commission_reason: rateFault(of, found[0]?.rate_bp ?? null),
  })
}
const sameName = ({ id }: { id: number | string }): Text => [
  `该商户已有同名网店（编号 ${id}）`,
  `The merchant has a shop of this name: ${id}`,
]
/** Refuses a second shop of a merchant under one name, a brand out of use, a second self-run shop. */
export const refuseTaken = async (
  { tx, staff }: WriteContext,
  of: { id: number; merchant_id: number; name: string; brand_id: number | null },
  place?: { shop_type: ShopBody['shop_type']; city_id: number; mall_id: number },
): Promise<void> => {
  const same = await sameShop(tx, of)
  const [known] = of.brand_id
    ? await tx.select({ state: brand.state }).from(brand).where(eq(brand.id, of.brand_id))
    : []
  const isPlaced = place !== undefined && place.shop_type !== 'flagship'
  const [at] =
    isPlaced && place.mall_id > 0
      ? await tx.select().from(mall).where(eq(mall.id, place.mall_id)).for('share')
      : []
  const other =
    isPlaced && place.shop_type === 'self_run'
      ? await selfRunOf(tx, { id: of.id, mall_id: place.mall_id })
      : undefined
  const unfit: Text | undefined =
    isPlaced && (at?.city_id !== place.city_id || at.status === 'closed')
      ? ['请选择所在城市未关闭的商场', 'Choose a mall of the city that is not closed']
      : undefined
  const taken: Text | undefined = other && [
    `该商场已有自营店「${other.name}」，一个商场只能有一家`,
    `The mall has the self-run shop ${other.name}: there is one at most`,
  ]
  faultless(staff, {
    name: same && sameName(same),
    brand_id:
      of.brand_id === null || known?.state === 'on'
        ? undefined
        : ['品牌已停用或已删除', 'The brand is not in use'],
    mid: unfit ?? taken,
  })
}
/** The unique indexes decide between two at once: one name a merchant, one self-run shop a mall. */
export const orTaken = <R>(run: Promise<R>): Promise<R> =>
  unlessTaken(run, () =>
    ruled('taken', [
      '刚刚有人创建了同名网店或同商场的自营店',
      'Somebody has just made a shop of this name, or the mall’s self-run one',
    ]),
  )

/** Submits a draft as it stands; it is in audit from then on. */
export const submitShop = async (
  context: WriteContext,
  was: Store,
  owner: Merchant,
): Promise<Store> => {
  needWhole(context, was)
  const body = shopBodyOf(was)
  await needCategories(context, owner, body)
  const after = await saveShop(context, was, { status: 'auditing', status_reason: null })
  await enqueue(context, owner, {
    kind: 'eshop',
    title: was.name,
    snapshot: { eshop: body },
    changed: allShopFields,
    of: was,
  })
  return after
}
/** Submits what is to be otherwise of a shop that is there; it stays as it is until then. */
export const submitShopChange = async (
  context: WriteContext,
  was: Store,
  owner: Merchant,
  next: Asked,
): Promise<void> => {
  const { tx, staff } = context
  const body = shopBodyOf(was)
  const changed = changedShop(body, next)
  if (changed.length === 0)
    throw invalid({ name: say(['没有修改任何内容', 'Nothing was changed'], staff.lang) })
  needActive(context, owner)
  if (changed.some(field => field !== 'name' && field !== 'brand_id'))
    await needCategories(context, owner, next)
  const gone = body.category_ids.filter(id => !next.category_ids.includes(id))
  const sold = await soldIn(tx, was.id, gone)
  if (sold.length > 0) {
    const text: Text = [
      '移除的分类下还有 {n} 件在售商品：{names}，请先下架或改分类',
      '{n} products of a category that goes are on sale: {names}',
    ]
    const names = sold.slice(0, 3).join(say(comma, staff.lang))
    throw invalid({ category_ids: say(text, staff.lang, { n: sold.length, names }) })
  }
  await refuseTaken(context, { ...next, id: was.id, merchant_id: owner.id })
  await enqueue(context, owner, {
    kind: 'eshop_change',
    title: next.name,
    snapshot: { eshop: Object.fromEntries(changed.map(field => [field, next[field]])) },
    changed,
    of: was,
  })
}
