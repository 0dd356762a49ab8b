import type { Text } from '#src/domain/text.ts'

/** What each field of an offer is called, on screens, in logs and in exports. */
export const fieldNames = {
  kind: ['类型', 'Kind'],
  title: ['标题', 'Title'],
  category_id: ['类目', 'Category'],
  brand_id: ['品牌', 'Brand'],
  store_ids: ['适用门店', 'Stores'],
  images: ['图片', 'Pictures'],
  tags: ['标签', 'Tags'],
  list_price_cents: ['门市价', 'List price'],
  price_cents: ['售价', 'Price'],
  settle_price_cents: ['结算价', 'Settle price'],
  commission_bp: ['佣金', 'Commission'],
  stock: ['库存', 'Stock'],
  sale_start_at: ['开售时间', 'Sale from'],
  sale_end_at: ['停售时间', 'Sale until'],
  check_start_at: ['核销开始', 'Redeem from'],
  check_end_at: ['核销截止', 'Redeem until'],
  valid_days: ['有效天数', 'Valid days'],
  valid_from: ['有效期起算', 'Valid from'],
  refund_policy: ['退款规则', 'Refund'],
  limit_per_member: ['每人限购', 'Limit each'],
  group_need: ['成团人数', 'Buyers a group'],
  group_price_cents: ['拼团价', 'Group price'],
  group_leader_free: ['团长免单', 'Leader goes free'],
  need_booking: ['需预约', 'Booking'],
  use_time: ['可用时段', 'Usable hours'],
  unavailable_dates: ['不可用日期', 'Excluded dates'],
  buy_notes: ['购买须知', 'Notes'],
  package: ['套餐内容', 'Package'],
  times_total: ['总次数', 'Times'],
  single_price_cents: ['单次价', 'Price a time'],
  transferable: ['可转赠', 'Transferable'],
  face_cents: ['面值', 'Face value'],
  min_spend_cents: ['最低消费', 'Minimum spend'],
  per_bill_limit: ['每单限用', 'Per bill'],
  combinable: ['可叠加', 'Stackable'],
  exclude_weekdays: ['不可用星期', 'Excluded weekdays'],
  invoice_by: ['发票开具', 'Invoice by'],
  skus: ['规格', 'Variants'],
  freight_template_id: ['运费模板', 'Freight template'],
  return_address_id: ['退货地址', 'Return address'],
} as const satisfies Record<string, Text>
export type Field = keyof typeof fieldNames

const marked = [
  'title',
  'images',
  'price_cents',
  'list_price_cents',
  'category_id',
  'skus',
  'buy_notes',
  'store_ids',
  'sale_end_at',
  'check_end_at',
] as const satisfies readonly Field[]
/** Fields an auditor may put a remark on. */
export const markable: Readonly<Record<string, Text>> = Object.fromEntries(
  marked.map(key => [key, fieldNames[key]]),
)
