import { RevealDialog } from '#src/kit/reveal.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'reveal',
  title: ['查看隐藏内容', 'A hidden value in clear'],
  states: [
    {
      name: ['手机号', 'A phone'],
      layer: true,
      draw: close => (
        <RevealDialog
          close={close}
          of={{
            label: ['手机号', 'Phone'],
            of: '欧阳司徒慕容婉清',
            value: '138 0013 8000',
            seconds: 30,
            left: 19,
          }}
        />
      ),
    },
  ],
}
