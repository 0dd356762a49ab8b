import { Drawer } from '#src/kit/drawer.tsx'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'drawer',
  title: ['抽屉', 'A drawer'],
  states: [
    {
      name: ['打开', 'Open'],
      layer: true,
      draw: close => (
        <Drawer isOpen onClose={close} title="快捷键" size="480px">
          <p style={{ padding: 12 }}>按 Esc 关闭。</p>
        </Drawer>
      ),
    },
    {
      name: ['长标题', 'A long title'],
      layer: true,
      draw: close => (
        <Drawer isOpen onClose={close} title={longNames[2]!} size="480px">
          <p style={{ padding: 12 }}>{longNames[2]}</p>
        </Drawer>
      ),
    },
  ],
}
