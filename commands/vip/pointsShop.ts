import { pointsKinds } from '#src/areas/points/points.ts'
import { SHOP_STOCK_MOST, shopCan, zoneKinds, type ShopVerb } from '#src/areas/points/shop.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { goodsEdit } from '#src/modules/vip/contract/pointsGoods.ts'
import {
  pointsShop as calls,
  shopGoods,
  zoneRow,
  type ShopGoodsRow,
  type ZoneRow,
} from '#src/modules/vip/contract/pointsShop.ts'
import { ask, to } from '../command.ts'
import { pointsDetailPage, pointsEditPage, pointsShopPage as at } from '../pages/vip.ts'
import { asking, createAction, formOf, one, pageAction, reason, rowActions } from '../record.ts'

/** A board holds zones and goods side by side: each action says which of them it takes. */
const isZone = ({ is }: { is: string }): true | Text =>
  is === 'zone' || ['请先选中一个分区', 'Choose a zone first']
const isGoods = ({ is }: { is: string }): true | Text =>
  is === 'goods' || ['请先选中一件商品', 'Choose goods first']
const can =
  (verb: ShopVerb) =>
  (of: ShopGoodsRow): true | Text => {
    const is = isGoods(of)
    return is === true ? shopCan(verb, of, unixNow()) : is
  }
const zoneForm = formOf(
  {
    name: ask.text({ label: ['分区名称', 'Name'], max: 12 }),
    kind: ask.choice({
      label: ['类型', 'Kind'],
      options: zoneKinds,
      initial: rows => (rows[0] as ZoneRow | undefined)?.kind ?? 'normal',
      hint: [
        '等级专享的商品须设最低等级，限时的商品须设结束时间',
        'Level-only goods need a minimum level; limited-time goods need an end',
      ],
    }),
  },
  asked => asked,
)
const zone = rowActions(at, zoneRow)
const goods = rowActions(at, shopGoods)

/** What is done with zones of the points shop. */
export const zoneActions = {
  addZone: createAction(calls.addZone, ['新增分区', 'New zone'], at, zoneForm),
  editZone: zone.row(calls.editZone, ['编辑分区', 'Edit zone'], {
    key: 'e',
    when: isZone,
    asks: zoneForm.asks,
    input: asking(zoneForm.input),
  }),
  sortZones: pageAction(
    'vip.pointsShop.saveZones',
    ['保存分区顺序', 'Save the order of zones'],
    at,
    {
      key: 's',
      permit: calls.sortZones.permit,
    },
  ),
  delZone: zone.del(calls.delZone, ['删除分区', 'Delete zone'], {
    when: (of: ZoneRow) => {
      const is = isZone(of)
      if (is !== true) return is
      return (
        of.goods_n === 0 || [
          '分区里还有商品，请先移走',
          'The zone still has goods; move them first',
        ]
      )
    },
  }),
}
/** What is done with goods of the points shop. */
export const shopActions = {
  addItem: pageAction('vip.pointsShop.addItem', ['添加商品', 'Add goods'], at, {
    key: 'a',
    main: true,
    permit: goodsEdit.saveDraft.permit,
    asks: {
      kind: ask.choice({
        label: ['商品类型', 'Kind of goods'],
        options: pointsKinds,
        initial: () => 'physical' as const,
      }),
    },
  }),
  edit: goods.row('vip.pointsShop.openEdit', ['编辑商品', 'Edit goods'], {
    key: 'o',
    main: 'plain',
    permit: goodsEdit.saveDraft.permit,
    when: isGoods,
    to: ([of]) => to(pointsEditPage, { id: of!.id }),
  }),
  detail: goods.row('vip.pointsShop.openDetail', ['查看兑换与库存', 'Redemptions and stock'], {
    key: 'd',
    main: 'plain',
    permit: pointsDetailPage.permit,
    when: isGoods,
    to: ([of]) => to(pointsDetailPage, { id: of!.id }),
  }),
  onShelf: goods.row(calls.onShelf, ['上架', 'Put on sale'], {
    key: 'u',
    main: 'plain',
    when: can('onShelf'),
    input: one,
    takenBack: 'opposite',
  }),
  offShelf: goods.row(calls.offShelf, ['下架', 'Take off sale'], {
    key: 'r',
    danger: true,
    when: can('offShelf'),
    tells: () => [
      [
        '已支付的兑换照常履约，未支付的仍可付款',
        'Paid redemptions are still fulfilled; unpaid ones can still be paid',
      ],
      {},
    ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  setStock: goods.row(calls.setStock, ['修改库存', 'Set the stock'], {
    key: 'n',
    main: 'plain',
    when: isGoods,
    asks: {
      stock: ask.number({
        label: ['库存（含待支付占用）', 'Stock (including unpaid holds)'],
        min: 0,
        max: SHOP_STOCK_MOST,
        initial: rows => (rows[0] as ShopGoodsRow | undefined)?.stock,
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  moveItem: goods.row(calls.moveItem, ['移动到分区', 'Move to a zone'], {
    key: 'm',
    when: isGoods,
    asks: {
      zone_id: ask.entity({
        label: ['分区', 'Zone'],
        find: goodsEdit.zones,
        labelOf: (of: { name: string }) => of.name,
        hint: ['移动后排在目标分区最前', 'Goes to the top of that zone'],
      }),
    },
    input: asking(asked => asked),
  }),
  toTop: goods.row(calls.toTop, ['置顶', 'Pin to top'], {
    key: 't',
    when: isGoods,
    input: one,
    takenBack: 'final',
  }),
  sortItems: pageAction(
    'vip.pointsShop.saveItems',
    ['保存商品顺序', 'Save the order of goods'],
    at,
    { key: 'shift+s', permit: calls.sortItems.permit },
  ),
}
