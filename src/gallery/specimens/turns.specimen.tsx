import { Turns } from '#src/kit/turns.tsx'
import { add, edit } from '../actions.ts'
import type { Specimen } from '../specimen.ts'

const words = { codes: ['卡密', 'Codes'], batches: ['批次', 'Batches'] } as const
export const specimen: Specimen = {
  part: 'turns',
  title: ['一页多个列表', 'Lists in one page'],
  states: [
    {
      name: ['第一个', 'The first'],
      draw: () => (
        <Turns
          words={words}
          actions={{ codes: add, batches: edit }}
          draw={{ codes: () => <p>卡密列表</p>, batches: () => <p>批次列表</p> }}
          aside="商场礼品卡"
        />
      ),
    },
  ],
}
