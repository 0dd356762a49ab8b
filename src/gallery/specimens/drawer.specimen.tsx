import { Drawer } from '#src/kit/drawer.tsx'
import { useReturnFocus } from '#src/kit/focus.ts'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const Opened = ({ title, text, close }: { title: string; text: string; close: () => void }) => {
  useReturnFocus()
  return (
    <Drawer isOpen onClose={close} title={title} size="480px">
      <p style={{ padding: 12 }}>{text}</p>
    </Drawer>
  )
}
export const specimen: Specimen = {
  part: 'drawer',
  title: ['抽屉', 'A drawer'],
  states: [
    {
      name: ['打开', 'Open'],
      layer: true,
      draw: close => <Opened title="快捷键" text="按 Esc 关闭。" close={close} />,
    },
    {
      name: ['长标题', 'A long title'],
      layer: true,
      draw: close => <Opened title={longNames[2]!} text={longNames[2]!} close={close} />,
    },
  ],
}
