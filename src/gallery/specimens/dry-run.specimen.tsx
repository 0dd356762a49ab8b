import { DryRun } from '#src/kit/dry-run.tsx'
import { turnOff } from '../actions.ts'
import { longNames, rows } from '../rows.ts'
import type { Specimen } from '../specimen.ts'

export const specimen: Specimen = {
  part: 'dry-run',
  title: ['执行前预告', 'What it would do'],
  states: [
    {
      name: ['一行', 'One row'],
      draw: () => <DryRun action={turnOff} rows={[{ id: 1, name: longNames[0]! }]} />,
    },
    { name: ['多行', 'Many rows'], draw: () => <DryRun action={turnOff} rows={rows} /> },
  ],
}
