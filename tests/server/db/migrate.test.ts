import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { drizzle } from 'drizzle-orm/node-postgres'
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator'
import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { openDatabase } from '#src/server/db/database.ts'
import { migrate } from '#src/server/db/migrate.ts'
import { onlyOn } from '../../farm.ts'

const home = 'src/server/db/migrations'
/** The migrations up to one, in a folder of their own: what an older database has had. */
const upTo = (last: string): string => {
  const folder = mkdtempSync(join(tmpdir(), 'mallet-migrations-'))
  mkdirSync(join(folder, 'meta'))
  const journal = JSON.parse(readFileSync(join(home, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string }[]
  }
  const entries = journal.entries.slice(0, journal.entries.findIndex(one => one.tag === last) + 1)
  writeFileSync(join(folder, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
  for (const { tag } of entries) cpSync(join(home, `${tag}.sql`), join(folder, `${tag}.sql`))
  return folder
}
/** An empty database on the tests' server. */
const emptyDatabase = async () => {
  const template = inject('template')
  if (template.flavour !== 'postgres') throw new Error('only on a server')
  const name = `m_${process.pid}_${Date.now()}`
  const admin = new pg.Client(template.admin)
  await admin.connect()
  await admin.query(`create database ${name}`)
  const url = new URL(template.admin)
  url.pathname = `/${name}`
  const remove = async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
  return { url: url.href, remove }
}

onlyOn('postgres')('an older database', () => {
  it('finds the second looks in its menu, and what was hidden by hand stays hidden', async () => {
    const [{ url, remove }, folder] = [await emptyDatabase(), upTo('0007_messages')]
    const pool = new pg.Pool({ connectionString: url })
    await runMigrations(drizzle(pool), { migrationsFolder: folder })
    const paths = ['/manage/audit/look', '/manage/audit/look/figures', '/manage/audit/card']
    for (const path of paths)
      await pool.query(
        "insert into menu (side, type, title, redirect, visible) values ('ops', 'page', 'x', $1, false)",
        [path],
      )
    await pool.end()

    const database = await openDatabase({ url })
    await migrate(database)
    const { rows } = await database.pool.query<{ visible: boolean }>(
      'select visible from menu order by id',
    )
    expect(rows.map(row => row.visible)).toEqual([true, true, false])
    await database.close()
    await remove()
    rmSync(folder, { recursive: true })
  })
  it('keeps its names, without what can not be seen; the later of two that are one now is numbered', async () => {
    const [{ url, remove }, folder] = [await emptyDatabase(), upTo('0002_refund_late')]
    const pool = new pg.Pool({ connectionString: url })
    await runMigrations(drizzle(pool), { migrationsFolder: folder })
    const names = ['审核员', '审核员\u200b', 'Ａｂｃ', 'abc', '其他']
    for (const [at, name] of names.entries())
      await pool.query('insert into role (code, name) values ($1, $2)', [`r${at}`, name])
    await pool.end()

    const database = await openDatabase({ url })
    await migrate(database)
    const { rows } = await database.pool.query<{ name: string }>(
      'select name from role order by id',
    )
    expect(rows.map(row => row.name)).toEqual(['审核员', '审核员 #2', 'Ａｂｃ', 'abc #4', '其他'])
    await database.close()
    await remove()
    rmSync(folder, { recursive: true })
  })
})
