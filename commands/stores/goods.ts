import { GOODS_MAX, PRICE_MAX_CENTS, STOCK_MAX, type GoodsVerb } from '#src/areas/product/goods.ts'
import { LIMIT_MAX, priceModes, shippedCan, valueTyped } from '#src/areas/product/shipped.ts'
import { yuan } from '#src/domain/money.ts'
import { unixNow } from '#src/domain/time.ts'
import { goods as calls, shippedRow, type ShippedRow } from '#src/modules/stores/contract/goods.ts'
import { ask, inAll } from '../command.ts'
import { shelfActions } from '../goods.ts'
import { shipped } from '../pages/stores.ts'
import { asking, exportAction, idsOf, pageAction, reason, rowActions } from '../record.ts'

const can = (verb: GoodsVerb) => (row: ShippedRow) => shippedCan(verb, row, unixNow())
type Sku = ShippedRow['skus'][number]
const skuText = ({ name, price_cents, stock_left }: Sku) =>
  `${name} · ¥${yuan(price_cents)} · ${stock_left}`
/** The only variant of goods, or the goods that have none; with several nothing is the one meant. */
const onlyOf = ([of]: readonly ShippedRow[]) =>
  of && of.skus.length > 1 ? undefined : (of?.skus[0] ?? of)
/** A variant of the goods, chosen already where there is but one. */
const sku_id = ask.entity({
  label: ['规格', 'Variant'],
  find: calls.skus,
  labelOf: skuText,
  given: rows => ({ product_id: rows[0]?.id }),
  shown: (_, rows) => rows[0]?.skus.length > 0,
  initial: rows => (rows[0]?.skus.length === 1 ? rows[0].skus[0].id : undefined),
  named: rows => (rows[0]?.skus.length === 1 ? skuText(rows[0].skus[0]) : undefined),
  field: 'sku',
})
const row = rowActions(shipped, shippedRow)
const { onShelf, offShelf, setSort, forceOff, batchOff } = shelfActions<ShippedRow>({
  row: row.row,
  calls,
  can,
})

/** What is done with the goods that online shops ship. */
export const shippedActions = {
  onShelf,
  offShelf,
  editStock: row.row(calls.editStock, ['修改库存', 'Change the stock'], {
    key: 's',
    main: 'plain',
    when: can('editStock'),
    asks: {
      sku_id,
      stock: ask.number({
        label: ['可售库存', 'Sellable stock'],
        min: 0,
        max: STOCK_MAX,
        initial: rows => onlyOf(rows)?.stock_left,
        hint: ['不含未支付订单占用', 'Excludes stock held by unpaid orders'],
      }),
    },
    input: asking(asked => asked),
  }),
  editPrice: row.row(calls.editPrice, ['修改价格', 'Change the price'], {
    key: 'm',
    main: 'plain',
    when: of =>
      of.audit_state === null
        ? can('editPrice')(of)
        : ['商品审核中，审核结束后才能改价', 'In audit: wait until it ends'],
    asks: {
      sku_id,
      price_cents: ask.money({
        label: ['售价', 'Price'],
        min: 1,
        max: PRICE_MAX_CENTS,
        initial: rows => onlyOf(rows)?.price_cents,
        hint: [
          '不高于划线价；降价超过一半或低于结算价，须另一人审核后生效',
          'At most the list price; a cut by more than half or below cost needs a second person’s approval',
        ],
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  openGrid: pageAction('stores.goods.openGrid', ['表格编辑', 'Edit in a grid'], shipped, {
    key: 'e',
    main: 'plain',
    permit: calls.saveGrid.permit,
    alias: ['改规格价', '改规格库存', '电子表格', 'spreadsheet'],
  }),
  batchEditPrice: row.row(calls.batchEditPrice, ['批量改价', 'Change prices in bulk'], {
    key: 'shift+m',
    takes: 'rows',
    most: GOODS_MAX,
    tells: inAll,
    when: of => (of.audit_state === null ? can('editPrice')(of) : ['商品审核中', 'In audit']),
    takenBack: 'nothing',
    asks: {
      mode: ask.choice({
        label: ['改价方式', 'How'],
        options: priceModes,
        initial: () => 'percent' as const,
      }),
      value: ask.text({
        label: ['数值', 'Value'],
        max: 12,
        hint: [
          '比例：90 即九折；加减：-5 即每件便宜 5 元；统一价：19.90 即都改为 19.90 元',
          'Percentage: 90 is 10% off; amount: -5 is ¥5 off each; fixed price: 19.90 sets all to ¥19.90',
        ],
        check: (typed, { mode }) =>
          valueTyped(mode, typed) === undefined
            ? [
                '请填写大于 0 的数，加减金额可带正负号',
                'A number above 0; an amount may have a sign',
              ]
            : undefined,
      }),
      reason: {
        ...reason,
        hint: ['先试算，逐件核对后再确认', 'Previewed first; nothing changes until you confirm'],
      },
    },
    input: (rows, { mode, value, reason }) => ({
      ...idsOf(rows),
      mode,
      value: valueTyped(mode, value) ?? 0,
      reason,
      dry_run: true,
    }),
  }),
  setLimit: row.row(calls.setLimit, ['设置限购', 'Set purchase limit'], {
    key: 'l',
    when: can('setLimit'),
    asks: {
      limit: ask.number({
        label: ['每人限购（件）', 'Limit per buyer'],
        min: 1,
        max: LIMIT_MAX,
        optional: true,
        field: 'limit_per_member',
        initial: rows => rows[0]?.limit_per_member ?? undefined,
        hint: [
          '已下单未退款的都计入；留空则不限',
          'Counts all units ordered and not refunded; empty: no limit',
        ],
      }),
    },
    input: asking(({ limit }) => ({ limit_per_member: limit ?? null })),
  }),
  setSort,
  forceOff,
  batchOff,
  import: pageAction(calls.import, ['批量导入价格与库存', 'Import prices and stock'], shipped, {
    key: 'i',
    alias: ['导入', 'Excel', 'CSV', '模板', 'template'],
  }),
  export: exportAction(calls.export, ['导出商品', 'Export goods'], shipped),
}
