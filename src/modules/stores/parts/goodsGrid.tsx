import { Button } from '@blueprintjs/core'
import { ArrowLeft } from '@blueprintjs/icons'
import { useMemo } from 'react'
import { useDispatch } from 'react-redux'
import { PRICE_MAX_CENTS, STOCK_MAX } from '#src/areas/product/goods.ts'
import { productStates } from '#src/areas/product/product.ts'
import { goodsLocks, skuPriceFault } from '#src/areas/product/shipped.ts'
import type { Result } from '#src/contract/call.ts'
import { say as inWords, type Text } from '#src/domain/text.ts'
import { dispatchRead, useRead, useWrite } from '#src/kit/data.ts'
import type { GridColumn } from '#src/kit/grid-cells.ts'
import { gridSheet } from '#src/kit/grid-edit.tsx'
import { Answer } from '#src/kit/states.tsx'
import { lang, useSay } from '#src/kit/text.ts'
import { useSubject } from '#src/kit/workbench.ts'
import { goods as calls } from '../contract/goods.ts'

type Line = Result<typeof calls.rows>['list'][number]
const sold = ['on_sale', 'off_sale', 'ended']
const mayStock = (row: Line): true | Text =>
  row.lock === null ? sold.includes(row.state) || productStates[row.state] : goodsLocks[row.lock]
const mayPrice = (row: Line): true | Text => {
  if (row.audit_state !== null) return ['商品审核中，不能改价', 'It is in audit']
  if (row.lock !== null) return goodsLocks[row.lock]
  return row.state === 'on_sale' || row.state === 'off_sale' || productStates[row.state]
}
const columns: readonly GridColumn<Line>[] = [
  { key: 'title', title: ['商品', 'Product'], width: 240, kind: 'text', of: row => row.title },
  { key: 'name', title: ['规格', 'Variant'], width: 130, kind: 'text', of: row => row.name },
  {
    key: 'state',
    title: ['状态', 'State'],
    width: 84,
    kind: 'text',
    of: row => row.state,
    shows: row => inWords(productStates[row.state], lang()),
  },
  {
    key: 'list_price_cents',
    title: ['划线价', 'List price'],
    width: 96,
    kind: 'money',
    of: row => row.list_price_cents,
  },
  {
    key: 'price_cents',
    title: ['售价', 'Price'],
    width: 104,
    kind: 'money',
    min: 1,
    max: PRICE_MAX_CENTS,
    of: row => row.price_cents,
    edits: mayPrice,
    check: (value, row) =>
      value === row.price_cents ? undefined : skuPriceFault(Number(value), row),
  },
  {
    key: 'stock_left',
    title: ['可售库存', 'Stock'],
    width: 96,
    kind: 'integer',
    min: 0,
    max: STOCK_MAX,
    of: row => row.stock_left,
    edits: mayStock,
  },
  { key: 'held', title: ['未付占用', 'Held'], width: 84, kind: 'integer', of: row => row.held },
  { key: 'sold', title: ['已售', 'Sold'], width: 72, kind: 'integer', of: row => row.sold },
]

/** The rows of the list behind are nobody’s subject while cells are. */
const nothing = { rows: [] }
/** Prices and stock of variants, edited as in a spreadsheet. */
export const ShippedGrid = ({ ids, close }: { ids: readonly number[]; close: () => void }) => {
  const say = useSay()
  const input = useMemo(() => ({ ids: [...ids] }), [ids])
  useSubject(nothing)
  const read = useRead(calls.rows, input)
  const [run] = useWrite(calls.saveGrid)
  const dispatch = useDispatch()
  return (
    <div className="os-grid">
      <Answer of={read}>
        {({ list }) =>
          gridSheet<Line>({
            name: 'stores.goods',
            label: say(['规格价格与库存', 'Prices and stock of variants']),
            rows: list,
            columns,
            nameOf: row => `${row.title} ${row.name}`,
            reasoned: true,
            save: async ({ rows, reason }) => {
              const productOf = new Map(list.map(row => [row.id, row.product_id]))
              const edited = rows.map(({ fields, ...one }) => ({
                ...one,
                ...fields,
                product_id: productOf.get(one.id)!,
              }))
              const { results } = await run({ rows: edited, reason })
              await dispatchRead(dispatch as never, calls.rows, input, true)
              return results
            },
            aside: (
              <Button size="small" icon={<ArrowLeft />} onClick={close}>
                {say(['返回列表', 'Back to the list'])}
              </Button>
            ),
          })
        }
      </Answer>
    </div>
  )
}
