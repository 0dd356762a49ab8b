import { Keyed } from '#src/kit/keyed.tsx'
import { add } from '../actions.ts'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'keyed',
  title: ['句中的按键', 'Keys in a sentence'],
  states: [
    {
      name: ['按键可改', 'As the reader has it'],
      draw: () => <Keyed text={['按 {add} 新增。', '{add} adds one.']} by={{ add }} />,
    },
  ],
}
