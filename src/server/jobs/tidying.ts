import { eq } from 'drizzle-orm'
import type { Logger } from 'pino'
import { setting } from '#src/areas/people/people.table.ts'
import { DAY, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { oneByOne } from '#src/server/db/oneByOne.ts'
import { defineTimer } from './timers.ts'

const KEY = 'tidied_at'
/** The hour of the night in Shanghai at which it is done. */
const NIGHT = 4
/** A computer that is off at night is tidied by day, once so much time went by. */
const LATE = 2 * DAY

/**
 * Removes from an embedded database what no row is any more, and counts anew what its plans lean on:
 * nothing else does that there. Each table is a statement or two of its own, so that calls go
 * between. PostgreSQL does it by itself.
 */
export const tidyDatabase = async (
  { exclusive, pool, unhurried }: Pick<Database, 'exclusive' | 'pool' | 'unhurried'>,
  log: Pick<Logger, 'error'>,
): Promise<void> => {
  if (!exclusive) return
  const { rows } = await pool.query<{ id: number; name: string }>(
    `select c.oid::int as id, c.oid::regclass::text as name from pg_class c where c.relkind in ('r', 'm')
      and not c.relisshared and c.relpersistence = 'p' order by c.oid`,
  )
  const names = new Map(rows.map(row => [row.id, row.name]))
  await oneByOne(
    rows,
    ({ name }) =>
      unhurried(async () => {
        await pool.query(`vacuum ${name}`)
        await pool.query(`analyze ${name}`)
      }),
    (error, id) => log.error({ err: error, table: names.get(id) }, 'a table could not be tidied'),
  )
}

const tidiedAt = async (db: Db): Promise<number | undefined> => {
  const [row] = await db.select().from(setting).where(eq(setting.key, KEY))
  return typeof row?.value === 'number' ? row.value : undefined
}
const note = async (db: Db, now: number): Promise<void> => {
  await db
    .insert(setting)
    .values({ key: KEY, value: now })
    .onConflictDoUpdate({ target: setting.key, set: { value: now, updated_at: now } })
}
defineTimer('database.tidy', '40 * * * *', async ({ database, log, now }) => {
  if (!database.exclusive || database.state().read_only) return []
  const { db } = database
  const last = await tidiedAt(db)
  const isNight = Math.floor((now - dayStart(now)) / 3600) === NIGHT
  if (!isNight && last !== undefined && now - last < LATE) return []
  // What was never tidied is new, and waits for its time.
  if (isNight || last !== undefined) await tidyDatabase(database, log)
  await note(db, now)
  return []
})
