import { SHOP_STOCK_MOST, shopCan } from '#src/areas/points/shop.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  goodsDetail,
  goodsEdit,
  goodsProfile,
  type GoodsProfile,
} from '#src/modules/vip/contract/pointsGoods.ts'
import { ask, byKeyword, recordFinder, to } from '../command.ts'
import { pointsShopList } from '../pages/order.ts'
import { pointsDetailPage, pointsEditPage, pointsShopPage } from '../pages/vip.ts'
import { asking, exportAction, one, pageAction, reason, rowActions } from '../record.ts'

const edited = rowActions(pointsEditPage, goodsProfile)
/** What is done with the form of goods of the points shop. */
export const goodsFormActions = {
  submit: pageAction(
    'vip.pointsShop.edit.submitForm',
    ['保存并上架', 'Save and put on sale'],
    pointsEditPage,
    { key: 'mod+enter', main: true, permit: goodsEdit.submit.permit },
  ),
  saveDraft: pageAction('vip.pointsShop.edit.saveForm', ['保存', 'Save'], pointsEditPage, {
    key: 'mod+s',
    main: true,
    permit: goodsEdit.saveDraft.permit,
  }),
  preview: pageAction('vip.pointsShop.edit.preview', ['手机预览', 'Preview'], pointsEditPage, {
    key: 'y',
    main: 'plain',
  }),
  pickRef: pageAction(
    'vip.pointsShop.edit.pickCoupon',
    ['选择关联券', 'Pick the coupon'],
    pointsEditPage,
    { key: 'm', main: 'plain', permit: goodsEdit.pickRef.permit },
  ),
  discardDraft: edited.row(goodsEdit.discardDraft, ['放弃草稿', 'Discard the draft'], {
    danger: true,
    when: (of: GoodsProfile) => shopCan('discard', of, unixNow()),
    input: one,
  }),
}
const shown = rowActions(pointsDetailPage, goodsProfile)
/** What is done beside the life of goods; their exchanges are opened as orders. */
export const goodsDetailActions = {
  refill: shown.row(goodsDetail.refill, ['补充库存', 'Restock'], {
    key: 'b',
    main: true,
    when: (of: GoodsProfile) =>
      of.status !== 'draft' || ['草稿请在编辑页改库存', 'Set the stock of a draft in its form'],
    asks: {
      quantity: ask.number({
        label: ['补充件数', 'Quantity to add'],
        min: 1,
        max: SHOP_STOCK_MOST,
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  edit: shown.row('vip.pointsShop.Detail.edit', ['编辑商品', 'Edit goods'], {
    key: 'e',
    main: 'plain',
    permit: goodsEdit.saveDraft.permit,
    to: ([of]) => to(pointsEditPage, { id: of!.id }),
  }),
  offShelf: shown.row(goodsDetail.offShelf, ['下架', 'Take off sale'], {
    key: 'r',
    danger: true,
    when: (of: GoodsProfile) => shopCan('offShelf', of, unixNow()),
    asks: { reason },
    input: asking(asked => asked),
  }),
  copyItem: shown.row(goodsDetail.copyItem, ['复制商品', 'Copy goods'], {
    key: 'shift+c',
    input: one,
    takenBack: 'again',
  }),
  shop: pageAction(
    'vip.pointsShop.Detail.shop',
    ['回到积分商城', 'Back to the points shop'],
    pointsDetailPage,
    {
      key: 'p',
      permit: pointsShopPage.permit,
      to: () => pointsShopPage.path,
    },
  ),
  openOrders: shown.row('vip.pointsShop.Detail.openOrders', ['查看兑换订单', 'View its orders'], {
    key: 'o',
    main: 'plain',
    permit: pointsShopList.permit,
    to: ([of]) => to(pointsShopList, { product_id: of!.product_id }),
  }),
  export: exportAction(
    goodsDetail.export,
    ['导出兑换记录', 'Export redemptions'],
    pointsDetailPage,
  ),
}
export const goodsFound = recordFinder({
  pages: [pointsDetailPage],
  hint: ['按积分商品名称或编号查找', 'By name or number'],
  find: goodsDetail.found,
  asked: byKeyword,
  given: row => ({ type: 'points_goods', id: row.id, row }),
  title: row => row.name,
  more: row => [row.zone_name, row.zone_name],
  byId: 'points_goods',
})
