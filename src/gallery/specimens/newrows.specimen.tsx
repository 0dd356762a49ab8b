import { Hand, NewRows } from '#src/kit/newrows.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'newrows',
  title: ['等待显示的新内容', 'Rows that wait'],
  states: [
    {
      name: ['三条', 'Three'],
      height: 60,
      draw: () => (
        <Hand className="m-rows" tell={() => {}}>
          <NewRows n={3} take={() => {}} />
        </Hand>
      ),
    },
  ],
}
