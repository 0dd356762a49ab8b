import { WhoChanged } from '#src/kit/changed.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'changed',
  title: ['谁改的', 'Who changed this'],
  states: [
    {
      name: ['字段旁', 'Beside a field'],
      draw: () => (
        <span>
          价格 <WhoChanged href="?field=price" of="价格" />
        </span>
      ),
    },
  ],
}
