import { Period } from '#src/kit/period.tsx'
import { Filtered } from '../frame.tsx'
import type { Specimen } from '../specimen.ts'

const period = (first: Record<string, unknown>) => (
  <Filtered first={first}>
    {of => <Period of={of} from="from" to="to" most={90} usual={['最近 7 天', 'Last 7 days']} />}
  </Filtered>
)
export const specimen: Specimen = {
  part: 'period',
  title: ['时间范围', 'A period'],
  states: [
    { name: ['默认', 'The usual'], draw: () => period({}) },
    { name: ['已选', 'Chosen'], draw: () => period({ from: 1_795_000_000, to: 1_795_600_000 }) },
    { name: ['只有结束', 'An end alone'], draw: () => period({ to: 1_795_600_000 }) },
  ],
}
