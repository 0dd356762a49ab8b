import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, inject, it } from 'vitest'
import { openDatabase } from '#src/server/db/database.ts'
import { onlyOn } from '../../farm.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
/** A data folder with a database and an upload in it. */
const dataFolder = () => {
  const data = mkdtempSync(join(tmpdir(), 'mallet-damaged-'))
  folders.push(data)
  const template = inject('template') as { folder: string }
  cpSync(template.folder, join(data, 'database'), { recursive: true })
  mkdirSync(join(data, 'uploads'))
  writeFileSync(join(data, 'uploads/one.png'), 'picture')
  return { data, database: join(data, 'database') }
}
const refusal = (folder: string) =>
  openDatabase({ folder }).then(
    async database => {
      await database.close()
      return 'it was opened'
    },
    (error: Error) => error.message,
  )

onlyOn('lite')('a damaged data folder is refused, in words that say what to do', () => {
  it.each(['PG_VERSION', 'global/pg_control', 'pg_wal'])('without %s', async lost => {
    const { database } = dataFolder()
    rmSync(join(database, lost), { recursive: true })
    const before = readdirSync(database)
    const said = await refusal(database)
    expect(said).toContain(`damaged: ${lost} is missing`)
    expect(said).toMatch(/Nothing was changed\. Put .* back from a backup, or set MALLET_DATA/)
    expect(readdirSync(database)).toEqual(before)
  })
  it('with a file that the engine can not read', async () => {
    const { database } = dataFolder()
    truncateSync(join(database, 'global/pg_control'), 100)
    const said = await refusal(database)
    expect(said).toMatch(/can not be opened \(.*\): files of it are damaged, missing/)
    expect(said).toContain('from a backup')
  })
  it.each(['emptied', 'taken away'])('%s while its uploads stand', async how => {
    const { data, database } = dataFolder()
    rmSync(database, { recursive: true })
    if (how === 'emptied') mkdirSync(database)
    const said = await refusal(database)
    expect(said).toContain(
      `the database in ${database} is gone, while its files in ${join(data, 'uploads')} are there`,
    )
    expect(existsSync(join(database, 'PG_VERSION'))).toBe(false)
  })
  it('but an empty folder without them is a new one', async () => {
    const { data, database } = dataFolder()
    rmSync(database, { recursive: true })
    rmSync(join(data, 'uploads'), { recursive: true })
    mkdirSync(database)
    const opened = await openDatabase({ folder: database })
    expect((await opened.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await opened.close()
    // A busy machine takes its time to make a database; one that outlives its test starts for ever.
  }, 120_000)
})
