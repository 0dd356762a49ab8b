import { ask } from '#commands/command.ts'
import { memberLevels } from '#src/areas/member/levels.ts'
import { pointsKinds, type PointsKind } from '#src/areas/points/points.ts'
import {
  deliveries,
  POINTS_MOST,
  SHOP_STOCK_MOST,
  waysOf,
  type Delivery,
} from '#src/areas/points/shop.ts'
import type { Text } from '#src/domain/text.ts'
import { goodsEdit as calls, type GoodsProfile } from '../contract/pointsGoods.ts'

const MONEY_MOST = 1_000_000_00
type Rows = readonly GoodsProfile[]
type Given = Readonly<Record<string, unknown>>
type Begun = { zone_id: number; zone_name: string; kind: PointsKind }
const levels: Readonly<Record<string, Text>> = { none: ['不限', 'Any'], ...memberLevels }
const named = (of: { name: string }) => of.name
const isCoupon = (answers: Given) => answers['kind'] === 'coupon'
const cash = (label: readonly [string, string], hint?: readonly [string, string]) =>
  ask.money({ label, min: 0, max: MONEY_MOST, optional: true, ...(hint && { hint }) })

/** What the answers are, as the form holds them. */
export type GoodsAnswers = {
  zone_id: number
  kind: PointsKind
  name: string
  product_id: number
  coupon_id?: number
  points_price: number
  cash_cents?: number
  original_cents?: number
  cost_cents?: number
  stock?: number
  limit_per_member?: number
  level?: string
  delivery?: Delivery
  start_at?: number
  end_at?: number
  images?: string[]
  detail?: string
}
const standing = (row: GoodsProfile | undefined) => row?.sold === 0 && row.held === 0
/** Questions of what goods are and where they stand; `begun` is what the board said of new ones. */
export const whatAsks = (begun: Begun) => ({
  kind: ask.choice({
    label: ['商品类型', 'Kind'],
    options: pointsKinds,
    shown: (_: Given, [row]: Rows) => row === undefined || standing(row),
    initial: ([row]: Rows) => row?.kind ?? begun.kind,
  }),
  zone_id: ask.entity({
    label: ['分区', 'Zone'],
    find: calls.zones,
    labelOf: named,
    initial: ([row]: Rows) => row?.zone_id ?? (begun.zone_id || undefined),
    named: ([row]: Rows) => row?.zone_name ?? (begun.zone_name || undefined),
  }),
  name: ask.text({
    label: ['商品名称', 'Name'],
    min: 2,
    max: 60,
    initial: ([row]: Rows) => row?.name,
  }),
  product_id: ask.entity({
    label: ['货源商品', 'Source goods'],
    find: calls.products,
    labelOf: named,
    given: (_: Rows, answers: Given) => ({ kind: (answers['kind'] as PointsKind) ?? begun.kind }),
    hint: [
      '由它的商户履约并结算；库存同时受货源限制',
      'Fulfilled by and settled with its merchant; its stock also limits this one',
    ],
    initial: ([row]: Rows) => row?.product_id,
    named: ([row]: Rows) => row?.product_title,
  }),
  coupon_id: ask.entity({
    label: ['发放的优惠券', 'Coupon to issue'],
    find: calls.pickRef,
    labelOf: (of: { name: string; left: number }) => `${of.name} · ${of.left}`,
    shown: isCoupon,
    hint: [
      '上架时核对：在发放中，余量够库存',
      'Checked when put on sale: the coupon must be active and cover the stock',
    ],
    initial: ([row]: Rows) => row?.coupon_id ?? undefined,
    named: ([row]: Rows) => row?.coupon_name || undefined,
  }),
  delivery: ask.choice({
    label: ['发放方式', 'Delivery'],
    options: { express: deliveries.express, pickup: deliveries.pickup },
    shown: answers => answers['kind'] === 'physical',
    initial: ([row]: Rows) => (row?.delivery === 'pickup' ? 'pickup' : 'express'),
  }),
})
/** Questions of its price, its stock and who may have it. */
export const termAsks = () => ({
  points_price: ask.number({
    label: ['积分价', 'Points price'],
    min: 1,
    max: POINTS_MOST,
    initial: ([row]: Rows) => row?.points_price,
  }),
  cash_cents: {
    ...cash(['现金部分', 'Cash'], ['不填为纯积分', 'Empty: points only']),
    shown: (answers: Given) => !isCoupon(answers),
    initial: ([row]: Rows) => row?.cash_cents,
  },
  original_cents: {
    ...cash(['划线价', 'Original price']),
    initial: ([row]: Rows) => row?.original_cents,
  },
  cost_cents: {
    ...cash(['单件成本', 'Unit cost'], ['平台承担的成本，会员看不到', 'Members do not see it']),
    shown: (_: Given, [row]: Rows) => row === undefined || row.cost_cents !== undefined,
    initial: ([row]: Rows) => row?.cost_cents,
  },
  stock: ask.number({
    label: ['库存', 'Stock'],
    min: 0,
    max: SHOP_STOCK_MOST,
    shown: (_, [row]: Rows) => row === undefined || row.status === 'draft',
    initial: ([row]: Rows) => row?.stock,
  }),
  limit_per_member: ask.number({
    label: ['每人限兑', 'Limit per member'],
    min: 1,
    max: 1000,
    optional: true,
    hint: ['不填为不限', 'Empty: any number'],
    initial: ([row]: Rows) => row?.limit_per_member ?? undefined,
  }),
  level: ask.choice({
    label: ['最低等级', 'Minimum level'],
    options: levels,
    field: 'level_min',
    initial: ([row]: Rows) => (row?.level_min == null ? 'none' : String(row.level_min)),
  }),
  start_at: ask.time({
    label: ['开始时间', 'Starts'],
    optional: true,
    initial: ([row]: Rows) => row?.start_at ?? undefined,
  }),
  end_at: ask.time({
    label: ['结束时间', 'Ends'],
    optional: true,
    initial: ([row]: Rows) => row?.end_at ?? undefined,
  }),
})
/** Questions of how it looks. */
export const lookAsks = () => ({
  images: ask.images({
    label: ['图片', 'Pictures'],
    max: 6,
    optional: true,
    initial: ([row]: Rows) => row?.images ?? [],
  }),
  detail: ask.text({
    label: ['商品详情', 'Detail'],
    max: 2000,
    lines: 6,
    optional: true,
    initial: ([row]: Rows) => row?.detail || undefined,
  }),
})
/** The body of the call that saves the answers. */
export const goodsBody = (of: GoodsAnswers) => {
  const { level, stock, cost_cents, ...rest } = of
  return {
    zone_id: rest.zone_id,
    kind: rest.kind,
    name: rest.name,
    product_id: rest.product_id,
    coupon_id: rest.kind === 'coupon' ? (rest.coupon_id ?? null) : null,
    points_price: rest.points_price,
    cash_cents: rest.kind === 'coupon' ? 0 : (rest.cash_cents ?? 0),
    original_cents: rest.original_cents ?? 0,
    ...(cost_cents !== undefined && { cost_cents }),
    ...(stock !== undefined && { stock }),
    limit_per_member: rest.limit_per_member ?? null,
    level_min: level === undefined || level === 'none' ? null : Number(level),
    delivery: rest.kind === 'physical' ? (rest.delivery ?? 'express') : waysOf[rest.kind][0]!,
    start_at: rest.start_at ?? null,
    end_at: rest.end_at ?? null,
    images: rest.images ?? [],
    detail: rest.detail ?? '',
  }
}
/** What the form shows of goods that are being written. */
export const seenOf = (of: GoodsAnswers) =>
  goodsBody({ ...of, points_price: of.points_price ?? 0, name: of.name ?? '' })
