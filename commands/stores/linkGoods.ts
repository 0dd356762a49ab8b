import { PRICE_MAX_CENTS, STOCK_MAX } from '#src/areas/product/goods.ts'
import { letGoFault, shelfFault } from '#src/areas/product/shopLink.ts'
import type { Text } from '#src/domain/text.ts'
import {
  linkGoods as calls,
  shelfRow,
  type ShelfRow,
} from '#src/modules/stores/contract/linkGoods.ts'
import { ask, inAll } from '../command.ts'
import { shelf } from '../pages/stores.ts'
import { pageAction, reason, rowActions } from '../record.ts'

const isFree = (of: ShelfRow): true | Text =>
  of.linked ? ['已在本店货架', 'Already on the shelf'] : (shelfFault(of)?.text ?? true)
const isLinked = (of: ShelfRow): true | Text => of.linked || ['不在本店货架', 'Not on the shelf']
const link = ([of]: readonly ShelfRow[]) => ({
  store_id: of!.store_id,
  product_id: of!.id,
  version: of!.version,
})
const row = rowActions(shelf, shelfRow)

/** What is done with the goods of an online shop and with those that it could sell. */
export const shelfActions = {
  link: row.row(calls.link, ['上架到店铺', 'Put on the shelf'], {
    key: 'a',
    main: true,
    takenBack: 'opposite',
    when: isFree,
    input: rows => ({ store_id: rows[0]!.store_id, product_id: rows[0]!.id }),
  }),
  setPrice: row.row(calls.setPrice, ['设置店铺价', 'Set shop price'], {
    key: 'm',
    main: 'plain',
    when: isLinked,
    asks: {
      price: ask.money({
        label: ['店铺价', 'Shop price'],
        min: 1,
        max: PRICE_MAX_CENTS,
        optional: true,
        field: 'price_cents',
        initial: rows => rows[0]?.shop_price_cents ?? undefined,
        hint: [
          '最低规格的售价，其余规格同额加减；不低于结算价、不高于划线价；留空则用商品价',
          'Price of the cheapest variant; others shift by the same amount. Between cost and list price; empty: product price',
        ],
      }),
    },
    input: (rows, { price }) => ({ ...link(rows), price_cents: price ?? null }),
  }),
  setStock: row.row(calls.setStock, ['设置店铺库存', 'Set shop stock'], {
    key: 'e',
    main: 'plain',
    when: isLinked,
    asks: {
      stock: ask.number({
        label: ['本店可售库存', 'Sellable stock at this shop'],
        min: 0,
        max: STOCK_MAX,
        initial: rows => rows[0]?.shop_stock ?? undefined,
        hint: [
          '各店库存合计不超过商品可售库存；未设置的店铺共用商品库存',
          'Shops’ stock together can’t exceed the product’s; shops without their own share it',
        ],
      }),
    },
    input: (rows, { stock }) => ({ ...link(rows), stock }),
  }),
  unlink: row.row(calls.unlink, ['移出店铺', 'Take off the shelf'], {
    key: 'r',
    main: 'plain',
    danger: true,
    when: of => {
      const may = isLinked(of)
      return may === true ? (letGoFault(of)?.text ?? true) : may
    },
    asks: { reason },
    input: (rows, asked) => ({ ...link(rows), ...asked }),
  }),
  sort: pageAction('stores.linkGoods.sort', ['保存顺序', 'Save the order'], shelf, {
    key: 's',
    permit: calls.sort.permit,
  }),
  batchLink: row.row(calls.batchLink, ['批量选品', 'Put selected on the shelf'], {
    key: 'shift+a',
    takes: 'rows',
    most: 100,
    tells: inAll,
    takenBack: 'opposite',
    when: isFree,
    input: rows => ({ store_id: rows[0]!.store_id, product_ids: rows.map(of => of.id) }),
  }),
  copyShelf: pageAction(calls.copyShelf, ['复制其他店铺货架', 'Copy another shelf'], shelf, {
    key: 'y',
    asks: {
      from_store_id: ask.entity({
        label: ['来源店铺', 'From shop'],
        find: calls.shops,
        labelOf: of => `${of.name} · ${of.goods_count}`,
        given: rows => ({ store_id: rows[0]?.store_id }),
        none: ['没有其他线上店铺', 'No other online shop'],
        hint: [
          '只补上本店没有的商品，不允许销售的会跳过并列出原因',
          'Adds only goods this shop lacks; those not allowed are skipped and listed',
        ],
      }),
    },
    input: ([on], asked) => ({ store_id: (on as { store_id: number }).store_id, ...asked }),
  }),
}
