import { textColumn, numberColumn } from '#src/kit/cells.tsx'
import { Grid, type Column } from '#src/kit/grid.tsx'
import { actsColumn, RowActingProvider, RowOffer, useRowActing } from '#src/kit/rowacts.tsx'
import { edit, refuse, turnOff } from '../actions.ts'
import { rows as all, type Row } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const columns: readonly Column<Row>[] = [
  textColumn('name', ['名称', 'Name'], 180),
  { ...textColumn('name', ['备注', 'Memo'], 240), key: 'memo', grow: true },
  numberColumn('count', ['数量', 'Count'], 90),
]
const rows = all.slice(0, 6)
const nothing = () => undefined
const Rows = ({ inColumn }: { inColumn: boolean }) => (
  <RowActingProvider value={useRowActing([edit, refuse, turnOff], nothing)}>
    <Grid
      label="商品"
      rows={rows}
      idOf={row => row.id}
      columns={inColumn ? [...columns, actsColumn] : columns}
      focused={undefined}
      onFocus={nothing}
      selected={new Set()}
      onSelect={nothing}
      onOpen={nothing}
      over={inColumn ? undefined : <RowOffer rows={rows} onPick={nothing} />}
    />
  </RowActingProvider>
)
export const specimen: Specimen = {
  part: 'rowacts',
  title: ['行内操作', 'Actions in a row'],
  states: [
    { name: ['操作列', 'In a column'], height: 240, draw: () => <Rows inColumn /> },
    {
      name: ['指针停留时', 'Where the pointer rests'],
      height: 240,
      draw: () => <Rows inColumn={false} />,
    },
  ],
}
