import type { Text } from '#src/domain/text.ts'
import {
  mappedStore,
  shopBrand as calls,
  type MappedStore,
} from '#src/modules/shop/contract/brand.ts'
import { ask, inAll } from '../command.ts'
import { storeBrands } from '../pages/shop.ts'
import { exportAction, one, reason, rowActions } from '../record.ts'

const MOST = 200
const inOtherColumn: Text = ['请在右侧选择门店', 'Choose stores on the right']
const isStore = (row: MappedStore): boolean => 'suggestion' in row
/** A store that has no brand in use. */
const isFree = (row: MappedStore): true | Text => {
  if (!isStore(row)) return inOtherColumn
  return row.brand?.is_on
    ? ['已有品牌，请先解除归属', 'Has a brand already: remove it first']
    : true
}
const isBound = (row: MappedStore): true | Text => {
  if (!isStore(row)) return inOtherColumn
  return row.brand !== null || ['没有归属品牌', 'No brand assigned']
}
const isSuggested = (row: MappedStore): true | Text => {
  if (!isStore(row)) return inOtherColumn
  return row.suggestion !== null || ['没有品牌建议', 'No brand is suggested']
}
const stores = (rows: readonly MappedStore[]) => rows.map(({ id, version }) => ({ id, version }))
const suggested = (rows: readonly MappedStore[]) => ({
  id: rows[0]!.id,
  brand_id: rows[0]!.suggestion!.id,
})
const row = rowActions(storeBrands, mappedStore)

/** What is done with stores and their brands. */
export const storeBrandActions = {
  bind: row.row(calls.bind, ['归属到品牌', 'Assign a brand'], {
    key: 'b',
    takes: 'rows',
    most: MOST,
    main: true,
    when: isFree,
    asks: {
      brand_id: ask.entity({
        label: ['品牌', 'Brand'],
        find: calls.pick,
        labelOf: of => `${of.name} · ${of.company || '—'}`,
        initial: rows => rows[0]?.chosen?.id,
        named: rows => rows[0]?.chosen?.name,
      }),
    },
    input: (rows, { brand_id }) => ({ stores: stores(rows), brand_id }),
  }),
  acceptSuggestion: row.row(calls.acceptSuggestion, ['采纳建议', 'Accept'], {
    key: 'a',
    main: 'plain',
    when: isSuggested,
    input: rows => ({ ...one(rows), ...suggested(rows) }),
  }),
  ignoreSuggestion: row.row(calls.ignoreSuggestion, ['忽略建议', 'Ignore'], {
    key: 'i',
    main: 'plain',
    when: isSuggested,
    input: suggested,
  }),
  batchAccept: row.row(calls.batchAccept, ['批量采纳', 'Accept selected'], {
    key: 'shift+a',
    takes: 'rows',
    most: MOST,
    when: isSuggested,
    tells: inAll,
    input: rows => ({
      stores: rows.map(of => ({ id: of.id, version: of.version, brand_id: of.suggestion!.id })),
    }),
  }),
  unbind: row.row(calls.unbind, ['解除归属', 'Remove brand'], {
    key: 'r',
    takes: 'rows',
    most: MOST,
    danger: true,
    when: isBound,
    tells: inAll,
    asks: { reason },
    input: (rows, asked) => ({ stores: stores(rows), ...asked }),
  }),
  export: exportAction(calls.export, ['导出归属', 'Export'], storeBrands),
}
