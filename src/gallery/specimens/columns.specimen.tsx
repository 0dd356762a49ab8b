import type { Look } from '#src/areas/workbench/view.ts'
import { textColumn } from '#src/kit/cells.tsx'
import { ColumnsButton, DensityButton, lookOf, withWidth } from '#src/kit/columns.tsx'
import { Kept } from '../frame.tsx'
import type { Specimen } from '../specimen.ts'

const columns = [
  textColumn('name', ['名称', 'Name'], 200),
  textColumn('name', ['特别长的列名称用来看是否放得下', 'A long title of a column'], 160),
].map((column, at) => ({ ...column, key: `c${at}`, ...(at === 1 && { optional: true }) }))
const button = (first: Look | null, opened: boolean) => (
  <Kept<Look | null> first={first}>
    {(look, change) => (
      <Kept first={opened}>
        {(open, setOpen) => (
          <ColumnsButton
            columns={columns}
            look={look}
            change={change}
            open={open}
            setOpen={setOpen}
          />
        )}
      </Kept>
    )}
  </Kept>
)
export const specimen: Specimen = {
  part: 'columns',
  title: ['列设置', 'Choosing columns'],
  states: [
    { name: ['默认', 'As the page has them'], draw: () => button(null, false) },
    {
      name: ['已改宽度', 'Widened'],
      draw: () => button(withWidth(lookOf(columns, null), 'c0', 320), false),
    },
    {
      name: ['行高', 'How high rows are'],
      draw: () => (
        <Kept<Look | null> first={null}>
          {(look, change) => <DensityButton columns={columns} look={look} change={change} />}
        </Kept>
      ),
    },
  ],
}
