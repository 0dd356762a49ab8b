import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { courier } from './ship.table.ts'
import { standardCouriers } from './standardCouriers.ts'

/** The most used are in use. */
const ENABLED = 11

const seedCouriers = async (db: Db, now: number): Promise<void> => {
  const made = now - 400 * DAY
  await insertRows(
    db,
    courier,
    standardCouriers.map((one, at) => ({
      ...one,
      id: at + 1,
      is_default: at === 0,
      sort: at,
      status: at < ENABLED ? ('on' as const) : ('off' as const),
      created_at: made,
      updated_at: made,
    })),
  )
  await afterIds(db)
}

export const demo: readonly DemoStep[] = [
  { place: 50, branch: 'couriers', run: (db, _, { now }) => seedCouriers(db, now) },
]
