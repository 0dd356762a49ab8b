import { insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { kiosk } from './kiosk.table.ts'

export const demo: readonly DemoStep[] = [
  {
    place: 90,
    branch: 'kiosks',
    run: (db, random) =>
      insertRows(db, kiosk, [{ mall_id: 1, name: `自助机 ${random.int(100, 999)}`, status: 'on' }]),
  },
]
