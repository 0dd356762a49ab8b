import { Button } from '@blueprintjs/core'
import { Popover } from '#src/kit/popover.tsx'
import { Kept } from '../frame.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'popover',
  title: ['浮层', 'A popover'],
  states: [
    {
      name: ['由按钮打开', 'Opened by a button'],
      draw: () => (
        <Kept first={false}>
          {(open, show) => (
            <Popover
              isOpen={open}
              show={show}
              placement="bottom-start"
              content={<p style={{ margin: 12 }}>按 Esc 关闭。</p>}
            >
              <Button size="small">更多</Button>
            </Popover>
          )}
        </Kept>
      ),
    },
  ],
}
