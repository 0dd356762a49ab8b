import {
  GOODS_MAX,
  goodsCan,
  SORT_MAX,
  STOCK_MAX,
  type GoodsVerb,
} from '#src/areas/product/goods.ts'
import { unixNow } from '#src/domain/time.ts'
import { goods as calls, goodsRow, type GoodsRow } from '#src/modules/shop/contract/goods.ts'
import { ask, inAll, to, type Told } from '../command.ts'
import { goods, storeGoods } from '../pages/shop.ts'
import { asking, exportAction, idsOf, one, pageAction, reason, rowActions } from '../record.ts'

const can = (verb: GoodsVerb) => (row: GoodsRow) => goodsCan(verb, row, unixNow())
/** Codes that stay redeemable although nobody can buy it any more. */
const tellsOff = (rows: readonly GoodsRow[]): Told | undefined => {
  const n = rows.reduce((sum, row) => sum + row.unused_codes, 0)
  return n > 0
    ? [
        [
          '下架后不能再购买；已售 {n} 张未核销券码仍可使用',
          'Nobody can buy it then; {n} sold codes stay redeemable',
        ],
        { n },
      ]
    : undefined
}
const row = rowActions(goods, goodsRow)

/** What is done with the group-buys that stores sell. */
export const goodsActions = {
  onShelf: row.row(calls.onShelf, ['上架', 'Put on sale'], {
    key: 'o',
    main: true,
    when: can('onShelf'),
    input: one,
    takenBack: 'opposite',
  }),
  offShelf: row.row(calls.offShelf, ['下架', 'Take off sale'], {
    key: 'p',
    main: 'plain',
    danger: true,
    when: can('offShelf'),
    tells: tellsOff,
    asks: { reason },
    input: asking(asked => asked),
  }),
  editStock: row.row(calls.editStock, ['修改库存', 'Change the stock'], {
    key: 's',
    main: 'plain',
    when: can('editStock'),
    asks: {
      stock: ask.number({
        label: ['可售库存', 'To be sold'],
        min: 0,
        max: STOCK_MAX,
        initial: rows => rows[0]?.stock_left,
        hint: ['不含未支付订单占用；售罄商品补货后自动恢复可售', 'Without what unpaid orders hold'],
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  openGrid: pageAction('shop.goods.openGrid', ['表格编辑', 'Edit in a grid'], goods, {
    key: 'e',
    main: 'plain',
    permit: calls.saveGrid.permit,
    alias: ['批量改价', '批量改库存', '电子表格', 'spreadsheet', 'prices'],
  }),
  batchTime: row.row(calls.batchTime, ['批量改售卖与核销时间', 'Change sale and redeem times'], {
    key: 'shift+t',
    takes: 'rows',
    most: GOODS_MAX,
    alias: ['延期', '批量延期', 'prolong'],
  }),
  timeLogs: pageAction('shop.goods.timeLogs', ['查看改期日志', 'Time changes'], goods, {
    key: 'shift+l',
    permit: calls.timeLogs.permit,
  }),
  undoBatch: pageAction(calls.undoBatch, ['撤销一次批量改期', 'Take a batch back'], goods, {
    asks: {
      batch_no: ask.text({
        label: ['批次号', 'Batch'],
        max: 24,
        hint: ['见改期日志，24 小时内可撤销', 'See the time changes; within 24 hours'],
      }),
      reason,
    },
    input: (_, asked) => asked,
  }),
  setSort: row.row(calls.setSort, ['修改排序', 'Change the order'], {
    key: 'n',
    asks: {
      sort: ask.number({
        label: ['排序', 'Order'],
        min: 0,
        max: SORT_MAX,
        initial: rows => rows[0]?.sort,
        hint: ['数值大的排在前面', 'The highest stands first'],
      }),
    },
    input: asking(asked => asked),
  }),
  setDistribution: row.row(calls.setDistribution, ['设为分销商品', 'Have it distributed'], {
    key: 'd',
    when: can('setDistribution'),
    asks: {
      rate: ask.number({
        label: ['分销佣金（%）', 'Distributor’s share (%)'],
        min: 0,
        max: 100,
        optional: true,
        field: 'rate_bp',
        initial: rows => {
          const bp = rows[0]?.distribution_bp
          return typeof bp === 'number' ? bp / 100 : undefined
        },
        hint: ['从平台佣金中支出；留空则取消分销', 'Paid of the take rate; empty: no more'],
      }),
    },
    input: asking(({ rate }) => ({ rate_bp: rate === undefined ? null : Math.round(rate * 100) })),
  }),
  linkStores: row.row('shop.goods.linkStores', ['设置适用门店', 'Its stores'], {
    key: 'l',
    permit: storeGoods.permit,
    when: of =>
      of.store_id > 0 || ['没有适用门店，请从门店列表关联', 'It has no store: link one there'],
    to: rows => to(storeGoods, { store_id: rows[0]!.store_id }),
  }),
  forceOff: row.row(calls.forceOff, ['违规下架', 'Force off'], {
    danger: true,
    when: can('forceOff'),
    tells: tellsOff,
    asks: {
      reason: { ...reason, hint: ['须重新审核才能上架', 'It needs a new audit to sell again'] },
    },
    input: asking(asked => asked),
  }),
  batchOff: row.row(calls.batchOff, ['批量下架', 'Take selected off sale'], {
    key: 'shift+x',
    danger: true,
    takes: 'rows',
    most: GOODS_MAX,
    when: can('offShelf'),
    tells: rows => tellsOff(rows) ?? inAll(rows),
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  export: exportAction(calls.export, ['导出团购', 'Export group-buys'], goods),
}
