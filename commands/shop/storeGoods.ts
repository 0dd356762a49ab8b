import { datesFault, datesOf, linkFault, unlinkFault } from '#src/areas/product/storeLink.ts'
import type { Text } from '#src/domain/text.ts'
import {
  linkGoods as calls,
  storeGoods as storeGoodsRow,
  type StoreGoods,
} from '#src/modules/shop/contract/storeGoods.ts'
import { ask, inAll, type Told } from '../command.ts'
import { storeGoods } from '../pages/shop.ts'
import { pageAction, reason, rowActions } from '../record.ts'

const isFree = (of: StoreGoods): true | Text =>
  of.linked ? ['已关联本店', 'Already linked'] : (linkFault(of) ?? true)
const isLinked = (of: StoreGoods): true | Text =>
  of.linked || ['没有关联本店', 'Not linked to this store']
const link = ([of]: readonly StoreGoods[]) => ({
  store_id: of!.store_id,
  product_id: of!.id,
  version: of!.version,
})
/** Sold codes whose buyers may count on this store. */
const countOnIt = ([of]: readonly StoreGoods[]): Told | undefined =>
  of && of.unused_codes > 0
    ? [
        [
          '已售 {n} 张券码未使用，取消后只能在其他 {stores} 家适用门店核销',
          '{n} sold codes are unused; after unlinking they can be redeemed only at {stores} other stores',
        ],
        { n: of.unused_codes, stores: of.other_stores },
      ]
    : undefined
const row = rowActions(storeGoods, storeGoodsRow)

/** What is done with the products that can be used at a store. */
export const storeGoodsActions = {
  link: row.row(calls.link, ['关联商品', 'Link'], {
    key: 'a',
    main: true,
    takenBack: 'opposite',
    when: isFree,
    input: rows => ({ store_id: rows[0]!.store_id, product_id: rows[0]!.id }),
  }),
  unlink: row.row(calls.unlink, ['取消关联', 'Unlink'], {
    key: 'r',
    main: 'plain',
    danger: true,
    when: of => {
      const may = isLinked(of)
      return may === true ? (unlinkFault(of)?.text ?? true) : may
    },
    tells: countOnIt,
    asks: { reason },
    input: (rows, asked) => ({ ...link(rows), ...asked }),
  }),
  setLimit: row.row(calls.setLimit, ['设置门店限制', 'Limit here'], {
    key: 'e',
    main: 'plain',
    when: isLinked,
    asks: {
      stock: ask.number({
        label: ['本店可售库存', 'Stock at this store'],
        min: 0,
        max: 1_000_000,
        optional: true,
        shown: (_, rows) => rows[0]?.has_skus === false,
        initial: rows => rows[0]?.store_stock ?? undefined,
        hint: ['留空则与其他门店共用商品库存', 'Empty: shares the product’s stock'],
      }),
      dates: ask.text({
        label: ['不可用日期', 'Excluded dates'],
        max: 900,
        lines: 2,
        optional: true,
        field: 'unavailable_dates',
        initial: rows => rows[0]?.unavailable_dates.join('，') || undefined,
        check: datesFault,
        hint: ['如 2026-10-01，多个用逗号分隔', 'e.g. 2026-10-01; separate several with commas'],
      }),
    },
    input: (rows, { stock, dates }) => ({
      ...link(rows),
      ...(typeof stock === 'number' && { stock }),
      unavailable_dates: datesOf(dates ?? '') ?? [],
    }),
  }),
  sort: pageAction('shop.stores.linkGoods.sort', ['保存顺序', 'Save the order'], storeGoods, {
    key: 's',
    permit: calls.sort.permit,
  }),
  batchLink: row.row(calls.batchLink, ['批量关联', 'Link selected'], {
    key: 'shift+a',
    takes: 'rows',
    most: 100,
    tells: inAll,
    takenBack: 'opposite',
    when: isFree,
    input: rows => ({ store_id: rows[0]!.store_id, product_ids: rows.map(of => of.id) }),
  }),
  copyToStore: pageAction(
    calls.copyToStore,
    ['复制到其他门店', 'Copy to another store'],
    storeGoods,
    {
      key: 'y',
      asks: {
        to_store_id: ask.entity({
          label: ['目标门店', 'To store'],
          find: calls.siblings,
          labelOf: of => `${of.name} · ${of.city_name}`,
          given: rows => ({ store_id: rows[0]?.store_id }),
          none: ['该商户没有其他门店', 'The merchant has no other store'],
          hint: ['只补上目标门店没有的商品，原有关联不变', 'Adds only products the store lacks'],
        }),
      },
      input: ([on], asked) => ({ store_id: (on as { store_id: number }).store_id, ...asked }),
    },
  ),
}
