import { Decisions, Toolbar } from '#src/kit/toolbar.tsx'
import { add, denied, edit, refuse, turnOff } from '../actions.ts'
import { rows } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const actions = [add, edit, refuse, turnOff]
export const specimen: Specimen = {
  part: 'toolbar',
  title: ['操作栏', 'The toolbar'],
  states: [
    { name: ['未选行', 'No row'], draw: () => <Toolbar actions={actions} rows={[]} /> },
    {
      name: ['一行', 'One row'],
      draw: () => <Toolbar actions={actions} rows={rows.slice(1, 2)} />,
    },
    {
      name: ['一行，已停用', 'One row, off already'],
      draw: () => <Toolbar actions={actions} rows={rows.slice(0, 1)} />,
    },
    { name: ['多行', 'Many rows'], draw: () => <Toolbar actions={actions} rows={rows} /> },
    {
      name: ['在详情标题下', 'In the head of the detail'],
      draw: () => (
        <>
          <Toolbar actions={actions} rows={rows.slice(1, 2)} beside />
          <Decisions />
        </>
      ),
    },
    { name: ['没有权限', 'No permission'], draw: () => <Toolbar actions={[denied]} rows={rows} /> },
  ],
}
