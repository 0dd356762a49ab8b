import { Coming } from '#src/kit/coming.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'coming',
  title: ['对话框加载中', 'A dialog on its way'],
  states: [
    {
      name: ['不显示，按键被吞掉', 'Draws nothing, swallows keys'],
      layer: true,
      draw: () => <Coming />,
    },
  ],
}
