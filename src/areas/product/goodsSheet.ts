/** Prices and stock as a sheet tells of them: its columns, and what their words mean. */
import { plain } from '#src/areas/sheet/heads.ts'
import type { SheetColumn } from '#src/areas/sheet/table.ts'
import { centsOf, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { PRICE_MAX_CENTS, SORT_MAX, STOCK_MAX } from './goods.ts'
import { LIMIT_MAX } from './shipped.ts'

const columns = {
  id: {
    key: 'id',
    title: ['商品编号', 'Product ID'],
    names: ['编号', '商品id', 'id', 'productid'],
    needed: true,
    note: ['列表与导出文件中的编号', 'The number in the list and its export'],
    example: '1000000',
  },
  code: {
    key: 'code',
    title: ['规格编码', 'SKU'],
    names: ['规格', 'sku编码', 'skucode'],
    note: [
      '有规格的商品，改价格与库存时必填',
      'Required for price and stock of goods with variants',
    ],
    example: '',
  },
  price_cents: {
    key: 'price_cents',
    title: ['售价', 'Price'],
    names: ['价格', '销售价'],
    note: ['元，最多两位小数；留空不改', 'In yuan, two decimals at most; empty: as it is'],
    example: '88.00',
  },
  settle_price_cents: {
    key: 'settle_price_cents',
    title: ['结算价', 'Settle price'],
    note: ['元，不高于售价；留空不改', 'In yuan, at most the price; empty: as it is'],
    example: '',
  },
  group_price_cents: {
    key: 'group_price_cents',
    title: ['拼团价', 'Group price'],
    note: [
      '元，低于售价；仅限可拼团的商品',
      'In yuan, below the price; where it is bought together',
    ],
    example: '',
  },
  stock_left: {
    key: 'stock_left',
    title: ['可售库存', 'Stock'],
    names: ['库存'],
    note: [
      '不含未支付订单占用的件数；留空不改',
      'Without what unpaid orders hold; empty: as it is',
    ],
    example: '100',
  },
  limit_per_member: {
    key: 'limit_per_member',
    title: ['每人限购', 'Limit each'],
    names: ['限购'],
    note: ['件数，0 为不限；留空不改', 'How many, 0 for as many as they like; empty: as it is'],
    example: '',
  },
  sort: {
    key: 'sort',
    title: ['排序', 'Order'],
    note: ['数值大的排在前面；留空不改', 'Highest first; empty: unchanged'],
    example: '',
  },
} as const satisfies Record<string, SheetColumn>
/**
 * What an import changes of products that stores sell; the titles of their export are among the
 * names.
 */
export const groupColumns = [
  columns.id,
  columns.price_cents,
  columns.settle_price_cents,
  columns.group_price_cents,
  columns.stock_left,
  columns.sort,
] as const
export type GroupKey = (typeof groupColumns)[number]['key']
/** The same of goods that are shipped, variant by variant. */
export const shippedColumns = [
  columns.id,
  columns.code,
  columns.price_cents,
  columns.stock_left,
  columns.limit_per_member,
  columns.sort,
] as const
export type ShippedKey = (typeof shippedColumns)[number]['key']
export type EditKey = Exclude<GroupKey | ShippedKey, 'id' | 'code'>
export type GroupEdit = Exclude<GroupKey, 'id'>
export type ShippedEdit = Exclude<ShippedKey, 'id' | 'code'>
export const groupEdits = groupColumns.map(one => one.key).filter(key => key !== 'id')
export const shippedEdits = shippedColumns
  .map(one => one.key)
  .filter(key => key !== 'id' && key !== 'code')

/** The number of a product as it is typed; undefined where it is none. */
export const productId = (typed: string): number | undefined => {
  const digits = plain(typed)
  return /^[1-9]\d{0,8}$/.test(digits) ? Number(digits) : undefined
}

const isMoney = (key: EditKey): boolean => key.endsWith('_cents')
/** A whole number that no digit of is lost: `1,200` is one, `1.2E+3` is none. */
const wholeOf = (typed: string): number | undefined => {
  const digits = plain(typed).replace(/[\s,]/g, '')
  return /^\d{1,9}$/.test(digits) ? Number(digits) : undefined
}
const most = (key: EditKey): number => {
  if (isMoney(key)) return PRICE_MAX_CENTS
  if (key === 'limit_per_member') return LIMIT_MAX
  return key === 'sort' ? SORT_MAX : STOCK_MAX
}
export const titleOf = (key: EditKey): Text => columns[key].title
/** A value as people read it: yuan of cents. */
export const shownValue = (key: EditKey, value: number): string =>
  isMoney(key) ? yuan(value) : String(value)
/** What a cell sets, cents of money; undefined of an empty cell, else what is wrong with it. */
export const valueTyped = (key: EditKey, typed: string): number | undefined | { fault: Text } => {
  if (typed === '') return undefined
  const [zh, en] = columns[key].title
  const value = isMoney(key) ? centsOf(plain(typed)) : wholeOf(typed)
  const cell = typed.slice(0, 20)
  if (value === undefined)
    return {
      fault: isMoney(key)
        ? [
            `“${zh}”${cell} 不是金额，请填写元，最多两位小数`,
            `${en}: ${cell} is no amount, write yuan with two decimals at most`,
          ]
        : [`“${zh}”${cell} 不是整数`, `${en}: ${cell} is no whole number`],
    }
  const least = isMoney(key) ? 1 : 0
  if (value >= least && value <= most(key)) return value
  const [from, to] = [shownValue(key, least), shownValue(key, most(key))]
  return { fault: [`“${zh}”须在 ${from}–${to} 之间`, `${en}: from ${from} to ${to}`] }
}
/**
 * What some cells set that is not so already, by their columns; or what is wrong with them, in one
 * text. What stands as null (no limit) is 0 in a file.
 */
export const changeOf = <K extends EditKey>(
  keys: readonly K[],
  cells: Readonly<Record<K, string>>,
  now: Readonly<Record<K, number | null>>,
): { change: Partial<Record<K, number>> } | { fault: Text } => {
  const change: Partial<Record<K, number>> = {}
  const faults: Text[] = []
  for (const key of keys) {
    const value = valueTyped(key, cells[key])
    if (typeof value === 'object') faults.push(value.fault)
    else if (value !== undefined && value !== (now[key] ?? (key === 'limit_per_member' ? 0 : null)))
      change[key] = value
  }
  return faults.length > 0 ? { fault: together(faults) } : { change }
}
/** Several words for what is wrong, as one. */
export const together = (faults: readonly Text[]): Text => [
  faults.map(([zh]) => zh).join('；'),
  faults.map(([, en]) => en).join('; '),
]
/** A change in words: `售价 88.00 → 80.00，可售库存 5 → 9`. */
export const changeWords = <K extends EditKey>(
  keys: readonly K[],
  change: Partial<Record<K, number>>,
  now: Readonly<Record<K, number | null>>,
): Text => {
  const parts = keys.flatMap(key => {
    const value = change[key]
    if (value === undefined) return []
    const was = now[key]
    const arrow = `${was === null ? '—' : shownValue(key, was)} → ${shownValue(key, value)}`
    const [zh, en] = columns[key].title
    return [[`${zh} ${arrow}`, `${en} ${arrow}`] as Text]
  })
  return [parts.map(([zh]) => zh).join('，'), parts.map(([, en]) => en).join(', ')]
}
/** What is told of a line for goods of any kind. */
export const goodsLineWords = {
  none: [
    '没有这个商品编号，或不在你的数据范围内，请与列表核对',
    'No product has this number, or it is outside your data scope: compare it with the list',
  ],
  same: ['与现值相同', 'As it is already'],
  in_audit: ['价格审核中，审核结束后才能改价', 'Its price is in audit: wait for its end'],
  asked: ['新价格已提交，审核中', 'The new price is in audit already'],
} as const satisfies Record<string, Text>
/** Why a product in a state can't have something changed. */
export const stateWords = ([zh, en]: Text, what: Text): Text => [
  `商品为“${zh}”，不能改${what[0]}`,
  `It is ${en}: its ${what[1]} stays as it is`,
]
