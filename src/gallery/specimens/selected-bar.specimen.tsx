import { SelectedBar } from '#src/kit/selected-bar.tsx'
import type { Specimen } from '../specimen.ts'

const bar = (size: number, total: number) => (
  <div className="m-foot">
    <SelectedBar of={{ selected: { size }, total, selectAll: async () => {}, clear: () => {} }} />
  </div>
)
export const specimen: Specimen = {
  part: 'selected-bar',
  title: ['已选栏', 'Selection bar'],
  states: [
    { name: ['部分', 'Some'], draw: () => bar(3, 128) },
    { name: ['全部', 'All'], draw: () => bar(128, 128) },
    { name: ['超过上限', 'Over the limit'], draw: () => bar(2000, 9084) },
  ],
}
