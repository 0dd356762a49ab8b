import { ask } from '#commands/command.ts'
import {
  invoices,
  SHOP_CATEGORIES_MOST,
  SHOP_RATE_MOST_BP,
  shopTypes,
  type ShopInvoice,
  type ShopType,
} from '#src/areas/merchant/onlineShop.ts'
import { hoursWords, noHours, type StoreHours } from '#src/areas/merchant/storeHours.ts'
import { callableFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { shopAdd } from '../contract/addStores.ts'
import type { ShopProfile } from '../contract/form.ts'

/** What is asked of a shop that an audit alone changes. */
export type AuditedAnswers = {
  name: string
  categories: number[]
  brand_id?: number
  rate?: number
  commission_reason?: string
}
/** What holds at once. */
export type LiveAnswers = {
  logo?: string[]
  phone?: string
  hours?: StoreHours
  ship_area?: string
  freight_template_id?: number
  return_name?: string
  return_phone?: string
  return_area?: string
  return_address?: string
  invoice?: ShopInvoice
}
export type NewAnswers = AuditedAnswers &
  LiveAnswers & { merchant_id: number; city: string; shop_type: ShopType; mid?: number }
type Named = { id: number; name: string }
type Rows = readonly ShopProfile[]
type Given = Readonly<Record<string, unknown>>
const labelOf = (row: Named) => row.name

/** Questions of a new shop alone. */
export const newAsks = (cities: readonly { id: number; city_name: string }[]) => ({
  merchant_id: ask.entity({
    label: ['商户', 'Merchant'],
    find: shopAdd.pickMerchant,
    labelOf,
    initial: rows => rows[0]?.merchant_id,
    named: rows => rows[0]?.merchant_name,
  }),
  city: ask.choice({
    label: ['城市', 'City'],
    options: Object.fromEntries(
      cities.map(one => [String(one.id), [one.city_name, one.city_name] as const]),
    ),
    field: 'city_id',
    initial: rows => (rows[0] ? String(rows[0].city_id) : undefined),
  }),
  shop_type: ask.choice({
    label: ['店铺类型', 'Kind'],
    options: shopTypes,
    initial: rows => rows[0]?.shop_type ?? 'flagship',
  }),
  mid: ask.entity({
    label: ['所属商场', 'Mall'],
    find: shopAdd.malls,
    labelOf,
    given: (_: Rows, answers: Given) => ({ city_id: Number(answers['city'] ?? 0) || 1 }),
    shown: answers => answers['shop_type'] !== 'flagship' && Number(answers['city'] ?? 0) > 0,
    initial: rows => rows[0]?.mid || undefined,
    named: rows => rows[0]?.mall_name || undefined,
  }),
})
/** Questions whose answers wait for an audit; who may not see the rate is not asked for it. */
export const auditedAsks = () => ({
  name: ask.text({
    label: ['店铺名称', 'Name'],
    max: 40,
    min: 2,
    hint: ['如“海底捞官方旗舰店”', 'As buyers find it'],
    initial: rows => rows[0]?.name || undefined,
  }),
  categories: ask.entities({
    label: ['主营分类（首个决定默认费率）', 'Main categories (the first sets the rate)'],
    max: SHOP_CATEGORIES_MOST,
    find: shopAdd.leaves,
    labelOf,
    field: 'category_ids',
    initial: (rows: Rows) => rows[0]?.categories.map(one => one.id) ?? [],
    named: (rows: Rows) =>
      Object.fromEntries((rows[0]?.categories ?? []).map(one => [one.id, one.name])),
  }),
  brand_id: ask.entity({
    label: ['品牌', 'Brand'],
    find: shopAdd.brands,
    labelOf,
    optional: true,
    initial: rows => rows[0]?.brand_id ?? undefined,
    named: rows => rows[0]?.brand_name || undefined,
  }),
  rate: ask.number({
    label: ['抽佣比例（%）', 'Take rate (%)'],
    min: 0,
    max: SHOP_RATE_MOST_BP / 100,
    places: 2,
    optional: true,
    field: 'commission_bp',
    hint: ['留空按主营分类的默认费率', 'Empty: the default of its main category'],
    shown: (_, rows) => rows.length === 0 || rows[0].commission_bp !== undefined,
    initial: rows => (rows[0]?.commission_bp == null ? undefined : rows[0].commission_bp / 100),
  }),
  commission_reason: ask.text({
    label: ['低于默认费率的原因', 'Why below the default'],
    max: 200,
    optional: true,
    shown: answers => answers['rate'] !== undefined,
    initial: rows => rows[0]?.commission_reason || undefined,
  }),
})
/** Questions whose answers hold at once; `strict` ones are needed of a shop that is there. */
export const liveAsks = (strict: boolean) => {
  const optional = strict ? false : ('in-draft' as const)
  return {
    logo: ask.images({
      label: ['店标', 'Logo'],
      max: 1,
      ratio: [1, 1],
      maxBytes: 2 * 1024 * 1024,
      optional,
      initial: rows => (rows[0]?.logo ? [rows[0].logo] : []),
    }),
    phone: ask.text({
      label: ['客服电话', 'Service phone'],
      max: 30,
      optional,
      hint: ['手机号、座机或 400', 'A mobile, a landline or a 400 number'],
      check: callableFault,
      initial: rows => rows[0]?.phone || undefined,
    }),
    invoice: ask.choice({
      label: ['开票能力', 'Invoices'],
      options: invoices,
      initial: rows => rows[0]?.invoice ?? 'none',
    }),
    ship_area: ask.text({
      label: ['发货地', 'Ships from'],
      max: 60,
      optional,
      region: { level: 'city' },
      initial: rows => rows[0]?.ship_area || undefined,
    }),
    freight_template_id: ask.entity({
      label: ['运费模板', 'Freight template'],
      find: shopAdd.templates,
      labelOf,
      optional,
      hint: ['更换后只对新订单生效', 'Applies to new orders only'],
      given: (rows: Rows, answers: Given) => ({
        merchant_id: Number(answers['merchant_id'] ?? 0) || (rows[0]?.merchant_id ?? 1),
      }),
      shown: (answers, rows) => Number(answers['merchant_id'] ?? 0) > 0 || rows.length > 0,
      initial: rows => rows[0]?.freight_template_id ?? undefined,
      named: rows => rows[0]?.freight_name || undefined,
    }),
    return_name: ask.text({
      label: ['退货收货人', 'Return contact'],
      max: 20,
      optional,
      initial: rows => rows[0]?.return_to?.name || undefined,
    }),
    return_phone: ask.text({
      label: ['收货人电话', 'Contact phone'],
      max: 30,
      optional,
      check: callableFault,
      initial: rows => rows[0]?.return_to?.phone || undefined,
    }),
    return_area: ask.text({
      label: ['退货省市区', 'Returns: district'],
      max: 60,
      optional,
      region: { level: 'district' },
      initial: rows => rows[0]?.return_to?.area || undefined,
    }),
    return_address: ask.text({
      label: ['街道与门牌', 'Street and number'],
      max: 120,
      optional,
      initial: rows => rows[0]?.return_to?.address || undefined,
    }),
  }
}
/** What the forms hold beside their questions. */
export const hoursOf = ([of]: Rows): { hours: StoreHours } => ({ hours: of?.hours ?? noHours })
export const hoursInWords = {
  hours: {
    label: ['客服时间', 'Service hours'] as Text,
    told: (of?: StoreHours) => (of && hoursWords(of)) || '—',
  },
}
/** The names under which the server refuses a field, as the questions are called here. */
export const namesHere: Record<string, string> = {
  city_id: 'city',
  category_ids: 'categories',
  commission_bp: 'rate',
  return_to: 'return_phone',
}

/** What is sent of the answers that an audit waits for. */
export const auditedOf = (of: AuditedAnswers, seesRate: boolean) => ({
  name: of.name,
  category_ids: of.categories,
  brand_id: of.brand_id ?? null,
  ...(seesRate && { commission_bp: of.rate === undefined ? null : Math.round(of.rate * 100) }),
  commission_reason: of.commission_reason ?? '',
})
/** What is sent of those that hold at once. */
export const liveOf = (of: LiveAnswers) => {
  const to = {
    name: of.return_name ?? '',
    phone: of.return_phone ?? '',
    area: of.return_area ?? '',
    address: of.return_address ?? '',
  }
  return {
    logo: of.logo?.[0] ?? '',
    phone: of.phone ?? '',
    hours: of.hours ?? noHours,
    ship_area: of.ship_area ?? '',
    freight_template_id: of.freight_template_id ?? null,
    return_to: Object.values(to).some(Boolean) ? to : null,
    invoice: of.invoice ?? 'none',
  }
}
/** What is sent of a new shop. */
export const bodyOf = (of: NewAnswers) => ({
  merchant_id: of.merchant_id,
  city_id: Number(of.city),
  shop_type: of.shop_type,
  mid: of.shop_type === 'flagship' ? 0 : (of.mid ?? 0),
  ...auditedOf(of, true),
  ...liveOf(of),
})
