import { textColumn, numberColumn } from '#src/kit/cells.tsx'
import { Grid, type Column } from '#src/kit/grid.tsx'
import { Money } from '#src/kit/show.tsx'
import { Kept } from '../frame.tsx'
import { longNames, rows, type Row } from '../rows.ts'
import type { Specimen, State } from '../specimen.ts'

const columns: readonly Column<Row>[] = [
  { ...textColumn('name', ['名称', 'Name'], 180), sort: 'name', left: 36 },
  numberColumn('count', ['数量', 'Count'], 90),
  {
    key: 'price',
    title: ['价格', 'Price'],
    width: 120,
    align: 'end',
    sort: 'price',
    cell: row => <Money cents={row.price_cents} />,
  },
  { ...textColumn('name', ['备注', 'Memo'], 240), key: 'memo', grow: true },
]
const grid = (
  name: State['name'],
  of: readonly Row[],
  more: { selected?: readonly number[]; stale?: boolean; dense?: boolean } = {},
): State => ({
  name,
  height: 220,
  draw: () => (
    <Kept<number | undefined> first={of[1]?.id}>
      {(focused, focus) => (
        <Kept first="-price">
          {(sort, setSort) => (
            <Kept<ReadonlySet<number>> first={new Set(more.selected)}>
              {(selected, select) => (
                <Grid
                  label="商品"
                  rows={of}
                  idOf={row => row.id}
                  columns={columns}
                  focused={focused}
                  onFocus={focus}
                  selected={selected}
                  onSelect={(ids, on) =>
                    select(
                      new Set(
                        on ? [...selected, ...ids] : [...selected].filter(id => !ids.includes(id)),
                      ),
                    )
                  }
                  onOpen={() => undefined}
                  sort={sort}
                  onSort={setSort}
                  stale={more.stale ?? false}
                  dense={more.dense ?? false}
                />
              )}
            </Kept>
          )}
        </Kept>
      )}
    </Kept>
  ),
})
export const specimen: Specimen = {
  part: 'grid',
  title: ['表格', 'The grid'],
  states: [
    grid(['满', 'Full'], rows),
    grid(['已选', 'Selected'], rows, { selected: [1, 2, 4] }),
    grid(['紧凑', 'Narrow rows'], rows, { dense: true }),
    grid(['正在刷新', 'Being refreshed'], rows, { stale: true }),
    grid(
      ['长名称', 'Long names'],
      rows.slice(0, 3).map((row, at) => ({ ...row, name: longNames[at]! })),
    ),
    grid(['没有行', 'No rows'], []),
  ],
}
