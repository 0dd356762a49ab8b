import { LeavingDialog } from '#src/kit/leaving.tsx'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'leaving',
  title: ['离开未保存的表单', 'Leaving what is unsaved'],
  states: [
    {
      name: ['询问', 'Asks'],
      layer: true,
      draw: close => <LeavingDialog answer={close} />,
    },
  ],
}
