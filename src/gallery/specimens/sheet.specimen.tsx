import type { GridColumn } from '#src/kit/grid-cells.ts'
import { GridSheet } from '#src/kit/grid-sheet.tsx'
import { SheetTable } from '#src/kit/grid-table.tsx'
import type { Specimen } from '../specimen.ts'

type Deal = { id: number; version: number; title: string; price: number; stock: number }
const rows: readonly Deal[] = ['炉边双人餐', '河畔四人餐', '午市套餐'].map((title, at) => ({
  id: at + 1,
  version: 1,
  title,
  price: 9900 + at * 3000,
  stock: 100 * at,
}))
const columns: readonly GridColumn<Deal>[] = [
  { key: 'title', title: ['商品', 'Product'], width: 200, kind: 'text', of: row => row.title },
  {
    key: 'price',
    title: ['售价', 'Price'],
    width: 110,
    kind: 'money',
    min: 1,
    of: row => row.price,
    edits: () => true,
  },
  {
    key: 'stock',
    title: ['库存', 'Stock'],
    width: 100,
    kind: 'integer',
    min: 0,
    of: row => row.stock,
    edits: row => row.stock > 0 || ['已售罄', 'Sold out'],
  },
]
const one = { top: 0, left: 1, bottom: 0, right: 1 }

export const specimen: Specimen = {
  part: 'sheet',
  title: ['可编辑表格', 'Grid that is edited'],
  states: [
    {
      name: ['像电子表格一样编辑', 'Edited as in a spreadsheet'],
      height: 420,
      draw: () => (
        <GridSheet
          name="gallery"
          label="团购价格与库存"
          rows={rows}
          columns={columns}
          nameOf={row => row.title}
          reasoned
          save={of => Promise.resolve(of.rows.map(({ id }) => ({ id, result: 'saved' as const })))}
        />
      ),
    },
    {
      name: ['单元格的状态', 'States of a cell'],
      height: 200,
      draw: () => (
        <SheetTable
          label="单元格的状态"
          id="cells"
          rows={1}
          columns={[
            { key: 'name', title: '商品', width: 140 },
            { key: 'plain', title: '可改', width: 100, end: true },
            { key: 'changed', title: '已改', width: 100, end: true },
            { key: 'bad', title: '有误', width: 140 },
          ]}
          cell={({ column }) =>
            [
              { text: '炉边双人餐', fixed: true },
              { text: '99.00', align: 'end' as const },
              {
                text: '89.00',
                align: 'end' as const,
                tone: 'changed' as const,
                note: '原 ¥99.00',
              },
              { text: 'abc', tone: 'bad' as const, invalid: true, note: '请填写金额' },
            ][column]!
          }
          drawn={[]}
          active={{ row: 0, column: 1 }}
          range={one}
          onPick={() => {}}
          onEdit={() => {}}
          field={() => null}
        />
      ),
    },
  ],
}
