import { BatchTime, TimeLogs } from '#src/kit/times-dialogs.tsx'
import { timeLogs, trial } from '../answers.ts'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'times',
  title: ['批量改时间', 'Times of many at once'],
  states: [
    {
      name: ['修改', 'A change'],
      layer: true,
      draw: close => <BatchTime ids={[1, 2]} call={trial} close={close} />,
    },
    {
      name: ['记录', 'The log'],
      layer: true,
      draw: close => <TimeLogs logs={timeLogs.full} call={trial} close={close} />,
    },
    {
      name: ['没有记录', 'An empty log'],
      layer: true,
      draw: close => <TimeLogs logs={timeLogs.empty} call={trial} close={close} />,
    },
    {
      name: ['记录加载失败', 'A log that failed'],
      layer: true,
      draw: close => <TimeLogs logs={timeLogs.failing} call={trial} close={close} />,
    },
  ],
}
