import { Listed, None, onOff, SmallTable, State, Tagged, Words } from '#src/kit/cells.tsx'
import { Figure } from '#src/kit/show.tsx'
import { longNames, rows } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const head = [
  ['名称', 'Name'],
  ['数量', 'Count'],
] as const
const table = (of: readonly (typeof rows)[number][]) => (
  <SmallTable head={head} rows={of} keyOf={row => row.id} cells={row => [row.name, row.count]} />
)
export const specimen: Specimen = {
  part: 'cells',
  title: ['单元格与小表', 'Cells and the small table'],
  states: [
    {
      name: ['状态', 'States'],
      draw: () => (
        <>
          <State of="on" in={onOff} /> <State of="off" in={onOff} title="顾客看不到" />
        </>
      ),
    },
    { name: ['词', 'Words'], draw: () => <Words of={['次卡', 'Card']} /> },
    { name: ['几个名称', 'Several names'], draw: () => <Listed of={longNames.slice(0, 2)} /> },
    { name: ['一个也没有', 'No names'], draw: () => <Listed of={[]} /> },
    {
      name: ['名称与标记', 'A name and a badge'],
      draw: () => (
        <Tagged name={longNames[0]!}>
          <State of="on" in={onOff} />
        </Tagged>
      ),
    },
    { name: ['没有', 'Nothing'], draw: () => <None /> },
    { name: ['小表', 'A small table'], draw: () => table(rows.slice(0, 3)) },
    {
      name: ['大数', 'Large figures'],
      draw: () => (
        <SmallTable
          head={head}
          rows={rows.slice(0, 3)}
          keyOf={row => row.id}
          cells={row => [row.name, <Figure key="n" of={row.count * 12_345} />]}
        />
      ),
    },
    { name: ['没有行', 'No rows'], draw: () => table([]) },
    {
      name: ['长名称', 'Long names'],
      draw: () => table(rows.slice(0, 3).map((row, at) => ({ ...row, name: longNames[at]! }))),
    },
  ],
}
