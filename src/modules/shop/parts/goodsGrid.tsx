import { Button } from '@blueprintjs/core'
import { ArrowLeft } from '@blueprintjs/icons'
import { useMemo } from 'react'
import { useDispatch } from 'react-redux'
import {
  goodsCan,
  PRICE_MAX_CENTS,
  priceFaults,
  SORT_MAX,
  STOCK_MAX,
  type Prices,
} from '#src/areas/product/goods.ts'
import { productStates } from '#src/areas/product/product.ts'
import { say as inWords, type Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { dispatchRead, useRead, useWrite } from '#src/kit/data.ts'
import type { CellValue, GridColumn } from '#src/kit/grid-cells.ts'
import { gridSheet } from '#src/kit/grid-edit.tsx'
import { Answer } from '#src/kit/states.tsx'
import { lang, useSay } from '#src/kit/text.ts'
import { useSubject } from '#src/kit/workbench.ts'
import { goods as calls, type GoodsEdit, type GoodsRow } from '../contract/goods.ts'

type PriceKey = 'price_cents' | 'settle_price_cents' | 'group_price_cents'
/** A price waits for the audit of the one before. */
const mayPrice = (row: GoodsRow): true | Text =>
  row.audit_state === null
    ? goodsCan('editPrice', row, unixNow())
    : ['价格审核中，不能再改', 'Its price is in audit']
const hasGroup = (row: GoodsRow): true | Text =>
  row.group_price_cents === null ? ['不支持拼团', 'No group buying'] : mayPrice(row)
const pricesOf = (row: GoodsRow, at: (key: string) => CellValue): Prices => ({
  list_price_cents: row.list_price_cents,
  price_cents: Number(at('price_cents')),
  ...(row.settle_price_cents !== undefined && {
    settle_price_cents: Number(at('settle_price_cents')),
  }),
  group_price_cents: at('group_price_cents') as number | null,
})
const price = (
  key: PriceKey,
  title: Text,
  edits: (row: GoodsRow) => true | Text,
): GridColumn<GoodsRow> => ({
  key,
  title,
  width: 104,
  kind: 'money',
  min: 1,
  max: PRICE_MAX_CENTS,
  optional: false,
  of: row => row[key] ?? null,
  edits,
  // A price that is no amount yet says so itself; the others wait for it.
  check: (_, row, at) =>
    at('price_cents') === null ? undefined : priceFaults(pricesOf(row, at))[key],
})
const stateOf = (row: GoodsRow): string => inWords(productStates[row.state], lang())
const columns: readonly GridColumn<GoodsRow>[] = [
  { key: 'title', title: ['商品', 'Product'], width: 240, kind: 'text', of: row => row.title },
  {
    key: 'state',
    title: ['状态', 'State'],
    width: 88,
    kind: 'text',
    of: row => row.state,
    shows: stateOf,
  },
  {
    key: 'list_price_cents',
    title: ['门市价', 'List price'],
    width: 96,
    kind: 'money',
    of: row => row.list_price_cents,
  },
  price('price_cents', ['售价', 'Price'], mayPrice),
  price('settle_price_cents', ['结算价', 'Settlement price'], row =>
    row.settle_price_cents === undefined ? ['无权查看', 'Not shown to you'] : mayPrice(row),
  ),
  price('group_price_cents', ['拼团价', 'Group price'], hasGroup),
  {
    key: 'stock_left',
    title: ['可售库存', 'Stock'],
    width: 96,
    kind: 'integer',
    min: 0,
    max: STOCK_MAX,
    of: row => row.stock_left,
    edits: row => goodsCan('editStock', row, unixNow()),
  },
  { key: 'sold', title: ['已售', 'Sold'], width: 72, kind: 'integer', of: row => row.sold },
  {
    key: 'sort',
    title: ['排序', 'Sort'],
    width: 80,
    kind: 'integer',
    min: 0,
    max: SORT_MAX,
    of: row => row.sort,
    edits: () => true,
  },
  {
    key: 'audit_price_cents',
    title: ['待审售价', 'Price in audit'],
    width: 104,
    kind: 'money',
    of: row => row.audit_price_cents,
  },
]

/** The rows of the list behind are nobody’s subject while cells are. */
const nothing = { rows: [] }
/** The prices, stock and order of group-buys, edited as in a spreadsheet. */
export const GoodsGrid = ({ ids, close }: { ids: readonly number[]; close: () => void }) => {
  const say = useSay()
  const input = useMemo(() => ({ ids: [...ids] }), [ids])
  useSubject(nothing)
  const read = useRead(calls.rows, input)
  const [run] = useWrite(calls.saveGrid)
  const dispatch = useDispatch()
  return (
    <div className="sp-page">
      <Answer of={read}>
        {({ list }) =>
          gridSheet<GoodsRow>({
            name: 'shop.goods',
            label: say(['团购价格与库存', 'Prices and stock']),
            rows: list,
            columns,
            nameOf: row => row.title,
            reasoned: true,
            save: async ({ rows, reason }) => {
              const edited = rows.map(({ fields, ...one }) => ({ ...one, ...fields }) as GoodsEdit)
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
