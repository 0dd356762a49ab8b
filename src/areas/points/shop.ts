import { hasEnded, isLive, type Period } from '#src/domain/period.ts'
import type { Text } from '#src/domain/text.ts'
import type { PointsKind } from './points.ts'

/** How a zone of the points shop sells. */
export const zoneKinds = {
  normal: ['普通', 'Normal'],
  level: ['等级专享', 'Level-only'],
  flash: ['限时', 'Limited time'],
} as const satisfies Record<string, Text>
export type ZoneKind = keyof typeof zoneKinds
export const shopStates = {
  draft: ['草稿', 'Draft'],
  on: ['在架', 'On sale'],
  off: ['已下架', 'Off sale'],
} as const satisfies Record<string, Text>
export type ShopState = keyof typeof shopStates
export const deliveries = {
  express: ['快递', 'Courier'],
  pickup: ['到店领取', 'Store pickup'],
  auto: ['自动发放', 'Automatic'],
} as const satisfies Record<string, Text>
export type Delivery = keyof typeof deliveries
/** How each kind may reach the member; the first is the usual way. */
export const waysOf: Readonly<Record<PointsKind, readonly Delivery[]>> = {
  physical: ['express', 'pickup'],
  coupon: ['auto'],
  voucher: ['auto'],
  ecard: ['auto'],
}
/** What changed the stock of goods. */
export const stockMoves = {
  init: ['期初', 'Opening stock'],
  refill: ['补货', 'Restocked'],
  redeem: ['兑换', 'Redeemed'],
  cancel: ['退回', 'Returned'],
  resend: ['补发', 'Resent'],
  adjust: ['调整', 'Adjusted'],
} as const satisfies Record<string, Text>
export type StockMove = keyof typeof stockMoves

export const POINTS_MOST = 999_999
export const SHOP_STOCK_MOST = 1_000_000
export const ZONES_MOST = 20
export const ZONE_GOODS_MOST = 500
/** So many stand in the first screen of a zone. */
export const FIRST_SCREEN = 6

export type ShopGoods = Period & {
  kind: PointsKind
  status: ShopState
  points_price: number
  cash_cents: number
  stock: number
  held: number
  sold: number
  level_min: number | null
  limit_per_member: number | null
  delivery: Delivery
}
type Stocked = Pick<ShopGoods, 'stock' | 'held'>
export const freeOf = ({ stock, held }: Stocked): number => stock - held
/** Why a member can't exchange goods now that are on the shelf; undefined where they can. */
export const closedFor = (goods: Period & Stocked, now: number): Text | undefined => {
  if (hasEnded(goods, now)) return ['已过兑换期', 'Redemption period over']
  if (!isLive(goods, now)) return ['未到兑换期', 'Not yet redeemable']
  return freeOf(goods) > 0 ? undefined : ['已兑完', 'Sold out']
}

type Zoned = { zone_kind: ZoneKind }
/** Faults of goods by field, as they are written. */
export const goodsFaults = (
  goods: Omit<ShopGoods, 'stock' | 'held' | 'sold' | 'status'> & {
    coupon_id: number | null
  },
): Record<string, Text | undefined> => {
  const { start_at, end_at, kind } = goods
  return {
    delivery: waysOf[kind].includes(goods.delivery)
      ? undefined
      : ['该类商品不能这样发放', 'Goods of this kind are not given that way'],
    coupon_id:
      (kind === 'coupon') === (goods.coupon_id !== null)
        ? undefined
        : ['请选择要发放的优惠券', 'Choose the coupon that is given'],
    cash_cents:
      kind === 'coupon' && goods.cash_cents > 0
        ? ['优惠券只用积分兑换，现金部分填 0', 'A coupon costs points alone: no cash']
        : undefined,
    end_at:
      start_at !== null && end_at !== null && end_at <= start_at
        ? ['结束时间须晚于开始时间', 'Must be after the start']
        : undefined,
  }
}
/** What a zone asks of goods that are to be on its shelf, or why they are not; by field. */
export const zoneFaults = (
  goods: Pick<ShopGoods, 'end_at' | 'level_min'> & Zoned,
): Record<string, Text | undefined> => ({
  level_min:
    goods.zone_kind === 'level' && goods.level_min === null
      ? ['等级专享分区的商品须设最低等级', 'Goods in a level-only zone need a minimum level']
      : undefined,
  end_at:
    goods.zone_kind === 'flash' && goods.end_at === null
      ? ['限时分区的商品须设结束时间', 'Goods in a limited-time zone need an end time']
      : undefined,
})

export type ShopVerb = 'edit' | 'onShelf' | 'offShelf' | 'discard'
/** Whether goods can be so changed by what stands in their row, or why not. */
export const shopCan = (
  verb: ShopVerb,
  goods: Pick<ShopGoods, 'status' | 'sold' | 'held' | 'stock' | 'end_at' | 'start_at'>,
  now: number,
): true | Text => {
  if (verb === 'offShelf') return goods.status === 'on' || ['不在架上', 'It is not on the shelf']
  if (verb === 'discard') return goods.status === 'draft' || ['只能放弃草稿', 'Only a draft']
  if (verb === 'edit') return true
  if (goods.status === 'on') return ['已在架', 'It is on the shelf']
  if (freeOf(goods) <= 0) return ['可兑库存为 0，请先补货', 'Nothing is left: refill it first']
  if (hasEnded(goods, now))
    return ['兑换期已结束，请先修改时间', 'Its time is over: change the time first']
  return true
}
/** Why stock can't be set to `stock`: unpaid exchanges hold some of it. */
export const stockFault = (stock: number, held: number): Text | undefined =>
  stock < held
    ? [
        `不能少于待支付兑换占用的 ${held} 件`,
        `Exchanges that wait for payment hold ${held}: not below that`,
      ]
    : undefined

/**
 * What one exchange costs the platform, in cents: what the goods cost, less the cash that is paid;
 * below 0 where the cash is more.
 */
export const exchangeCost = ({
  cost_cents,
  cash_cents,
}: {
  cost_cents: number
  cash_cents: number
}) => cost_cents - cash_cents
