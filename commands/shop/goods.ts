import { GOODS_MAX, goodsCan, STOCK_MAX, type GoodsVerb } from '#src/areas/product/goods.ts'
import { unixNow } from '#src/domain/time.ts'
import { goods as calls, goodsRow, type GoodsRow } from '#src/modules/shop/contract/goods.ts'
import { ask, to, type Told } from '../command.ts'
import { shelfActions } from '../goods.ts'
import { goods, storeGoods } from '../pages/shop.ts'
import { asking, exportAction, pageAction, reason, rowActions } from '../record.ts'

const can = (verb: GoodsVerb) => (row: GoodsRow) => goodsCan(verb, row, unixNow())
/** Codes that stay redeemable although nobody can buy it any more. */
const tellsOff = (rows: readonly GoodsRow[]): Told | undefined => {
  const n = rows.reduce((sum, row) => sum + row.unused_codes, 0)
  return n > 0
    ? [
        [
          '下架后不能再购买；已售 {n} 张未核销券码仍可使用',
          'It can no longer be bought; {n} sold codes stay redeemable',
        ],
        { n },
      ]
    : undefined
}
const row = rowActions(goods, goodsRow)
const { onShelf, offShelf, setSort, forceOff, batchOff } = shelfActions<GoodsRow>({
  row: row.row,
  calls,
  can,
  tells: tellsOff,
})

/** What is done with the group-buys that stores sell. */
export const goodsActions = {
  onShelf,
  offShelf,
  editStock: row.row(calls.editStock, ['修改库存', 'Change the stock'], {
    key: 's',
    main: 'plain',
    when: can('editStock'),
    asks: {
      stock: ask.number({
        label: ['可售库存', 'Sellable stock'],
        min: 0,
        max: STOCK_MAX,
        initial: rows => rows[0]?.stock_left,
        hint: [
          '不含未支付订单占用；售罄商品补货后自动恢复可售',
          'Excludes stock held by unpaid orders',
        ],
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
  undoBatch: pageAction(calls.undoBatch, ['撤销一次批量改期', 'Undo a batch change'], goods, {
    asks: {
      batch_no: ask.text({
        label: ['批次号', 'Batch'],
        max: 24,
        hint: [
          '见改期日志，24 小时内可撤销',
          'See the time change log; can be undone within 24 hours',
        ],
      }),
      reason,
    },
    input: (_, asked) => asked,
  }),
  setSort,
  setDistribution: row.row(calls.setDistribution, ['设为分销商品', 'Distribute'], {
    key: 'd',
    when: can('setDistribution'),
    asks: {
      rate: ask.number({
        label: ['分销佣金（%）', 'Seller share (%)'],
        min: 0,
        max: 100,
        places: 2,
        optional: true,
        field: 'rate_bp',
        initial: rows => {
          const bp = rows[0]?.distribution_bp
          return typeof bp === 'number' ? bp / 100 : undefined
        },
        hint: [
          '从平台佣金中支出；留空则取消分销',
          'Paid from the take rate; empty: not distributed',
        ],
      }),
    },
    input: asking(({ rate }) => ({ rate_bp: rate === undefined ? null : Math.round(rate * 100) })),
  }),
  linkStores: row.row('shop.goods.linkStores', ['设置适用门店', 'Stores'], {
    key: 'l',
    permit: storeGoods.permit,
    when: of =>
      of.store_id > 0 || [
        '没有适用门店，请从门店列表关联',
        'No stores apply: link one from the store list',
      ],
    to: rows => to(storeGoods, { store_id: rows[0]!.store_id }),
  }),
  forceOff,
  batchOff,
  import: pageAction(calls.import, ['批量导入价格与库存', 'Import prices and stock'], goods, {
    key: 'i',
    alias: ['导入', 'Excel', 'CSV', '模板', 'template'],
  }),
  export: exportAction(calls.export, ['导出团购', 'Export group-buys'], goods),
}
