import { Button } from '@blueprintjs/core'
import { Window } from '#src/kit/window.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'window',
  title: ['窗口', 'A window'],
  states: [
    {
      name: ['只查看', 'Only shows'],
      layer: true,
      draw: close => (
        <Window title="初始密码" close={close} width={480} actions={<Button>复制</Button>}>
          <p>只显示这一次。</p>
        </Window>
      ),
    },
  ],
}
