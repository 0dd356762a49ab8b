import { Menu } from '@blueprintjs/core'
import { MenuEntry, PressButton } from '#src/kit/pressable.tsx'
import type { Specimen } from '../specimen.ts'

const why = '需要权限：新增城市'
export const specimen: Specimen = {
  part: 'pressable',
  title: ['可能不可用的按钮与菜单项', 'Buttons and entries that may be off'],
  states: [
    { name: ['可用', 'On'], draw: () => <PressButton why={undefined} text="新增城市" /> },
    {
      name: ['不可用，说明原因', 'Off, and why'],
      draw: () => <PressButton why={why} text="新增城市" />,
    },
    {
      name: ['菜单', 'A menu'],
      draw: () => (
        <Menu>
          <MenuEntry why={undefined} text="编辑" />
          <MenuEntry why={why} text="删除" />
        </Menu>
      ),
    },
  ],
}
