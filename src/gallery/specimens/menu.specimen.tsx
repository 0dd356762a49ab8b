import { MenuItem } from '@blueprintjs/core'
import { EntryMenu } from '#src/kit/menu.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'menu',
  title: ['菜单', 'A menu'],
  states: [
    {
      name: ['三项', 'Three entries'],
      draw: () => (
        <EntryMenu aria-label="操作">
          <MenuItem text="修改" label="E" />
          <MenuItem text="查看修改记录" label="H" />
          <MenuItem text="删除" intent="danger" />
        </EntryMenu>
      ),
    },
  ],
}
