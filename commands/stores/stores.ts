import { shopCan } from '#src/areas/merchant/onlineShop.ts'
import { shopBlocks } from '#src/areas/merchant/onlineShop.ts'
import { restFault } from '#src/areas/merchant/store.ts'
import type { StoreVerb } from '#src/areas/merchant/store.ts'
import { unixNow } from '#src/domain/time.ts'
import { shopRow, shops as calls, type ShopRow } from '#src/modules/stores/contract/stores.ts'
import { ask, byKeyword, inAll, recordFinder, to } from '../command.ts'
import { shelf, shopEdit, shopForm, shops } from '../pages/stores.ts'
import { asking, exportAction, idsOf, one, pageAction, reason, rowActions } from '../record.ts'

const can = (verb: StoreVerb) => (row: ShopRow) => shopCan(verb, row)
const until_at = ask.time({
  label: ['预计恢复时间', 'Reopens'],
  optional: true,
  hint: ['到时自动恢复营业；留空则须手动开店', 'Reopens automatically then; empty: reopen by hand'],
  check: at => restFault(at, unixNow()),
})
const rest = ({ reason, until_at }: { reason: string; until_at: number | undefined }) => ({
  reason,
  ...(until_at !== undefined && { until_at }),
})
const row = rowActions(shops, shopRow)

/** What is done with online shops on their list. */
export const shopActions = {
  create: pageAction('stores.stores.create', ['新增店铺', 'New shop'], shops, {
    key: 'c',
    main: true,
    permit: shopForm.permit,
    to: () => to(shopForm),
  }),
  edit: row.row('stores.stores.edit', ['编辑店铺', 'Edit shop'], {
    key: 'e',
    main: true,
    permit: shopEdit.permit,
    to: ([of]) =>
      of!.status === 'draft' ? to(shopForm, { id: of!.id }) : to(shopEdit, { id: of!.id }),
  }),
  linkGoods: row.row('stores.stores.linkGoods', ['选品', 'Choose goods'], {
    key: 'l',
    main: 'plain',
    permit: shelf.permit,
    to: rows => to(shelf, { store_id: rows[0]!.id }),
  }),
  open: row.row(calls.open, ['开店', 'Open'], {
    key: 'o',
    main: 'plain',
    when: of => {
      const may = shopCan('open', of)
      if (may !== true || of.blocks.length === 0) return may
      const names = (at: 0 | 1) => of.blocks.map(block => shopBlocks[block][at])
      return [`还不能开店，须先有：${names(0).join('、')}`, `Not yet: ${names(1).join(', ')}`]
    },
    input: one,
    takenBack: 'opposite',
  }),
  rest: row.row(calls.rest, ['暂停营业', 'Pause'], {
    key: 'p',
    main: 'plain',
    when: can('rest'),
    tells: ([of]) =>
      of?.effects && [
        [
          '{goes_off} 件商品下架至恢复营业；{unshipped} 笔待发货订单照常发货',
          '{goes_off} products go off sale until it reopens; {unshipped} orders still have to be shipped',
        ],
        { goes_off: of.effects.goes_off, unshipped: of.effects.unshipped },
      ],
    asks: { reason, until_at },
    input: asking(rest),
  }),
  close: row.row(calls.close, ['关闭店铺', 'Close for good'], {
    danger: true,
    when: can('close'),
    tells: ([of]) =>
      of?.effects && [
        of.effects.is_settled
          ? [
              '未发货订单 {unshipped} 笔、售后中 {after_sales} 笔，均须为 0 才能关闭；{goes_off} 件商品随之下架，关闭不可恢复',
              '{unshipped} orders to ship and {after_sales} after-sales cases: both must be 0 to close; {goes_off} products go off sale. Closing can’t be undone',
            ]
          : [
              '未发货订单 {unshipped} 笔、售后中 {after_sales} 笔，且有货款未结算：全部处理完才能关闭',
              '{unshipped} orders to ship, {after_sales} after-sales cases and unsettled money: all must be cleared to close',
            ],
        {
          unshipped: of.effects.unshipped,
          after_sales: of.effects.after_sales,
          goes_off: of.effects.goes_off,
        },
      ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  setSort: row.row(calls.setSort, ['修改排序', 'Set the sort order'], {
    key: 'shift+o',
    asks: {
      sort: ask.number({
        label: ['排序', 'Sort order'],
        min: 0,
        max: 9999,
        hint: ['数字大的排在前面', 'Highest first'],
        initial: rows => rows[0]?.sort,
      }),
    },
    input: asking(asked => asked),
  }),
  batchRest: row.row(calls.batchRest, ['批量暂停', 'Pause selected'], {
    takes: 'rows',
    most: 100,
    tells: inAll,
    when: can('rest'),
    asks: { reason, until_at },
    input: (rows, asked) => ({ ...idsOf(rows), ...rest(asked) }),
  }),
  import: pageAction(calls.import, ['批量导入店铺', 'Import shops'], shops, {
    key: 'i',
    alias: ['导入', 'Excel', 'CSV', '模板', 'template'],
  }),
  export: exportAction(calls.export, ['导出店铺', 'Export shops'], shops),
}

export const shopsFound = recordFinder({
  pages: [shelf, shopEdit],
  hint: ['店铺名称或店铺号', 'Name or number of the shop'],
  find: calls.lst,
  asked: byKeyword,
  given: row => ({ type: 'store', id: row.id, row }),
  title: row => row.name,
})
