import type { FindingLevel } from '#src/areas/audit/audit.ts'
import type { StoreState } from '#src/areas/mall/mall.ts'
import type { MerchantState } from '#src/areas/merchant/merchant.ts'
import { PIN_FAR_M, type StoreField } from '#src/areas/merchant/storeForm.ts'
import { joinedNames } from '#src/domain/text.ts'
import type { ApplicationKind } from './application.ts'

/** The rules of stores, as those of merchants (findings.ts) are written. */
export const storeRules = {
  merchant_inactive: [
    'block',
    '商户「{name}」已冻结、终止或未通过审核',
    'The merchant {name} may not trade now',
    '商户不可营业',
    'Merchant may not trade',
  ],
  store_state: [
    'block',
    '门店当前不可通过此申请（{state}）',
    'The store is {state}: it can’t be applied',
    '门店状态不符',
    'Wrong state',
  ],
  category_unfit: [
    'block',
    '分类「{name}」已隐藏、合并或还有下级，请选择末级分类',
    'The category {name} is hidden, merged or has others below it',
    '分类不可用',
    'Unfit category',
  ],
  licences_short: [
    'block',
    '商户缺少分类要求的资质，或已过期：{names}',
    'The merchant lacks licences of the category: {names}',
    '缺少资质',
    'Licences missing',
  ],
  products_unfit: [
    'block',
    '{n} 件在售商品不能在新分类销售：{names}',
    '{n} products on sale may not be sold in the new category: {names}',
    '商品不符新分类',
    'Products unfit',
  ],
  mall_unfit: [
    'block',
    '所选商场已关闭或不在门店所在城市',
    'The mall is closed or in another city',
    '商场不可用',
    'Unfit mall',
  ],
  door_used: [
    'block',
    '该门牌号已被同楼层营业中的「{name}」使用',
    '{name} is open behind that door of the floor',
    '门牌重复',
    'Door taken',
  ],
  same_store: [
    'block',
    '商户已有同名同址的门店（编号 {id}）',
    'The merchant has a store of this name and address: {id}',
    '门店重复',
    'Same store',
  ],
  near_store: [
    'flag',
    '200 米内有名称相近的门店：{names}',
    'Called alike within 200 m: {names}',
    '疑似重复',
    'Maybe the same',
  ],
  pin_far: [
    'warn',
    '坐标距商场 {m} 米',
    'The pin is {m} m from the mall',
    '坐标偏远',
    'Pin is far',
  ],
  pin_missing: ['warn', '没有地图坐标', 'There is no pin', '无坐标', 'No pin'],
  shop_called: [
    'block',
    '商户已有同名网店（编号 {id}）',
    'The merchant has a shop of this name: {id}',
    '网店重名',
    'Same name',
  ],
  self_run_taken: [
    'block',
    '该商场已有自营店「{name}」，一个商场只能有一家',
    'The mall has the self-run shop {name}: there is one at most',
    '自营店重复',
    'Second self-run',
  ],
  rate_below: [
    'flag',
    '抽佣低于分类默认 {rate}：{why}',
    'The rate is below the default of {rate}: {why}',
    '低于默认费率',
    'Rate below default',
  ],
} as const satisfies Record<string, readonly [FindingLevel, string, string, string, string]>
export type StoreRule = keyof typeof storeRules

type StoreFacts = {
  kind: ApplicationKind
  merchant: { name: string; status: MerchantState }
  status: StoreState
  changed: readonly string[]
  category: { name: string; is_leaf: boolean } | undefined
  /** Licences that the category asks for and the merchant lacks. */
  missing: readonly string[]
  /** Products on sale here that the category does not sell. */
  unfit: readonly string[]
  mall_fits: boolean
  /** The store that is open behind its door. */
  neighbour: string | undefined
  /** The merchant's other store of its name and address. */
  same: number | undefined
  near: readonly string[]
  /** How far its pin is from its mall; null outside malls, and where one has no pin. */
  metres: number | null
  has_pin: boolean
}
type Found = {
  rule: StoreRule
  level: FindingLevel
  field: StoreField
  values: Record<string, string>
}
const isDue = ({ kind, status }: StoreFacts) =>
  kind === 'store' ? status === 'auditing' : status === 'open' || status === 'resting'
/** What the rules say of a store as it would be, the forbidding ones first. */
export const storeFindings = (of: StoreFacts): Found[] => {
  const found: Found[] = []
  const add = (rule: StoreRule, field: StoreField, values: Record<string, string> = {}) =>
    found.push({ rule, level: storeRules[rule][0], field, values })
  const touches = (field: StoreField) => of.kind === 'store' || of.changed.includes(field)
  if (of.merchant.status !== 'active') add('merchant_inactive', 'name', { name: of.merchant.name })
  if (!isDue(of)) add('store_state', 'name', { state: of.status })
  if (touches('category_id')) {
    if (!of.category?.is_leaf)
      add('category_unfit', 'category_id', { name: of.category?.name ?? '—' })
    if (of.missing.length > 0)
      add('licences_short', 'category_id', { names: joinedNames(of.missing) })
    if (of.unfit.length > 0)
      add('products_unfit', 'category_id', {
        n: String(of.unfit.length),
        names: joinedNames(of.unfit.slice(0, 3)),
      })
  }
  if (!of.mall_fits) add('mall_unfit', 'mall_id')
  if (of.neighbour !== undefined) add('door_used', 'door_no', { name: of.neighbour })
  if (of.same !== undefined) add('same_store', 'address', { id: String(of.same) })
  if (of.near.length > 0) add('near_store', 'name', { names: joinedNames(of.near) })
  if (of.metres !== null && of.metres > PIN_FAR_M) add('pin_far', 'pin', { m: String(of.metres) })
  if (!of.has_pin) add('pin_missing', 'pin')
  const rank: Record<FindingLevel, number> = { block: 0, second: 1, flag: 2, warn: 3 }
  return found.sort((a, b) => rank[a.level] - rank[b.level])
}
