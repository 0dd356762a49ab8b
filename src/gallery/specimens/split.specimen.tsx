import { Split } from '#src/kit/split.tsx'
import { longNames } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

const parts = [<p key="a">列表</p>, <p key="b">{longNames[0]}</p>] as const
export const specimen: Specimen = {
  part: 'split',
  title: ['左右分隔', 'Two parts side by side'],
  states: [
    {
      name: ['列表与详情', 'A list and its detail'],
      height: 120,
      draw: () => <Split start={60}>{parts}</Split>,
    },
    {
      name: ['第一部分收起', 'The first put away'],
      height: 120,
      draw: () => (
        <Split start={60} hideFirst>
          {parts}
        </Split>
      ),
    },
  ],
}
