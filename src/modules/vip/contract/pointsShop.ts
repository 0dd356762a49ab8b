import { z } from 'zod'
import { pointsKinds, type PointsKind } from '#src/areas/points/points.ts'
import {
  deliveries,
  shopStates,
  SHOP_STOCK_MOST,
  ZONE_GOODS_MOST,
  zoneKinds,
  ZONES_MOST,
  type Delivery,
  type ShopState,
  type ZoneKind,
} from '#src/areas/points/shop.ts'
import { callsOf, reason } from '#src/contract/record.ts'
import { cents, guarded, id, keysOf, text, unix, version } from '#src/contract/shapes.ts'

const count = z.int().min(0)
const list_version = z.int()
export const zoneRow = z.object({
  is: z.literal('zone'),
  id,
  name: z.string(),
  kind: keysOf<ZoneKind>(zoneKinds),
  /** Goods that stand in it, those on the shelf, and those of the first screen that are out. */
  goods_n: count,
  on_n: count,
  out_n: count,
  version,
})
export type ZoneRow = z.output<typeof zoneRow>
export const shopGoods = z.object({
  is: z.literal('goods'),
  id,
  zone_id: id,
  zone_name: z.string(),
  zone_kind: keysOf<ZoneKind>(zoneKinds),
  kind: keysOf<PointsKind>(pointsKinds),
  name: z.string(),
  image: z.string(),
  /** The higher stands before. */
  sort: z.int(),
  points_price: z.int(),
  cash_cents: cents,
  original_cents: cents,
  cost_cents: guarded('product.settle_price_cents', cents),
  stock: count,
  held: count,
  sold: count,
  limit_per_member: z.int().nullable(),
  level_min: z.int().nullable(),
  delivery: keysOf<Delivery>(deliveries),
  start_at: unix.nullable(),
  end_at: unix.nullable(),
  status: keysOf<ShopState>(shopStates),
  off_reason: z.string(),
  version,
})
export type ShopGoodsRow = z.output<typeof shopGoods>
const zone = { name: text(12), kind: keysOf<ZoneKind>(zoneKinds) }

const zones = callsOf('vip/pointsShop', { touches: ['points_zone'], rows: 'all' })
const call = callsOf('vip/pointsShop', {
  touches: ['points_goods', 'points_zone'],
  rows: 'points_goods',
})
const view = 'vip.pointsShop.view'

/** Zones of the points shop, and the goods of each in the order in which members see them. */
export const pointsShop = {
  zones: zones.read('zones', ['积分商城分区', 'Zones of the points shop'], {
    input: z.object({}),
    output: z.object({ list: z.array(zoneRow), total: count, list_version }),
    touches: ['points_zone', 'points_goods'],
    permit: view,
  }),
  goods: call.read('goods', ['分区商品', 'Goods of a zone'], {
    input: z.object({ zone_id: id }),
    output: z.object({
      list: z.array(shopGoods),
      total: count,
      list_version,
      /** Goods of the zone that the person does not see, for which the order can't be set. */
      hidden: count,
    }),
    touches: ['points_goods', 'points_zone', 'order'],
    permit: view,
  }),
  addZone: zones.creates('addZone', ['新增分区', 'Add a zone'], { fields: zone }),
  editZone: zones.changes('editZone', ['编辑分区', 'Edit a zone'], { fields: zone }),
  delZone: zones.deletes('delZone', ['删除分区', 'Delete a zone']),
  sortZones: zones.sorts('sortZones', ['调整分区顺序', 'Order zones'], {
    fields: {},
    most: ZONES_MOST,
  }),
  moveItem: call.changes('moveItem', ['移动商品', 'Move goods to a zone'], {
    fields: { zone_id: id },
  }),
  sortItems: call.sorts('sortItems', ['调整商品顺序', 'Order the goods of a zone'], {
    fields: { zone_id: id },
    most: ZONE_GOODS_MOST,
  }),
  onShelf: call.changes('onShelf', ['上架积分商品', 'Put goods on sale']),
  offShelf: call.changes('offShelf', ['下架积分商品', 'Take goods off sale'], {
    fields: { reason },
  }),
  setStock: call.changes('setStock', ['修改积分商品库存', 'Set the stock of goods'], {
    fields: { stock: z.int().min(0).max(SHOP_STOCK_MOST), reason },
  }),
  toTop: call.changes('toTop', ['置顶积分商品', 'Put goods first'], { answer: { sort: z.int() } }),
}
