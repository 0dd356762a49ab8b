import { RowMenu } from '#src/kit/rowmenu.tsx'
import { ActionMenu } from '#src/kit/toolbar.tsx'
import { add, edit, refuse, turnOff } from '../actions.ts'
import { rows } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const menu = <ActionMenu actions={[add, edit, refuse, turnOff]} rows={[rows[0]!]} />
export const specimen: Specimen = {
  part: 'rowmenu',
  title: ['行的菜单', 'The menu of a row'],
  states: [
    { name: ['操作', 'Its actions'], draw: () => menu },
    {
      name: ['未打开', 'Not open'],
      draw: () => (
        <RowMenu at={undefined} show={() => {}}>
          {menu}
        </RowMenu>
      ),
    },
  ],
}
