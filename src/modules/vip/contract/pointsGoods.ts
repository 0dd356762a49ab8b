import { z } from 'zod'
import { orderStatuses, type OrderStatus } from '#src/areas/order/order.ts'
import { pointsKinds, type PointsKind } from '#src/areas/points/points.ts'
import {
  deliveries,
  POINTS_MOST,
  SHOP_STOCK_MOST,
  stockMoves,
  type Delivery,
  type StockMove,
} from '#src/areas/points/shop.ts'
import { productStates, type ProductState } from '#src/areas/product/product.ts'
import { placed } from '#src/contract/call.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import {
  cents,
  id,
  keysOf,
  keyText,
  lines,
  listOf,
  open,
  page,
  searched,
  text,
  unix,
  version,
} from '#src/contract/shapes.ts'
import { shopGoods } from './pointsShop.ts'

const MONEY_MOST = 1_000_000_00
const money = z.int().min(0).max(MONEY_MOST)
const count = z.int().min(0)
/** What is written of goods. */
const fields = {
  zone_id: id,
  kind: keysOf<PointsKind>(pointsKinds),
  name: text(60, 2),
  /** What they are taken from, and who supplies it. */
  product_id: id,
  coupon_id: id.nullable(),
  points_price: z.int().min(1).max(POINTS_MOST),
  cash_cents: money,
  original_cents: money,
  cost_cents: money.optional(),
  limit_per_member: z.int().min(1).max(1000).nullable(),
  level_min: z.int().min(0).max(99).nullable(),
  delivery: keysOf<Delivery>(deliveries),
  start_at: unix.nullable(),
  end_at: unix.nullable(),
  images: z.array(keyText(255)).max(6),
  detail: lines(2000, 0),
}
const sent = {
  ...fields,
  id: id.optional(),
  version: version.optional(),
  /** New goods and drafts have it; the stock of others changes by its own calls. */
  stock: z.int().min(0).max(SHOP_STOCK_MOST).optional(),
}
export const goodsProfile = shopGoods.extend({
  product_id: id,
  product_title: z.string(),
  product_state: keysOf<ProductState>(productStates),
  product_left: z.int(),
  coupon_id: id.nullable(),
  coupon_name: z.string(),
  images: z.array(z.string()),
  detail: z.string(),
  city_name: z.string(),
})
export type GoodsProfile = z.output<typeof goodsProfile>

const kinds = { touches: ['points_goods', 'points_zone'], rows: 'points_goods' } as const
const edit = callsOf('vip/pointsShop/edit', kinds)
const editView = 'vip.pointsShop.edit.view'
const picked = { ...page, keyword: searched(40).optional() }
const named = listOf(z.object({ id, name: z.string() }))
const written = placed('points_goods', { id: 'points_goods', product_id: 'product' })

/** One kind of goods of the points shop, as it is written. */
export const goodsEdit = {
  detail: edit.read('detail', ['积分商品', 'Points-shop goods'], {
    input: z.object({ id }),
    output: goodsProfile,
    scope: placed('points_goods', 'id'),
    permit: editView,
  }),
  zones: edit.read('zones', ['可选分区', 'Zones to choose'], {
    input: z.object(picked),
    output: named,
    scope: 'all',
    permit: editView,
  }),
  /** Products on sale that may supply goods of a kind. */
  products: edit.read('products', ['可选货源商品', 'Products to supply it'], {
    input: z.object({ ...picked, kind: keysOf<PointsKind>(pointsKinds) }),
    output: named,
    touches: ['product'],
    scope: placed('product'),
    permit: editView,
  }),
  /** Coupons that are given out now, with what is left of each. */
  pickRef: edit.read('pickRef', ['可选优惠券', 'Coupons to choose'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: z.string(), left: count })),
    touches: ['coupon'],
    scope: placed('coupon'),
  }),
  saveDraft: edit.write('saveDraft', ['保存积分商品', 'Save points-shop goods'], {
    input: z.object(sent),
    output: z.object({ id, version }),
    scope: written,
  }),
  /** Saves it and puts it on the shelf. */
  submit: edit.write('submit', ['保存并上架积分商品', 'Save goods and put them on sale'], {
    input: z.object(sent),
    output: z.object({ id, version }),
    scope: written,
  }),
  discardDraft: edit.deletes('discardDraft', ['放弃积分商品草稿', 'Discard the draft of goods']),
}

export const redemption = z.object({
  /** The order item’s. */
  id,
  order_id: id,
  order_no: z.string(),
  status: keysOf<OrderStatus>(orderStatuses),
  member_id: z.int().nullable(),
  member_name: open('A nickname, as members see each other', z.string()),
  qty: count,
  points: count,
  cash_cents: cents,
  back_n: count,
  created_at: unix,
  version,
})
export type Redemption = z.output<typeof redemption>
const filters = { goods_id: id }
const ofGoods = placed('points_goods', { goods_id: 'points_goods' })
const detail = callsOf('vip/pointsShop/Detail', kinds)
const detailView = 'vip.pointsShop.Detail.view'
const share = z.object({ name: z.string(), n: count })

/** What became of one kind of goods: who exchanged it, and what its stock did. */
export const goodsDetail = {
  lst: detail.lists('lst', ['兑换记录', 'Redemptions'], {
    filters,
    row: redemption,
    touches: ['order'],
    scope: ofGoods,
  }),
  found: detail.read('found', ['查找积分商品', 'Goods to find'], {
    input: z.object(picked),
    output: listOf(z.object({ id, name: z.string(), zone_name: z.string() })),
    permit: detailView,
  }),
  facts: detail.read('facts', ['积分商品详情', 'Facts of points-shop goods'], {
    input: z.object({ id }),
    output: z.object({
      row: goodsProfile,
      /** Pieces exchanged on each of the last 30 Shanghai days, the last today. */
      days: z.array(z.object({ day: z.string(), n: count })),
      levels: z.array(share),
      cities: z.array(share),
      /** Members who have had all that one may have. */
      limited_n: count,
      /** Exchanges in after-sale now, and those that were given back. */
      refunding_n: count,
      refunded_n: count,
    }),
    touches: ['points_goods', 'points_zone', 'order'],
    scope: placed('points_goods', 'id'),
    permit: detailView,
  }),
  moves: detail.read('moves', ['库存流水', 'Stock movements'], {
    input: z.object({ id, ...page }),
    output: listOf(
      z.object({
        id,
        kind: keysOf<StockMove>(stockMoves),
        delta: z.int(),
        stock_after: count,
        order_no: z.string(),
        reason: z.string(),
        by: z.string(),
        at: unix,
      }),
    ),
    touches: ['points_goods', 'order'],
    scope: placed('points_goods', 'id'),
    permit: detailView,
  }),
  refill: detail.changes('refill', ['补充积分商品库存', 'Refill the stock of goods'], {
    fields: { quantity: z.int().min(1).max(SHOP_STOCK_MOST), reason },
    answer: { stock: count },
  }),
  offShelf: detail.changes('offShelf', ['下架积分商品', 'Take goods off sale'], {
    fields: { reason },
  }),
  copyItem: detail.changes('copyItem', ['复制积分商品', 'Copy goods'], {
    touches: ['points_goods', 'points_zone'],
  }),
  export: detail.startsExport('export', ['导出兑换记录', 'Export redemptions'], {
    filters,
    scope: ofGoods,
  }),
}
