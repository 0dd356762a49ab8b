import { eq } from 'drizzle-orm'
import pino from 'pino'
import { afterEach, expect, it } from 'vitest'
import { setting } from '#src/areas/people/people.table.ts'
import { DAY, dayStart, unixNow } from '#src/domain/time.ts'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { tidyDatabase } from '#src/server/jobs/tidying.ts'
import { timerNamed } from '#src/server/jobs/timers.ts'
import { copyOfTemplate, onlyOn } from '../../farm.ts'

const opened: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})
const open = async (): Promise<Database> => {
  const copy = await copyOfTemplate()
  const database = await openDatabase(copy.options)
  opened.push({
    close: async () => {
      await database.close()
      await copy.remove()
    },
  })
  return database
}
const lines: { table?: string }[] = []
const log = pino(
  {},
  { write: (line: string) => void lines.push(JSON.parse(line) as { table?: string }) },
)
/** A table of which only the first of many rows is left. */
const bloated = async ({ pool }: Database) => {
  await pool.query(
    'create table bloated as select g id, repeat(md5(g::text), 8) from generate_series(1, 20000) g',
  )
  await pool.query('delete from bloated where id > 1')
}
const pages = async ({ pool }: Database) =>
  (
    await pool.query<{ size: number; seen: number; rows: number }>(
      `select pg_relation_size(oid)::int / 8192 size, relallvisible seen, reltuples::int as rows from pg_class where relname = 'bloated'`,
    )
  ).rows[0]!
const tick = (database: Database, now: number) =>
  timerNamed('database.tidy')({ database, log, now } as never)

onlyOn('lite')('an embedded database', () => {
  const night = dayStart(unixNow()) + DAY + 4.7 * 3600
  it('is tidied at night, table after table, and calls go between', async () => {
    const database = await open()
    await bloated(database)
    const before = await pages(database)
    expect([before.size > 600, before.seen]).toEqual([true, 0])
    let tidying = true
    const tidied = tick(database, night).finally(() => {
      tidying = false
    })
    let between = 0
    for (; tidying; between++) await database.pool.query('select 1')
    await tidied
    expect(between).toBeGreaterThan(20)
    expect(await pages(database)).toEqual({ size: 1, seen: 1, rows: 1 })
    expect(lines).toEqual([])
    const [kept] = await database.db.select().from(setting).where(eq(setting.key, 'tidied_at'))
    expect(kept!.value).toBe(night)
  })
  it('is tidied by day only where its nights were slept through', async () => {
    const database = await open()
    await bloated(database)
    const noon = dayStart(unixNow()) + 12 * 3600
    const isTidy = async (now: number) => {
      await tick(database, now)
      return (await pages(database)).size === 1
    }
    expect([await isTidy(noon), await isTidy(noon + DAY), await isTidy(noon + 2 * DAY)]).toEqual([
      false,
      false,
      true,
    ])
  })
  it('says which table could not be tidied, and tidies the others', async () => {
    const database = await open()
    await bloated(database)
    const pool = {
      query: (text: string) =>
        text === 'vacuum mall' ? Promise.reject(new Error('broken')) : database.pool.query(text),
    }
    await tidyDatabase({ ...database, pool } as never, log)
    expect(lines.splice(0).map(line => line.table)).toEqual(['mall'])
    expect((await pages(database)).size).toBe(1)
  })
})
it('a PostgreSQL, which tidies itself, is asked for nothing', async () => {
  await tidyDatabase({ exclusive: false } as never, log)
  expect(await tick({ exclusive: false } as never, unixNow())).toEqual([])
  expect(lines).toEqual([])
})
