import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { openDatabase, type Database } from '#src/server/db/database.ts'
import { onlyOn, openCopy } from '../farm.ts'
import { atEnd } from '../farm/ends.ts'

/** Every table with its number of rows and what they hold, and what else a copy may lose. */
const printOf = async ({ pool }: Database): Promise<Record<string, unknown>> => {
  const ask = async (text: string) =>
    (await pool.query<{ name: string; is: string | null }>(text)).rows
  const tables = await ask(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  const print: Record<string, unknown> = {
    triggers: await ask(
      `select tgname as name, tgenabled as is from pg_trigger where not tgisinternal order by 1, 2`,
    ),
    sequences: await ask(
      `select sequencename as name, last_value as is from pg_sequences where schemaname = 'public' order by 1`,
    ),
  }
  for (const { name } of tables) {
    const rows = `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as is from "${name}" t`
    print[name] = (await ask(rows))[0]!.is
  }
  return print
}

/** What grew, in a copy: others make copies of the template meanwhile, which nobody may be using. */
const openGrown = async (): Promise<Database> => {
  const { admin, grown } = inject('template') as { admin: string; grown: string }
  const client = new pg.Client(admin)
  await client.connect()
  const name = 'grown_beside'
  await client.query(`create database ${name} template ${grown} strategy file_copy`)
  const url = new URL(admin)
  url.pathname = `/${name}`
  const database = await openDatabase({ url: url.href, poolSize: 1 })
  atEnd(async () => {
    await database.close()
    await client.query(`drop database ${name}`)
    await client.end()
  })
  return database
}

onlyOn('lite')('the demo in the embedded copies', () => {
  it('is row for row what grew on PostgreSQL, with triggers and sequences', async () => {
    const there = await printOf(await openGrown())
    const here = await printOf(await openCopy())
    expect(Object.keys(there).length).toBeGreaterThan(250)
    expect(here).toEqual(there)
  })
})
