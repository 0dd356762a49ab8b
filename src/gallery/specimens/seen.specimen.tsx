import { Seen } from '#src/kit/seen.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'seen',
  title: ['只画看得见的', 'Drawn while in sight'],
  states: [{ name: ['看得见', 'In sight'], draw: () => <Seen>内容</Seen> }],
}
