import type { Term } from '#src/areas/workbench/term.ts'

/** Words of this area that are not plain by themselves. */
export const terms: readonly Term[] = [
  {
    id: 'kiosk',
    title: ['自助机', 'Kiosk'],
    at: '/manage/kiosk/machine',
    means: ['顾客在商场自助取号的机器。', 'A machine in a mall at which visitors take numbers.'],
  },
]
