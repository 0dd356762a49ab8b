import type { Field } from '#src/areas/product/fields.ts'
import type { ShownBody } from '#src/contract/product.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { AuditDetail } from '../contract.ts'

type Say = (text: Text, values?: Readonly<Record<string, string | number>>) => string
export type Group = { title: Text; fields: readonly Field[] }
/** In the order an auditor reads: what it costs, when, where, how it is used. */
export const groups: readonly Group[] = [
  {
    title: ['价格与库存', 'Price and stock'],
    fields: [
      'price_cents',
      'list_price_cents',
      'settle_price_cents',
      'commission_bp',
      'group_price_cents',
      'group_need',
      'group_leader_free',
      'face_cents',
      'min_spend_cents',
      'times_total',
      'single_price_cents',
      'stock',
      'limit_per_member',
      'per_bill_limit',
      'combinable',
    ],
  },
  {
    title: ['售卖与核销', 'Sale and redemption'],
    fields: [
      'sale_start_at',
      'sale_end_at',
      'check_start_at',
      'check_end_at',
      'valid_days',
      'valid_from',
      'refund_policy',
      'need_booking',
      'use_time',
      'exclude_weekdays',
      'unavailable_dates',
      'transferable',
      'invoice_by',
    ],
  },
  {
    title: ['商品信息', 'Product'],
    fields: [
      'title',
      'category_id',
      'brand_id',
      'tags',
      'store_ids',
      'freight_template_id',
      'return_address_id',
      'buy_notes',
    ],
  },
]
const weekdays: Text = ['一 二 三 四 五 六 日', 'Mo Tu We Th Fr Sa Su']
const policies: Record<ShownBody['refund_policy'], Text> = {
  anytime: ['随时退', 'Any time'],
  before_expiry: ['过期前可退', 'Before expiry'],
  none: ['不可退', 'None'],
}

/** The fields that hold the number of something with a name. */
const named = {
  category_id: 'categories',
  brand_id: 'brands',
  freight_template_id: 'freights',
  return_address_id: 'addresses',
} as const satisfies Partial<Record<Field, keyof AuditDetail['names']>>
const isNamed = (field: Field): field is keyof typeof named => Object.hasOwn(named, field)
const told: Partial<Record<Field, (value: unknown, body: ShownBody, say: Say) => string>> = {
  commission_bp: value => percent(value as number),
  tags: (_, { tags }, say) => tags.join(say(comma)) || '—',
  refund_policy: (_, { refund_policy }, say) => say(policies[refund_policy]),
  valid_from: (value, _, say) =>
    value === 'purchase' ? say(['购买起', 'Purchase']) : say(['首次使用起', 'First use']),
  invoice_by: (value, _, say) =>
    value === 'merchant' ? say(['商户', 'Merchant']) : say(['平台', 'Platform']),
  exclude_weekdays: (_, { exclude_weekdays }, say) =>
    exclude_weekdays!.map(day => say(weekdays).split(' ')[day - 1]).join(' ') || '—',
  unavailable_dates: (_, { unavailable_dates }, say) => unavailable_dates!.join(say(comma)) || '—',
  limit_per_member: (value, _, say) => (value === 0 ? say(['不限', 'No limit']) : String(value)),
  valid_days: (value, _, say) => say(['{n} 天', '{n} days'], { n: value as number }),
}

/** A field's value in words, as a person reads it; undefined when the product has no such field. */
export const wordsOf = (
  field: Field,
  body: ShownBody,
  names: AuditDetail['names'],
  say: Say,
): string | undefined => {
  const value = body[field]
  if (value === undefined || value === null) return undefined
  if (field.endsWith('_cents')) return `¥${yuan(value as number)}`
  if (field.endsWith('_at')) return timeFull(value as number).slice(0, 16)
  if (isNamed(field)) return names[named[field]][String(value)] ?? String(value)
  if (field === 'store_ids')
    return body.store_ids.map(id => names.stores[String(id)] ?? String(id)).join(say(comma))
  const tell = told[field]
  if (tell) return tell(value, body, say)
  return typeof value === 'boolean' ? say(value ? ['是', 'Yes'] : ['否', 'No']) : String(value)
}
